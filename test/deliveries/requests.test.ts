/** A reqId stays with its partner, its first content and its delivery. */
import { randomUUID } from "node:crypto";
import test from "ava";
import { inTransaction } from "../../src/database/database.ts";
import { claimRequests, findUsedRequests, insertRequests } from "../../src/deliveries/requests.ts";
import { type Party, shareLedger, unasked } from "../ledger/world.ts";

const ledger = shareLedger();

const claim = (
  party: Party,
  deliveryId: string,
  requests: readonly (readonly [id: string, content: string])[],
): Promise<boolean> =>
  inTransaction(ledger.database, (transaction) =>
    claimRequests(
      transaction,
      party.partnerId,
      requests.map(([id, content]) => ({ id, contentSha256: Buffer.from(content, "hex"), deliveryId })),
    ),
  );

test("without reqIds nothing is asked of the database", async (t) => {
  t.is((await findUsedRequests(unasked, "bank", [])).size, 0);
  t.true(await claimRequests(unasked, "bank", []));
});

test("reqIds that are used tell their content, but not those of another partner", async (t) => {
  const [mine, other] = [await ledger.party(), await ledger.party()];
  const [used, unused, another] = [randomUUID(), randomUUID(), randomUUID()];
  t.true(
    await claim(mine, (await mine.delivery("loading")).id, [
      [used, "0a0b"],
      [another, "0c"],
    ]),
  );
  t.deepEqual([...(await findUsedRequests(ledger.database, mine.partnerId, [used, unused]))], [[used, "0a0b"]]);
  t.is((await findUsedRequests(ledger.database, other.partnerId, [used])).size, 0);
  t.true(await claim(other, (await other.delivery("loading")).id, [[used, "ff"]]));
});

test("a reqId stays with its first content and delivery: the same content may come again, other content may not", async (t) => {
  const party = await ledger.party();
  const [first, second] = [await party.delivery("loading"), await party.delivery("loading")];
  const [one, other] = [randomUUID(), randomUUID()];
  t.true(await claim(party, first.id, [[one, "01"]]));
  t.true(await claim(party, second.id, [[one, "01"]]));
  t.false(
    await claim(party, second.id, [
      [one, "02"],
      [other, "03"],
    ]),
  );
  t.false(
    await claim(party, second.id, [
      [other, "03"],
      [one, "02"],
    ]),
  );
  const { rows } = await ledger.database.query(
    "select request_id, encode(content_sha256, 'hex') as content, delivery_id from requests where partner_id = $1 and request_id = $2",
    [party.partnerId, one],
  );
  t.deepEqual(rows, [{ request_id: one, content: "01", delivery_id: first.id }]);
});

test("reqIds go in by their order, so that two loaders wait for each other", async (t) => {
  const party = await ledger.party();
  const ids = ["a", "1", "f", "5", "5", "0"].map((digit) => `${digit.repeat(8)}-0000-4000-8000-000000000000`);
  t.true(
    await claim(
      party,
      (await party.delivery("loading")).id,
      ids.map((id) => [id, "01"] as const),
    ),
  );
  const { rows } = await ledger.database.query<{ digit: string }>(
    "select left(request_id::text, 1) as digit from requests where partner_id = $1 order by ctid",
    [party.partnerId],
  );
  t.deepEqual(
    rows.map((row) => row.digit),
    ["0", "1", "5", "a", "f"],
  );
});

test("of many users that no statistics tell of, only those that a request names are looked at", async (t) => {
  const party = await ledger.party();
  await inTransaction(ledger.database, async (transaction) => {
    await transaction.query(
      "insert into users (partner_id, brand_id, bank_user_id, locale) select $1, brand_id, 'many-' || n, locale from users, generate_series(1, 3000) as n where id = $2",
      [party.partnerId, party.userIds[0]],
    );
    const looked = async (): Promise<number> => {
      const { rows } = await transaction.query<{ n: number }>(
        "select (seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as n from pg_stat_xact_user_tables where relname = 'users'",
      );
      return rows[0]?.n ?? 0;
    };
    const before = await looked();
    const id = randomUUID();
    const outcome = await insertRequests(transaction, [
      {
        delivery: {
          id,
          partnerId: party.partnerId,
          door: "https",
          format: "request",
          name: null,
          requestId: randomUUID(),
          correlationId: "many-users",
          sizeBytes: 1,
          sha256: Buffer.alloc(32),
          vaultReference: null,
          refusal: null,
        },
        contentSha256: Buffer.alloc(32),
        body: Buffer.from("-"),
        uids: ["many-1", "many-2999", "nobody"],
      },
    ]);
    t.deepEqual([...outcome], [[id, { unknownUsers: ["nobody"] }]]);
    t.true((await looked()) - before <= 3, `${(await looked()) - before} users were looked at for three`);
  });
});
