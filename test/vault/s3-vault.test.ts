/**
 * A vault elsewhere, over a store in memory: what goes there, what is brought from there, and what a store that does not
 * answer means. That the store itself is spoken to rightly, the drill `s3` shows on a real one.
 */
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { vaultMark } from "../../config/landing.ts";
import type { Events } from "../../src/events.ts";
import { acceptFile } from "../../src/landing/accept.ts";
import { findOrphans } from "../../src/landing/retention/orphans.ts";
import { markVault, openVaultWatch } from "../../src/landing/vault-watch.ts";
import type { ObjectStore } from "../../src/vault/object-store.ts";
import { s3Vault } from "../../src/vault/s3-vault.ts";
import type { S3Settings } from "../../src/vault/settings.ts";
import { landed, openLanding } from "../landing/world.ts";
import { addPartner } from "../parties.ts";
import { reconcile } from "../../src/landing/forgotten/reconcile.ts";
import { sealOriginsAnew } from "../../src/landing/forgotten/seal-anew.ts";
import { openOrigin, sealOrigin } from "../../src/landing/origin.ts";
import { createTestDatabase } from "../world.ts";

const settings: S3Settings = {
  bucket: "bank",
  prefix: "vault/",
  region: "us-east-1",
  encryption: "none",
  partBytes: 5 * 1024 * 1024,
  answersWithinMs: 1000,
};

type World = {
  folder: string;
  vault: ReturnType<typeof s3Vault>;
  objects: Map<string, Buffer>;
  /** From here on every call fails; null: none does. */
  fail(error: Error | null): void;
  file(content: string | Buffer): Promise<{ path: string; sha256: Buffer }>;
};

async function openWorld(t: ExecutionContext): Promise<World> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-s3-vault-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const objects = new Map<string, Buffer>();
  let failure: Error | null = null;
  const answer = async <Value>(value: Value): Promise<Value> => {
    if (failure !== null) throw failure;
    return value;
  };
  const store: ObjectStore = {
    putFile: async (key, file) => void objects.set(key, await answer(await readFile(file))),
    putBytes: async (key, bytes) => void objects.set(key, await answer(bytes)),
    readBytes: async (key) => (await answer(objects.get(key))) ?? null,
    sizeOf: async (key) => (await answer(objects.get(key)))?.length ?? null,
    async fetch(key, file) {
      const found = await answer(objects.get(key));
      if (found !== undefined) await writeFile(file, found, { flag: "wx" });
      return found !== undefined;
    },
    has: async (key) => await answer(objects.has(key)),
    remove: async (key) => void (await answer(objects.delete(key))),
    async *list(prefix) {
      await answer(null);
      for (const [key, { length: sizeBytes }] of objects) if (key.startsWith(prefix)) yield { key, sizeBytes };
    },
    listFolders: async (prefix) =>
      await answer([
        ...new Set(
          [...objects.keys()].filter((key) => key.includes("/", prefix.length)).map((key) => key.split("/")[1] ?? ""),
        ),
      ]),
    abortUploads: async () => await answer(undefined),
    close: () => undefined,
  };
  return {
    folder,
    objects,
    vault: s3Vault(path.join(folder, "brought"), settings, store),
    fail: (error) => void (failure = error),
    async file(content) {
      const at = path.join(folder, randomBytes(4).toString("hex"));
      await writeFile(at, content);
      return { path: at, sha256: createHash("sha256").update(content).digest() };
    },
  };
}

test("what is kept lies below the prefix, is brought here to be read and discarded afterwards", async (t) => {
  const { vault, objects, file } = await openWorld(t);
  const { path: at, sha256 } = await file("sealed");
  const reference = await vault.keep("id-1", at, "2026-06-15", sha256);
  t.is(reference, "2026-06-15/id-1");
  t.deepEqual([...objects.keys()], ["vault/2026-06-15/id-1"]);
  const brought = await vault.bring(reference);
  t.is(await readFile(brought ?? "", "utf8"), "sealed");
  t.deepEqual(await readdir(path.join(vault.directory, "2026-06-15")), ["id-1"]);
  await vault.discard(reference);
  t.deepEqual(await readdir(path.join(vault.directory, "2026-06-15")), []);
  await vault.remove(reference);
  t.deepEqual([...objects.keys()], []);
});

