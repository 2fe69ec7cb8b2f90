/** Landed bytes go after their partner's days, rows and receipts stay, and what is still needed is never touched. */
import { createHash, randomUUID } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { createClock } from "../../../src/time/clock.ts";
import { createEvents, type EventName } from "../../../src/events.ts";
import { acceptFile, type Landing } from "../../../src/landing/accept.ts";
import { createReceipts } from "../../../src/landing/receipt.ts";
import { previewRemoval, retain, type Retaining } from "../../../src/landing/retention/retain.ts";
import { findExpiredRows, removeRow } from "../../../src/landing/retention/rows.ts";
import { fileVault } from "../../../src/vault/file-vault.ts";
import { changeSettings } from "../../../src/partners/provisioning.ts";
import { addDelivery, addPartner, addUser } from "../../parties.ts";
import { createTestDatabase } from "../../world.ts";

type World = {
  retaining: Retaining;
  landing: Landing;
  seen: { name: EventName; fields: object }[];
  /** A delivered file, finished so many days ago. */
  delivered(name: string, content: string, finishedDaysAgo: number, more?: string): Promise<string>;
  inbox(name: string): string;
  receipts(): Promise<string[]>;
  vaulted(): Promise<string[]>;
};

async function openRetention(t: ExecutionContext): Promise<World> {
  const { database } = await createTestDatabase(t);
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-retention-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const vault = fileVault(path.join(folder, "vault"));
  await mkdir(vault.directory);
  await addPartner(database);
  const seen: World["seen"] = [];
  const events = {
    ...createEvents({ level: "silent" }),
    emit: (name: EventName, fields: object) => void seen.push({ name, fields }),
  };
  const clock = createClock();
  const landing: Landing = {
    database,
    vault,
    events,
    clock,
    receipts: createReceipts(database, folder),
    stagingDepthMax: 100,
    enqueue: async () => undefined,
  };
  const inbox = (name: string) => path.join(folder, "bank", "inbox", name);
  const list = async (at: string) =>
    (await readdir(at, { recursive: true, withFileTypes: true }).catch(() => []))
      .filter((one) => one.isFile())
      .map((one) => one.name)
      .sort();
  return {
    retaining: { database, keyEncryptionKey: Buffer.alloc(32, 1), vault, landingDirectory: folder, events, clock },
    landing,
    seen,
    inbox,
    async delivered(name, content, finishedDaysAgo, more = "state = 'loaded'") {
      await mkdir(path.dirname(inbox(name)), { recursive: true });
      await rm(inbox(name), { force: true });
      await writeFile(inbox(name), content);
      await chmod(inbox(name), 0o440);
      const sha256 = createHash("sha256").update(content).digest();
      const { deliveryId } = await acceptFile(landing, {
        partnerId: "bank",
        door: "sftp",
        name,
        path: inbox(name),
        sizeBytes: content.length,
        sha256,
        correlationId: randomUUID(),
      });
      await database.query(
        `update deliveries set finished_at = now() - make_interval(days => $2), ${more} where id = $1`,
        [deliveryId, finishedDaysAgo],
      );
      return deliveryId;
    },
    receipts: () => list(path.join(folder, "bank", "receipts")),
    vaulted: () => list(vault.directory),
  };
}

async function exists(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  );
}

test("landed bytes go after their days from inbox and vault; row and receipt stay", async (t) => {
  const world = await openRetention(t);
  await world.delivered("old.jsonl", "old", 31);
  const young = await world.delivered("young.jsonl", "young", 29);
  const removal = await retain(world.retaining);
  t.like(removal?.partners, [{ partnerId: "bank", deliveries: 1, sizeBytes: 3, rows: 0 }]);
  t.false(await exists(world.inbox("old.jsonl")));
  t.true(await exists(world.inbox("young.jsonl")));
  t.deepEqual(await world.vaulted(), [young]);
  t.deepEqual(await world.receipts(), ["old.jsonl.receipt.json", "young.jsonl.receipt.json"]);
  t.like(world.seen.at(-1), { name: "retention.ran", fields: { deliveries: 1, sizeBytes: 3, rows: 0, orphans: 0 } });
  t.like(await retain(world.retaining), { partners: [{ deliveries: 0, rows: 0 }] });
});

