/** The list of visible services is kept packed, and as JSON where a program of the release before wrote it. */
import { createHash } from "node:crypto";
import test from "ava";
import knex from "knex";
import { down, up } from "../../migrations/245_packed_lists.ts";
import { type Database, inTransaction } from "../../src/database/database.ts";
import { packHere } from "../../src/interface/packed.ts";
import { type ConfirmedModel, writeReadModels } from "../../src/recognition/store.ts";
import { addPartner, addUser } from "../parties.ts";
import { createTestDatabase } from "../world.ts";
import { visibleTextOf } from "./visible-list.ts";

const model = (userId: number): ConfirmedModel => ({
  userId,
  importComplete: true,
  computedFor: "2026-01-01",
  lacksRates: false,
  thresholds: null,
  holdsUntil: null,
});
const hidden = '{"services":[]}';
const upcoming = '[{"title":"Å"}]';
const listOf = (title: string): string => `{"services":[{"title":"${title}"}]}`;
const digestOf = (visible: string): string =>
  createHash("md5")
    .update(visible + hidden + upcoming)
    .digest("hex");

/** As this release writes. */
async function write(database: Database, lists: readonly { userId: number; visible: string }[]): Promise<void> {
  const written = lists.map(({ userId, visible }) => ({
    ...model(userId),
    circumstances: "",
    lists: {
      digest: digestOf(visible),
      hidden: Buffer.from(hidden),
      upcoming: Buffer.from(upcoming),
      visiblePacked: packHere(Buffer.from(visible)),
    },
  }));
  const madeWith = { algorithmVersion: 1, ratesVersion: 1, catalogueVersion: 0 };
  await inTransaction(database, async (transaction) => writeReadModels(transaction, written, madeWith));
}

/** As the release before does. */
async function writeAsBefore(database: Database, userId: number, visible: string): Promise<void> {
  const row = [userId, visible, hidden, upcoming, packHere(Buffer.from(visible)), digestOf(visible)];
  const { rowCount } = await database.query(
    `update read_models
        set services_visible = $2, services_hidden = $3, upcoming = $4, services_visible_packed = $5, packed_of = $6
      where user_id = $1`,
    row,
  );
  if (rowCount === 0)
    await database.query(
      `insert into read_models (user_id, services_visible, services_hidden, upcoming, services_visible_packed, packed_of, import_complete, computed_for, algorithm_version)
       values ($1, $2, $3, $4, $5, $6, true, '2026-01-01', 1)`,
      row,
    );
}

async function keptOf(database: Database, userId: number): Promise<unknown> {
  const { rows } = await database.query(
    "select services_visible::text as visible, digest, packed_of as of from read_models where user_id = $1",
    [userId],
  );
  return rows[0];
}

test("lists of users written together are each one's own, at first and when they changed", async (t) => {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  const ids = await Promise.all(["a", "b", "c"].map(async (name) => addUser(database, partnerId, name)));
  // Of several lengths, and those of users who are there already between new ones.
  const titlesOf = (round: number) => ids.map((_, at) => `${round} ${"é".repeat(1 + 700 * at * round)}`);
  for (const [round, some] of [[1, ids.slice(1, 2)] as const, [2, ids] as const]) {
    const lists = some.map((userId) => ({ userId, visible: listOf(titlesOf(round)[ids.indexOf(userId)]!) }));
    await write(database, lists);
    for (const { userId, visible } of lists) {
      t.is(await visibleTextOf(database, userId), visible);
      t.deepEqual(await keptOf(database, userId), { visible: null, digest: digestOf(visible), of: digestOf(visible) });
    }
  }
});

test("a list that a program of the release before writes gets its digest from the database", async (t) => {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  const [fresh, taken] = [await addUser(database, partnerId, "fresh"), await addUser(database, partnerId, "taken")];
  await write(database, [{ userId: taken, visible: listOf("by this one") }]);
  for (const userId of [fresh, taken]) {
    const visible = listOf("by the one before");
    await writeAsBefore(database, userId, visible);
    t.deepEqual(await keptOf(database, userId), { visible, digest: digestOf(visible), of: digestOf(visible) });
  }
  // One that packs nothing, or alters a list by hand: what is packed counts for nothing then.
  await database.query("update read_models set upcoming = '[]' where user_id = $1", [fresh]);
  const { rows } = await database.query(
    "select digest = md5(services_visible::text || services_hidden::text || '[]') as is_new, digest = packed_of as is_packed from read_models where user_id = $1",
    [fresh],
  );
  t.deepEqual(rows, [{ is_new: true, is_packed: false }]);
  await write(database, [{ userId: fresh, visible: listOf("again") }]);
  t.is(await visibleTextOf(database, fresh), listOf("again"));
});

test("no list goes without being packed under its digest", async (t) => {
  const { database } = await createTestDatabase(t);
  const userId = await addUser(database, await addPartner(database), "u1");
  await write(database, [{ userId, visible: listOf("one") }]);
  for (const wrong of ["digest = 'other'", "digest = null", "packed_of = null", "services_visible_packed = null"])
    await t.throwsAsync(database.query(`update read_models set ${wrong}`), { code: "23514" }, wrong);
});

test("what the release before kept stays as it is, and going back finds every list again", async (t) => {
  const { database, url } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  const [before, after] = [await addUser(database, partnerId, "before"), await addUser(database, partnerId, "after")];
  const connection = knex({ client: "pg", connection: url, pool: { min: 0, max: 1 } });
  try {
    await down(connection);
    await writeAsBefore(database, before, listOf("before"));
    await up(connection);
    const kept = { visible: listOf("before"), digest: digestOf(listOf("before")), of: digestOf(listOf("before")) };
    t.deepEqual(await keptOf(database, before), kept);
    await write(database, [{ userId: after, visible: listOf("Høj €") }]);
    await down(connection);
    t.deepEqual(await keptOf(database, before), kept);
    const given = digestOf(listOf("Høj €"));
    t.deepEqual(await keptOf(database, after), { visible: listOf("Høj €"), digest: given, of: given });
  } finally {
    await connection.destroy();
  }
});
