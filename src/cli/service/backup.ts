/** `tideline backup …`: makes, lists and verifies backups of a Tideline with its own database, while it runs. */
import path from "node:path";
import { backUp } from "../../backup/back-up.ts";
import { recordVerified } from "../../backup/records.ts";
import { listBackups, type StoredBackup } from "../../backup/store.ts";
import { verify } from "../../backup/verify.ts";
import type { Config } from "../../config.ts";
import { openDatabase } from "../../database/database.ts";
import { hasCluster, superuserUrl } from "../../database/embedded/cluster.ts";
import { Fault } from "../../errors.ts";
import { createEvents } from "../../events.ts";
import { commandLineActor, recordAudit } from "../../partners/audit.ts";
import { commonOptions, configOf, oneOf, readArguments, readCount, required } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { listenForInterrupt } from "../terminal/interrupt.ts";
import { startProgress } from "../terminal/progress.ts";
import { alignColumns, formatCount, printResult } from "../terminal/result.ts";
import { withSession } from "./session.ts";

export const usage = `
tideline backup [--to DIR] [--keys-to DIR] [--keep N] [--data-dir DIR] [--json]
tideline backup list [DIR] [--json]
tideline backup verify [DIR | BACKUP] [--scratch DIR] [--data-dir DIR] [--json]
tideline backup reconcile [--dry-run] [--unacknowledged] [--data-dir DIR] [--json]

Without a word: makes a backup while the service runs, or while it does not: the database first, then the vault, the
landing zone, host keys, the certificate authority. DIR is a folder for backups alone, on another disk (default:
TIDELINE_BACKUP_DIR); the vault's files lie in it once for all backups. --keys-to copies the key-encryption key, which
opens what is sealed, to a place of its own: without it no backup is of use, and with it a stolen one opens. --keep N
removes all but the newest N afterwards.
verify   holds every file against its checksum, brings the newest backup (or the one that is named) up in a scratch
         folder and compares what there is. It needs room for the database there (default: the system's temporary folder).
reconcile  takes up again what was accepted and what the database has forgotten, since a standby that lagged was promoted
         or an older copy restored, from the vault and the inboxes, once. The scheduler does it by itself; --dry-run only
         tells. --unacknowledged takes files too whose senders were told nothing. Exit code 3: something could not be.
tideline restore puts a backup into an empty data folder. With DATABASE_URL: docs/backup.md.
`;

export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    to: { type: "string" },
    "keys-to": { type: "string" },
    keep: { type: "string" },
    scratch: { type: "string" },
    "dry-run": { type: "boolean", default: false },
    unacknowledged: { type: "boolean", default: false },
  });
  const action = oneOf(positionals[0] ?? "make", ["make", "list", "verify", "reconcile"], "The action");
  const config = configOf(values);
  if (action === "reconcile") {
    const { reconcileVault } = await import("./reconcile-vault.ts");
    return await reconcileVault(
      config,
      { dryRun: values["dry-run"], unacknowledged: values.unacknowledged },
      values.json,
    );
  }
  const place = required(values.to ?? positionals[1] ?? config.backupDir, "--to DIR, or TIDELINE_BACKUP_DIR,");
  if (action === "list") return await list(place, values.json);
  if (action === "verify") return await check(config, place, values.scratch, values.json);
  const keep = values.keep === undefined ? undefined : readCount(values.keep, "--keep", 1, 10_000);
  return await make(config, { store: place, keysTo: values["keys-to"] ?? config.backupKeysDir, keep }, values.json);
}

/** Its locks hold two. */
const connectionsMax = 4;

async function make(
  config: Config,
  options: { store: string; keysTo: string | undefined; keep: number | undefined },
  asJson: boolean,
): Promise<number> {
  if (config.databaseUrl !== undefined) throw new Fault("BACKUP_NOT_OURS");
  return await withSession(config, async ({ database, url, folder }) => {
    const databaseUrl = await superuserUrl(folder.root, url);
    // Counts are of all rows, whatever the session's own user sees.
    const all = openDatabase(databaseUrl, { sizeMax: connectionsMax, applicationName: "tideline backup" });
    const events = createEvents({ level: config.logLevel });
    const steps = progressBySteps(asJson);
    const interrupt = listenForInterrupt();
    const made = await backUp(
      { database: all, databaseUrl, folder, events, vaultElsewhere: config.vaultS3Url },
      { ...options, signal: interrupt.signal, onProgress: steps.update },
    ).finally(async () => {
      interrupt.release();
      steps.stop();
      await all.end();
    });
    await recordAudit(database, commandLineActor(), {
      partnerId: null,
      event: "backup.made",
      details: { location: made.folder },
    });
    printResult(asJson, documentOf(made), [
      `Backed up to ${made.folder}`,
      ...alignColumns(made.manifest.counts.map(({ table, after }) => [`  ${table}`, formatCount(after)])),
      `  ${formatCount(made.manifest.sizeBytes)} bytes, ${describeVault(made)}`,
      describeKey(made, options.keysTo),
    ]);
    return exitCode.done;
  });
}

