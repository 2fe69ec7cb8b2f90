/**
 * Whether the vault is there. It often lies on another machine's disk, and a mount that is gone leaves an empty folder in
 * which every delivered file seems lost. So a vault bears a mark: where that is missing or cannot be read, nothing is
 * loaded from it, nothing kept in it, and no delivery is held responsible.
 */
import { access } from "node:fs/promises";
import path from "node:path";
import { vaultMark } from "../../config/landing.ts";
import type { Queryable } from "../database/database.ts";
import type { Events } from "../events.ts";
import { writeSmallFile } from "../machine/small-file.ts";

export type VaultWatch = {
  /** As of the last look. */
  isThere(): boolean;
  /** Looks now. */
  look(): Promise<boolean>;
  /** For those who run the service: "ok", or what is wrong. */
  describe(): string;
  close(): void;
};

/** So long after it is there again, loading goes on. */
const lookEveryMs = 1000;
/** A network file system that does not answer may never do so. */
const answersWithinMs = 5000;
/** Kept files that are looked for where there is no mark yet. */
const looksForMax = 20;

/**
 * Marks a vault that is new, or was filled before there were marks. One in which none of the latest kept files lies is
 * not the vault, and stays as it is.
 */
export async function markVault(database: Queryable, directory: string): Promise<void> {
  if (await isReadable(path.join(directory, vaultMark))) return;
  const { rows } = await database.query<{ reference: string }>(
    "select vault_reference as reference from deliveries where vault_reference is not null order by position desc limit $1",
    [looksForMax],
  );
  const found = await Promise.all(rows.map(({ reference }) => isReadable(path.join(directory, reference))));
  if (rows.length === 0 || found.includes(true))
    await writeSmallFile(path.join(directory, vaultMark), "Tideline's vault\n");
}

export async function openVaultWatch(
  directory: string,
  events: Events,
  everyMs: number = lookEveryMs,
): Promise<VaultWatch> {
  const mark = path.join(directory, vaultMark);
  let isThere = true;
  let looking: Promise<boolean> | null = null;
  const lookNow = async () => {
    const found = await isReadable(mark);
    if (found !== isThere) events.emit(found ? "vault.returned" : "vault.away", {});
    isThere = found;
    return found;
  };
  const look = () => (looking ??= lookNow().finally(() => (looking = null)));
  await look();
  const timer = setInterval(() => void look(), everyMs).unref();
  return {
    isThere: () => isThere,
    look,
    describe: () => (isThere ? "ok" : "is away: its folder is missing, empty or cannot be read"),
    close: () => clearInterval(timer),
  };
}

/** For those who keep nothing in it and load nothing from it. */
export const unwatchedVault: VaultWatch = {
  isThere: () => true,
  look: async () => true,
  describe: () => "ok",
  close: () => undefined,
};

/** False also when nobody answers in time. */
async function isReadable(file: string): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), answersWithinMs)));
  const read = access(file).then(
    () => true,
    () => false,
  );
  return await Promise.race([read, late]).finally(() => clearTimeout(timer));
}
