/** Each statement and transaction runs for the tenant who asks and leaves nothing on its connection. */
import test, { type ExecutionContext } from "ava";
import { type Database, inTransaction, openDatabase } from "../../src/database/database.ts";
import { TenantClaims } from "../../src/database/tenant-claims.ts";
import { presentTenant, runFor, type Tenant } from "../../src/database/tenant.ts";
import { createTestDatabase } from "../world.ts";

const anna = "00000000-0000-4000-8000-000000000007";
const north: Tenant = { partnerId: "north", subject: anna };
const south: Tenant = { partnerId: "south", subject: null };
const settings = "select tenant_partner() as partner, tenant_subject() as subject";

/** One connection: what a statement leaves on it is what the next one finds. */
async function openPool(t: ExecutionContext, sizeMax = 1): Promise<Database> {
  const { url, database: own } = await createTestDatabase(t);
  const claims = new TenantClaims(own);
  const database = openDatabase(url, {
    sizeMax,
    applicationName: "test",
    tenant: { present: presentTenant, claims },
  });
  t.teardown(async () => {
    await database.end();
    await claims.close();
  });
  return database;
}

async function found(database: Pick<Database, "query">, tenant: Tenant | null): Promise<unknown> {
  const ask = async () => (await database.query<{ partner: string; subject: string }>(settings)).rows[0];
  return tenant === null ? await ask() : await runFor({ ...tenant }, ask);
}

test("every statement runs for who asks, and leaves nothing on its connection", async (t) => {
  const database = await openPool(t);
  t.deepEqual(await found(database, north), { partner: "north", subject: anna });
  t.deepEqual(await found(database, south), { partner: "south", subject: null });
  t.deepEqual(await found(database, null), { partner: null, subject: null });
  const bare = await database.connect();
  t.deepEqual(
    (await bare.query(settings)).rows[0],
    { partner: null, subject: null },
    "who takes the connection and says nothing is nobody",
  );
  bare.release();
});

test("values, names, rows and counts are those of the statement, not of its setting", async (t) => {
  const database = await openPool(t);
  await runFor({ ...north }, async () => {
    t.deepEqual((await database.query("select $1::int + 1 as next, 'x' as text", [41])).rows, [
      { next: 42, text: "x" },
    ]);
    t.is((await database.query("create table things (id int)")).command, "CREATE");
    t.is((await database.query("insert into things select generate_series(1, 3)")).rowCount, 3);
    for (const least of [1, 2, 9]) {
      const { rows, rowCount } = await database.query({
        name: "things-from",
        text: "select id from things where id >= $1 order by id",
        values: [least],
      });
      t.deepEqual([rows.length, rowCount], least === 9 ? [0, 0] : [4 - least, 4 - least]);
    }
  });
});

test("rows of a named statement are those of its table, also after the table has changed", async (t) => {
  const database = await openPool(t);
  const things = { name: "things", text: "select * from things order by 1" };
  const rowsOf = () => runFor({ ...north }, async () => (await database.query(things)).rows);
  await runFor({ ...north }, () => database.query("create table things as select 1 as id"));
  for (const _again of [1, 2, 3]) t.deepEqual(await rowsOf(), [{ id: 1 }]);
  await runFor({ ...north }, () => database.query("alter table things add column name text default 'x'"));
  // PostgreSQL refuses the old plan by a code, and the pool goes on with another connection.
  await t.throwsAsync(rowsOf, { code: "0A000" });
  for (const _again of [1, 2]) t.deepEqual(await rowsOf(), [{ id: 1, name: "x" }]);
});

test("two texts under one name are a bug, and cost nobody else anything", async (t) => {
  const database = await openPool(t);
  await runFor({ ...north }, async () => {
    t.deepEqual((await database.query({ name: "one", text: "select 1 as a" })).rows, [{ a: 1 }]);
    await t.throwsAsync(database.query({ name: "one", text: "select 2 as b" }), { message: /must be unique/ });
    t.deepEqual((await database.query({ name: "one", text: "select 1 as a" })).rows, [{ a: 1 }]);
  });
});

test("a transaction runs for who began it, to its end, be it committed or not", async (t) => {
  const database = await openPool(t);
  await runFor({ ...north }, () =>
    inTransaction(database, async (transaction) => {
      t.deepEqual(await found(transaction, null), { partner: "north", subject: anna });
      t.deepEqual(await found(transaction, null), { partner: "north", subject: anna });
    }),
  );
  t.deepEqual(await found(database, null), { partner: null, subject: null });
  await t.throwsAsync(
    runFor({ ...north }, () => inTransaction(database, () => Promise.reject(new Error("refused")))),
    { message: "refused" },
  );
  t.deepEqual(await found(database, null), { partner: null, subject: null });
});

test("a statement that fails is told as itself, and costs nobody else anything", async (t) => {
  const database = await openPool(t);
  for (const [statement, code] of [
    ["select 1 / 0", "22012"],
    ["select from nowhere", "42P01"],
    ["not a statement", "42601"],
    ["select $1::int", "22P02"],
  ] as const) {
    await t.throwsAsync(
      runFor({ ...north }, () => database.query(statement, statement.includes("$1") ? ["x"] : undefined)),
      { code },
    );
    t.deepEqual(await found(database, south), { partner: "south", subject: null });
  }
});

test("many callers at once over few connections each see only what they are", async (t) => {
  const database = await openPool(t, 3);
  const callers = Array.from({ length: 300 }, (_, index) => ({
    partnerId: `p${index % 7}`,
    subject: index % 3 === 0 ? null : `${anna.slice(0, -3)}${String(index).padStart(3, "0")}`,
  }));
  const seen = await Promise.all(
    callers.map((caller, index) =>
      index % 10 === 0
        ? runFor({ ...caller }, () => inTransaction(database, (transaction) => found(transaction, null)))
        : found(database, caller),
    ),
  );
  t.deepEqual(
    seen,
    callers.map(({ partnerId, subject }) => ({ partner: partnerId, subject })),
  );
});

test("a name with a quote is a name", async (t) => {
  const database = await openPool(t);
  const odd = { partnerId: "o'; drop table users; --", subject: null };
  t.deepEqual(await found(database, odd), { partner: odd.partnerId, subject: null });
  t.deepEqual(await runFor({ ...odd }, () => inTransaction(database, (transaction) => found(transaction, null))), {
    partner: odd.partnerId,
    subject: null,
  });
});

test("a connection that is cut fails its statement, and the next one gets another", async (t) => {
  const database = await openPool(t);
  const cut = runFor({ ...north }, () => database.query("select pg_terminate_backend(pg_backend_pid()), pg_sleep(5)"));
  await t.throwsAsync(cut);
  t.deepEqual(await found(database, south), { partner: "south", subject: null });
});
