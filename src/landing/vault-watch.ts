/**
 * Whether the vault is there. It often lies on another machine's disk, and a mount that is gone leaves an empty folder in
 * which every delivered file seems lost. So a vault bears a mark: where that is missing or cannot be read, nothing is
 * loaded from it, nothing kept in it, and no delivery is held responsible.
 */
import { vaultMark } from "../../config/landing.ts";
import type { Queryable } from "../database/database.ts";
import { Fault } from "../errors.ts";
import type { Events } from "../events.ts";
import type { Vault } from "../vault/vault.ts";

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
/** A look at a store elsewhere is a call that may be paid for. */
const lookElsewhereEveryMs = 5000;
/** A network file system that does not answer may never do so. */
const answersWithinMs = 5000;
/** Kept files that are looked for where there is no mark yet. */
const looksForMax = 20;

/**
 * Marks a vault that is new, or was filled before there were marks. One in which none of the latest kept files lies is
 * not the vault, and stays as it is.
 */
export async function markVault(database: Queryable, vault: Vault): Promise<void> {
  if (!(await vault.has(vaultMark)) && (await mayBeMarked(database, vault))) await vault.mark();
}

/**
 * For what must reach everything that is kept. Where nothing was kept yet there may be no vault: then it is there.
 * @throws Fault VAULT_AWAY where it bears no mark and none of the latest kept files lies in it, or nobody answers
 */
export async function assertNotAway(database: Queryable, vault: Vault): Promise<void> {
  const isThere = await vault.has(vaultMark).catch((cause: unknown) => {
    throw new Fault("VAULT_AWAY", undefined, { cause });
  });
  if (!isThere && !(await mayBeMarked(database, vault))) throw new Fault("VAULT_AWAY");
}

async function mayBeMarked(database: Queryable, vault: Vault): Promise<boolean> {
  const { rows } = await database.query<{ reference: string }>(
    `select vault_reference as reference
       from deliveries
      where vault_reference is not null
        and ($2 or not exists (select 1 from delivery_bodies where delivery_id = coalesce(duplicate_of, deliveries.id)))
      order by position desc
      limit $1`,
    [looksForMax, holdsSmallFiles(vault)],
  );
  const found = await Promise.all(rows.map(({ reference }) => vault.has(reference)));
  return rows.length === 0 || found.includes(true);
}

/** What is kept beside its row has a second name in a folder, and none in a store elsewhere. */
function holdsSmallFiles({ isElsewhere }: Vault): boolean {
  return !isElsewhere;
}

/** @param marked resolves once the vault bears its mark, if it ever may; asked again while it rejects */
export async function openVaultWatch(
  vault: Vault,
  events: Events,
  marked: () => Promise<void> = async () => undefined,
  everyMs: number = vault.isElsewhere ? lookElsewhereEveryMs : lookEveryMs,
): Promise<VaultWatch> {
  let isThere = true;
  let isMarked = false;
  let looking: Promise<boolean> | null = null;
  const hasMark = async () => {
    if (!isMarked) await marked();
    isMarked = true;
    return await vault.has(vaultMark);
  };
  const lookNow = async () => {
    const found = await inTime(hasMark());
    if (found !== isThere) events.emit(found ? "vault.returned" : "vault.away", {});
    isThere = found;
    return found;
  };
  const look = () => (looking ??= lookNow().finally(() => (looking = null)));
  await look();
  const timer = setInterval(() => void look(), everyMs).unref();
  const away = vault.isElsewhere
    ? `is away: ${vault.location} does not answer, refuses, or bears no mark`
    : "is away: its folder is missing, empty or cannot be read";
  return {
    isThere: () => isThere,
    look,
    describe: () => (isThere ? "ok" : away),
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

/** False also when it cannot be told, or nobody answers in time. */
async function inTime(told: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), answersWithinMs)));
  return await Promise.race([told.catch(() => false), late]).finally(() => clearTimeout(timer));
}
