/** Whether a bucket serves as a vault: a probe is put there, read and removed again. */
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { openObjectStore } from "./object-store.ts";
import type { S3Settings } from "./settings.ts";

const probeBytes = 4096;

/** @returns what keeps it from serving; null: nothing does */
export async function findWhyUnfit(settings: S3Settings): Promise<string | null> {
  const store = openObjectStore(settings);
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-probe-"));
  const key = `${settings.prefix}probe-${randomUUID()}`;
  let step = "put";
  try {
    const bytes = randomBytes(probeBytes);
    await writeFile(path.join(folder, "put"), bytes);
    await store.putFile(key, path.join(folder, "put"), probeBytes, createHash("sha256").update(bytes).digest());
    step = "get";
    if (!(await store.fetch(key, path.join(folder, "got")))) throw new Error("what was put there is not there");
    if (!bytes.equals(await readFile(path.join(folder, "got")))) throw new Error("what is there is not what was put");
    step = "list";
    let isListed = false;
    for await (const found of store.list(key)) isListed ||= found.key === key && found.sizeBytes === probeBytes;
    if (!isListed) throw new Error("what was put there is not listed");
    step = "delete";
    await store.remove(key);
    if (await store.has(key)) throw new Error("what was removed is there still");
    return null;
  } catch (error) {
    return `TIDELINE_VAULT_S3_URL: ${step} of a probe failed in ${settings.bucket}: ${describe(error)}`;
  } finally {
    store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Several addresses that none answer come as one error without words. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? String(error.code) : error.name;
  return error.message === "" ? code : `${error.message} (${code})`;
}
