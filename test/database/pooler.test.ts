/** Poolers: what an address says of them, what is found, and what is said of the two together. */
import test from "ava";
import { readAddress } from "../../config/addresses.ts";
import { examineConfig } from "../../src/config.ts";
import { inTransaction, openDatabase } from "../../src/database/database.ts";
import { examineAddresses, findPooler, judge } from "../../src/database/pooler.ts";
import { TenantClaims } from "../../src/database/tenant-claims.ts";
import { presentTenant } from "../../src/database/tenant.ts";
import { createTestDatabase, urlsOfRoles } from "../world.ts";

const keeps = { mode: "transaction", keepsStatements: true, version: "PgBouncer 1.24.1" } as const;
const api = { setting: "DATABASE_URL_API", needsSessions: false } as const;
const marked = { ...api, url: "postgres://tideline_api@bouncer:6432/tideline?pooler=transaction" };

test("an address that leads through a pooler says so, and pg is told nothing of it", (t) => {
  t.deepEqual(readAddress("postgres://a:b@c:6432/d?pooler=transaction"), {
    url: "postgres://a:b@c:6432/d",
    isPooled: true,
  });
  t.deepEqual(readAddress("postgres://a:b@c:6432/d?sslmode=verify-full&pooler=transaction"), {
    url: "postgres://a:b@c:6432/d?sslmode=verify-full",
    isPooled: true,
  });
  t.deepEqual(readAddress("postgres://a@c/d"), { url: "postgres://a@c/d", isPooled: false });
  t.false(readAddress("postgres://a@c/d?pooler=session").isPooled);
});

test("a pooler in transaction mode that keeps named statements fits an address that says so", (t) => {
  t.is(judge(marked, keeps), null);
  t.is(judge(marked, null), null, "and so does the server itself");
  t.regex(
    judge({ ...marked, url: "postgres://tideline_api@bouncer/tideline" }, keeps) ?? "",
    /add \?pooler=transaction/,
  );
});

test("one that forgets named statements, or allows no transactions, cannot work", (t) => {
  t.regex(
    judge(marked, { ...keeps, keepsStatements: false, version: "PgBouncer 1.18.0" }) ?? "",
    /^DATABASE_URL_API leads through PgBouncer 1\.18\.0 in transaction mode, which forgets named statements.*before 1\.21/,
  );
  t.regex(judge(marked, { ...keeps, mode: "statement", version: null }) ?? "", /a pooler in statement mode/);
});

test("what listens and migrates must reach the server itself; a session pooler is as good", (t) => {
  const migrator = { setting: "DATABASE_URL", needsSessions: true, url: "postgres://m@bouncer/tideline" };
  t.regex(judge(migrator, keeps) ?? "", /name the server itself/);
  t.is(judge(migrator, { ...keeps, mode: "session" }), null);
});

test("settings that contradict each other are told without a look at any server", (t) => {
  const key = Buffer.alloc(32).toString("base64");
  const given = { DATABASE_URL: "postgres://m@s/t", TIDELINE_KEY_ENCRYPTION_KEY: key };
  const jobs = "postgres://tideline_jobs@bouncer/t?pooler=transaction";
  const problemsOf = (more: NodeJS.ProcessEnv) => examineConfig({ roles: "worker" }, { ...given, ...more }).problems;
  t.deepEqual(problemsOf({ DATABASE_URL_JOBS: jobs, REDIS_URL: "redis://r" }), []);
  t.deepEqual(problemsOf({ DATABASE_URL_JOBS: jobs, DATABASE_URL_JOBS_DIRECT: "postgres://tideline_jobs@s/t" }), []);
  t.regex(problemsOf({ DATABASE_URL_JOBS: jobs }).join(), /give DATABASE_URL_JOBS_DIRECT or REDIS_URL/);
  t.regex(problemsOf({ DATABASE_URL: `${given.DATABASE_URL}?pooler=transaction` }).join(), /DATABASE_URL must lead/);
});

test("where there is none, none is found, and a server that is away says nothing of poolers", async (t) => {
  const { url } = await createTestDatabase(t);
  t.is(await findPooler(urlsOfRoles(url).api), null);
  const away = { ...api, url: "postgres://tideline_api@127.0.0.1:1/tideline" };
  const found = await examineAddresses([away]);
  t.deepEqual(found.problems, []);
  t.regex(found.unreachable.join(), /^DATABASE_URL_API: /);
});

test("of a statement through a pooler the database knows how long it may take from what goes with its claim", async (t) => {
  const { url } = await createTestDatabase(t);
  const own = openDatabase(urlsOfRoles(url).jobs, { sizeMax: 1, applicationName: "test claims" });
  const claims = new TenantClaims(own);
  const callers = openDatabase(`${urlsOfRoles(url).api}?pooler=transaction`, {
    sizeMax: 1,
    applicationName: "test",
    answersWithinMs: 300,
    tenant: { present: presentTenant, claims },
  });
  t.teardown(async () => {
    await callers.end();
    await claims.close();
    await own.end();
  });
  const shown = async () =>
    (await callers.query<{ time: string }>("select current_setting('statement_timeout') as time")).rows[0]?.time;
  t.is(await shown(), "300ms");
  await t.throwsAsync(async () => await callers.query("select pg_sleep(5)"), { code: "57014" });
  const inside = await inTransaction(
    callers,
    async (transaction) =>
      (await transaction.query<{ statement_timeout: string }>("show statement_timeout")).rows[0]?.statement_timeout,
  );
  t.is(inside, "300ms");
});
