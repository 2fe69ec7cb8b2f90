/** Who is connected is told with what is being uploaded, and an operator's word ends a connection wherever its door is. */
import test from "ava";
import type { Database } from "../../../src/database/database.ts";
import { createEvents } from "../../../src/events.ts";
import { askToEnd, listSessions, startWriting, writeSessions } from "../../../src/landing/sftp/open-sessions.ts";
import { disconnectSession } from "../../../src/operations/sessions.ts";
import { putPartner } from "../../../src/partners/provisioning.ts";
import { createTestDatabase } from "../../world.ts";
import { open, openDoorWorld } from "./world.ts";

const door = { id: "00000000-0000-4000-8000-00000000000d", machine: "m1" };
const other = { id: "00000000-0000-4000-8000-00000000000e", machine: "m2" };
const session = (id: number, partnerId: string) => ({
  id: `00000000-0000-4000-8000-00000000000${id}`,
  partnerId,
  address: "192.0.2.7",
  since: new Date("2026-06-15T02:00:00Z"),
  bytesReceived: 5_000_000_000,
  bytesSent: 7,
  filesDelivered: 2,
  uploads: [{ name: "inbox/night.jwe", bytes: 12 }],
});

async function openDatabase(t: Parameters<typeof createTestDatabase>[0]): Promise<Database> {
  const { database } = await createTestDatabase(t);
  for (const id of ["demo", "south"]) await putPartner(database, { id, name: id });
  return database;
}

test("a door tells its logged-in connections with what they are uploading, and ends one that it is asked to", async (t) => {
  const world = await openDoorWorld(t);
  const { sftp } = await world.bare();
  await open(sftp, "/inbox/batch.jwe", "w");
  const [one] = world.door.openSessions();
  t.like(one, { partnerId: "demo", address: "127.0.0.1", filesDelivered: 0 });
  t.deepEqual(one?.uploads, [{ name: "batch.jwe", bytes: 0 }]);
  t.true((one?.bytesReceived ?? 0) > 500);
  world.door.disconnect("00000000-0000-4000-8000-000000000000");
  world.door.disconnect(one?.id ?? "");
  t.like(await world.event("sftp.session-disconnected"), { partnerId: "demo", sessionId: one?.id });
  await world.event("sftp.session-ended");
  t.deepEqual(world.door.openSessions(), []);
});

test("a finished upload is none any more", async (t) => {
  const world = await openDoorWorld(t);
  const client = await world.client();
  await client.put(Buffer.from("hello"), "/inbox/batch.jwe");
  t.deepEqual(
    world.door.openSessions().map(({ uploads, filesDelivered }) => ({ uploads, filesDelivered })),
    [{ uploads: [], filesDelivered: 1 }],
  );
  await client.end();
});

test("each door's sessions are listed by partner, go with their door's next word, and are no more when it is silent", async (t) => {
  const database = await openDatabase(t);
  t.deepEqual(await writeSessions(database, door, [session(1, "demo"), session(2, "south"), session(3, "gone")]), []);
  t.deepEqual(await writeSessions(database, other, [session(4, "demo")]), []);
  t.deepEqual(await listSessions(database, ["demo"], 10), [
    { ...session(1, "demo"), machine: "m1", endedBy: null },
    { ...session(4, "demo"), machine: "m2", endedBy: null },
  ]);
  t.is((await listSessions(database, null, 10)).length, 3);
  await writeSessions(database, door, [session(2, "south")]);
  t.deepEqual(
    (await listSessions(database, null, 10)).map(({ id }) => id),
    [session(2, "south").id, session(4, "demo").id],
  );
  await database.query("update sftp_sessions set seen_at = now() - interval '21 seconds' where machine = 'm2'");
  t.deepEqual(await listSessions(database, ["demo"], 10), []);
  await database.query("update sftp_sessions set seen_at = now() - interval '11 minutes' where machine = 'm2'");
  await writeSessions(database, door, []);
  t.is((await database.query("select 1 from sftp_sessions")).rowCount, 0);
});

test("an operator's word is one trace, reaches the session's own door, and no other partner's session", async (t) => {
  const database = await openDatabase(t);
  await writeSessions(database, door, [session(1, "demo")]);
  t.false(await disconnectSession(database, "console:ann", "south", session(1, "demo").id));
  t.true(await disconnectSession(database, "console:ann", "demo", session(1, "demo").id));
  t.false(await disconnectSession(database, "console:ann", "demo", session(1, "demo").id), "once is enough");
  t.false(await askToEnd(database, { partnerId: "demo", sessionId: session(2, "demo").id, actor: "console:ann" }));
  const { rows } = await database.query("select actor, partner_id, event, details from audit_events");
  t.deepEqual(rows, [
    {
      actor: "console:ann",
      partner_id: "demo",
      event: "sftp.disconnect-asked",
      details: { sessionId: session(1, "demo").id },
    },
  ]);
  t.deepEqual(await writeSessions(database, other, [session(4, "demo")]), []);
  t.deepEqual(await writeSessions(database, door, [session(1, "demo")]), [session(1, "demo").id]);
});

test("a door that runs writes, ends what it is told to, and takes its rows along", async (t) => {
  const database = await openDatabase(t);
  const world = await openDoorWorld(t);
  await world.bare();
  const stop = startWriting({ database, events: createEvents({ level: "silent" }) }, door, world.door, 20);
  const one = world.door.openSessions()[0]?.id ?? "";
  while (!(await disconnectSession(database, "cli:olga", "demo", one)));
  t.like(await world.event("sftp.session-disconnected"), { sessionId: one });
  await world.event("sftp.session-ended");
  await world.bare();
  while ((await listSessions(database, ["demo"], 10)).length === 0);
  await stop();
  t.deepEqual(await listSessions(database, null, 10), []);
});
