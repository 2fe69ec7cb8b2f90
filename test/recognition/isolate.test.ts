/** A user whose data break recognition is put off alone, and a database that is away puts nobody off. */
import test from "ava";
import { Stopwatch } from "../../src/recognition/stages.ts";
import type { RecogniseOutcome, RecogniseTask } from "../../src/recognition/task.ts";
import { createClock } from "../../src/time/clock.ts";
import type { Database } from "../../src/database/database.ts";
import { createEvents } from "../../src/events.ts";
import { noChanges } from "../../src/recognition/services/changes.ts";
import { recogniseChanged } from "../../src/recognition/run.ts";
import { addPartner, addUser } from "../parties.ts";
import { createTestDatabase } from "../world.ts";

test("a user who cannot be recognised costs nobody else's figures, and is put off until its data change", async (t) => {
  const { database } = await createTestDatabase(t);
  const users = await addChangedUsers(database, ["first", "poison", "third"]);
  const poison = users[1] ?? 0;
  const recognised: number[] = [];
  const recognising = worldOf(database, async (task) => {
    const taken = task.userId === undefined ? await due(database) : [task.userId];
    if (taken.includes(poison)) throw new RangeError("a history that nobody foresaw");
    recognised.push(...taken);
    await database.query("delete from changed_users where user_id = any($1::bigint[])", [taken]);
    return { ...nothing, users: taken.length };
  });
  t.is(await recogniseChanged(recognising), 3);
  t.deepEqual(recognised, [users[0], users[2]]);
  t.deepEqual(await due(database), []);
  await database.query(
    "insert into changed_users (user_id) values ($1) on conflict (user_id) do update set touched_at = now()",
    [poison],
  );
  t.deepEqual(await due(database), [poison]);
});

test("a database that is away puts nobody off", async (t) => {
  const { database } = await createTestDatabase(t);
  const users = await addChangedUsers(database, ["first"]);
  const away = Object.assign(new Error("terminating connection"), { code: "57P01" });
  await t.throwsAsync(recogniseChanged(worldOf(database, () => Promise.reject(away))), { is: away });
  t.deepEqual(await due(database), users);
});

const nothing: RecogniseOutcome = {
  users: 0,
  services: 0,
  upgrade: { users: 0, ...noChanges },
  held: 0,
  times: new Stopwatch().times,
};

function worldOf(database: Database, recognise: (task: RecogniseTask) => Promise<RecogniseOutcome>) {
  return {
    database,
    clock: createClock(),
    events: createEvents({ level: "silent" }),
    baseUrl: "https://localhost",
    recognise,
  };
}

async function addChangedUsers(database: Database, ids: readonly string[]): Promise<number[]> {
  const partner = await addPartner(database);
  const users: number[] = [];
  for (const id of ids) users.push(await addUser(database, partner, id));
  await database.query(
    "insert into changed_users (user_id, touched_at) select id, now() - interval '1 minute' from users",
  );
  return users;
}

async function due(database: Database): Promise<number[]> {
  const { rows } = await database.query<{ user_id: number }>(
    "select user_id from changed_users where touched_at <= now() order by user_id",
  );
  return rows.map((row) => row.user_id);
}
