/** The key that seals secrets is made once or configured, and a wrong or damaged one is noticed at the start. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { rotateBatchKey } from "../../../src/partners/keys/batch-keys.ts";
import { assertOpensKeys, loadKeyEncryptionKey } from "../../../src/partners/keys/key-encryption-key.ts";
import { addPartner } from "../../parties.ts";
import { createTestDatabase } from "../../world.ts";

async function folder(t: ExecutionContext): Promise<string> {
  const at = await mkdtemp(path.join(tmpdir(), "tideline-key-"));
  t.teardown(() => rm(at, { recursive: true, force: true }));
  return at;
}

test("the key is made once, whoever asks at the same time", async (t) => {
  const dataDir = path.join(await folder(t), "data");
  const [first, second] = await Promise.all(
    [1, 2].map(() => loadKeyEncryptionKey({ keyEncryptionKey: undefined, dataDir })),
  );
  t.is(first?.length, 32);
  t.deepEqual(first, second);
  t.is(
    (await readFile(path.join(dataDir, "key-encryption-key"), "utf8")).trim(),
    (first ?? Buffer.alloc(0)).toString("base64"),
  );
});

test("a configured key wins and nothing is written", async (t) => {
  const dataDir = await folder(t);
  const keyEncryptionKey = Buffer.alloc(32, 7);
  t.deepEqual(await loadKeyEncryptionKey({ keyEncryptionKey, dataDir }), keyEncryptionKey);
  await t.throwsAsync(readFile(path.join(dataDir, "key-encryption-key")), { code: "ENOENT" });
});

test("a damaged key file is refused", async (t) => {
  const dataDir = await folder(t);
  await writeFile(path.join(dataDir, "key-encryption-key"), "c2hvcnQ=\n");
  await t.throwsAsync(loadKeyEncryptionKey({ keyEncryptionKey: undefined, dataDir }), { code: "KEY_ENCRYPTION_KEY" });
});

test("a key that does not open the stored secrets is told at once", async (t) => {
  const { database } = await createTestDatabase(t);
  const key = Buffer.alloc(32, 1);
  await assertOpensKeys(database, key);
  await rotateBatchKey(database, key, await addPartner(database), new Date());
  await t.notThrowsAsync(assertOpensKeys(database, key));
  await t.throwsAsync(assertOpensKeys(database, Buffer.alloc(32, 2)), { code: "KEY_ENCRYPTION_KEY" });
});
