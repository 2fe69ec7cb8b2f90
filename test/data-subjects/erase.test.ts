/** A deleted user's rows leave every table after their days, nobody else's do, and an export tells one user only. */
import test from "ava";
import type { Database } from "../../src/database/database.ts";
import { previewErasure, eraseDeleted, type Erasing } from "../../src/data-subjects/erase.ts";
import { type ExportedRow, exportUser, findSubjectUsers } from "../../src/data-subjects/export.ts";
import { findSubjectTables } from "../../src/data-subjects/tables.ts";
import { createEvents, type EventName } from "../../src/events.ts";
import { packHere } from "../../src/interface/packed.ts";
import { deleteUser } from "../../src/partners/users.ts";
import { addPartner } from "../parties.ts";
import { type LoadingWorld, openLoading, transaction } from "../workers/world.ts";

const day = 86_400_000;

function erasing(database: Database, daysFromNow: number, seen: [EventName, object][] = []): Erasing {
  const events = {
    ...createEvents({ level: "silent" }),
    emit: (name: EventName, fields: object) => void seen.push([name, fields]),
  };
  return { database, events, now: new Date(Date.now() + daysFromNow * day) };
}

/** u1 and u2 with a row in every table that has data of users. */
async function openHouseholds(t: Parameters<typeof openLoading>[0]): Promise<LoadingWorld> {
  const world = await openLoading(t, { onConflict: "correct", "csv.unencrypted": true });
  const account = (uid: string) => ({ id: `account of ${uid}`, name: "Salary", iban: "" });
  const card = (uid: string) => ({ id: `card of ${uid}`, pan4: "1234" });
  for (const uid of ["u1", "u2"]) {
    await world.load([
      { ...transaction(uid, `first of ${uid}`), account: account(uid), card: card(uid) },
      { uid, type: "IMPORT_COMPLETED" },
    ]);
  }
  return world;
}

/** Every row of every table as text. */
async function dump(world: LoadingWorld): Promise<string> {
  const { rows: tables } = await world.database.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = current_schema()",
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await world.database.query<{ row: string }>(`select t::text as row from "${name}" t`);
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join("\n");
}

test("a deleted user's rows leave every table after their days, and no others", async (t) => {
  const world = await openHouseholds(t);
  await deleteUser(world.database, world.userIds[0]!);
  const seen: [EventName, object][] = [];
  t.is((await eraseDeleted(erasing(world.database, 29), "test")).partners[0]?.users, 0);
  t.true((await dump(world)).includes("first of u1"));
  const told = await previewErasure(erasing(world.database, 31));
  t.like(told.partners[0], { partnerId: world.partnerId, deletedUserDays: 30, users: 1 });
  const done = await eraseDeleted(erasing(world.database, 31, seen), "test");
  t.deepEqual(done, told);
  const after = await dump(world);
  for (const value of ["of u1", '"u1"', ",u1,"]) t.false(after.includes(value), value);
  t.true(after.includes("first of u2"));
  t.is(seen[0]?.[0], "users.erased");
  t.is((await world.database.query("select 1 from users where id = $1", [world.userIds[0]])).rowCount, 0);
  t.is((await eraseDeleted(erasing(world.database, 31, seen), "test")).partners[0]?.users, 0);
  t.is(seen.length, 1);
});

test("a live user is never erased, and a partner's own days count", async (t) => {
  const world = await openHouseholds(t);
  await world.database.query(`update partners set settings = '{"retention": {"deletedUserDays": 90}}'`);
  await deleteUser(world.database, world.userIds[0]!);
  t.is((await eraseDeleted(erasing(world.database, 89), "test")).partners[0]?.users, 0);
  t.is((await eraseDeleted(erasing(world.database, 91), "test")).partners[0]?.users, 1);
  t.true((await dump(world)).includes("first of u2"));
});

test("a partner whose settings cannot be read holds up nobody else's erasure", async (t) => {
  const world = await openHouseholds(t);
  await addPartner(world.database, "aaa");
  await world.database.query(
    `update partners set settings = '{"retention": {"deletedUserDays": "soon"}}' where id = 'aaa'`,
  );
  await deleteUser(world.database, world.userIds[0]!);
  await t.throwsAsync(eraseDeleted(erasing(world.database, 31), "test"), { code: "CONFIG_INVALID" });
  t.is((await world.database.query("select 1 from users where id = $1", [world.userIds[0]])).rowCount, 0);
});

