/** The change feed tells every change that was committed, whatever else goes on, and nothing of who is gone. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import test, { type ExecutionContext } from "ava";
import { Webhook } from "standardwebhooks";
import { eraseUsers } from "../../src/data-subjects/erase.ts";
import { inTransaction } from "../../src/database/database.ts";
import { openFeedFile } from "../../src/exports/feed-targets.ts";
import { tellChanges } from "../../src/exports/feed.ts";
import {
  addFollower,
  type FeedPlace,
  findFollower,
  moveFollower,
  removeFollower,
} from "../../src/exports/followers.ts";
import { keepAccounts } from "../../src/ledger/account-access.ts";
import { withdraw } from "../../src/ledger/withdraw.ts";
import { removeOldChanges } from "../../src/partners/change-feed.ts";
import { deleteUser } from "../../src/partners/users.ts";
import { openCommandLine } from "../cli/command.ts";
import { openContext } from "../../workers/context.ts";
import { ingestDelivery } from "../../workers/ingest/ingest.ts";
import { sealToken } from "../workers/sealing.ts";
import { type LoadingWorld, openLoading, transaction, transactions } from "../workers/world.ts";

const program = fileURLToPath(new URL("../../src/cli/tideline.mjs", import.meta.url));

type Line = { position: string; kind: string; change: string; data: Record<string, unknown> };

/**
 * All lines of what is committed; the follower's place moves on. Transactions of other databases of the server are waited
 * for, too: what is below every open one is of the whole server.
 */
async function take(world: LoadingWorld, name = "lake"): Promise<Line[]> {
  const { rows } = await world.database.query<{ now: string }>("select pg_current_xact_id()::text as now");
  const lines: Line[] = [];
  for (;;) {
    const { place, some } = await takeSeen(world, name);
    lines.push(...some);
    if (BigInt(place.xid) > BigInt(rows[0]?.now ?? 0)) return lines;
    await wait(5);
  }
}

/** As far as it can be told now. */
async function takeSeen(world: LoadingWorld, name = "lake"): Promise<{ place: FeedPlace; some: Line[] }> {
  const lines: Line[] = [];
  const connection = await world.database.connect();
  try {
    for (;;) {
      const follower = await findFollower(world.database, name);
      if (follower === null) throw new Error(`nobody follows as ${name}`);
      const told = await tellChanges(
        connection,
        follower,
        { unmasked: false },
        {
          write: async (some) => void lines.push(...some.map((line) => JSON.parse(line) as Line)),
          settle: async () => undefined,
          abandon: () => undefined,
        },
      );
      await moveFollower(world.database, name, told.place);
      if (told.isUpToDate) return { place: told.place, some: lines };
    }
  } finally {
    connection.release();
  }
}

async function follow(world: LoadingWorld, name = "lake", partnerId: string | null = null): Promise<void> {
  if ((await addFollower(world.database, { name, partnerId })) === null) throw new Error("a transaction is open");
}

/** What is told of payments, shortly. */
const told = (lines: readonly Line[]) =>
  lines.map(({ kind, change, data }) => `${kind} ${String(data.transaction_id ?? data.service_id ?? "")} ${change}`);

/** The same, each thing as it is in the end: what two looks found is told twice. */
const lastTold = (lines: readonly Line[]) => [
  ...new Map(told(lines).map((line) => [line.slice(0, line.lastIndexOf(" ")), line])).values(),
];

test("payments, corrections and withdrawals are told as they are in the end, with the columns of an export", async (t) => {
  const world = await openLoading(t, { onConflict: "correct" });
  await world.load([transaction("u1", "before")]);
  await follow(world);
  const first = await world.load([
    { ...transaction("u1", "a"), account: { id: "acc", name: "Løn", iban: "DK50 0040 0440 1162 43" } },
    transaction("u2", "b"),
  ]);
  const [a, b, ...rest] = await take(world);
  t.deepEqual(rest, []);
  t.like(a, { kind: "transaction", change: "put" });
  t.like(a?.data, {
    partner: "bank",
    user_id: world.userIds[0],
    bank_user_id: "u1",
    transaction_id: "a",
    booked_on: "2026-01-31",
    amount: -12.5,
    account_iban: "DK•• •••• 6243",
  });
  t.like(b?.data, { transaction_id: "b" });
  await world.load([transaction("u1", "a", { amount: -13 }), transaction("u1", "c")]);
  const corrected = await take(world);
  t.deepEqual(told(corrected), ["transaction a put", "transaction c put"]);
  t.is(corrected[0]?.data.amount, -13);
  await inTransaction(world.database, (client) => withdraw(client, first.id, "test"));
  t.deepEqual(told(await take(world)), ["transaction a put", "transaction b removed"]);
  t.deepEqual(await take(world), []);
});

