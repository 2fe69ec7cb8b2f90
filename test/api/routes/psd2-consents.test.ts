/** A consent is fetched from until it ends, ends at the bank as well as here, and its user is told in time. */
import test, { type ExecutionContext } from "ava";
import { inTransaction } from "../../../src/database/database.ts";
import type { PushedRequest } from "../../../src/landing/accept.ts";
import { bodyOf } from "../../../src/notifications/body.ts";
import { claimDue } from "../../../src/notifications/outbox.ts";
import { putReceiver } from "../../../src/notifications/receiver.ts";
import { tellEnded, watchConsents } from "../../../src/psd2/end-notices.ts";
import { fetchDue } from "../../../src/psd2/fetch.ts";
import { endConsent } from "../../../src/psd2/consents.ts";
import { giveBackEnded } from "../../../src/psd2/give-back.ts";
import { partnerPath, type World } from "../world.ts";
import { confirm, decide, done, initiate, signIn, start } from "./psd2-browser.ts";

/** Notices are written for partners with a receiver. */
async function receiveAt(world: World): Promise<void> {
  await putReceiver(world.database, world.keyEncryptionKey, {
    partnerId: "north",
    url: "https://bank.example/receiver",
    shape: "map",
    authentication: { kind: "static", token: "secret" },
    signing: "hmac",
    guard: { allowsPrivateAddresses: false, authority: undefined, clientCertificate: undefined },
  });
}

/** The same user, the same bank once more. */
async function connectAnother(t: ExecutionContext, { world, token }: { world: World; token: string }): Promise<void> {
  const { url } = await initiate(t, world, token, { redirectUrl: done });
  await decide(world, await signIn(world, { page: await confirm(world, url), path: new URL(url).pathname }), "approve");
}

async function told(world: World): Promise<string[]> {
  const { rows } = await world.database.query<{ type: string }>("select type from notifications order by position");
  return rows.map(({ type }) => type);
}

test.serial("a consent that the bank ended ends here, and its user is told once, in the same moment", async (t) => {
  const started = await start(t);
  const { world } = started;
  await receiveAt(world);
  await decide(world, await signIn(world, started), "approve");
  await world.database.query("update sandbox_consents set status = 'revokedByPsu', access_sha256 = null");
  const acceptRequest = async () => ({ outcome: "accepted" as const, deliveryId: "d" });
  t.is(await fetchDue({ ...world.psd2, acceptRequest }), 1);
  const { rows } = await world.database.query("select state, last_failure from psd2_consents");
  t.deepEqual(rows, [{ state: "ended", last_failure: "HTTP 401" }]);
  t.is(await giveBackEnded(world.psd2), 0, "the bank knows");
  t.deepEqual(await told(world), ["USER_UPDATE_REQUIRED"], "before any round looks");
  t.is(await watchConsents(world.psd2), 0);
  t.deepEqual(await told(world), ["USER_UPDATE_REQUIRED"]);
});

test.serial("a consent that an operator ended is told of in the same moment; one that goes on is not", async (t) => {
  const started = await start(t);
  const { world } = started;
  await receiveAt(world);
  await decide(world, await signIn(world, started), "approve");
  const { rows } = await world.database.query<{ id: string }>("select id from psd2_consents");
  const id = rows[0]!.id;
  await inTransaction(world.database, (transaction) => tellEnded(transaction, id));
  t.deepEqual(await told(world), []);
  await inTransaction(world.database, async (transaction) => {
    await endConsent(transaction, id, "ENDED_BY_OPERATOR");
    await tellEnded(transaction, id);
    await tellEnded(transaction, id);
  });
  t.deepEqual(await told(world), ["USER_UPDATE_REQUIRED"]);
  t.is(await watchConsents(world.psd2), 0);
});

test.serial("a consent is good through its last business day, whatever the day in the street", async (t) => {
  const started = await start(t);
  const { world } = started;
  await decide(world, await signIn(world, started), "approve");
  const acceptRequest = async () => ({ outcome: "accepted" as const, deliveryId: "d" });
  const fetchOn = async (lastDay: string) => {
    await world.database.query("update sandbox_consents set valid_until = $1", [lastDay]);
    await world.database.query("update psd2_consents set next_fetch_at = now()");
    t.is(await fetchDue({ ...world.psd2, acceptRequest }), 1);
    return (await world.database.query("select state, last_failure from psd2_consents")).rows;
  };
  t.deepEqual(await fetchOn("2026-06-15"), [{ state: "active", last_failure: null }]);
  t.deepEqual(await fetchOn("2026-06-14"), [{ state: "ended", last_failure: "HTTP 401" }]);
});

