/** Audit entries are durable in their order, wait while the database is away, and are filtered on reading. */
import test from "ava";
import { createEvents, type EventName } from "../../src/events.ts";
import { type AuditFilter, listAudit, recordAudit, recordAuditGroup } from "../../src/partners/audit.ts";
import { createAuditTrail } from "../../src/partners/audit-trail.ts";
import { createTestDatabase } from "../world.ts";

const everything: AuditFilter = { partnerId: null, since: null, until: null, event: null, sessionId: null };
const databaseAway = () => Object.assign(new Error("away"), { code: "08006" });
const login = (sessionId: string) => ({
  partnerId: "bank",
  event: "sftp.login-accepted",
  details: { address: "192.0.2.1", sessionId },
});

test("what is recorded is durable when the promise resolves, in the order in which it was recorded", async (t) => {
  const { database } = await createTestDatabase(t);
  const trail = createAuditTrail(database, createEvents({ level: "silent" }));
  await Promise.all(Array.from({ length: 1200 }, (_, index) => trail.record("sftp:bank", login(String(index)))));
  const found = await listAudit(database, everything, 10_000);
  t.deepEqual(
    found.map((one) => one.details.sessionId),
    Array.from({ length: 1200 }, (_, index) => String(index)),
  );
  await trail.close();
});

test("entries for which nobody waits gather, and go together when one comes for which somebody does, or at the end", async (t) => {
  const { database } = await createTestDatabase(t);
  let inserts = 0;
  const counted: typeof database = Object.assign(Object.create(database) as typeof database, {
    query: (...query: Parameters<typeof database.query>) => {
      inserts += 1;
      return database.query(...query);
    },
  });
  const neverMs = 3_600_000;
  const trail = createAuditTrail(counted, createEvents({ level: "silent" }), neverMs);
  const gathered = ["a", "b", "c"].map((id) => trail.record("sftp:bank", login(id), false));
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.is(inserts, 0);
  await trail.record("sftp:bank", login("d"));
  await Promise.all(gathered);
  t.is(inserts, 1);
  const last = trail.record("sftp:bank", login("e"), false);
  await trail.close();
  await last;
  t.is(inserts, 2);
  t.deepEqual(
    (await listAudit(database, everything, 10)).map(({ details }) => details.sessionId),
    ["a", "b", "c", "d", "e"],
  );
});

test("while the database is away entries wait, and are written when it is back", async (t) => {
  const { database } = await createTestDatabase(t);
  let away = true;
  const flaky: typeof database = Object.assign(Object.create(database) as typeof database, {
    query: (...query: Parameters<typeof database.query>) =>
      away ? Promise.reject(databaseAway()) : database.query(...query),
  });
  const noticed = Promise.withResolvers<void>();
  const events = {
    ...createEvents({ level: "silent" }),
    emit: (name: EventName) => name === "database.unreachable" && noticed.resolve(),
  };
  const trail = createAuditTrail(flaky, events as ReturnType<typeof createEvents>);
  const recorded = trail.record("sftp:bank", login("a"));
  await noticed.promise;
  away = false;
  await recorded;
  t.is((await listAudit(database, everything, 10)).length, 1);
});

test("texts that PostgreSQL does not take are kept with signs in their place", async (t) => {
  const { database } = await createTestDatabase(t);
  const trail = createAuditTrail(database, createEvents({ level: "silent" }));
  await trail.record("sftp:bank", {
    partnerId: "bank",
    event: "sftp.refused",
    details: { path: "/inbox/a\0b", to: "/\ud800" },
  });
  await recordAudit(database, "sftp:bank", { partnerId: "bank", event: "sftp.refused", details: { path: "\0" } });
  t.deepEqual(
    (await listAudit(database, everything, 10)).map(({ details }) => details),
    [{ path: "/inbox/a\u2400b", to: "/\ufffd" }, { path: "\u2400" }],
  );
});

test("an entry that cannot be written is given up, and keeps none of the others", async (t) => {
  const { database } = await createTestDatabase(t);
  const seen: object[] = [];
  const events = {
    ...createEvents({ level: "silent" }),
    emit: (name: EventName, fields: object) => void (name === "audit.lost" && seen.push(fields)),
  };
  const trail = createAuditTrail(database, events);
  // No text column holds NUL.
  await Promise.all(
    Array.from({ length: 700 }, (_, index) =>
      trail.record(index === 333 ? "sftp:\0" : "sftp:bank", login(String(index))),
    ),
  );
  const found = await listAudit(database, everything, 10_000);
  t.deepEqual(
    found.map((one) => one.details.sessionId),
    Array.from({ length: 700 }, (_, index) => String(index)).toSpliced(333, 1),
  );
  t.deepEqual(seen, [{ count: 1 }]);
});

test("what cannot be written at the end is given up with an event", async (t) => {
  const { database } = await createTestDatabase(t);
  const seen: object[] = [];
  const broken: typeof database = Object.assign(Object.create(database) as typeof database, {
    query: () => Promise.reject(databaseAway()),
  });
  const events = {
    ...createEvents({ level: "silent" }),
    emit: (name: EventName, fields: object) => void (name === "audit.lost" && seen.push(fields)),
  };
  const trail = createAuditTrail(broken, events);
  const recorded = trail.record("sftp:bank", login("a"));
  await trail.close();
  await recorded;
  t.deepEqual(seen, [{ count: 1 }]);
});

test("the trail is filtered by partner, time, session and the beginning of the event", async (t) => {
  const { database } = await createTestDatabase(t);
  const added = { partnerId: "bank", event: "partner.added", details: {} };
  await recordAuditGroup(database, [{ at: new Date("2026-01-01T00:00:00Z"), actor: "cli:root", entry: added }]);
  await recordAudit(database, "sftp:bank", login("a"));
  await recordAudit(database, "sftp:other", { ...login("b"), partnerId: "other" });
  await recordAudit(database, "sftp", { partnerId: null, event: "sftp.login-refused", details: {} });
  const events = async (filter: Partial<AuditFilter>) =>
    (await listAudit(database, { ...everything, ...filter }, 10)).map((one) => one.event);
  t.deepEqual(await events({ partnerId: "bank" }), ["partner.added", "sftp.login-accepted"]);
  t.deepEqual(await events({ event: "sftp" }), ["sftp.login-accepted", "sftp.login-accepted", "sftp.login-refused"]);
  t.deepEqual(await events({ event: "sftp.login-refused" }), ["sftp.login-refused"]);
  t.deepEqual(await events({ event: "sftp.login" }), []);
  t.deepEqual(await events({ sessionId: "b" }), ["sftp.login-accepted"]);
  t.deepEqual(await events({ until: new Date("2026-01-02T00:00:00Z") }), ["partner.added"]);
  t.is((await events({ since: new Date("2026-01-02T00:00:00Z") })).length, 3);
  t.deepEqual(
    (await listAudit(database, everything, 1)).map((one) => one.event),
    ["sftp.login-refused"],
  );
});
