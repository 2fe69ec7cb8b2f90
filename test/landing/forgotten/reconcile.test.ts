/** What was acknowledged and forgotten is taken up again from vault and inbox, by its own id, once; the rest is named. */
import { randomBytes } from "node:crypto";
import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { findDelivery } from "../../../src/deliveries/deliveries.ts";
import { createEvents, type EventName } from "../../../src/events.ts";
import { recordFile } from "../../../src/landing/accept.ts";
import { readNote } from "../../../src/landing/forgotten/history.ts";
import type { Options } from "../../../src/landing/forgotten/reconcile.ts";
import { reconcileNow, reconcileWhenBehind } from "../../../src/landing/forgotten/watch.ts";
import { sealOriginsAnew } from "../../../src/landing/forgotten/seal-anew.ts";
import { openOrigin, sealOrigin } from "../../../src/landing/origin.ts";
import { findOrphans } from "../../../src/landing/retention/orphans.ts";
import { giveBatchKeys } from "../../batch-keys.ts";
import { digest, openLanding } from "../world.ts";

const large = "a".repeat(65_537);

test("a large and a small file that the database forgot have their rows again, as they were acknowledged, and are loaded", async (t) => {
  const world = await openWorld(t);
  const [roomy, small] = [await world.deliver("2026/day.jsonl", large), await world.deliver("small.jsonl", "lines")];
  const before = await findDelivery(world.landing.database, roomy);
  await world.forget();
  world.queued.length = 0;
  const found = await world.reconcile();
  t.deepEqual(
    found?.map(({ deliveryId, from, file, outcome }) => [deliveryId, from, file, outcome]),
    [
      [roomy, "vault", "2026/day.jsonl", "takenUp"],
      [small, "vault", "small.jsonl", "takenUp"],
    ],
  );
  t.deepEqual(world.queued, [roomy, small]);
  const after = await findDelivery(world.landing.database, roomy);
  t.like(after, {
    state: "accepted",
    format: "jsonl",
    name: "2026/day.jsonl",
    sizeBytes: 65_537,
    sha256: digest(large),
    correlationId: "c-1",
    vaultReference: before?.vaultReference ?? null,
  });
  t.true(Math.abs((after?.acceptedAt.getTime() ?? 0) - (before?.acceptedAt.getTime() ?? 0)) < 5000);
  t.is((await world.receipt("small.jsonl.receipt.json")).deliveryId, small);
  t.deepEqual(world.told, [["vault.taken-up", 2]]);
  t.deepEqual(await world.reconcile(), []);
});

test("a file whose name was delivered again since is taken up by what lies beside its bytes", async (t) => {
  const world = await openWorld(t);
  const first = await world.deliver("day.jsonl", large);
  const second = await world.deliver("day.jsonl", `${large}b`);
  await world.forget();
  const found = await world.reconcile();
  t.deepEqual(
    found?.map(({ deliveryId, file, outcome }) => [deliveryId, file, outcome]),
    [
      [first, "day.jsonl", "takenUp"],
      [second, "day.jsonl", "takenUp"],
    ],
  );
});

test("what its sender sent again meanwhile is not taken up twice", async (t) => {
  const world = await openWorld(t);
  const forgotten = await world.deliver("day.jsonl", large);
  await world.forget();
  await world.deliver("again.jsonl", large);
  t.deepEqual(
    (await world.reconcile())?.map(({ deliveryId, outcome }) => [deliveryId, outcome]),
    [[forgotten, "cameAgain"]],
  );
  const { rows } = await world.landing.database.query("select name, refusal_code from deliveries order by position");
  t.deepEqual(rows, [
    { name: "again.jsonl", refusal_code: null },
    { name: "day.jsonl", refusal_code: "FILE_DUPLICATE" },
  ]);
  t.deepEqual(await world.reconcile(), []);
});

test("a dry run only tells", async (t) => {
  const world = await openWorld(t);
  await world.deliver("day.jsonl", large);
  await world.forget();
  t.deepEqual(
    (await world.reconcile({ dryRun: true }))?.map(({ outcome }) => outcome),
    ["takenUp"],
  );
  t.is((await world.landing.database.query("select 1 from deliveries")).rowCount, 0);
  t.deepEqual(world.told, []);
  t.is(await readNote(world.landing.vault.directory), null);
});

