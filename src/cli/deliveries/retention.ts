/** `tideline retention run`: removes what is past its age, as the scheduler does each hour, or says what would go. */
import { createClock } from "../../time/clock.ts";
import { previewErasure, eraseDeleted, type Erasure } from "../../data-subjects/erase.ts";
import { Fault } from "../../errors.ts";
import { createEvents } from "../../events.ts";
import { previewRemoval, type Removal, retain } from "../../landing/retention/retain.ts";
import { commandLineActor, recordAudit } from "../../partners/audit.ts";
import { commonOptions, configOf, readArguments, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { alignColumns, formatCount, printResult } from "../terminal/result.ts";
import { s3SettingsOf } from "../../vault/settings.ts";
import { openVault } from "../../vault/open.ts";
import { withSession } from "../service/session.ts";

export const usage = `
tideline retention run [--dry-run] [--data-dir DIR] [--json]

Removes landed bytes, then rows and receipts, that are past their partner's retention.landedDays and
retention.receiptDays (tideline partner set), uploads that were broken off or never renamed and that nobody has touched for
retention.landedDays, files in the vault that belong to no delivery, and every row about users
whom their partner deleted more than retention.deletedUserDays ago. What is not loaded
yet, and what has refused or waiting records, stays. --dry-run only counts.
`;

export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    "dry-run": { type: "boolean", default: false },
  });
  if (positionals.join(" ") !== "run") usageError("Say: retention run.");
  const config = configOf(values);
  return await withSession(config, async ({ database, folder, keyEncryptionKey }) => {
    const retaining = {
      database,
      keyEncryptionKey: await keyEncryptionKey(),
      vault: openVault(folder.vault, s3SettingsOf(config)),
      landingDirectory: folder.landing,
      auditDays: config.auditDays,
      clock: createClock(),
      events: createEvents({ level: config.logLevel }),
    };
    const removal = values["dry-run"] ? await previewRemoval(retaining) : await retain(retaining);
    if (removal === null) throw new Fault("BACKUP_RUNS", "Nothing is removed while a backup is being made.");
    const erasing = { database, events: retaining.events, now: retaining.clock.now() };
    const erasure = values["dry-run"] ? await previewErasure(erasing) : await eraseDeleted(erasing, commandLineActor());
    if (!values["dry-run"])
      await recordAudit(database, commandLineActor(), {
        partnerId: null,
        event: "retention.ran",
        details: { ...removal },
      });
    printResult(values.json, { dryRun: values["dry-run"], ...removal, erasure: erasure.partners }, [
      ...describe(removal),
      ...describeUsers(erasure),
    ]);
    return exitCode.done;
  });
}

function describe({ partners, orphans, auditEvents }: Removal): string[] {
  const rows = partners.map((one) => [
    one.partnerId,
    String(one.retention.landedDays),
    formatCount(one.deliveries),
    formatCount(one.undelivered),
    formatCount(one.sizeBytes),
    String(one.retention.receiptDays),
    formatCount(one.rows),
  ]);
  return [
    ...alignColumns([
      ["PARTNER", "BYTES AFTER DAYS", "DELIVERIES", "NEVER DELIVERED", "BYTES", "ROWS AFTER DAYS", "ROWS"],
      ...rows,
    ]),
    `Files that belong to no delivery: ${formatCount(orphans.files)}, ${formatCount(orphans.sizeBytes)} bytes`,
    `Audit events of the doors past their age: ${formatCount(auditEvents)}`,
  ];
}

function describeUsers({ partners }: Erasure): string[] {
  const rows = partners.map((one) => [
    one.partnerId,
    String(one.deletedUserDays),
    formatCount(one.users),
    formatCount(one.rows),
  ]);
  return alignColumns([["PARTNER", "DELETED USERS AFTER DAYS", "USERS", "ROWS"], ...rows]);
}