test("a delivery with more than is named one by one is told whole, each payment once", async (t) => {
  const world = await openLoading(t);
  await follow(world);
  await world.load(transactions("u1", 250));
  await world.load([...transactions("u2", 3), ...transactions("u1", 250)]);
  const lines = await take(world);
  t.is(new Set(lines.map(({ data }) => data.transaction_id + String(data.user_id))).size, 253);
});

test("payments of an account that is taken out of sight are removed, and put again when it comes back", async (t) => {
  const world = await openLoading(t);
  await follow(world);
  const paid = (txid: string) => ({ ...transaction("u1", txid), account: { id: "acc", name: "A", iban: "" } });
  await world.load([paid("a"), transaction("u1", "none")]);
  await take(world);
  await inTransaction(world.database, (client) =>
    keepAccounts(client, { id: world.userIds[0]!, partnerId: world.partnerId }, []),
  );
  t.deepEqual(told(await take(world)), ["transaction a removed", "transaction none put"]);
  await world.load([paid("b")]);
  t.deepEqual(told(await take(world)), ["transaction a put", "transaction b put", "transaction none put"]);
});

test("nothing is written while nobody follows, and each follower has a place and partners of its own", async (t) => {
  const world = await openLoading(t);
  const written = async () => (await world.database.query("select 1 from feed_changes")).rowCount;
  await world.load([transaction("u1", "a")]);
  t.is(await written(), 0);
  await follow(world, "one", world.partnerId);
  await world.load([transaction("u1", "b")]);
  await follow(world, "two");
  await world.load([transaction("u1", "c")]);
  await world.database.query("insert into partners (id, name) values ('other', 'Other')");
  await follow(world, "three", "other");
  // What another transaction of the server was beside may be told too.
  t.is(told(await take(world, "two")).at(-1), "transaction c put");
  t.deepEqual(lastTold(await take(world, "one")), ["transaction b put", "transaction c put"]);
  t.deepEqual(await take(world, "three"), []);
  for (const name of ["one", "two", "three"]) t.true(await removeFollower(world.database, name));
  t.is(await written(), 0);
});

test("services that came, changed and went are told", async (t) => {
  const world = await openLoading(t);
  await follow(world);
  const [one, two] = ["019a0000-0000-7000-8000-000000000001", "019a0000-0000-7000-8000-000000000002"];
  const { writeServices } = await import("../../src/recognition/store.ts");
  const row = (id: string, amount: number | null) => ({
    id,
    userId: world.userIds[0]!,
    key: id,
    txids: [],
    firstDetectedOn: "2026-01-31",
    hidden: null,
    isConfirmed: false,
    status: amount === null ? null : "ACTIVE",
    paymentFrequency: amount === null ? null : "MONTHLY",
    document: amount === null ? null : JSON.stringify({ amount, currency: "DKK", payments: [], product: {} }),
    newsAfter: null,
  });
  const write = (...rows: ReturnType<typeof row>[]) =>
    inTransaction(world.database, (client) => writeServices(client, rows as never, []));
  await write(row(one, 49), row(two, 99));
  const lines = await take(world);
  t.deepEqual(told(lines), [`service ${one} put`, `service ${two} put`]);
  t.is(lines[0]?.data.amount, 49);
  await write(row(one, 59));
  await write(row(one, null), row(two, 109));
  t.deepEqual(lastTold(await take(world)), [`service ${one} removed`, `service ${two} put`]);
  await inTransaction(world.database, (client) => writeServices(client, [], [{ from: two, into: one }]));
  t.deepEqual(told(await take(world)), [`service ${two} removed`]);
});

