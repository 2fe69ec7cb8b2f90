/** `tideline restore`: puts a backup into an empty data folder. */
import { restore, type Restored } from "../../backup/restore.ts";
import { dataFolderAt } from "../../machine/data-folder.ts";
import { Fault } from "../../errors.ts";
import { commonOptions, configOf, readArguments, required, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { alignColumns, formatCount, printResult } from "../terminal/result.ts";
import { progressBySteps } from "./backup.ts";

export const usage = `
tideline restore [--from DIR | --from BACKUP] --data-dir EMPTY [--to-time TIME] [--keys-from DIR | --without-keys] [--json]

Puts a backup, the newest of DIR or the one that is named, into a new or empty data folder. Where changes since were kept
(TIDELINE_BACKUP_DIR), all of them are replayed; with --to-time, such as 2026-11-23T02:10:00Z, those up to that moment.
--keys-from names where the key-encryption key lies (what backup's --keys-to was), unless it lies in the data folder
already. --without-keys goes on where it is lost, or comes by TIDELINE_KEY_ENCRYPTION_KEY.
Broken off, the same command begins anew; until it has ended no service starts on the folder.
`;

export async function run(argv: string[]): Promise<number> {
  const { values } = readArguments(argv, {
    ...commonOptions,
    from: { type: "string" },
    "to-time": { type: "string" },
    "keys-from": { type: "string" },
    "without-keys": { type: "boolean", default: false },
  });
  if (values["data-dir"] === undefined) usageError("--data-dir is missing: where to restore to is never assumed.");
  const config = configOf(values);
  if (config.databaseUrl !== undefined) throw new Fault("BACKUP_NOT_OURS");
  const from = required(values.from ?? config.backupDir, "--from, or TIDELINE_BACKUP_DIR,");
  const steps = progressBySteps(values.json);
  const restored = await restore({
    from,
    folder: dataFolderAt(config.dataDir, config),
    toTime: values["to-time"] === undefined ? undefined : readMoment(values["to-time"]),
    keysFrom: values["without-keys"] ? null : (values["keys-from"] ?? config.backupKeysDir),
    onProgress: steps.update,
  });
  steps.stop();
  printResult(values.json, restored, describe(restored, config.dataDir));
  return restored.lackingBytes === 0 ? exitCode.done : exitCode.refused;
}

/** With its zone: a wrong guess of hours would restore what was to be left out. */
function readMoment(text: string): Date {
  const moment = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(text) || Number.isNaN(moment.getTime()))
    usageError(`--to-time must be a moment with its zone, such as 2026-11-23T02:10:00Z, not "${text}".`);
  return moment;
}

function describe(restored: Restored, dataDir: string): string[] {
  const { backup, until, rows, vaultFiles, vaultElsewhere, lackingBytes } = restored;
  return [
    `Restored ${backup} to ${dataDir}, as of ${until}:`,
    ...alignColumns(Object.entries(rows).map(([table, count]) => [`  ${table}`, formatCount(count)])),
    vaultElsewhere === undefined
      ? `  ${formatCount(vaultFiles)} files of the vault`
      : `  the vault is ${vaultElsewhere}: give the service the same TIDELINE_VAULT_S3_URL, or that of the copy you restored`,
    ...(lackingBytes === 0
      ? []
      : [`  ${formatCount(lackingBytes)} deliveries lack their bytes: what is not loaded of them must be sent again.`]),
    "Start the service on it; senders send again what was not acknowledged, or was after that moment.",
  ];
}