test("a partner whose settings cannot be read keeps everything, and holds up nobody else", async (t) => {
  const world = await openRetention(t);
  await world.delivered("old.jsonl", "old", 31);
  await addPartner(world.retaining.database, "aaa");
  await world.retaining.database.query(
    `update partners set settings = '{"retention": {"landedDays": "soon"}}' where id = 'aaa'`,
  );
  await t.throwsAsync(retain(world.retaining), { code: "CONFIG_INVALID" });
  t.false(await exists(world.inbox("old.jsonl")));
});

test("a dry run counts the same and removes nothing", async (t) => {
  const world = await openRetention(t);
  await world.delivered("old.jsonl", "old", 31);
  const would = await previewRemoval(world.retaining);
  t.true(await exists(world.inbox("old.jsonl")));
  t.is((await world.vaulted()).length, 1);
  t.deepEqual(await retain(world.retaining), would);
});

const kept: Record<string, string> = {
  "waits to be loaded": "state = 'accepted', finished_at = null",
  "is being loaded": "state = 'loading', finished_at = null",
  "was given up and can be loaded again": "state = 'refused', refusal_code = 'LOAD_ABANDONED'",
  "was refused whole": "state = 'refused', refusal_code = 'DECRYPTION_ERROR'",
  "has refused records": "state = 'loaded', records = 1, records_refused = 1",
  "has waiting records": "state = 'loaded', records = 1, records_waiting = 1",
  "has refused batches": "state = 'loaded', batches = 1, batches_refused = 1",
};

for (const [what, state] of Object.entries(kept)) {
  test(`a file that ${what} is never touched`, async (t) => {
    const world = await openRetention(t);
    const id = await world.delivered("old.jsonl", "old", 4000);
    await world.retaining.database.query(`update deliveries set ${state} where id = $1`, [id]);
    t.like(await retain(world.retaining), { partners: [{ deliveries: 0, rows: 0 }] });
    t.deepEqual(await world.vaulted(), [id]);
    t.true(await exists(world.inbox("old.jsonl")));
  });
}

const settled: Record<string, string> = {
  "was dropped from quarantine": "state = 'loaded', records = 1, records_refused = 1, quarantine_closed_at = now()",
  "was refused whole and then dropped":
    "state = 'refused', refusal_code = 'DECRYPTION_ERROR', quarantine_closed_at = now()",
  "was withdrawn": "state = 'withdrawn', withdrawn_at = now(), records = 2, records_new = 1, records_refused = 1",
};

for (const [what, state] of Object.entries(settled)) {
  test(`a file that ${what} goes like any other`, async (t) => {
    const world = await openRetention(t);
    await world.delivered("old.jsonl", "old", 31, state);
    t.like(await retain(world.retaining), { partners: [{ deliveries: 1, rows: 0 }] });
    t.deepEqual(await world.vaulted(), []);
  });
}

test("a file that was refused at the door, which kept nothing of it, goes like any other", async (t) => {
  const world = await openRetention(t);
  const kept = await world.delivered("first.jsonl", "same", 1);
  await world.delivered("second.jsonl", "same", 31, "state = 'refused'");
  t.like(await retain(world.retaining), { partners: [{ deliveries: 1, rows: 0 }] });
  t.false(await exists(world.inbox("second.jsonl")));
  t.deepEqual(await world.vaulted(), [kept]);
});

test("the ages are the partner's settings", async (t) => {
  const world = await openRetention(t);
  await changeSettings(world.retaining.database, "bank", { retention: { landedDays: 5, receiptDays: 10 } });
  await world.delivered("a.jsonl", "a", 4);
  await world.delivered("b.jsonl", "b", 6);
  await world.delivered("c.jsonl", "c", 11);
  t.like(await retain(world.retaining), {
    partners: [{ retention: { landedDays: 5, receiptDays: 10 }, deliveries: 2, rows: 1 }],
  });
  t.deepEqual(await world.receipts(), ["a.jsonl.receipt.json", "b.jsonl.receipt.json"]);
  const { rows } = await world.retaining.database.query("select name from deliveries order by name");
  t.deepEqual(rows, [{ name: "a.jsonl" }, { name: "b.jsonl" }]);
});

