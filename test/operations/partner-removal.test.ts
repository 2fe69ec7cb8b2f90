/** A partner goes with all that is held about it and nothing of anybody else's, also when the removal is stopped midway. */
import { access, mkdtemp, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { keptOfPartners } from "../../src/data-subjects/partner.ts";
import { inTransaction } from "../../src/database/database.ts";
import { withRemovalPaused } from "../../src/landing/retention/pause.ts";
import { findWhyNotRemovable, removePartner } from "../../src/operations/partner-removal.ts";
import { claimEntry } from "../../src/partners/changed-users.ts";
import { suspendPartner } from "../../src/partners/provisioning.ts";
import { fileVault } from "../../src/vault/file-vault.ts";
import { openCommandLine } from "../cli/command.ts";
import { addPartner, addUser } from "../parties.ts";
import { type LoadingWorld, openLoading, transaction } from "../workers/world.ts";

/** The bank with loaded and refused records, beside another bank with a user of its own. */
async function openTwo(t: ExecutionContext) {
  const world = await openLoading(t, { onConflict: "correct" });
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-landing-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  await mkdir(path.join(folder, "bank", "inbox"), { recursive: true });
  await writeFile(path.join(folder, "bank", "inbox", "day.jwe"), "eyJ");
  await mkdir(path.join(folder, "other"));
  const first = { ...transaction("u1", "one"), account: { id: "a", name: "Salary", iban: "" } };
  await world.load([first, transaction("u2", "two"), { uid: "u1", type: "IMPORT_COMPLETED" }]);
  await world.load([{ ...first, tx: { ...first.tx, amount: -7 } }, transaction("nobody", "three")]);
  const other = await addPartner(world.database, "other");
  const otherUser = await addUser(world.database, other, "u1");
  await world.database.query(
    `insert into transactions (user_id, txid, booked_on, tx_time, raw_type, description, amount, currency, delivery_position)
     values ($1, 'theirs', '2026-06-01', '12:00', 'OTHER', 'x', -1, 'DKK', 0)`,
    [otherUser],
  );
  await world.database.query("insert into changed_users (user_id) values ($1) on conflict do nothing", [otherUser]);
  const vault = fileVault(world.settings.vaultDirectory);
  const removing = { database: world.database, vault, landingDirectory: folder, actor: "test" };
  return { world, folder, otherUser, removing };
}

/** How many rows each table has that name the partner or one of its users. */
async function rowsOf({ database }: LoadingWorld, partnerId: string, userIds: readonly number[]) {
  const { rows: tables } = await database.query<{ name: string; column: string }>(
    `select relname as name, attname as column
       from pg_class join pg_attribute on attrelid = pg_class.oid and not attisdropped
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attname in ('partner_id', 'user_id')`,
  );
  const found: Record<string, number> = {};
  for (const { name, column } of tables) {
    const condition = column === "partner_id" ? "partner_id = $1" : "user_id = any($1::bigint[])";
    const { rows } = await database.query<{ n: number }>(`select count(*) as n from "${name}" where ${condition}`, [
      column === "partner_id" ? partnerId : userIds,
    ]);
    if ((rows[0]?.n ?? 0) > 0) found[name] = rows[0]?.n ?? 0;
  }
  return found;
}

test("every row, file and folder of a partner goes, and nothing of another's", async (t) => {
  const { world, folder, otherUser, removing } = await openTwo(t);
  const before = await rowsOf(world, "bank", world.userIds);
  for (const table of ["transactions", "users", "brands", "deliveries", "service_keys", "accounts", "changed_users"])
    t.true((before[table] ?? 0) > 0, table);
  const ofOther = await rowsOf(world, "other", [otherUser]);
  await suspendPartner(world.database, "bank");
  t.is(await findWhyNotRemovable(world.database, "bank"), null);
  const removed = await removePartner(removing, "bank");
  t.like(removed, { users: 3, deliveries: 2, vaultFiles: 2 });
  const left = await rowsOf(world, "bank", world.userIds);
  t.deepEqual(
    Object.keys(left).filter((table) => !keptOfPartners.some((one) => one.table === table)),
    [],
  );
  t.deepEqual(await rowsOf(world, "other", [otherUser]), ofOther);
  t.is((await world.database.query("select 1 from partners where id = 'bank'")).rowCount, 0);
  t.is((await world.database.query("select 1 from held_records")).rowCount, 0);
  t.deepEqual(await readdir(world.settings.vaultDirectory), []);
  await t.throwsAsync(access(path.join(folder, "bank")), { code: "ENOENT" });
  await access(path.join(folder, "other"));
  const { rows } = await world.database.query<{ event: string; details: object }>(
    "select event, details from audit_events where partner_id = 'bank' and event like 'partner.rem%' order by id",
  );
  t.deepEqual(
    rows.map(({ event }) => event),
    ["partner.removal-began", "partner.removed"],
  );
  t.like(rows[1]?.details, { users: 3, deliveries: 2 });
});

test("an active partner stays, and one of whom something is still to be loaded or read again", async (t) => {
  const { world } = await openTwo(t);
  t.regex((await findWhyNotRemovable(world.database, "bank")) ?? "", /is active: suspend it first/);
  await suspendPartner(world.database, "bank");
  const id = await world.deliverRequest("{}");
  t.regex((await findWhyNotRemovable(world.database, "bank")) ?? "", /^1 deliveries of bank are not at their end/);
  await world.database.query("delete from deliveries where id = $1", [id]);
  await world.database.query("update deliveries set revisit_requested_at = now()");
  t.regex((await findWhyNotRemovable(world.database, "bank")) ?? "", /not at their end/);
  await t.throwsAsync(findWhyNotRemovable(world.database, "nobody"), { code: "NOT_FOUND" });
});

test("stopped after the first piece, what is gone stays gone, and the next call does the rest", async (t) => {
  const { world, removing } = await openTwo(t);
  for (let user = 0; user < 50; user += 1) await addUser(world.database, "bank", `more-${user}`);
  await suspendPartner(world.database, "bank");
  const stopping = new AbortController();
  await t.throwsAsync(
    removePartner({ ...removing, onProgress: () => stopping.abort(), signal: stopping.signal }, "bank"),
    { name: "AbortError" },
  );
  const { rows } = await world.database.query<{ n: number }>(
    "select count(*) as n from users where partner_id = 'bank'",
  );
  t.is(rows[0]?.n, 33);
  t.is((await world.database.query("select 1 from partners where id = 'bank'")).rowCount, 1);
  t.like(await removePartner(removing, "bank"), { users: 33, deliveries: 2 });
  t.is((await world.database.query("select 1 from partners where id = 'bank'")).rowCount, 0);
});

test("a run that has one of its users in hand is waited for, and leaves nothing behind", async (t) => {
  const { world, removing } = await openTwo(t);
  await suspendPartner(world.database, "bank");
  const [userId = 0] = world.userIds;
  const { promise: mayWrite, resolve: write } = Promise.withResolvers<undefined>();
  const { promise: claimed, resolve: hasClaimed } = Promise.withResolvers<undefined>();
  const run = inTransaction(world.database, async (transactionOfRun) => {
    await claimEntry(transactionOfRun, userId);
    hasClaimed(undefined);
    await mayWrite;
    await transactionOfRun.query(
      "insert into packed_pasts (user_id, version, made_at, base, recent) values ($1, 1, now(), '', '')",
      [userId],
    );
  });
  await claimed;
  const removal = removePartner(removing, "bank");
  const waits = "select 1 from pg_locks where locktype = 'advisory' and not granted";
  while ((await world.database.query(waits)).rowCount === 0);
  write(undefined);
  await run;
  await removal;
  t.is((await world.database.query("select 1 from packed_pasts where user_id = $1", [userId])).rowCount, 0);
});

test("while a backup is being made no file goes, and the removal says so", async (t) => {
  const { world, removing } = await openTwo(t);
  await suspendPartner(world.database, "bank");
  await withRemovalPaused(world.database, async () => {
    await t.throwsAsync(removePartner(removing, "bank"), { code: "BACKUP_RUNS" });
  });
  t.is((await readdir(world.settings.vaultDirectory)).length, 2);
  t.like(await removePartner(removing, "bank"), { deliveries: 2 });
});

test("the command wants the partner's name again, shows what would go, and is held back where erasing is guarded", async (t) => {
  const { world } = await openTwo(t);
  const { tideline } = await openCommandLine(t, world.url, { TIDELINE_VAULT_DIR: world.settings.vaultDirectory });
  t.is((await tideline("partner", "remove", "bank")).code, 2);
  t.is((await tideline("partner", "remove", "bank", "--confirm", "other")).code, 2);
  const early = await tideline("partner", "remove", "bank", "--dry-run", "--json");
  t.is(early.code, 3);
  t.like(JSON.parse(early.stdout), { users: 3, deliveries: 2, brands: 1, suspended: false });
  t.regex((await tideline("partner", "remove", "bank", "--confirm", "bank")).stderr, /suspend it first/);
  t.is((await tideline("partner", "suspend", "bank")).code, 0);
  t.is((await tideline("partner", "remove", "bank", "--dry-run")).code, 0);
  await world.database.query("insert into guarded_actions (action, guarded_by) values ('erase', 'somebody')");
  t.regex((await tideline("partner", "remove", "bank", "--confirm", "bank")).stderr, /APPROVAL_NEEDED/);
  await world.database.query("delete from guarded_actions");
  const removed = await tideline("partner", "remove", "bank", "--confirm", "bank");
  t.is(removed.code, 0, removed.stderr);
  t.regex(removed.stdout, /^bank is gone: 3 users, /);
  t.is((await tideline("partner", "show", "bank")).code, 1);
});