function describeVault({ manifest: { vault } }: StoredBackup): string {
  return vault.elsewhere === undefined
    ? `and ${formatCount(vault.files)} files of the vault with ${formatCount(vault.sizeBytes)} bytes`
    : `and not the vault, which is ${vault.elsewhere}: keep it by versions and a copy of the bucket (docs/backup.md)`;
}

function describeKey({ manifest }: StoredBackup, keysTo: string | undefined): string {
  if (manifest.keyFingerprint === "")
    return "The key-encryption key is in the configuration: keep it apart from the backup.";
  return keysTo === undefined
    ? `The key-encryption key (${manifest.keyFingerprint}) is not in it: keep a copy elsewhere, or name a place with --keys-to.`
    : `The key-encryption key (${manifest.keyFingerprint}) is in ${path.resolve(keysTo)}.`;
}

async function list(place: string, asJson: boolean): Promise<number> {
  const backups = await listBackups(path.resolve(place));
  printResult(
    asJson,
    backups.map(documentOf),
    alignColumns([
      ["BACKUP", "STARTED", "FINISHED", "BYTES", "VAULT FILES", "TRANSACTIONS", "VERIFIED"],
      ...backups.map(({ name, manifest, verifiedAt }) => [
        name,
        manifest.startedAt,
        manifest.finishedAt,
        formatCount(manifest.sizeBytes),
        formatCount(manifest.vault.files),
        formatCount(manifest.counts.find(({ table }) => table === "transactions")?.after ?? 0),
        verifiedAt ?? "never",
      ]),
    ]),
  );
  return exitCode.done;
}

function documentOf({ folder, manifest, verifiedAt }: StoredBackup): object {
  const { startedAt, finishedAt, sizeBytes, counts, vault, keyFingerprint, tidelineVersion, postgresVersion } =
    manifest;
  const rows = Object.fromEntries(counts.map(({ table, after }) => [table, after]));
  return {
    location: folder,
    startedAt,
    finishedAt,
    verifiedAt,
    sizeBytes,
    vault,
    rows,
    keyFingerprint,
    tidelineVersion,
    postgresVersion,
  };
}

async function check(config: Config, place: string, scratch: string | undefined, asJson: boolean): Promise<number> {
  const steps = progressBySteps(asJson);
  const verified = await verify(place, scratch, steps.update);
  steps.stop();
  // A backup may be verified on a machine that knows nothing of the database.
  const isHere = config.databaseUrl === undefined && (await hasCluster(config.dataDir));
  if (isHere) await withSession(config, ({ database }) => recordVerified(database, verified.startedAt, verified.at));
  printResult(asJson, { ...verified, at: verified.at.toISOString() }, [
    `${verified.backup} comes up and holds what it should:`,
    ...alignColumns(Object.entries(verified.rows).map(([table, rows]) => [`  ${table}`, formatCount(rows)])),
    verified.vaultElsewhere === undefined
      ? `  ${formatCount(verified.vaultFiles)} files of the vault`
      : `  the vault is not in it: ${verified.vaultElsewhere}`,
  ]);
  return exitCode.done;
}

/** One bar after the other. */
export function progressBySteps(silent: boolean): {
  update(step: string, done: number, total: number | null): void;
  stop(): void;
} {
  let current: { step: string; progress: ReturnType<typeof startProgress> } | null = null;
  const stop = () => current?.progress.stop();
  return {
    stop,
    update(step, done, total) {
      if (current?.step !== step) {
        stop();
        current = {
          step,
          progress: startProgress({ label: step, unit: step === "folders" ? "files" : "bytes", silent }),
        };
      }
      current.progress.update(done, total);
    },
  };
}
