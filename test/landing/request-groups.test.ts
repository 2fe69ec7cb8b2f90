/** Requests that arrive together are committed together in their order, and each fails for itself alone. */
import { createHash, randomUUID, randomUUIDv7 } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import test from "ava";
import type { Database } from "../../src/database/database.ts";
import type { NewRequest } from "../../src/deliveries/requests.ts";
import { runFor } from "../../src/database/tenant.ts";
import { CommitGroups } from "../../src/landing/commit-groups.ts";
import { insertRequest } from "../../src/landing/request-groups.ts";
import { addPartner, addUser } from "../parties.ts";
import { createTestDatabase, openForCallers } from "../world.ts";

test("requests that arrive while others are committed go together, in the order of their arrival", async (t) => {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  const requests = Array.from({ length: 20 }, () => newRequest(partnerId));
  t.deepEqual(
    await Promise.all(requests.map((one) => insertRequest(database, one))),
    requests.map(() => "inserted"),
  );
  const { rows } = await database.query<{ id: string; body: Buffer; sha256: Buffer; correlation_id: string }>(
    "select d.id, d.sha256, d.correlation_id, b.body from deliveries d join delivery_bodies b on b.delivery_id = d.id where d.id = any($1::uuid[]) order by position",
    [requests.map(({ delivery }) => delivery.id)],
  );
  const expected = requests.map(({ delivery: { id, sha256, correlationId }, body }) => ({
    id,
    sha256,
    correlation_id: correlationId,
    body,
  }));
  t.deepEqual(rows, expected);
  // The first found nobody before it.
  t.is(await commits(database), 2);
});

test("while one partner's requests are committed another's do not wait for them", async (t) => {
  const inserted: string[][] = [];
  const settled = new Map<string, () => void>();
  const groups = new CommitGroups<string, string>({
    async insert(items) {
      inserted.push([...items]);
      await new Promise<void>((resolve) => settled.set(items[0] ?? "", resolve));
      return [...items];
    },
    bytesOf: () => 1,
    laneOf: (item) => item.slice(0, 1),
    goesWith: () => true,
  });
  const all = Promise.all(["a1", "a2", "b1", "c1", "a3", "b2"].map((item) => groups.add(item)));
  t.deepEqual(inserted, [["a1"], ["b1"]]);
  settled.get("b1")?.();
  await nextTurn();
  // What waited longest for a lane that is free.
  t.deepEqual(inserted.slice(2), [["c1"]]);
  settled.get("a1")?.();
  await nextTurn();
  t.deepEqual(inserted.slice(3), [["a2", "a3"]]);
  settled.get("c1")?.();
  await nextTurn();
  t.deepEqual(inserted.slice(4), [["b2"]]);
  settled.get("a2")?.();
  settled.get("b2")?.();
  t.deepEqual(await all, ["a1", "a2", "b1", "c1", "a3", "b2"]);
});

test("bodies of more than two mebibytes are not held back for one commit", async (t) => {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  const requests = Array.from({ length: 5 }, () => newRequest(partnerId, { body: Buffer.alloc(1_500_000, "x") }));
  t.deepEqual(
    await Promise.all(requests.map((one) => insertRequest(database, one))),
    requests.map(() => "inserted"),
  );
  t.is(await commits(database), 5);
});

test("of twins in one commit the first is taken", async (t) => {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  const twin = randomUUID();
  const others = [newRequest(partnerId), newRequest(partnerId)];
  const twins = [newRequest(partnerId, { requestId: twin }), newRequest(partnerId, { requestId: twin.toUpperCase() })];
  t.deepEqual(await Promise.all([...others, ...twins].map((one) => insertRequest(database, one))), [
    "inserted",
    "inserted",
    "inserted",
    "used",
  ]);
  t.is(await insertRequest(database, newRequest(partnerId, { requestId: twin })), "used");
});