test("of a user who was deleted it is told that; after an erasure the outbox names none of its payments", async (t) => {
  const world = await openLoading(t);
  await follow(world);
  await world.load([transaction("u1", "secret-1"), transaction("u2", "kept-2")]);
  await deleteUser(world.database, world.userIds[0]!);
  await inTransaction(world.database, (client) => eraseUsers(client, [world.userIds[0]!]));
  const { rows } = await world.database.query<{ row: string }>("select c::text as row from feed_changes c");
  t.notRegex(rows.map(({ row }) => row).join("\n"), /secret-1|"u1"/);
  t.regex(rows.map(({ row }) => row).join("\n"), /kept-2/);
  const lines = await take(world);
  t.deepEqual(told(lines), ["transaction kept-2 put", "user  removed"]);
  t.deepEqual(lines[1]?.data, { partner: "bank", user_id: world.userIds[0] });
});

test("a change is told when its transaction has ended, also where a later one was there first", async (t) => {
  const world = await openLoading(t);
  await follow(world);
  const slow = await world.database.connect();
  const add = (client: { query(sql: string, values: unknown[]): Promise<unknown> }, txid: string) =>
    client.query(
      `with added as (insert into transactions (user_id, txid, booked_on, tx_time, raw_type, description, amount, currency, delivery_position)
         values ($1, $2, '2026-01-31', '2026-01-31T08:00:00Z', 'X', 'x', 1, 'DKK', 1))
       insert into feed_changes (partner_id, kind, user_ids, told, rows) values ('bank', 'posted', array[$1::bigint], array[json_build_array($2::text)::text], 1)`,
      [world.userIds[0], txid],
    );
  try {
    await slow.query("begin");
    await add(slow, "slow");
    await add(world.database, "fast");
    // A place behind "fast" would never see "slow".
    t.deepEqual((await takeSeen(world)).some, []);
    await slow.query("commit");
    t.deepEqual(told(await take(world)), ["transaction fast put", "transaction slow put"]);
  } finally {
    slow.release();
  }
});

test("with writers beside each other every payment arrives, and each one's last line is its last state", async (t) => {
  const world = await openLoading(t, { onConflict: "correct" });
  await follow(world);
  const rounds = 12;
  const lines: Line[] = [];
  const loading = { isOn: true };
  const reading = (async () => {
    while (loading.isOn) lines.push(...(await takeSeen(world)).some);
    lines.push(...(await take(world)));
  })();
  await Promise.all(
    ["u1", "u2", "u3"].map(async (uid) => {
      const context = openContext({ ...world.settings, databaseUrl: world.settings.loaderUrl ?? "" });
      t.teardown(() => context.database.end());
      for (let round = 1; round <= rounds; round += 1) {
        const records = [
          transaction(uid, "corrected", { amount: -round }),
          ...transactions(uid, 20, `${uid}-${round}-`),
        ];
        const id = await world.deliverFile("jwe", sealToken(world.key, JSON.stringify(records)));
        await ingestDelivery(context, { deliveryId: id });
      }
    }),
  );
  loading.isOn = false;
  await reading;
  const last = new Map(
    lines.map(({ data }) => [`${String(data.user_id)} ${String(data.transaction_id)}`, data.amount]),
  );
  t.is(last.size, 3 * (1 + rounds * 20));
  for (const userId of world.userIds) {
    t.is(last.get(`${userId} corrected`), -rounds);
    const seen = lines.filter(({ data }) => data.user_id === userId && data.transaction_id === "corrected");
    const amounts = seen.map(({ data }) => Number(data.amount));
    t.deepEqual(
      amounts,
      amounts.toSorted((a, b) => b - a),
    );
  }
});

test("who was away for too long is told so, and who begins anew is not", async (t) => {
  const world = await openLoading(t);
  await follow(world, "away");
  await follow(world, "there");
  await world.load([transaction("u1", "a")]);
  await take(world, "there");
  await removeOldChanges(world.database, new Date(Date.now() + 1000));
  await t.throwsAsync(take(world, "away"), { code: "FEED_LOST" } as object);
  await world.load([transaction("u1", "b")]);
  t.deepEqual(told(await take(world, "there")), ["transaction b put"]);
  await follow(world, "new");
  t.deepEqual(await take(world, "new"), []);
});

async function openFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-feed-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("a file loses half a line and nothing else, and one that was renamed is begun anew", async (t) => {
  const file = path.join(await openFolder(t), "feed.jsonl");
  await writeFile(file, '{"n":1}\n{"n":2}\n{"n":');
  const target = await openFeedFile(file);
  await target.write(['{"n":3}'], "1-1");
  await target.settle();
  t.is(await readFile(file, "utf8"), '{"n":1}\n{"n":2}\n{"n":3}\n');
  await rename(file, `${file}.1`);
  await target.write(['{"n":4}'], "1-2");
  await target.settle();
  await target.write(['{"n":5}'], "1-3");
  await target.settle();
  await target.close();
  t.is(await readFile(`${file}.1`, "utf8"), '{"n":1}\n{"n":2}\n{"n":3}\n{"n":4}\n');
  t.is(await readFile(file, "utf8"), '{"n":5}\n');
  t.is((await stat(file)).mode & 0o777, 0o600);
});

