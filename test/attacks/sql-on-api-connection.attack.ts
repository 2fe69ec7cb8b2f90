/**
 * Suppose that a statement of the API could be bent: what does arbitrary SQL on one of its connections get? The
 * connection is made as the API makes its own, for the attacker's own user; then everything is tried by which a session
 * becomes another role, another tenant, or reads files, and after each the rows of others are counted in every table and
 * view, by themselves, through statistics, and through functions that run as their owner.
 */
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import type { Attack, World } from "./attack.ts";
import { newUser } from "./psd2.ts";
import { asSuperuser } from "./superuser.ts";

type Target = { userId: number; subject: string; partnerId: string };

export const attack: Attack = {
  name: "sql-on-api-connection",
  service: { environment: {}, alone: true },
  async succeeds(world) {
    const [own, other] = [await world.partner("north"), await world.partner("south")];
    await newUser(own, "mallory");
    await newUser(own, "anna");
    await newUser(other, "bert");
    const administrator = await asSuperuser(world);
    try {
      const mallory = await userOf(administrator, "mallory");
      const victims = [await userOf(administrator, "anna"), await userOf(administrator, "bert")];
      await giveRows(administrator, victims);
      const session = await openAsApi(world, administrator, mallory);
      try {
        const got = await tryAll(session, mallory, victims);
        return {
          succeeded: got.length > 0,
          seen: got.length > 0 ? got.slice(0, 6).join("; ") : "nothing of others, and no file",
        };
      } finally {
        await session.client.end();
      }
    } finally {
      await administrator.end();
    }
  },
};

async function userOf(administrator: pg.Client, name: string): Promise<Target> {
  const { rows } = await administrator.query(
    'select id::int as "userId", subject, partner_id as "partnerId" from users where bank_user_id = $1',
    [name],
  );
  return rows[0] as Target;
}

/** A payment, a budget and an entry of the audit trail for each, and statistics that would tell of them. */
async function giveRows(administrator: pg.Client, victims: readonly Target[]): Promise<void> {
  for (const { userId, partnerId } of victims) {
    await administrator.query(
      `insert into accounts (user_id, id, name, iban) values ($1, 'secret-account', 'x', 'DK5000400440116243')`,
      [userId],
    );
    await administrator.query("insert into audit_events (partner_id, actor, event) values ($1, 'test', 'test.done')", [
      partnerId,
    ]);
  }
  await administrator.query("analyze");
}

type Session = { client: pg.Client; claim: string | null };

/** On the version before: the owner's login with the role taken on. Since: the role's own login, with a claim. */
async function openAsApi(world: World, administrator: pg.Client, own: Target): Promise<Session> {
  const { rows } = await administrator.query("select rolcanlogin from pg_roles where rolname = 'tideline_api'");
  const address = new URL(await world.service.databaseUrl());
  const hasLogin = rows[0]?.rolcanlogin === true;
  if (hasLogin) {
    const password = randomBytes(12).toString("hex");
    await administrator.query(`alter role tideline_api password '${password}'`);
    [address.username, address.password] = ["tideline_api", password];
  }
  const client = new pg.Client({
    connectionString: address.href,
    ...(hasLogin ? {} : { options: "-c role=tideline_api" }),
  });
  client.on("error", () => undefined);
  await client.connect();
  return { client, claim: hasLogin ? await claimOf(administrator, own) : null };
}

/** As an API process of its own would enter a key and sign with it. */
async function claimOf(administrator: pg.Client, { partnerId, subject }: Target): Promise<string> {
  const [id, key] = [randomUUID(), randomBytes(64)];
  const block = (byte: number) => Buffer.from(key.map((one) => one ^ byte));
  await administrator.query("insert into tenant_keys values ($1, $2, $3, now() + interval '1 hour')", [
    id,
    block(0x36),
    block(0x5c),
  ]);
  const { rows } = await administrator.query("select (extract(epoch from now()) + 250)::bigint as until");
  const covered = `${id}${rows[0].until}${subject.padEnd(36)}${partnerId}`;
  return createHmac("sha256", key).update(covered).digest("hex") + covered;
}

/** Ways into another role. */
const roleChanges = [
  "select 1",
  "reset role",
  "set role none",
  "select set_config('role', 'none', false)",
  "set role tideline",
  "set role tideline_migrator",
  "set role tideline_jobs",
  "set role postgres",
  "set session authorization tideline",
  "set session authorization default",
  "reset session authorization",
  "select set_config('session_authorization', 'tideline', false)",
  "set row_security = off",
  "set session_replication_role = replica",
  "grant tideline_jobs to tideline_api",
  "alter role tideline_api bypassrls",
  "alter role tideline_api superuser",
  "alter table users disable row level security",
  "alter policy of_tenant on users using (true)",
  "create policy mine on users using (true)",
  "do $$ begin execute 'set role tideline_jobs'; end $$",
];

