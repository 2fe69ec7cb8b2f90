/** The audit trail's chain finds what was done to the trail behind its back, by whoever owns the database. */
import test, { type ExecutionContext } from "ava";
import type { Database } from "../../src/database/database.ts";
import { chainAudit, lastBatch, removeDoorEvents, verifyAudit } from "../../src/partners/audit-chain.ts";
import { recordAudit } from "../../src/partners/audit.ts";
import { createTestDatabase } from "../world.ts";

const key = Buffer.alloc(32, 7);

/** Three events in a batch, two more in the next. */
async function openChained(t: ExecutionContext): Promise<Database> {
  const { database } = await createTestDatabase(t);
  const record = (event: string) => recordAudit(database, "ops", { partnerId: "north", event, details: { of: event } });
  for (const event of ["partner.created", "sftp.uploaded", "partner.changed"]) await record(event);
  await chainAudit(database, key);
  for (const event of ["https.login", "partner.login-key-removed"]) await record(event);
  await chainAudit(database, key);
  return database;
}

/** As the owner of all tables, triggers aside. */
const asOwner = (database: Database, statement: string) =>
  database.query(
    `alter table audit_events disable trigger all; alter table audit_batches disable trigger all; ${statement}; alter table audit_events enable trigger all; alter table audit_batches enable trigger all`,
  );

const faultsOf = async (database: Database) => (await verifyAudit(database, key, null)).faults;

test("a trail that nobody touched is as it was written, and what comes later is chained to it", async (t) => {
  const database = await openChained(t);
  t.deepEqual(await verifyAudit(database, key, null), { batches: 2, events: 5, removed: 0, faults: [] });
  t.is(await chainAudit(database, key), null);
});

for (const [what, statement, fault] of [
  ["changed", "update audit_events set actor = 'nobody' where event = 'partner.changed'", /event 3 .* was changed/],
  ["set to another time", "update audit_events set at = at - interval '1 hour' where id = 1", /event 1 .* was changed/],
  ["removed", "delete from audit_events where event = 'partner.login-key-removed'", /event 5 .* was removed/],
  [
    "removed though a door wrote it",
    "delete from audit_events where event = 'sftp.uploaded'",
    /event 2 .* was removed/,
  ],
] as const)
  test(`an event that was ${what} is found`, async (t) => {
    const database = await openChained(t);
    await asOwner(database, statement);
    t.regex((await faultsOf(database)).join("\n"), fault);
  });

test("two events that changed places are found", async (t) => {
  const database = await openChained(t);
  await asOwner(
    database,
    `create temporary table kept as select * from audit_events where id in (1, 3);
     delete from audit_events where id in (1, 3);
     insert into audit_events (id, at, partner_id, actor, event, details) overriding system value
       select 4 - id, at, partner_id, actor, event, details from kept`,
  );
  t.is((await faultsOf(database)).length, 2);
});

test("a chain that was written anew without the key-encryption key is found", async (t) => {
  const database = await openChained(t);
  await asOwner(database, "update audit_batches set digest = sha256('x') where number = 1");
  t.regex((await faultsOf(database)).join("\n"), /batch 1 is not signed by this service/);
  await asOwner(database, "delete from audit_batches where number = 1");
  t.regex((await faultsOf(database)).join("\n"), /batch 1 is missing/);
});

test("an end that was cut off is found by an anchor from before", async (t) => {
  const database = await openChained(t);
  const anchor = await lastBatch(database);
  await asOwner(database, "delete from audit_events where id > 3; delete from audit_batches where number > 1");
  t.deepEqual((await verifyAudit(database, key, null)).faults, []);
  t.deepEqual((await verifyAudit(database, key, anchor)).faults, [
    "the trail ends with batch 1, and the anchor knows 2",
  ]);
});

test("an old event that was put in is found", async (t) => {
  const database = await openChained(t);
  await asOwner(
    database,
    "insert into audit_events (id, at, actor, event) overriding system value values (900, now() - interval '1 day', 'x', 'x')",
  );
  t.deepEqual(await faultsOf(database), ["event 900 was never chained"]);
});

test("what retention removes is removed by rule: the doors' events, behind a signed checkpoint", async (t) => {
  const database = await openChained(t);
  await database.query(
    "insert into audit_events (at, actor, event) values (now() - interval '400 days', 'x', 'sftp.uploaded'), (now() - interval '400 days', 'x', 'partner.changed')",
  );
  await chainAudit(database, key);
  t.is(await removeDoorEvents(database, key, new Date(Date.now() - 365 * 24 * 3600 * 1000)), 1);
  t.deepEqual(await verifyAudit(database, key, null), { batches: 3, events: 7, removed: 1, faults: [] });
  await asOwner(
    database,
    "update audit_removals set removed_before = now(), statement = 'removed sftp. https. before now'",
  );
  t.regex((await faultsOf(database)).join("\n"), /is not signed by this service/);
});

test("not even its owner changes an event by mistake", async (t) => {
  const { database } = await createTestDatabase(t);
  await recordAudit(database, "ops", { partnerId: null, event: "x", details: {} });
  await t.throwsAsync(database.query("update audit_events set actor = 'x'"), {
    message: "audit_events is only added to",
  });
});
