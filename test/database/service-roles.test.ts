/** The statements that make the service's logins, on a server of its own and on one that was there before. */
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "ava";
import pg from "pg";
import { startCluster } from "../../src/database/embedded/cluster.ts";
import { migrate } from "../../src/database/migrate.ts";
import { arrangementStatements, type ServiceRole, serviceRoles } from "../../src/database/service-roles.ts";
import { migrateQueue } from "../../src/staging/queue.ts";

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows as unknown[];
  } finally {
    await client.end();
  }
}

test("a database that one user owned is arranged anew: each role does its work, none leaves itself, and again changes nothing", async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-roles-"));
  await chmod(folder, 0o711);
  const cluster = await startCluster(folder);
  t.teardown(async () => {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  });
  await ask(cluster.url, "create database earlier");
  const on = (url: string) => url.replace(/tideline$/, "earlier");
  // As the version before had it: one superuser owns all.
  await migrate(on(cluster.url));
  await migrateQueue(on(cluster.url));
  const passwords = { migrator: "", jobs: "", loader: "", api: "" } as Record<ServiceRole, string>;
  for (const role of Object.keys(passwords) as ServiceRole[]) passwords[role] = randomBytes(12).toString("hex");
  const script = arrangementStatements({ databaseName: "earlier", passwords }).join(";\n");
  await ask(on(cluster.url), script);
  await ask(on(cluster.url), script);

  const of = (role: ServiceRole): string => {
    const address = new URL(on(cluster.url));
    [address.username, address.password] = [serviceRoles[role], passwords[role]];
    return address.href;
  };
  t.deepEqual(
    await ask(
      on(cluster.url),
      `select distinct pg_get_userbyid(c.relowner) as owner from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('public', 'bullmq')`,
    ),
    [{ owner: "tideline_migrator" }],
  );
  t.is(await migrate(of("migrator")), 0);
  await migrateQueue(of("migrator"));
  await ask(of("jobs"), "insert into partners (id, name) values ('north', 'North')");
  t.deepEqual(await ask(of("loader"), "select id from partners"), [{ id: "north" }]);
  t.deepEqual(await ask(of("api"), "select id from partners"), []);
  for (const [role, statement] of [
    ["loader", "select * from psd2_consents"],
    ["loader", "select * from notification_receivers"],
    ["loader", "update partners set name = 'x'"],
    ["jobs", "select inner_block from tenant_keys"],
    ["jobs", "update audit_events set actor = 'x'"],
    ["jobs", "delete from audit_events"],
    ["jobs", "delete from audit_batches"],
    ["api", "select * from audit_batches"],
    ["api", "select remove_door_events(now())"],
    ["jobs", "alter table partners add column x int"],
    ["jobs", "set role tideline_migrator"],
    ["jobs", "set role tideline"],
    ["loader", "set role tideline_jobs"],
    ["api", "set role tideline_jobs"],
    ["api", "set session authorization tideline"],
    ["api", "create temporary table partners (id text)"],
    ["migrator", "set role tideline"],
    ["migrator", "copy partners from program 'true'"],
    ["jobs", "copy partners to program 'cat'"],
    ["jobs", "select pg_read_file('/etc/passwd')"],
    ["loader", "copy transactions from '/etc/passwd'"],
    ["migrator", "select * from pg_authid"],
  ] as const)
    await t.throwsAsync(ask(of(role), statement), { code: "42501" }, `${role}: ${statement}`);
});
