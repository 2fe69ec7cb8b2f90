import test from "ava";
import { type Database, inTransaction, isDatabaseAway } from "../src/database.ts";
import { createTestDatabase } from "./world.ts";

test("a connection that breaks between two statements fails the next one, and its process goes on", async (t) => {
  const { database } = await createTestDatabase(t);
  const error = await t.throwsAsync(
    inTransaction(database, async (transaction) => {
      const { rows } = await transaction.query<{ pid: number }>("select pg_backend_pid() as pid");
      const broken = new Promise<void>((resolve) => transaction.once("end", () => resolve()));
      await cut(database, rows[0]?.pid ?? 0);
      await broken;
      await transaction.query("select 1");
    }),
  );
  t.true(isDatabaseAway(error));
  t.deepEqual((await database.query("select 1 as alive")).rows, [{ alive: 1 }]);
});

test("what says that the database is away is told from what says that a statement is wrong", (t) => {
  const coded = (code: string) => Object.assign(new Error("said by the driver"), { code });
  for (const code of ["57P01", "08006", "53300", "25006", "ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EAI_AGAIN"]) t.true(isDatabaseAway(coded(code)), code);
  t.true(isDatabaseAway(new Error("Connection terminated unexpectedly")));
  for (const code of ["23505", "22P02", "40P01", "VAULT_GONE"]) t.false(isDatabaseAway(coded(code)), code);
});

async function cut(database: Database, backendPid: number): Promise<void> {
  await database.query("select pg_terminate_backend($1)", [backendPid]);
}