test.serial(
  "a refresh token that the bank takes no more ends the consent, instead of being tried for months",
  async (t) => {
    const started = await start(t);
    const { world } = started;
    await decide(world, await signIn(world, started), "approve");
    await world.database.query("update sandbox_consents set refresh_sha256 = null");
    await world.database.query("update psd2_consents set token_expires_at = now()");
    t.is(
      await fetchDue({ ...world.psd2, acceptRequest: async () => ({ outcome: "accepted" as const, deliveryId: "d" }) }),
      1,
    );
    t.deepEqual((await world.database.query("select state, last_failure from psd2_consents")).rows, [
      { state: "ended", last_failure: "REFRESH_TOKEN_REFUSED" },
    ]);
  },
);

test.serial(
  "what ends here ends at the bank: by an operator, a later consent, the user's deletion; then the tokens are forgotten",
  async (t) => {
    const statuses = async (world: World) =>
      (
        await world.database.query<{ status: string }>("select status from sandbox_consents order by created_at")
      ).rows.map(({ status }) => status);
    const kept = async (world: World) =>
      (
        await world.database.query(
          "select state, given_back_at is not null as given, access_token_sealed is null as forgotten from psd2_consents order by created_at",
        )
      ).rows;
    const started = await start(t);
    const { world } = started;
    await decide(world, await signIn(world, started), "approve");
    t.is(await giveBackEnded(world.psd2), 0, "an active one stays");
    const { rows } = await world.database.query<{ id: string }>("select id from psd2_consents");
    t.true(await endConsent(world.database, rows[0]!.id, "ENDED_BY_OPERATOR"));
    t.is(await giveBackEnded(world.psd2), 1);
    t.is(await giveBackEnded(world.psd2), 0);
    t.deepEqual(await statuses(world), ["terminatedByTpp"]);
    t.deepEqual(await kept(world), [{ state: "ended", given: true, forgotten: true }]);

    for (let again = 0; again < 2; again += 1) {
      await connectAnother(t, started);
    }
    t.is(await giveBackEnded(world.psd2), 1, "the earlier one of the same bank");
    t.deepEqual(await statuses(world), ["terminatedByTpp", "terminatedByTpp", "valid"]);
    await world.database.query("update users set deleted_at = now()");
    t.is(await giveBackEnded(world.psd2), 1);
    t.deepEqual(await statuses(world), ["terminatedByTpp", "terminatedByTpp", "terminatedByTpp"]);
  },
);

test.serial("a bank that cannot be reached is told later, until the consent has run out by itself", async (t) => {
  const started = await start(t);
  const { world } = started;
  await decide(world, await signIn(world, started), "approve");
  await world.database.query("update users set deleted_at = now()");
  const away = {
    ...world.psd2,
    ownBank: async () => ({
      ...(await world.psd2.ownBank("north"))!,
      xs2aUrl: "https://localhost:1/psd2",
      tokenUrl: "https://localhost:1/token",
    }),
  };
  t.is(await giveBackEnded(away), 0);
  const waiting = async () =>
    (
      await world.database.query(
        "select given_back_at, next_fetch_at > now() + interval '50 minutes' as later from psd2_consents",
      )
    ).rows;
  t.deepEqual(await waiting(), [{ given_back_at: null, later: true }]);
  await world.database.query("update psd2_consents set next_fetch_at = now(), valid_until = '2020-01-01'");
  t.is(await giveBackEnded(away), 1);
});

test.serial(
  "a fetch that the service's end breaks off is due again at once, and its import is not complete",
  async (t) => {
    const started = await start(t);
    const { world } = started;
    await decide(world, await signIn(world, started), "approve");
    const handed: PushedRequest[] = [];
    let stopping = false;
    const acceptRequest = async (request: PushedRequest) => {
      handed.push(request);
      stopping = true;
      return { outcome: "accepted" as const, deliveryId: "d" };
    };
    await fetchDue({ ...world.psd2, acceptRequest }, () => stopping);
    t.is(handed.length, 1);
    const { rows } = await world.database.query(
      "select state, first_fetched_at, last_failure, next_fetch_at <= now() as is_due from psd2_consents",
    );
    t.deepEqual(rows, [{ state: "active", first_fetched_at: null, last_failure: null, is_due: true }]);
    stopping = false;
    t.is(
      await fetchDue({ ...world.psd2, acceptRequest: async (request) => ({ ...(await acceptRequest(request)) }) }),
      1,
    );
    t.true(handed.length >= 3, "all of it again, from the beginning");
  },
);

