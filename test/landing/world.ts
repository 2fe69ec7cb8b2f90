/** A landing zone of one partner on a database and folders of its own, and files to give to it. */
import { createHash, randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ExecutionContext } from "ava";
import { createClock } from "../../src/time/clock.ts";
import { createEvents } from "../../src/events.ts";
import type { Landing } from "../../src/landing/accept.ts";
import type { LandedFile } from "../../src/landing/landed-file.ts";
import { createReceipts, type Receipt } from "../../src/landing/receipt.ts";
import { fileVault } from "../../src/vault/file-vault.ts";
import { addPartner } from "../parties.ts";
import { createTestDatabase } from "../world.ts";

export type LandingWorld = {
  landing: Landing;
  queued: string[];
  partnerId: string;
  folder: string;
  receipt(name: string): Promise<Receipt>;
};

export async function openLanding(t: ExecutionContext): Promise<LandingWorld> {
  const { database } = await createTestDatabase(t);
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-landing-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const vaultDirectory = await mkdtemp(path.join(folder, "vault-"));
  const partnerId = await addPartner(database);
  const queued: string[] = [];
  const landing: Landing = {
    database,
    events: createEvents({ level: "silent" }),
    clock: createClock(),
    vault: fileVault(vaultDirectory),
    receipts: createReceipts(database, folder),
    stagingDepthMax: 100,
    enqueue: (ids) => (queued.push(...ids), Promise.resolve()),
  };
  const receipt = async (name: string) =>
    JSON.parse(await readFile(path.join(folder, partnerId, "receipts", name), "utf8")) as Receipt;
  return { landing, queued, partnerId, folder, receipt };
}

/** A file that has come in whole, under a name of its own in the folder. */
export async function landed(folder: string, name: string, content: string | Buffer): Promise<LandedFile> {
  const file = path.join(folder, randomUUID());
  await writeFile(file, content);
  return {
    partnerId: "bank",
    door: "sftp",
    name,
    path: file,
    sizeBytes: Buffer.byteLength(content),
    sha256: digest(content),
    correlationId: randomUUID(),
  };
}

export function digest(text: string | Buffer): Buffer {
  return createHash("sha256").update(text).digest();
}
