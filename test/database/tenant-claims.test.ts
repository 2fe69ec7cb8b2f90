/** A claim proves for whom a connection of the API asks: what does not hold is an error, never somebody else's rows. */
import test, { type ExecutionContext } from "ava";
import pg from "pg";
import { type Database, openDatabase } from "../../src/database/database.ts";
import { TenantClaims } from "../../src/database/tenant-claims.ts";
import { presentTenant, runFor } from "../../src/database/tenant.ts";
import { createTestDatabase, urlsOfRoles } from "../world.ts";

const north = { partnerId: "north", subject: null };
const asked = "select id from partners order by id";

type Opened = { database: Database; claims: TenantClaims; callers: Database; login: pg.Client };

/** Two partners; the API's pool with its claims, and a bare connection of the API's login. */
async function open(t: ExecutionContext): Promise<Opened> {
  const { url, database } = await createTestDatabase(t);
  await database.query("insert into partners (id, name) values ('north', 'North'), ('south', 'South')");
  const claims = new TenantClaims(database);
  const callers = openDatabase(urlsOfRoles(url).api, {
    sizeMax: 2,
    applicationName: "test api",
    tenant: { present: presentTenant, claims },
  });
  const login = new pg.Client({ connectionString: urlsOfRoles(url).api });
  await login.connect();
  t.teardown(async () => {
    await login.end();
    await callers.end();
    await claims.close();
  });
  return { database, claims, callers, login };
}

async function seenWith(login: pg.Client, claim: string): Promise<string[]> {
  await login.query("select set_config('tideline.tenant', $1, false)", [claim]);
  return (await login.query<{ id: string }>(asked)).rows.map(({ id }) => id);
}

test("a claim shows its partner's rows, and without one nothing is seen", async (t) => {
  const { claims, login } = await open(t);
  t.deepEqual(await seenWith(login, await claims.of(north)), ["north"]);
  t.deepEqual(await seenWith(login, await claims.of({ partnerId: "north,south", subject: null })), ["north", "south"]);
  t.deepEqual(await seenWith(login, ""), []);
  await login.query("select set_config('tideline.partner', 'south', false)");
  t.deepEqual((await login.query(asked)).rows, [], "the setting of the version before");
});

test("a partner's claim sees its users without a look for the caller, and a user's only the user", async (t) => {
  const { database, claims, login } = await open(t);
  await database.query(
    `insert into brands (partner_id, id, country, currency, time_zone, locale)
     values ('north', 'n', 'DK', 'DKK', 'Europe/Copenhagen', 'da-DK'), ('south', 's', 'DK', 'DKK', 'Europe/Copenhagen', 'da-DK')`,
  );
  const add = async (partnerId: string, brandId: string, name: string): Promise<string> => {
    const { rows } = await database.query<{ subject: string }>(
      "insert into users (partner_id, brand_id, bank_user_id, locale) values ($1, $2, $3, 'da-DK') returning subject",
      [partnerId, brandId, name],
    );
    return rows[0]?.subject ?? "";
  };
  const [anna, bert] = [await add("north", "n", "anna"), await add("north", "n", "bert")];
  const seen = async (claim: string) => {
    await login.query("select set_config('tideline.tenant', $1, false)", [claim]);
    return (await login.query<{ name: string }>("select bank_user_id as name from users order by 1")).rows.map(
      ({ name }) => name,
    );
  };
  t.deepEqual(await seen(await claims.of(north)), ["anna", "bert"]);
  const plan = await login.query<{ "QUERY PLAN": string }>("explain (analyze, costs off) select from users");
  t.regex(plan.rows.map((row) => row["QUERY PLAN"]).join("\n"), /never executed/);
  const carl = await add("south", "s", "carl");
  t.deepEqual(await seen(await claims.of(north)), ["anna", "bert"]);
  const asAnna = await claims.of({ partnerId: "north", subject: anna });
  t.deepEqual(await seen(asAnna), ["anna"]);
  t.deepEqual(await seen(await claims.of({ partnerId: "north", subject: carl })), []);
  t.deepEqual(await seen(""), []);
  for (const wrong of [asAnna.replace(anna, bert), asAnna.replace(anna, " ".repeat(36))])
    await t.throwsAsync(seen(wrong), { code: "TD001" });
});

test("a claim is the same text while half of its life is left, and another's is another", async (t) => {
  const { claims } = await open(t);
  t.is(await claims.of(north), await claims.of({ ...north }));
  t.not(await claims.of(north), await claims.of({ partnerId: "south", subject: null }));
});

test("a claim that was changed, made up or signed with another key is refused", async (t) => {
  const { claims, login } = await open(t);
  const claim = await claims.of(north);
  for (const wrong of [
    claim.replace(/north$/, "south"),
    `${claim},south`,
    "0".repeat(64) + claim.slice(64),
    claim.slice(0, 64) + "00000000-0000-4000-8000-000000000000" + claim.slice(100),
    claim.slice(0, 100) + String(Number(claim.slice(100, 110)) + 1) + claim.slice(110),
    "north",
  ])
    await t.throwsAsync(seenWith(login, wrong), { code: "TD001" }, wrong);
});

test("a claim ends with its time and with its key", async (t) => {
  const { database, claims, login } = await open(t);
  const claim = await claims.of(north);
  await database.query("update tenant_keys set expires_at = now() - interval '1 second'");
  await t.throwsAsync(seenWith(login, claim), { code: "TD001" });
  await claims.enter();
  t.deepEqual(await seenWith(login, claim), ["north"], "its key's life was extended");
});

test("callers go on when the database has forgotten the key, as one restored from a backup has", async (t) => {
  const { database, callers } = await open(t);
  const ask = () => runFor({ ...north }, async () => (await callers.query<{ id: string }>(asked)).rows);
  t.deepEqual(await ask(), [{ id: "north" }]);
  await database.query("delete from tenant_keys");
  t.deepEqual(await ask(), [{ id: "north" }]);
});

test("the API's login reads no key and makes no function or table", async (t) => {
  const { login } = await open(t);
  for (const statement of [
    "select id from tenant_keys",
    "insert into tenant_keys values (gen_random_uuid(), '', '', now())",
    "create function mine() returns int language sql return 1",
    "create table mine (id int)",
    "copy partners from program 'true'",
  ])
    await t.throwsAsync(login.query(statement), { code: "42501" }, statement);
});

test("a claim for several is for users of partners alone", async (t) => {
  const { claims } = await open(t);
  const subject = "00000000-0000-4000-8000-000000000007";
  t.regex(await claims.ofSeveral([{ partnerId: "north", subject }]), new RegExp(`several ${subject}north$`));
  for (const wrong of [
    { partnerId: `north ${subject}south`, subject },
    { partnerId: "north", subject: "" },
  ])
    await t.throwsAsync(claims.ofSeveral([wrong]), { message: /no user of a partner/ });
});
