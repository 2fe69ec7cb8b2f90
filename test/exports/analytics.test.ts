/** A reader's login sees its partner's rows and no others, changes nothing, and has what an export has. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { readFile } from "node:fs/promises";
import { randomBytes } from "node:crypto";
import { columnsOf, datasetNames } from "../../src/exports/datasets.ts";
import { openCommandLine } from "../cli/command.ts";
import { addPartner, addUser } from "../parties.ts";
import { addPayment, addPayments, everything, exportTo, openWorld, type World } from "./world.ts";

type Reader = { world: World; url: string; sql: (statement: string) => string };

/** Reads as psql does; what the server refuses is thrown with its words. */
async function openReader(t: ExecutionContext): Promise<Reader> {
  const world = await openWorld(t);
  const login = `reader_${randomBytes(6).toString("hex")}`;
  const { tideline } = await openCommandLine(t, world.url);
  const added = await tideline("database", "reader", "add", login, "--partner", "bank", "--json");
  t.is(added.code, 0, added.stderr);
  const { url, statements } = JSON.parse(added.stdout) as { url: string; statements: string[] };
  // As the service's own database is arranged; a clone of the template has rights of its own.
  await world.database.query(`revoke all on database "${new URL(url).pathname.slice(1)}" from public`);
  for (const statement of statements) await world.database.query(statement);
  t.teardown(async () => {
    await world.database.query(`drop owned by ${login}; drop role ${login}`).catch(() => undefined);
  });
  const sql = (statement: string) =>
    execFileSync("psql", [url, "--no-psqlrc", "-AtX", "-v", "ON_ERROR_STOP=1", "-c", statement], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, LC_ALL: "C.UTF-8" },
    }).trimEnd();
  return { world, url, sql };
}

test.serial("a reader sees the partner it was made for, whatever it sets", async (t) => {
  const { world, sql } = await openReader(t);
  await addPayments(world, 3, 4);
  await addPartner(world.database, "other");
  const other = await addUser(world.database, "other", "secret-user");
  await addPayment(world, other, { txid: "secret" });
  t.is(sql("select count(*), count(distinct partner), min(account_iban) from transactions"), "12|1|DK•• •••• 6243");
  t.is(sql("select string_agg(bank_user_id, ',' order by bank_user_id) from analytics.users"), "u1,u2,u3");
  for (const setting of [
    "select set_config('tideline.partner', 'other', false)",
    "select set_config('tideline.tenant', repeat('0', 200), false)",
    "select set_config('session_authorization', 'tideline_migrator', false)",
    "select set_config('role', 'tideline_jobs', false)",
    "set search_path = public, analytics",
    "set row_security = off",
  ]) {
    const seen = (() => {
      try {
        return sql(
          `${setting}; select coalesce(string_agg(bank_user_id, ',' order by bank_user_id), '') from analytics.users`,
        );
      } catch (error) {
        return String((error as { stderr: string }).stderr);
      }
    })();
    t.regex(seen, /u1,u2,u3$|permission denied/, setting);
  }
  const leaking = `create function pg_temp.tell(text) returns boolean language plpgsql cost 0.0000001 as 'begin raise notice ''%'', $1; return true; end'`;
  t.throws(() => sql(leaking), { message: /permission denied|read-only/ });
});

test.serial("a reader can read no table and write nothing, not even where it lifts its own limits", async (t) => {
  const { sql } = await openReader(t);
  const writable = "set transaction_read_only = off; set default_transaction_read_only = off;";
  for (const statement of [
    "select * from public.users",
    "select * from public.transactions",
    "select * from public.accounts",
    "select * from public.tenant_keys",
    "select * from analytics.logins",
    "insert into analytics.logins (login, partner_id) values (session_user, 'other')",
    "insert into analytics.users (partner) values ('x')",
    "update analytics.transactions set amount = 0",
    "delete from analytics.services",
    "create table analytics.mine (a int)",
    "create table public.mine (a int)",
    "create temporary table mine (a int)",
    "create schema mine",
    "set role tideline_migrator",
    "select public.applicant_of('other', gen_random_uuid())",
    "select public.open_deliveries(10)",
    "select pg_read_file('/etc/hostname')",
    "copy analytics.users to program 'true'",
  ])
    t.throws(
      () => sql(`${writable} ${statement}`),
      { message: /permission denied|must be superuser|cannot/ },
      statement,
    );
});

test.serial("the views have the columns of the exports, and the same in them", async (t) => {
  const { world, sql } = await openReader(t);
  await addPayments(world, 2, 3);
  for (const dataset of datasetNames) {
    const names = columnsOf({ dataset, unmasked: false }).map(({ name }) => name);
    const { rows } = await world.database.query<{ names: string[] }>(
      `select array_agg(attname::text order by attnum) as names from pg_attribute where attrelid = ('analytics.' || $1)::regclass and attnum > 0`,
      [dataset],
    );
    t.deepEqual(rows[0]?.names, names, dataset);
  }
  const file = path.join(world.folder, "rows.jsonl");
  await exportTo(world, file, "jsonl", everything("transactions", "bank"));
  const exported = (await readFile(file, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  const viewed = JSON.parse(sql("select json_agg(t order by user_id, transaction_id) from transactions t")) as unknown;
  t.deepEqual(viewed, exported);
});

test.serial("psycopg reads the views as well", async (t) => {
  const { world, url } = await openReader(t);
  await addPayments(world, 1, 2);
  const script =
    "import sys\ntry:\n import psycopg as p\nexcept ImportError:\n import psycopg2 as p\nc = p.connect(sys.argv[1]).cursor()\nc.execute('select sum(amount) from transactions')\nprint(c.fetchone()[0])";
  const found = ["python3", "/usr/bin/python3"].find((python) => {
    try {
      execFileSync(python, [
        "-c",
        "import importlib.util as u, sys; sys.exit(not (u.find_spec('psycopg') or u.find_spec('psycopg2')))",
      ]);
      return true;
    } catch {
      return false;
    }
  });
  const read = found === undefined ? null : execFileSync(found, ["-c", script, url], { encoding: "utf8" }).trim();
  if (found === undefined) t.log("there is no psycopg here");
  t.true(read === null || read === "-3.50", String(read));
});

test.serial("a reader that is removed sees nothing at once; its name is not given to another login", async (t) => {
  const { world, url, sql } = await openReader(t);
  await addPayments(world, 1, 1);
  const login = new URL(url).username;
  const { tideline } = await openCommandLine(t, world.url);
  const again = await tideline("database", "reader", "add", "tideline_api", "--partner", "bank");
  t.regex(again.stderr, /a login "tideline_api" already/);
  t.regex((await tideline("database", "reader", "list")).stdout, new RegExp(`^${login} +bank$`, "m"));
  t.is(sql("select count(*) from users"), "1");
  const removed = await tideline("database", "reader", "remove", login, "--json");
  t.is(removed.code, 0, removed.stderr);
  t.is(sql("select count(*) from users"), "0");
  for (const statement of (JSON.parse(removed.stdout) as { statements: string[] }).statements)
    await world.database.query(statement);
  t.throws(() => sql("select 1"), { message: /does not exist|authentication failed/ });
  const { rows } = await world.database.query<{ event: string }>(
    "select event from audit_events where event like 'reader.%' order by id",
  );
  t.deepEqual(
    rows.map(({ event }) => event),
    ["reader.added", "reader.removed"],
  );
});
