/** What deliveries of a group say of accounts and cards is told to the database once, and comes to the same. */
import test from "ava";
import type { Transaction } from "../../../src/database/database.ts";
import { inTransaction } from "../../../src/database/database.ts";
import { keepAccounts } from "../../../src/ledger/account-access.ts";
import { type Description, partDescriptions, postDescriptions } from "../../../workers/ingest/described.ts";
import { ingestGroup } from "../../../workers/ingest/group.ts";
import fc, { runs } from "../../property.ts";
import { type LoadingWorld, openLoading, request, transaction } from "../world.ts";

test("whoever described accounts and cards, and wherever users said which may be seen, it is as if each delivery were loaded by itself", async (t) => {
  const worlds = [await openLoading(t), await openLoading(t)];
  const oneOf = <Value>(...values: Value[]) => fc.constantFrom(...values);
  const account = fc.record({ id: oneOf("a", "b"), name: oneOf("", "Løn", "Fælles"), iban: oneOf("", "DK1", "DK2") });
  const card = fc.record(
    {
      id: oneOf("c", "d"),
      pan4: oneOf("", "1111", "2222"),
      cardType: oneOf("DEBIT", "CREDIT"),
      paymentNetwork: oneOf("DK", "VISA"),
    },
    { requiredKeys: ["id", "pan4"] },
  );
  const delivered = fc.record({ user: oneOf("u1", "u2"), account, card: fc.option(card, { nil: undefined }) });
  const kept = fc.record({ user: oneOf(0, 1), kept: fc.subarray(["a", "b"]) });
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.array(delivered, { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: kept },
  );
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      run += 1;
      const ids: string[][] = [[], []];
      for (const [place, world] of worlds.entries()) {
        await world.database.query("delete from account_reviews; delete from accounts; delete from cards");
        for (const [n, one] of steps.entries()) {
          if ("kept" in one) await keep(world, one.user, one.kept);
          else {
            const records = one.map(({ user, ...more }, at) => ({
              ...transaction(user, `${run}-${n}-${at}`),
              ...more,
            }));
            ids[place]?.push(await world.deliverRequest(request(records)));
          }
        }
      }
      const [together, alone] = worlds as [LoadingWorld, LoadingWorld];
      const { loaded } = await ingestGroup(together.context, { deliveryIds: ids[0] ?? [] });
      for (const id of ids[0] ?? []) if (!loaded.includes(id)) await together.ingest(id);
      for (const id of ids[1] ?? []) await alone.ingest(id);
      t.deepEqual(await heldBy(together), await heldBy(alone));
    }),
    runs(40),
  );
});

async function keep({ database, userIds }: LoadingWorld, user: number, kept: readonly string[]): Promise<void> {
  const { rows } = await database.query<{ partnerId: string }>(
    `select partner_id as "partnerId" from users where id = $1`,
    [userIds[user]],
  );
  await inTransaction(database, (client) =>
    keepAccounts(client, { id: userIds[user] ?? 0, partnerId: rows[0]?.partnerId ?? "" }, kept),
  );
}

/** Accounts and cards by the bank's ids, and who is to be looked at as a whole since one came back. */
async function heldBy({ database }: LoadingWorld) {
  const named = "join users on users.id = user_id";
  const all = await Promise.all(
    [
      `select bank_user_id, accounts.id, accounts.name, iban, removed_after from accounts ${named} order by 1, 2`,
      `select bank_user_id, cards.id, pan4, card_type, payment_network from cards ${named} order by 1, 2`,
      `select bank_user_id, arrived = '' as is_whole from changed_users ${named} order by 1`,
    ].map(async (text) => (await database.query(text)).rows),
  );
  return all;
}

test("two hundred deliveries that describe the same ask the database three times", async (t) => {
  const asked: string[] = [];
  const client = {
    query: async (text: string) => {
      asked.push(text.trim().slice(0, 20));
      return { rows: [] };
    },
  } as unknown as Transaction;
  const descriptions: Description[] = Array.from({ length: 200 }, (_, position) => ({
    position,
    accounts: [{ userId: 1, thing: { id: "a", name: "Løn", iban: "" } }],
    cards: [{ userId: 1, thing: { id: "c", pan4: "1111", cardType: null, paymentNetwork: null } }],
  }));
  await postDescriptions(client, await partDescriptions(client, descriptions));
  t.deepEqual(asked, ["select distinct user", "insert into accounts", "insert into cards (u"]);
});