test("what says whose it is lies beside it, the mark that it is recorded too, and both go with it", async (t) => {
  const { vault, objects, file } = await openWorld(t);
  const { path: at, sha256 } = await file("sealed");
  const reference = await vault.keep("id-1", at, "2026-06-15", sha256, Buffer.from("whose"));
  t.deepEqual(await vault.look(reference), { sizeBytes: 6, isConfirmed: false, inode: null });
  await vault.confirm(reference);
  t.deepEqual(await vault.look(reference), { sizeBytes: 6, isConfirmed: true, inode: null });
  t.is((await vault.readOrigin(reference))?.toString(), "whose");
  t.is(objects.size, 3);
  await vault.remove(reference);
  t.is(objects.size, 0);
  t.is(await vault.look(reference), null);
  t.is(await vault.readOrigin(reference), null);
});

test("contents that are sealed on their way leave nothing behind on the machine's disk", async (t) => {
  const { vault, objects } = await openWorld(t);
  const contents = async function* () {
    yield "eyJ";
    yield Buffer.from("hbGciOi");
  };
  t.is(await vault.write("id-2", contents(), "2026-06-15"), "2026-06-15/id-2");
  t.is(objects.get("vault/2026-06-15/id-2")?.toString(), "eyJhbGciOi");
  t.deepEqual(await readdir(vault.directory), []);
});

test("a store that does not answer is a vault that is away, whatever it was asked for", async (t) => {
  const { vault, file, fail } = await openWorld(t);
  const { path: at, sha256 } = await file("sealed");
  fail(Object.assign(new Error(""), { name: "TimeoutError" }));
  const away = {
    code: "VAULT_AWAY",
    message: "The vault s3://bank/vault/ does not answer as it should (TimeoutError).",
  };
  await t.throwsAsync(vault.keep("id", at, "2026-06-15", sha256), away);
  await t.throwsAsync(vault.bring("2026-06-15/id"), away);
  await t.throwsAsync(vault.remove("2026-06-15/id"), away);
});

test("a file that is missing is gone where the vault bears its mark, and away where it does not", async (t) => {
  const { vault } = await openWorld(t);
  await t.throwsAsync(vault.bring("2026-06-15/id"), { code: "VAULT_AWAY" });
  await vault.mark();
  t.is(await vault.bring("2026-06-15/id"), null);
  t.deepEqual(await readdir(path.join(vault.directory, "2026-06-15")), []);
});

test("copies that nobody has read for long are discarded, and reading one makes it young again", async (t) => {
  const { vault, file } = await openWorld(t);
  const yesterday = new Date(Date.now() - 86_400_000);
  for (const id of ["left", "read"]) {
    const { path: at, sha256 } = await file(id);
    const brought = await vault.bring(await vault.keep(id, at, "2026-06-15", sha256));
    await utimes(brought ?? "", yesterday, yesterday);
  }
  await vault.bring("2026-06-15/read");
  await vault.discardUnread(new Date(Date.now() - 3_600_000));
  t.deepEqual(await readdir(path.join(vault.directory, "2026-06-15")), ["read"]);
});

test("a store that is away at the start is marked once it answers, and is told of both times", async (t) => {
  const { database } = await createTestDatabase(t);
  const { vault, objects, fail } = await openWorld(t);
  const told: string[] = [];
  const events = { emit: (event: string) => void told.push(event) } as unknown as Events;
  fail(new Error("ECONNREFUSED"));
  const watch = await openVaultWatch(vault, events, () => markVault(database, vault));
  t.teardown(() => watch.close());
  t.is(watch.describe(), "is away: s3://bank/vault/ does not answer, refuses, or bears no mark");
  fail(null);
  t.true(await watch.look());
  t.true(objects.has(`vault/${vaultMark}`));
  t.deepEqual(told, ["vault.away", "vault.returned"]);
});