test("a name that was delivered again keeps its newer file, and each receipt its number", async (t) => {
  const world = await openRetention(t);
  await world.delivered("day.jsonl", "first", 500);
  await world.delivered("day.jsonl", "second", 31);
  await world.delivered("day.jsonl", "third", 1);
  t.like(await retain(world.retaining), { partners: [{ deliveries: 2, rows: 1 }] });
  t.is(await readFile(world.inbox("day.jsonl"), "utf8"), "third");
  t.deepEqual(await world.receipts(), ["day.jsonl.2.receipt.json", "day.jsonl.receipt.json"]);
  await world.delivered("day.jsonl", "fourth", 0);
  t.deepEqual(await world.receipts(), [
    "day.jsonl.2.receipt.json",
    "day.jsonl.3.receipt.json",
    "day.jsonl.receipt.json",
  ]);
});

test("a name that comes again while its old row is being removed keeps its new receipt", async (t) => {
  const world = await openRetention(t);
  const { database, landingDirectory } = world.retaining;
  await world.delivered("day.jsonl", "old", 500, "state = 'loaded', bytes_removed_at = now()");
  const [expired] = await findExpiredRows(database, "bank", new Date(), 1);
  await world.delivered("day.jsonl", "new", 0);
  t.true(expired && (await removeRow(database, landingDirectory, expired)));
  t.true((await world.receipts()).includes("day.jsonl.receipt.json"));
});

test("what was never delivered goes after its days without a touch, and leaves its trace", async (t) => {
  const world = await openRetention(t);
  await world.delivered("day.jsonl", "day", 0);
  await mkdir(world.inbox("2026"));
  for (const [name, mode] of [
    ["half.jwe", 0o600],
    ["2026/.part", 0o600],
    ["sealed.tmp", 0o400],
  ] as const)
    await writeFile(world.inbox(name), "12345", { mode });
  const old = new Date("2026-01-01");
  await utimes(world.inbox("half.jwe"), old, old);
  const after = (days: number): Retaining => {
    const then = new Date(Date.now() + days * 86_400_000);
    return { ...world.retaining, clock: createClock(undefined, then, () => then) };
  };
  t.like(await retain(after(29)), { partners: [{ deliveries: 0, undelivered: 0 }] });
  await world.retaining.database.query("update deliveries set finished_at = now() + interval '30 days'");
  t.like(await previewRemoval(after(31)), { partners: [{ deliveries: 0, undelivered: 2, sizeBytes: 10 }] });
  t.like(await retain(after(31)), { partners: [{ deliveries: 0, undelivered: 2, sizeBytes: 10 }] });
  t.deepEqual((await readdir(world.inbox("."))).sort(), ["2026", "day.jsonl", "sealed.tmp"]);
  const { rows } = await world.retaining.database.query(
    "select partner_id, actor, event, details from audit_events order by details ->> 'file'",
  );
  t.deepEqual(
    rows,
    ["2026/.part", "half.jwe"].map((file) => ({
      partner_id: "bank",
      actor: "retention",
      event: "sftp.file-expired",
      details: { file, sizeBytes: 5 },
    })),
  );
});

test("receipts that a crash left unfinished go after a day", async (t) => {
  const world = await openRetention(t);
  const folder = path.join(world.retaining.landingDirectory, "bank");
  await world.delivered("day.jsonl", "day", 1);
  for (const name of [".receipt-old", ".receipt-new"]) await writeFile(path.join(folder, name), "{");
  const old = new Date(Date.now() - 2 * 86_400_000);
  await utimes(path.join(folder, ".receipt-old"), old, old);
  await retain(world.retaining);
  t.deepEqual((await readdir(folder)).sort(), [".receipt-new", "inbox", "receipts"]);
});