test.serial("a consent is told of a week before its end and at its end", async (t) => {
  const started = await start(t);
  const { world } = started;
  await decide(world, await signIn(world, started), "approve");
  const on = (day: string) => watchConsents({ ...world.psd2, today: () => day });
  await world.database.query("update psd2_consents set valid_until = '2026-07-01'");
  t.is(await on("2026-06-23"), 0);
  t.is(await on("2026-06-24"), 1);
  t.is(await on("2026-06-25"), 0);
  t.is(await on("2026-07-01"), 0, "its last day");
  t.is(await on("2026-07-02"), 1);
  t.is(await on("2026-07-03"), 0);
  t.deepEqual((await world.database.query("select state from psd2_consents")).rows, [{ state: "ended" }]);
});

test.serial("a balance in another currency than the brand's is not taken for one of the brand's", async (t) => {
  const started = await start(t);
  const { world } = started;
  await decide(world, await signIn(world, started), "approve");
  const acceptRequest = async () => ({ outcome: "accepted" as const, deliveryId: "d" });
  const balances = async () => (await world.database.query("select 1 from account_balances")).rowCount ?? 0;
  await world.database.query("update brands set currency = 'ISK' where id = 'north-dk'");
  t.is(await fetchDue({ ...world.psd2, acceptRequest }), 1);
  t.is(await balances(), 0);
  await world.database.query("update brands set currency = 'DKK' where id = 'north-dk'");
  await world.database.query("update psd2_consents set next_fetch_at = now()");
  t.is(await fetchDue({ ...world.psd2, acceptRequest }), 1);
  t.true((await balances()) > 0);
});

test.serial(
  "a user who has connected the bank again is not told that the connection before has ended, however it did",
  async (t) => {
    const started = await start(t);
    const { world } = started;
    const connectAgain = () => connectAnother(t, started);
    await decide(world, await signIn(world, started), "approve");
    await world.database.query("update psd2_consents set last_failure = 'HTTP 503'");
    await connectAgain();
    t.is(await watchConsents(world.psd2), 0, "the bank was away when the user connected it again");
    await world.database.query("update sandbox_consents set access_sha256 = null");
    await fetchDue({ ...world.psd2, acceptRequest: async () => ({ outcome: "accepted" as const, deliveryId: "d" }) });
    await connectAgain();
    t.is(await watchConsents(world.psd2), 0, "the bank had ended it");
    t.deepEqual((await world.database.query("select state from psd2_consents order by created_at")).rows, [
      { state: "ended" },
      { state: "ended" },
      { state: "active" },
    ]);
  },
);

test.serial(
  "an account that the user took from us is not fetched again, until the user chooses it at the bank anew",
  async (t) => {
    const started = await start(t);
    const { world } = started;
    await decide(world, await signIn(world, started), "approve");
    const acceptRequest = async () => ({ outcome: "accepted" as const, deliveryId: "d" });
    const recordsOfFetch = async () => {
      await world.database.query("update psd2_consents set next_fetch_at = now()");
      await fetchDue({ ...world.psd2, acceptRequest });
      return world.logged.findLast((line) => line["event"] === "psd2.fetched")?.["records"];
    };
    const all = await recordsOfFetch();
    t.true(Number(all) > 0);
    t.is((await world.call("PUT", `${partnerPath}/accounts`, { token: started.token, body: [] })).status, 200);
    await world.database.query("update psd2_consents set first_fetched_at = null");
    t.is(await recordsOfFetch(), 1, "the end of the import alone");
    await connectAnother(t, started);
    t.is(await recordsOfFetch(), all);
  },
);

test.serial("the message of a connection that ends names the bank, and tells of no product", async (t) => {
  const started = await start(t);
  const { world } = started;
  await receiveAt(world);
  await decide(world, await signIn(world, started), "approve");
  await world.database.query("update psd2_consents set valid_until = '2026-06-20'");
  t.is(await watchConsents({ ...world.psd2, today: () => "2026-06-15" }), 1);
  const [outgoing] = await claimDue(world.database, "north", 1, 1000);
  const { notification } = JSON.parse(bodyOf(outgoing!, "map")) as {
    notification: { data?: object; texts: Record<string, { body: string }> };
  };
  t.false("data" in notification);
  t.true(notification.texts["da"]?.body.includes("Sandbox Bank"));
});