/** Ways to be served as somebody else, in the settings of either version. */
function tenantChanges({ claim }: Session, own: Target, { partnerId, subject }: Target): string[] {
  const set = (name: string, value: string) => `select set_config('${name}', '${value.replaceAll("'", "''")}', false)`;
  const both = `${set("tideline.partner", partnerId)}, set_config('tideline.subject', '${subject}', false)`;
  if (claim === null) return [both];
  const forged = claim.replace(own.subject, subject).replace(new RegExp(`${own.partnerId}$`), partnerId);
  const unsigned = "0".repeat(64) + forged.slice(64);
  const nobodysKey = randomBytes(32).toString("hex") + randomUUID() + forged.slice(100);
  const longer = `${claim},${partnerId}`;
  return [
    `${set("tideline.tenant", "")}, set_config('tideline.partner', '${partnerId}', false), set_config('tideline.subject', '${subject}', false)`,
    ...[forged, unsigned, nobodysKey, longer, partnerId, `${" ".repeat(64)}${forged.slice(64)}`].map((text) =>
      set("tideline.tenant", text),
    ),
  ];
}

const files = [
  "create temp table seen (line text)",
  "copy seen from program 'env'",
  "copy seen from '/etc/passwd'",
  "copy (select 1) to program 'touch /tmp/tideline-was-here'",
  "copy (select 1) to '/tmp/tideline-was-here'",
  "select pg_read_file('/etc/passwd')",
  "select pg_read_binary_file('postgresql.conf')",
  "select pg_read_file('global/pg_control')",
  "select * from pg_ls_dir('/')",
  "select * from pg_ls_logdir()",
  "select * from pg_stat_file('/etc/passwd')",
  "select lo_import('/etc/passwd')",
  "select lo_export(lo_from_bytea(0, 'x'), '/tmp/tideline-was-here')",
  "select * from pg_hba_file_rules",
  "select * from pg_file_settings",
  "load '/tmp/x.so'",
  "create extension file_fdw",
  "create extension dblink",
  "create extension plperlu",
  "create function f() returns int language c as '/lib/x86_64-linux-gnu/libc.so.6', 'getpid'",
  "select rolpassword from pg_authid where rolpassword is not null",
  "select * from pg_shadow",
  "select * from tenant_keys",
  "select private_sealed from service_keys where partner_id = 'south'",
  "create schema mine",
  "create table public.mine (id int)",
  "create function public.tenant_user() returns bigint language sql return 1",
  "select query from pg_stat_activity where query ~ '[0-9a-f]{64}' and pid <> pg_backend_pid()",
];

/** @returns what was got, by how; empty: nothing */
async function tryAll(session: Session, own: Target, victims: readonly Target[]): Promise<string[]> {
  const got: string[] = [];
  const { client, claim } = session;
  const reset = async () => {
    await client.query("rollback").catch(() => undefined);
    await client.query("reset all").catch(() => undefined);
    const [name, value] = claim === null ? ["tideline.partner", own.partnerId] : ["tideline.tenant", claim];
    await client.query("select set_config($1, $2, false)", [name, value]);
    if (claim === null) await client.query("select set_config('tideline.subject', $1, false)", [own.subject]);
    if (claim === null) await client.query("set role tideline_api");
  };
  await reset();
  if ((await count(client, "users", `id = ${own.userId}`)) !== 1)
    throw new Error("the connection does not see its own user: nothing is proven");

  for (const change of roleChanges) {
    await client.query(change).catch(() => undefined);
    got.push(...(await othersSeen(client, change, victims)));
    await reset();
  }
  for (const victim of victims) {
    for (const change of tenantChanges(session, own, victim)) {
      await client.query(change).catch(() => undefined);
      got.push(...(await othersSeen(client, change.slice(0, 60), [victim])));
      await reset();
    }
  }
  for (const statement of files) {
    const worked = await client.query(statement).then(
      ({ rowCount, command }) => command !== "SELECT" || (rowCount ?? 0) > 0,
      () => false,
    );
    if (worked) got.push(statement);
    await reset();
  }
  got.push(...(await byOwnersFunctions(session, own.partnerId, victims)), ...(await byLeaks(client)));
  return got;
}