test("a file that its partner is replacing this moment stays", async (t) => {
  const world = await openRetention(t);
  const id = await world.delivered("day.jsonl", "old", 31);
  await rm(world.inbox("day.jsonl"));
  await writeFile(world.inbox("day.jsonl"), "half a new one", { mode: 0o600 });
  await retain(world.retaining);
  t.is(await readFile(world.inbox("day.jsonl"), "utf8"), "half a new one");
  t.false((await world.vaulted()).includes(id));
});

test("a run that broke off in the middle is finished by the next", async (t) => {
  const world = await openRetention(t);
  const id = await world.delivered("day.jsonl", "old", 31);
  const { landingDirectory } = world.retaining;
  await rename(world.inbox("day.jsonl"), path.join(landingDirectory, "bank", `.removed-${id}`));
  await retain(world.retaining);
  t.deepEqual((await readdir(path.join(landingDirectory, "bank"))).sort(), ["inbox", "receipts"]);
  t.deepEqual(await world.vaulted(), []);
});

test("request bodies go with their age, and the reqId after the receipts'", async (t) => {
  const world = await openRetention(t);
  const { database } = world.retaining;
  const { id } = await addDelivery(database, "bank", "loaded");
  await database.query("insert into delivery_bodies (delivery_id, body) values ($1, '\\x00')", [id]);
  await database.query(
    "insert into requests (partner_id, request_id, content_sha256, delivery_id) values ('bank', gen_random_uuid(), '\\x00', $1)",
    [id],
  );
  await database.query("update deliveries set finished_at = now() - interval '31 days' where id = $1", [id]);
  await retain(world.retaining);
  const count = async (table: string) =>
    (await database.query<{ n: number }>(`select count(*) as n from ${table}`)).rows[0]?.n;
  t.deepEqual([await count("delivery_bodies"), await count("requests"), await count("deliveries")], [0, 1, 1]);
  await database.query("update deliveries set finished_at = now() - interval '401 days' where id = $1", [id]);
  await retain(world.retaining);
  t.deepEqual([await count("requests"), await count("deliveries")], [0, 0]);
});

test("a row whose marker has not taken effect stays", async (t) => {
  const world = await openRetention(t);
  const { database } = world.retaining;
  const id = await world.delivered("old.jsonl", "old", 500);
  const userId = await addUser(database, "bank", "anna");
  await database.query("insert into import_markers (user_id, delivery_id, delivery_position) values ($1, $2, 1)", [
    userId,
    id,
  ]);
  t.like(await retain(world.retaining), { partners: [{ deliveries: 1, rows: 0 }] });
  await database.query("update import_markers set applied_at = now()");
  t.like(await retain(world.retaining), { partners: [{ deliveries: 0, rows: 1 }] });
});

test("files in the vault that belong to no delivery go after a day, with the folders that they leave empty", async (t) => {
  const world = await openRetention(t);
  const { vault } = world.retaining;
  const today = new Date().toISOString().slice(0, 10);
  for (const day of ["2026-01-01", today]) {
    await mkdir(path.join(vault.directory, day), { recursive: true });
    await writeFile(path.join(vault.directory, day, "0199e0a5-0000-7000-8000-000000000001"), "orphan");
  }
  t.deepEqual((await retain(world.retaining))?.orphans, { files: 1, sizeBytes: 6 });
  t.deepEqual(await readdir(vault.directory), [today]);
  t.is((await world.vaulted()).length, 1);
});

test("what the doors wrote into the audit trail goes with its age, changes of partners stay", async (t) => {
  const world = await openRetention(t);
  await world.retaining.database.query(
    `insert into audit_events (at, partner_id, actor, event)
     values (now() - interval '401 days', 'bank', 'sftp:bank', 'sftp.login-accepted'),
            (now() - interval '399 days', 'bank', 'sftp:bank', 'sftp.login-accepted'),
            (now() - interval '401 days', 'bank', 'cli:root', 'partner.added')`,
  );
  t.is((await previewRemoval(world.retaining)).auditEvents, 1);
  t.is((await retain(world.retaining))?.auditEvents, 1);
  const { rows } = await world.retaining.database.query("select event from audit_events order by at");
  t.deepEqual(rows, [{ event: "partner.added" }, { event: "sftp.login-accepted" }]);
});