test("a table in the clear, of which the inbox has only a hole, is taken up as it was", async (t) => {
  const world = await openWorld(t);
  await giveBatchKeys(world.landing.database, world.ring, world.partnerId);
  await world.landing.database.query('update partners set settings = \'{"csv": {"unencrypted": true}}\'');
  const id = await world.deliver("accounts_1.csv", "secret text");
  await world.forget();
  t.like((await world.reconcile())?.[0], { deliveryId: id, outcome: "takenUp", sizeBytes: 11 });
  t.like(await findDelivery(world.landing.database, id), { sizeBytes: 11, sha256: digest("secret text") });
});

test("a file that has lost its place in the vault is accepted anew from its inbox", async (t) => {
  const world = await openWorld(t);
  await world.deliver("day.jsonl", large);
  await world.forget();
  for (const kept of await readdir(world.landing.vault.directory, { recursive: true, withFileTypes: true }))
    if (kept.isFile()) await rm(path.join(kept.parentPath, kept.name));
  t.like((await world.reconcile())?.[0], { from: "inbox", file: "day.jsonl", outcome: "takenUp" });
  const { rows } = await world.landing.database.query("select name, state from deliveries");
  t.deepEqual(rows, [{ name: "day.jsonl", state: "accepted" }]);
});

test("what cannot be taken up is named with its reason, and retention leaves it", async (t) => {
  const world = await openWorld(t);
  const [nameless, damaged, strange] = [
    await world.deliver("nameless.jsonl", "lines"),
    await world.deliver("damaged.jsonl", large),
    await world.deliver("strange.jsonl", `${large}c`),
  ];
  const day = path.join(world.landing.vault.directory, (await readdir(world.landing.vault.directory))[0] ?? "");
  await world.forget();
  await rm(path.join(world.folder, world.partnerId, "inbox"), { recursive: true });
  await chmod(path.join(day, damaged), 0o600);
  await writeFile(path.join(day, damaged), "other");
  await chmod(path.join(day, damaged), 0o440);
  await writeFile(
    path.join(day, `${strange}.origin`),
    sealOrigin(randomBytes(32), strange, { ...originOf("strange.jsonl"), partnerId: world.partnerId }),
  );
  t.deepEqual(
    (await world.reconcile())?.map(({ deliveryId, outcome, reason }) => [deliveryId, outcome, reason]),
    [
      [nameless, "left", "nameless"],
      [damaged, "left", "damaged"],
      [strange, "left", "unreadable"],
    ],
  );
  t.deepEqual(world.told, [["vault.unclaimed", 3]]);
  t.is((await readNote(world.landing.vault.directory))?.last?.left, 3);
  const orphans = await Array.fromAsync(findOrphans(world.landing.database, world.landing.vault, "2099-01-01"));
  t.deepEqual(orphans, []);
});

test("what bears no mark was never acknowledged: it is left, taken up when that is asked for, and is retention's else", async (t) => {
  const world = await openWorld(t);
  const id = "01920000-0000-7000-8000-000000000001";
  const day = path.join(world.landing.vault.directory, "2024-09-16");
  await mkdir(day);
  await writeFile(path.join(day, id), large, { mode: 0o400 });
  const origin = { ...originOf("day.jsonl"), partnerId: world.partnerId };
  await writeFile(path.join(day, `${id}.origin`), sealOrigin(world.ring, id, origin));
  const orphans = () => Array.fromAsync(findOrphans(world.landing.database, world.landing.vault, "2024-09-20"));
  t.deepEqual(await orphans(), [{ reference: `2024-09-16/${id}`, sizeBytes: 65_537 }]);
  t.like((await world.reconcile())?.[0], { outcome: "left", reason: "unacknowledged" });
  t.deepEqual(world.told, []);
  t.like((await world.reconcile({ unacknowledged: true }))?.[0], { deliveryId: id, outcome: "takenUp" });
  t.deepEqual(await orphans(), []);
  await world.landing.vault.remove(`2024-09-16/${id}`);
  t.deepEqual(await readdir(day), []);
});