test("a bucket in which none of the kept files lies is not the vault", async (t) => {
  const { database } = await createTestDatabase(t);
  const { vault, objects } = await openWorld(t);
  const partnerId = await addPartner(database);
  await database.query(
    `insert into deliveries (id, partner_id, door, format, name, correlation_id, size_bytes, sha256, vault_reference)
     values (gen_random_uuid(), $1, 'sftp', 'jsonl', 'a.jsonl', 'c-1', 1, '\\x00', '2026-06-15/elsewhere')`,
    [partnerId],
  );
  await markVault(database, vault);
  t.deepEqual([...objects.keys()], []);
});

test("small files, which no bucket ever has, say nothing about whose the bucket is", async (t) => {
  const { database } = await createTestDatabase(t);
  const { vault, objects } = await openWorld(t);
  const partnerId = await addPartner(database);
  await database.query(
    `with added as (
       insert into deliveries (id, partner_id, door, format, name, correlation_id, size_bytes, sha256, vault_reference)
       select gen_random_uuid(), $1, 'sftp', 'jsonl', n || '.jsonl', 'c-' || n, 1, '\\x00', '2026-06-15/small-' || n
         from generate_series(1, 30) as n
       returning id
     )
     insert into delivery_bodies (delivery_id, body) select id, '\\x00' from added`,
    [partnerId],
  );
  await markVault(database, vault);
  t.deepEqual([...objects.keys()], [`vault/${vaultMark}`]);

  objects.clear();
  await database.query(
    `insert into deliveries (id, partner_id, door, format, name, correlation_id, size_bytes, sha256, vault_reference, position)
     overriding system value
     values (gen_random_uuid(), $1, 'sftp', 'jsonl', 'large.jsonl', 'c-0', 1, '\\x00', '2026-06-15/large', 0)`,
    [partnerId],
  );
  await markVault(database, vault);
  t.deepEqual([...objects.keys()], [], "a large one that is not there says that it is another bucket");
  objects.set("vault/2026-06-15/large", Buffer.from("kept"));
  await markVault(database, vault);
  t.true(objects.has(`vault/${vaultMark}`));
});

test("a large file is moved: a hole of its size stays in the inbox; a small one stays beside its row alone", async (t) => {
  const { vault, objects } = await openWorld(t);
  const { landing, folder } = await openLanding(t);
  const large = await landed(folder, "large.jsonl", Buffer.concat([Buffer.from("{"), randomBytes(99_999)]));
  const small = await landed(folder, "small.jsonl", '{"reqId":"1","txs":"eyJ"}');
  const sent = await readFile(large.path);
  const { deliveryId, accepted } = await acceptFile({ ...landing, vault }, large);
  t.true(accepted);
  t.true((await acceptFile({ ...landing, vault }, small)).accepted);
  const [key = "", ...beside] = [...objects.keys()];
  t.regex(key, new RegExp(`^vault/\\d{4}-\\d\\d-\\d\\d/${deliveryId}$`));
  t.deepEqual(beside, [`${key}.recorded`]);
  t.deepEqual(objects.get(key), sent);
  t.is((await stat(large.path)).size, 100_000);
  t.true((await readFile(large.path)).every((byte) => byte === 0));
  t.is(await readFile(small.path, "utf8"), '{"reqId":"1","txs":"eyJ"}');
});

test("objects of earlier days that belong to no delivery are found, but for what was acknowledged", async (t) => {
  const { database } = await createTestDatabase(t);
  const { vault, file } = await openWorld(t);
  await vault.mark();
  const { path: at, sha256 } = await file("orphan");
  for (const day of ["2026-06-12", "2026-06-15"])
    await vault.keep("0199e0a5-0000-7000-8000-000000000001", at, day, sha256, Buffer.from("whose"));
  // Acknowledged, and forgotten by the database.
  await vault.confirm(await vault.keep("0199e0a5-0000-7000-8000-000000000002", at, "2026-06-12", sha256));
  t.deepEqual(await Array.fromAsync(findOrphans(database, vault, "2026-06-15")), [
    { reference: "2026-06-12/0199e0a5-0000-7000-8000-000000000001", sizeBytes: 6 },
  ]);
});

