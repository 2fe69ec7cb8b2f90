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