test("the scheduler looks once, and again when the database is behind the note or another one", async (t) => {
  const world = await openWorld(t);
  const vault = world.landing.vault.directory;
  await world.deliver("day.jsonl", large);
  t.deepEqual(await world.watch(), []);
  t.is(await world.watch(), null);
  await world.forget();
  const note = await readNote(vault);
  const write = (changed: object) =>
    writeFile(path.join(vault, "vault-reconciled"), JSON.stringify({ ...note, ...changed }));
  await write({ position: "FFFFFF/0" });
  t.is((await world.watch())?.length, 1);
  await world.forget();
  await write({ history: "another/1/00000001" });
  t.is((await world.watch())?.length, 1);
  t.is(await world.watch(), null);
});

test("origins are no use to whoever moves them beside other bytes", async (t) => {
  const world = await openWorld(t);
  const id = await world.deliver("day.jsonl", large);
  const file = path.join(
    world.landing.vault.directory,
    (await findDelivery(world.landing.database, id))?.vaultReference ?? "",
  );
  const other = path.join(path.dirname(file), "01920000-0000-7000-8000-000000000002");
  await writeFile(other, large, { mode: 0o440 });
  await writeFile(`${other}.origin`, await readFile(`${file}.origin`));
  await chmod(other, 0o440);
  t.like((await world.reconcile())?.[0], { outcome: "left", reason: "unreadable" });
});

test("origins are sealed anew with the next key, and one that no key opens stays as it is", async (t) => {
  const world = await openWorld(t);
  const id = await world.deliver("day.jsonl", large);
  const kept = (await findDelivery(world.landing.database, id))?.vaultReference ?? "";
  const file = path.join(world.landing.vault.directory, `${kept}.origin`);
  const other = path.join(path.dirname(file), "01920000-0000-7000-8000-000000000003.origin");
  await writeFile(other, "broken");
  const next = randomBytes(32);
  t.is(await sealOriginsAnew(world.landing.vault, Buffer.concat([next, world.ring])), 1);
  t.is(await sealOriginsAnew(world.landing.vault, Buffer.concat([next, world.ring])), 0);
  t.is(openOrigin(next, id, await readFile(file)).name, "day.jsonl");
  t.is(await readFile(other, "utf8"), "broken");
});

function originOf(name: string) {
  const [door, correlationId] = ["sftp" as const, "c-1"];
  return { partnerId: "", door, name, sizeBytes: 65_537, sha256: digest(large).toString("hex"), correlationId };
}

async function openWorld(t: ExecutionContext) {
  const world = await openLanding(t);
  const { folder, partnerId, landing } = world;
  const ring = randomBytes(32);
  landing.sealOrigin = (id, origin) => sealOrigin(ring, id, origin);
  const told: [EventName, unknown][] = [];
  landing.events = {
    ...createEvents({ level: "silent" }),
    emit: (name: EventName, fields: object) => {
      if (name.startsWith("vault.")) told.push([name, (fields as { files: number }).files]);
    },
  };
  const reconciling = { ...landing, keyEncryptionKey: ring, landingDirectory: folder, actor: "test" };
  return {
    ...world,
    ring,
    told,
    /** As the door does. */
    async deliver(name: string, text: string): Promise<string> {
      const entry = path.join(folder, partnerId, "inbox", name);
      await mkdir(path.dirname(entry), { recursive: true });
      await rm(entry, { force: true });
      await writeFile(entry, text);
      const file = { partnerId, door: "sftp" as const, name, path: entry, sizeBytes: text.length };
      const { id } = await recordFile(
        landing,
        { ...file, sha256: digest(text), correlationId: "c-1" },
        async () => undefined,
      );
      await chmod(entry, 0o440);
      return id;
    },
    /** As an older copy of the database. */
    forget: () => landing.database.query("delete from deliveries"),
    reconcile: (options?: Options) => reconcileNow(reconciling, options),
    watch: () => reconcileWhenBehind(reconciling),
  };
}