test("one that cannot be stored fails alone", async (t) => {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  const requests = [
    newRequest(partnerId),
    newRequest(partnerId),
    newRequest("nobody"),
    newRequest(partnerId, { correlationId: 'a "quoted\\" {id}, NULL' }),
  ];
  const results = await Promise.allSettled(requests.map((one) => insertRequest(database, one)));
  t.deepEqual(
    results.map(({ status }) => status),
    ["fulfilled", "fulfilled", "rejected", "fulfilled"],
  );
  t.is((results[2] as PromiseRejectedResult).reason.code, "23502");
  const { rows } = await database.query<{ correlation_id: string }>("select correlation_id from deliveries");
  t.deepEqual(
    rows.map((row) => row.correlation_id).filter((id) => id.includes("quoted")),
    ['a "quoted\\" {id}, NULL'],
  );
});

test("one that names users whom its partner does not have is left out, and which they are is told", async (t) => {
  const { database, url } = await createTestDatabase(t);
  // Where it sees the users of one partner at a time, as the door does.
  const door = openForCallers(t, url);
  const [partnerId, other] = [await addPartner(database), await addPartner(database, "other")];
  for (const uid of ["anna", "gone"]) await addUser(database, partnerId, uid);
  await addUser(database, other, "bo");
  await database.query("update users set deleted_at = now() where bank_user_id = 'gone'");
  const requestId = randomUUID();
  const requests = [
    newRequest(partnerId),
    newRequest(partnerId),
    newRequest(partnerId, { uids: ["anna"] }),
    newRequest(partnerId, { requestId, uids: ["bo", "anna", "gone", "{nobody}"] }),
    newRequest(other, { uids: ["bo"] }),
    newRequest(other, { uids: ["anna"] }),
  ];
  t.deepEqual(await Promise.all(requests.map((one) => insertRequest(door, one))), [
    "inserted",
    "inserted",
    "inserted",
    { unknownUsers: ["bo", "gone", "{nobody}"] },
    "inserted",
    { unknownUsers: ["anna"] },
  ]);
  t.is((await database.query("select 1 from delivery_bodies")).rowCount, 4);
  t.is(await insertRequest(door, newRequest(partnerId, { requestId, uids: ["anna"] })), "inserted");
});

test("a caller's connection keeps no request of a partner that it does not speak for", async (t) => {
  const { database, url } = await createTestDatabase(t);
  const door = openForCallers(t, url);
  const [partnerId, other] = [await addPartner(database), await addPartner(database, "other")];
  t.is(await insertRequest(door, newRequest(partnerId)), "inserted");
  const keep = (ofPartner: string) =>
    runFor({ partnerId, subject: null }, () =>
      door.query("select accept_request($1, $2, $2, 'c', 1, 'a', 'a', null, 'a', '{}') as unknown", [
        ofPartner,
        randomUUID(),
      ]),
    );
  t.deepEqual((await keep(partnerId)).rows, [{ unknown: null }]);
  t.is((await t.throwsAsync<Error & { code: string }>(keep(other)))?.code, "42501");
  t.is((await database.query("select 1 from deliveries where partner_id = 'other'")).rowCount, 0);
});

type Given = { requestId?: string; correlationId?: string; body?: Buffer; uids?: string[] };

function newRequest(
  partnerId: string,
  { requestId = randomUUID(), correlationId = "c-1", body = Buffer.from(randomUUID()), uids = [] }: Given = {},
): NewRequest {
  const sha256 = createHash("sha256").update(body).digest();
  const delivery = {
    id: randomUUIDv7(),
    partnerId,
    door: "https",
    format: "request",
    name: null,
    requestId,
    correlationId,
    sizeBytes: body.length,
    sha256,
    vaultReference: null,
    refusal: null,
  } as const;
  return { delivery, contentSha256: sha256, body, uids };
}

/** How many transactions the deliveries came in. */
async function commits(database: Database): Promise<number> {
  const { rows } = await database.query<{ n: number }>("select count(distinct xmin::text)::int as n from deliveries");
  return rows[0]?.n ?? 0;
}