test("more users than one transaction takes are all erased", async (t) => {
  const world = await openHouseholds(t);
  await world.database.query(
    `insert into users (partner_id, brand_id, bank_user_id, locale, deleted_at)
     select partner_id, brand_id, 'gone-' || n, locale, now() from users, generate_series(1, 45) n where bank_user_id = 'u3'`,
  );
  t.is((await eraseDeleted(erasing(world.database, 31), "test")).partners[0]?.users, 45);
});

test("an export tells every row about one user and none about another", async (t) => {
  const world = await openHouseholds(t);
  const rows: { table: string; row: Record<string, unknown> }[] = [];
  const users = await findSubjectUsers(world.database, world.partnerId, "u1");
  const told = await exportUser(
    world.database,
    users,
    async ({ table, row }) => void rows.push({ table, row: JSON.parse(row) as Record<string, unknown> }),
  );
  t.is(told, rows.length);
  t.deepEqual(
    rows.filter(({ table }) => table === "transactions").map(({ row }) => row["txid"]),
    ["first of u1"],
  );
  t.deepEqual(
    rows.filter(({ table }) => table === "accounts").map(({ row }) => row["id"]),
    ["account of u1"],
  );
  t.is(rows.filter(({ table }) => table === "users").length, 1);
  t.false(JSON.stringify(rows).includes("of u2"));
  t.deepEqual(await findSubjectUsers(world.database, "other", "u1"), []);
});

test("documents that are kept packed are told as they read", async (t) => {
  const world = await openHouseholds(t);
  const [userId] = world.userIds;
  const packed = (title: string) => packHere(Buffer.from(JSON.stringify({ title })));
  await world.database.query(
    `insert into read_models (user_id, services_visible, services_hidden, upcoming, services_visible_packed, packed_of, digest, import_complete, computed_for, algorithm_version)
     values ($1, null, '{"title":"hidden"}', '[]', $2, 'd', 'd', true, '2026-01-01', 1)`,
    [userId, packed("Høj €")],
  );
  await world.database.query(
    `with made as (
       insert into budgets (id, partner_id, user_id, created_time) values (gen_random_uuid(), $2, $1, '2026-01-01T10:00:00') returning id
     )
     insert into budget_documents (budget_id, partner_id, user_id, document, details, document_packed)
     select id, $2, $1, '{"title":"of today"}', '{"title":"details of today"}', $3 from made`,
    [userId, world.partnerId, packed("of another version")],
  );
  const isKeptPackedAlone =
    "update budget_documents set details = '{}', details_packed = $1, packed_of = 'd', digest = 'd'";
  const tell = async () => {
    const told = new Map<string, Record<string, unknown>>();
    const keep = async ({ table, row }: ExportedRow) =>
      void told.set(table, JSON.parse(row) as Record<string, unknown>);
    await exportUser(world.database, [userId!], keep);
    return told;
  };
  const told = await tell();
  t.like(told.get("read_models"), { services_visible: { title: "Høj €" }, services_hidden: { title: "hidden" } });
  t.like(told.get("budget_documents"), { document: { title: "of today" }, details: { title: "details of today" } });
  t.false(JSON.stringify([...told]).includes("_packed"));
  await world.database.query(isKeptPackedAlone, [packed("packed alone")]);
  t.like((await tell()).get("budget_documents"), {
    document: { title: "of today" },
    details: { title: "packed alone" },
  });
});

test("sealed columns are not told", async (t) => {
  const world = await openHouseholds(t);
  await world.database.query(
    "create table bank_links (user_id bigint not null, bank text not null, token_sealed bytea not null)",
  );
  await world.database.query("insert into bank_links values ($1, 'sandbox', 'secret')", [world.userIds[0]]);
  t.true((await findSubjectTables(world.database)).some(({ name }) => name === "bank_links"));
  const rows: string[] = [];
  await exportUser(
    world.database,
    [world.userIds[0]!],
    async ({ table, row }) => void (table === "bank_links" && rows.push(row)),
  );
  t.deepEqual(
    rows.map((row) => JSON.parse(row) as object),
    [{ bank: "sandbox", user_id: world.userIds[0] }],
  );
});