test("what a bucket holds and the database has forgotten is taken up again", async (t) => {
  const { vault, file } = await openWorld(t);
  await vault.mark();
  const { landing } = await openLanding(t);
  const ring = randomBytes(32);
  const { path: at, sha256 } = await file('{"reqId":"1","txs":"eyJ"}');
  const id = "0199e0a5-0000-7000-8000-000000000003";
  const origin = { partnerId: "bank", door: "sftp", name: "night.jsonl", sizeBytes: 25, correlationId: "c-3" } as const;
  const sealed = sealOrigin(ring, id, { ...origin, sha256: sha256.toString("hex") });
  await vault.confirm(await vault.keep(id, at, "2025-10-14", sha256, sealed));
  const found = await reconcile({
    ...landing,
    vault,
    landingDirectory: "/nowhere",
    keyEncryptionKey: ring,
    actor: "test",
  });
  t.like(found, [{ deliveryId: id, outcome: "takenUp", partnerId: "bank", file: "night.jsonl" }]);
  t.deepEqual((await landing.database.query("select name, vault_reference from deliveries where id = $1", [id])).rows, [
    { name: "night.jsonl", vault_reference: `2025-10-14/${id}` },
  ]);
  t.deepEqual(await readdir(path.join(vault.directory, "2025-10-14")), []);
});

test("origins in a bucket are sealed anew with the next key, all of them, and nothing else there is changed", async (t) => {
  const { vault, file, objects } = await openWorld(t);
  await vault.mark();
  const [ring, next] = [randomBytes(32), randomBytes(32)];
  const both = Buffer.concat([next, ring]);
  const { path: at, sha256 } = await file("sealed");
  const origin = { partnerId: "bank", door: "sftp", sizeBytes: 6, correlationId: "c", sha256: "00" } as const;
  const ids = Array.from({ length: 40 }, (_, number) => `0199e0a5-0000-7000-8000-0000000000${number + 10}`);
  for (const [number, id] of ids.entries()) {
    const sealed = sealOrigin(ring, id, { ...origin, name: `${id}.jsonl` });
    await vault.confirm(await vault.keep(id, at, `2026-06-${number % 2 === 0 ? "14" : "15"}`, sha256, sealed));
  }
  await vault.keep("0199e0a5-0000-7000-8000-000000000005", at, "2026-06-15", sha256, Buffer.from("of no key"));
  const before = new Map(objects);
  t.is(await sealOriginsAnew(vault, both), 40);
  t.is(await sealOriginsAnew(vault, both), 0);
  t.deepEqual([...objects.keys()].sort(), [...before.keys()].sort());
  const changed = [...objects].filter(([key, bytes]) => !before.get(key)?.equals(bytes));
  t.deepEqual(
    changed.map(([key]) => key.slice("vault/2026-06-14/".length)).sort(),
    ids.map((id) => `${id}.origin`),
  );
  for (const [key, bytes] of changed) {
    const id = path.basename(key, ".origin");
    t.is(openOrigin(next, id, bytes).name, `${id}.jsonl`);
  }
});

test("a bucket that goes away while origins are sealed anew says so, and the next call does the rest", async (t) => {
  const { vault, file, fail } = await openWorld(t);
  const [ring, next] = [randomBytes(32), randomBytes(32)];
  const { path: at, sha256 } = await file("sealed");
  const origin = {
    partnerId: "bank",
    door: "sftp",
    name: "a",
    sizeBytes: 6,
    correlationId: "c",
    sha256: "00",
  } as const;
  for (const id of ["id-1", "id-2", "id-3"])
    await vault.keep(id, at, "2026-06-15", sha256, sealOrigin(ring, id, origin));
  let opened = 0;
  const goesAway: typeof vault = {
    ...vault,
    replaceOrigins: (day, anew) =>
      vault.replaceOrigins(day, (id, bytes) => {
        if ((opened += 1) === 3) fail(new Error("ECONNREFUSED"));
        return anew(id, bytes);
      }),
  };
  await t.throwsAsync(sealOriginsAnew(goesAway, Buffer.concat([next, ring])), { code: "VAULT_AWAY" });
  fail(null);
  t.is(await sealOriginsAnew(vault, Buffer.concat([next, ring])), 1);
  for (const id of ["id-1", "id-2", "id-3"])
    t.is(openOrigin(next, id, (await vault.readOrigin(`2026-06-15/${id}`)) ?? Buffer.alloc(0)).name, "a");
});
