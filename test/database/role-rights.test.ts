/** Migration confines callers to a role where it may make one, says so where not, and changes no right twice. */
import { randomBytes } from "node:crypto";
import test, { type ExecutionContext } from "ava";
import { findCallerRole } from "../../src/database/role-rights.ts";
import { openDatabase } from "../../src/database/database.ts";
import { migrate } from "../../src/database/migrate.ts";
import { TenantClaims } from "../../src/database/tenant-claims.ts";
import { presentTenant, runFor } from "../../src/database/tenant.ts";
import { createTestDatabase } from "../world.ts";

/** A server whose administrator hands out a database and a user that may make no roles. */
async function openHandedOut(t: ExecutionContext) {
  const { url, database } = await createTestDatabase(t);
  const user = `u_${randomBytes(6).toString("hex")}`;
  await database.query(
    `create role ${user} login password 'x'; create schema ${user} authorization ${user}; alter role ${user} set search_path = ${user}`,
  );
  t.teardown(() => database.query(`drop owned by ${user}; drop role ${user}`));
  const address = new URL(url);
  [address.username, address.password] = [user, "x"];
  const own = openDatabase(address.href, { sizeMax: 2, applicationName: "test" });
  t.teardown(() => own.end());
  return { administrator: database, user, url: address.href, own };
}

test("a user that may make no roles migrates all the same, and is told that callers are not confined", async (t) => {
  const { url, own } = await openHandedOut(t);
  t.true((await migrate(url)) > 10);
  t.is(await findCallerRole(own), null);
});

test("once an administrator lets the user take the role on, callers are confined", async (t) => {
  const { administrator, user, url, own } = await openHandedOut(t);
  await migrate(url);
  await administrator.query(`grant tideline_api to ${user}`);
  const role = await findCallerRole(own);
  t.is(role, "tideline_api");
  await own.query("insert into partners (id, name) values ('north', 'North'), ('south', 'South')");
  const claims = new TenantClaims(own);
  const asked = openDatabase(url, {
    sizeMax: 1,
    applicationName: "test",
    tenant: { present: presentTenant, claims },
    role: role ?? "",
  });
  t.teardown(async () => {
    await asked.end();
    await claims.close();
  });
  t.deepEqual(
    (await runFor({ partnerId: "south", subject: null }, () => asked.query("select id from partners"))).rows,
    [{ id: "south" }],
  );
});

test("migrating again changes no right, and asks for no lock that a running load would hold up", async (t) => {
  const { url, database } = await createTestDatabase(t);
  const rights = async () =>
    (
      await database.query(
        "select relname, relacl::text, xmin::text from pg_class where relnamespace = 'public'::regnamespace order by relname",
      )
    ).rows;
  const before = await rights();
  t.is(await migrate(url), 0);
  t.deepEqual(await rights(), before);
  t.is(await findCallerRole(database), "tideline_api");
});

test("whoever may add rows to a table may take their numbers, and nobody else takes any", async (t) => {
  const { database } = await createTestDatabase(t);
  const { rows } = await database.query<{ sequence: string; role: string; adds: boolean; takes: boolean }>(
    `with numbered as (
       select distinct sequence.oid, sequence.relname as sequence, filled.adrelid
         from pg_class sequence
         join pg_depend d on d.refobjid = sequence.oid and d.classid = 'pg_attrdef'::regclass and sequence.relkind = 'S'
         join pg_attrdef filled on filled.oid = d.objid
        where sequence.relnamespace = 'public'::regnamespace
     )
     select sequence, role, has_table_privilege(role, adrelid, 'insert') as adds,
            has_sequence_privilege(role, oid, 'usage') as takes
       from numbered
       cross join unnest(array['tideline_api', 'tideline_loader', 'tideline_jobs']) as role
      order by sequence, role`,
  );
  t.deepEqual(
    rows.filter(({ takes }) => takes).map(({ sequence, role }) => `${role} ${sequence}`),
    ["tideline_jobs transaction_ids", "tideline_loader transaction_ids"],
  );
  t.deepEqual(
    rows.filter(({ adds, takes }) => adds !== takes),
    [],
  );
});

test("only what the rights' list gives is given: no role truncates, makes triggers or refers, and everybody has nothing", async (t) => {
  const { database } = await createTestDatabase(t);
  const { rows } = await database.query<{ name: string; grantee: string; right: string }>(
    `select c.relname as name, coalesce(r.rolname, 'everybody') as grantee, lower(given.privilege_type) as right
       from pg_class c
       cross join lateral aclexplode(c.relacl) as given
       left join pg_roles r on r.oid = given.grantee
      where c.relnamespace in ('public'::regnamespace, 'bullmq'::regnamespace)
        and given.grantee <> c.relowner`,
  );
  t.true(rows.length > 100);
  t.deepEqual(
    rows.filter(
      ({ grantee, right }) =>
        !["tideline_api", "tideline_loader", "tideline_jobs"].includes(grantee) ||
        !["select", "insert", "update", "delete", "usage"].includes(right),
    ),
    [],
  );
  const ofQueue = rows.filter(({ name }) => ["job", "meta", "event"].includes(name));
  t.deepEqual([...new Set(ofQueue.map(({ grantee }) => grantee))], ["tideline_jobs"]);
});
