/**
 * The vault's files in a folder of backups: each once, since landed bytes never change, whatever number of backups it
 * belongs to. A copy counts when its checksum stands in the list of its day.
 */
import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { appendFile, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { isDay } from "../time/calendar.ts";
import { makeFolder, syncFolder } from "../machine/sync-folder.ts";
import { writeChecked } from "./checked-file.ts";

export type VaultCopy = { /** As deliveries name it: day/id. */ reference: string; sizeBytes: number; sha256: string };

/** Longer than between two times that any file system tells apart; FAT's two seconds are the longest. */
const tickMs = 2500;

/** Copied before their checksums are made durable together: syncing a list for each small file would cost the most. */
const groupMax = 256;

/**
 * Copies what the store does not have yet. @returns every file that the vault has now, copied. A file that retention
 * removes meanwhile is left out: the caller has it paused, where none may be missing.
 */
export async function copyVault(
  vault: string,
  store: string,
  onCopied: (bytes: number) => void = () => undefined,
): Promise<VaultCopy[]> {
  const all: VaultCopy[] = [];
  const days = (await readdir(vault).catch(nothingWhenGone)).filter(isDay).sort();
  for (const day of days) all.push(...(await copyDay(vault, store, day, onCopied)));
  return all;
}

/**
 * Copies what came since the last call with the same memory; days whose folders have not changed are not looked into.
 * @param changedAt by day, when its folder had last changed
 */
export async function copyNews(vault: string, store: string, changedAt: Map<string, number>): Promise<void> {
  for (const day of (await readdir(vault).catch(nothingWhenGone)).filter(isDay)) {
    const lookedAt = Date.now();
    const { mtimeMs } = await stat(path.join(vault, day));
    if (changedAt.get(day) === mtimeMs) continue;
    await copyDay(vault, store, day, () => undefined);
    // What comes within the same tick of the file system's clock would not be seen.
    if (lookedAt - mtimeMs > tickMs) changedAt.set(day, mtimeMs);
  }
}

async function copyDay(
  vault: string,
  store: string,
  day: string,
  onCopied: (bytes: number) => void,
): Promise<VaultCopy[]> {
  const known = await readDay(store, day);
  const names = (await readdir(path.join(vault, day)).catch(nothingWhenGone)).sort();
  const missing = names.filter((name) => !known.has(name));
  const target = path.join(store, "vault", day);
  if (missing.length > 0) await makeFolder(target);
  for (let first = 0; first < missing.length; first += groupMax) {
    const copies: VaultCopy[] = [];
    for (const name of missing.slice(first, first + groupMax)) {
      const copy = await copyFile(path.join(vault, day, name), path.join(target, name), `${day}/${name}`);
      if (copy === null) continue;
      copies.push(copy);
      onCopied(copy.sizeBytes);
    }
    // Names first, then the list that vouches for them.
    await syncFolder(target);
    await addToDay(store, day, copies);
    for (const copy of copies) known.set(path.basename(copy.reference), copy);
  }
  return names.flatMap((name) => known.get(name) ?? []);
}

/** Null when the file went away meanwhile. */
async function copyFile(from: string, to: string, reference: string): Promise<VaultCopy | null> {
  // The round that copies news may be copying the same file.
  const unfinished = `${to}.${randomBytes(4).toString("hex")}.unfinished`;
  const source = await open(from, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (source === null) return null;
  const { sizeBytes, sha256 } = await writeChecked(source.createReadStream(), unfinished, reference);
  await rename(unfinished, to);
  return { reference, sizeBytes, sha256 };
}

function listOf(store: string, day: string): string {
  return path.join(store, "vault", `${day}.sha256`);
}

/** By name. Lines that a crash halved count for nothing: their files are copied again. */
async function readDay(store: string, day: string): Promise<Map<string, VaultCopy>> {
  const text = await readFile(listOf(store, day), "utf8").catch(() => "");
  const found = new Map<string, VaultCopy>();
  for (const copy of parseList(text)) found.set(path.basename(copy.reference), copy);
  return found;
}

async function addToDay(store: string, day: string, copies: readonly VaultCopy[]): Promise<void> {
  if (copies.length === 0) return;
  const list = listOf(store, day);
  await mkdir(path.dirname(list), { recursive: true });
  // A line that a crash halved must not swallow the next one.
  const text = await readFile(list, "utf8").catch(() => "");
  await appendFile(list, (text === "" || text.endsWith("\n") ? "" : "\n") + listText(copies), {
    mode: 0o600,
    flush: true,
  });
  await syncFolder(path.dirname(list));
}

/** As `sha256sum --check` reads them in the folder `vault`, and the size as a comment that it passes over. */
export function listText(copies: readonly VaultCopy[]): string {
  return copies
    .map(({ sha256, reference, sizeBytes }) => `# ${sizeBytes} ${reference}\n${sha256}  ${reference}\n`)
    .join("");
}

export function parseList(text: string): VaultCopy[] {
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    const [, sha256 = "", reference = ""] = /^([0-9a-f]{64}) {2}(\d{4}-\d\d-\d\d\/[^/]+)$/.exec(line) ?? [];
    const [, size, named] = /^# (\d+) (.+)$/.exec(lines[at - 1] ?? "") ?? [];
    return reference !== "" && named === reference ? [{ reference, sizeBytes: Number(size), sha256 }] : [];
  });
}