test("the command follows into a file, is killed while changes come, and misses none", async (t) => {
  const world = await openLoading(t);
  const file = path.join(await openFolder(t), "feed.jsonl");
  const { tideline, dataDir } = await openCommandLine(t, world.url);
  const parameters = ["export", "--follow", "lake", "--partner", "bank", "--to", file];
  const begun = await tideline(...parameters, "--once");
  t.is(begun.code, 0, begun.stderr);
  t.regex(begun.stderr, /lake follows what changes from now on/);
  const followers = async () =>
    JSON.parse((await tideline("export", "--followers", "--json")).stdout) as { position: string }[];
  const [before] = await followers();
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("TIDELINE_"));
  const environment = {
    ...Object.fromEntries(own),
    DATABASE_URL: world.url,
    TIDELINE_DATA_DIR: dataDir,
  };
  let sent = 0;
  for (let kills = 0; kills < 3; kills += 1) {
    const child = spawn(process.execPath, [program, ...parameters], { env: environment, stdio: "ignore" });
    const sizeBefore = await sizeOf(file);
    do {
      await world.load(transactions("u1", 40, `n${sent}-`));
      sent += 1;
      await wait(20);
    } while ((await sizeOf(file)) === sizeBefore && child.exitCode === null);
    child.kill("SIGKILL");
    t.is((await once(child, "exit"))[1], "SIGKILL");
  }
  await appendFile(file, '{"position":"half a li');
  const ended = await tideline(...parameters, "--once", "--json");
  t.is(ended.code, 0, ended.stderr);
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
  const ids = new Set(lines.map((line) => (JSON.parse(line) as Line).data.transaction_id));
  t.is(ids.size, sent * 40);
  t.regex((JSON.parse(ended.stdout) as { position: string }).position, /^\d+-\d+$/);
  const again = path.join(path.dirname(file), "again.jsonl");
  const replay = ["export", "--follow", "lake", "--to", again, "--once", "--from-position", before?.position ?? ""];
  const replayed = await tideline(...replay);
  t.is(replayed.code, 0, replayed.stderr);
  t.is(new Set((await readFile(again, "utf8")).trimEnd().split("\n")).size, sent * 40);
  t.like((await followers())[0], { name: "lake", partnerId: "bank", changes: 0 });
});

async function sizeOf(file: string): Promise<number> {
  return (await stat(file)).size;
}

test("a webhook has signed messages, refuses some, and gets them again", async (t) => {
  const world = await openLoading(t);
  const received: { id: string; body: string; headers: Record<string, string> }[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({
        id: String(request.headers["webhook-id"]),
        body,
        headers: request.headers as Record<string, string>,
      });
      response.writeHead(received.length === 1 ? 503 : 204, received.length === 1 ? { "retry-after": "0" } : {}).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  t.teardown(() => void server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/changes`;
  const { tideline } = await openCommandLine(t, world.url, {
    TIDELINE_KEY_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
  });
  const parameters = ["export", "--follow", "hook", "--to", address, "--allow-private-addresses", "--once"];
  const begun = await tideline(...parameters);
  t.is(begun.code, 0, begun.stderr);
  const [, secret = ""] = /Signatures are checked with (whsec_\S+)/.exec(begun.stderr) ?? [];
  await world.load(transactions("u1", 2_000));
  const ran = await tideline(...parameters);
  t.is(ran.code, 0, ran.stderr);
  t.regex(ran.stderr, /Not taken \(HTTP 503\); again in 0 s/);
  t.true(received.length > 2);
  t.is(received[1]?.id, received[0]?.id);
  const changes = received.slice(1).flatMap(({ body, headers }) => {
    t.true(Buffer.byteLength(body) < 300_000);
    return (new Webhook(secret).verify(body, headers) as { changes: Line[] }).changes;
  });
  t.is(new Set(changes.map(({ data }) => data.transaction_id)).size, 2_000);
  t.is(changes.length, 2_000);
});