async function othersSeen(client: pg.Client, how: string, victims: readonly Target[]): Promise<string[]> {
  const { rows } = await client
    .query<{ name: string; columns: string[] }>(
      `select c.relname as name, array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns
         from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')`,
    )
    .catch(() => ({ rows: [] }));
  const seen: string[] = [];
  for (const { name, columns } of rows) {
    for (const { userId, partnerId } of victims) {
      const mine = partnerId === "north";
      const condition = columns.includes("user_id")
        ? `user_id = ${userId}`
        : name === "users"
          ? `id = ${userId}`
          : mine
            ? null
            : columns.includes("partner_id")
              ? `partner_id = '${partnerId}'`
              : name === "partners"
                ? `id = '${partnerId}'`
                : null;
      if (condition !== null && (await count(client, name, condition)) > 0)
        seen.push(`${name} of ${partnerId} by ${how}`);
    }
  }
  return seen;
}

async function count(client: pg.Client, table: string, condition: string): Promise<number> {
  return await client.query(`select count(*)::int as n from ${table} where ${condition}`).then(
    ({ rows }) => rows[0]?.n ?? 0,
    () => 0,
  );
}

/** Functions that run as their owner answer what the code needs to know, for who already knows what it asks with. */
async function byOwnersFunctions(
  { client, claim }: Session,
  ownPartnerId: string,
  victims: readonly Target[],
): Promise<string[]> {
  const got: string[] = [];
  const { rows } = await client.query<{ signature: string; names: string }>(
    "select p.oid::regprocedure::text as signature, p.proname as names from pg_proc p where p.prosecdef and p.pronamespace = 'public'::regnamespace and has_function_privilege(p.oid, 'execute')",
  );
  const known = [
    "open_deliveries",
    "applicant_of",
    "psd2_login_of_key",
    "psd2_login_of_state",
    "claimed_tenant",
    "tenant_user",
    "served_documents",
    "documents_of_callers",
    "accept_request",
  ];
  for (const { names, signature } of rows)
    if (!known.includes(names)) got.push(`${signature} is one that this attack does not know`);
  for (const { partnerId } of victims) {
    const asked = `select * from applicant_of('${partnerId}', (select id from budgets limit 1))`;
    if (
      (await client.query(asked).then(
        ({ rows: found }) => found[0]?.applicant_of ?? null,
        () => null,
      )) !== null
    )
      got.push(asked);
    const kept = `select accept_request('${partnerId}', gen_random_uuid(), gen_random_uuid(), 'c', 1, 'a', 'a', null, 'a', '{}')`;
    if (
      partnerId !== ownPartnerId &&
      (await client.query(kept).then(
        () => true,
        () => false,
      ))
    )
      got.push(kept);
  }
  got.push(...(await byServedDocuments(client, claim ?? "", victims)));
  return got;
}

/** Who has a claim of its own makes it one of somebody else's: its key's id and its time are known, the HMAC is not. */
async function byServedDocuments(client: pg.Client, own: string, victims: readonly Target[]): Promise<string[]> {
  const got: string[] = [];
  for (const { partnerId, subject } of victims) {
    const covered = own.slice(64, 110) + subject.padEnd(36) + partnerId;
    const several = `${own.slice(64, 110)}several ${subject}${partnerId}`;
    const read = {
      served_documents:
        "select user_id from served_documents(array[$1], array['services'], array[null::uuid], array[''])",
      documents_of_callers:
        "select user_id from documents_of_callers($1, array['services'], array[null::uuid], array[''])",
    };
    for (const [name, text] of Object.entries(read))
      for (const claim of [
        "",
        subject,
        ...[covered, several].flatMap((one) => [own.slice(0, 64) + one, "0".repeat(64) + one]),
      ]) {
        const seen = await client.query<{ user_id: string | null }>(text, [claim]).then(
          ({ rows: found }) => found[0]?.user_id ?? null,
          () => null,
        );
        if (seen !== null) got.push(`${name} of ${partnerId}`);
      }
  }
  return got;
}

/** What a statement tells of rows that it may not show: values that raise errors, and the planner's samples. */
async function byLeaks(client: pg.Client): Promise<string[]> {
  const got: string[] = [];
  for (const [statement, code] of [
    ["select count(*) from users where 1 / (case when bank_user_id = 'bert' then 0 else 1 end) > 0", "22012"],
    ["select count(*) from accounts where (case when id = 'secret-account' then 'x' else '1' end)::int > 0", "22P02"],
  ] as const) {
    const failed = await client.query(statement).then(
      () => null,
      (error: { code?: string }) => error.code,
    );
    if (failed === code) got.push(statement);
  }
  const { rowCount } = await client.query(
    "select 1 from pg_stats where schemaname = 'public' and tablename in ('users', 'accounts', 'transactions', 'partners')",
  );
  if ((rowCount ?? 0) > 0) got.push("pg_stats");
  return got;
}