/** Every copy of the store from a day on, by the days' lists. */
export async function copiesSince(store: string, day: string): Promise<VaultCopy[]> {
  const days = await daysOf(store);
  const found: VaultCopy[] = [];
  for (const one of days.filter((name) => name >= day)) found.push(...(await readDay(store, one)).values());
  return found;
}

async function daysOf(store: string): Promise<string[]> {
  return (await readdir(path.join(store, "vault")).catch(nothingWhenGone)).filter(isDay).sort();
}

/** Puts a copy back. It is held against its checksum on the way. @returns whether it is what was copied */
export async function putBack(store: string, copy: VaultCopy, vault: string): Promise<boolean> {
  const target = path.join(vault, copy.reference);
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  const source = path.join(store, "vault", copy.reference);
  const { sha256 } = await writeChecked(createReadStream(source), target, copy.reference);
  return sha256 === copy.sha256;
}

/**
 * Removes copies that no backup needs: of days before the given one and in no list. @param needed references
 */
export async function removeCopies(store: string, before: string, needed: ReadonlySet<string>): Promise<number> {
  let removed = 0;
  for (const day of (await daysOf(store)).filter((name) => name < before)) {
    const kept: VaultCopy[] = [];
    const known = [...(await readDay(store, day)).values()];
    for (const copy of known) if (needed.has(copy.reference)) kept.push(copy);
    if (kept.length === known.length) continue;
    // The list goes first: what it does not vouch for is no copy.
    await rm(listOf(store, day), { force: true });
    await addToDay(store, day, kept);
    for (const copy of known)
      if (!needed.has(copy.reference)) await rm(path.join(store, "vault", copy.reference), { force: true });
    removed += known.length - kept.length;
    if (kept.length === 0) await rm(path.join(store, "vault", day), { recursive: true, force: true });
  }
  return removed;
}

/** Of the copies of a list, those that are missing or have another size. */
export async function findMissing(store: string, copies: readonly VaultCopy[]): Promise<string[]> {
  const missing: string[] = [];
  for (const { reference, sizeBytes } of copies) {
    const found = await stat(path.join(store, "vault", reference)).catch(() => null);
    if (found?.size !== sizeBytes) missing.push(reference);
  }
  return missing;
}

function nothingWhenGone(error: NodeJS.ErrnoException): string[] {
  if (error.code === "ENOENT") return [];
  throw error;
}
