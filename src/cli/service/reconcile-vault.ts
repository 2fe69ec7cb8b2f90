/** `tideline backup reconcile`: what was acknowledged and the database has forgotten, told and taken up again. */
import { vaultMark } from "../../../config/landing.ts";
import type { Config } from "../../config.ts";
import { Fault } from "../../errors.ts";
import { createEvents } from "../../events.ts";
import { sealOrigin } from "../../landing/origin.ts";
import { type Found, type Options, reasons } from "../../landing/forgotten/reconcile.ts";
import { reconcileNow, spanOf, summarise } from "../../landing/forgotten/watch.ts";
import { rememberReceiptKey } from "../../deliveries/receipt-files/key.ts";
import { createReceipts } from "../../landing/receipt.ts";
import { realDisk } from "../../deliveries/receipt-files/writing.ts";
import { openVault } from "../../vault/open.ts";
import type { Vault } from "../../vault/vault.ts";
import { s3SettingsOf } from "../../vault/settings.ts";
import { commandLineActor } from "../../partners/audit.ts";
import { openQueue } from "../../staging/queue.ts";
import { createClock } from "../../time/clock.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { alignColumns, countOf, formatCount, printResult } from "../terminal/result.ts";
import { type Session, withSession } from "./session.ts";

/** @returns 3 where something was acknowledged and cannot be taken up */
export async function reconcileVault(config: Config, options: Required<Options>, asJson: boolean): Promise<number> {
  return await withSession(config, async (session) => {
    const vault = openVault(session.folder.vault, s3SettingsOf(config));
    await assertVaultIsThere(vault);
    const found = await run(session, vault, options);
    if (found === null) throw new Fault("BUSY", "Another process takes up what was forgotten.");
    const { takenUp, cameAgain, left } = summarise(found);
    const span = spanOf(found);
    printResult(
      asJson,
      {
        dryRun: options.dryRun,
        takenUp,
        cameAgain,
        left,
        forgottenFrom: span?.from,
        forgottenUntil: span?.until,
        found,
      },
      describe(found, options),
    );
    return left > 0 ? exitCode.refused : exitCode.done;
  });
}

async function run(session: Session, vault: Vault, options: Options): Promise<Found[] | null> {
  const { config, database, folder, url } = session;
  const keyEncryptionKey = await session.keyEncryptionKey();
  const queue = openQueue({ databaseUrl: url, redisUrl: config.redisUrl });
  try {
    return await reconcileNow(
      {
        database,
        vault,
        receipts: createReceipts(database, folder.landing, realDisk, rememberReceiptKey(database, keyEncryptionKey)),
        events: createEvents({ level: config.logLevel }),
        clock: createClock(),
        enqueue: queue.add,
        stagingDepthMax: config.stagingDepthMax,
        sealOrigin: (deliveryId, origin) => sealOrigin(keyEncryptionKey, deliveryId, origin),
        keyEncryptionKey,
        landingDirectory: folder.landing,
        actor: commandLineActor(),
      },
      options,
    );
  } finally {
    await queue.close();
  }
}

/** @throws Fault VAULT_AWAY */
async function assertVaultIsThere(vault: Vault): Promise<void> {
  const isThere = await vault.has(vaultMark).catch((cause: unknown) => {
    throw new Fault("VAULT_AWAY", undefined, { cause });
  });
  if (!isThere) throw new Fault("VAULT_AWAY");
}

function describe(found: readonly Found[], { dryRun }: Required<Options>): string[] {
  if (found.length === 0) return ["Nothing is forgotten: every file that was acknowledged has its row."];
  const { takenUp, cameAgain, left } = summarise(found);
  const unacknowledged = found.filter(({ reason }) => reason === "unacknowledged").length;
  const span = spanOf(found);
  return [
    `${dryRun ? "Would be taken up" : "Taken up"} again: ${countOf(takenUp, "file")}. Came again since: ${formatCount(cameAgain)}. Cannot be taken up: ${formatCount(left)}. Never acknowledged: ${formatCount(unacknowledged)}.`,
    ...(span === null
      ? []
      : [
          `The database forgot what was accepted from about ${span.from} until at least ${span.until}. Requests over HTTPS of that time lie with their senders alone, who send them again.`,
        ]),
    ...alignColumns([
      ["ACCEPTED", "PARTNER", "FROM", "BYTES", "OUTCOME", "FILE"],
      ...found.map((one) => [
        one.acceptedAt?.slice(0, 19) ?? "-",
        one.partnerId ?? "-",
        one.from,
        formatCount(one.sizeBytes),
        outcomeOf(one, dryRun),
        one.file ?? one.deliveryId,
      ]),
    ]),
    ...[...new Set(found.flatMap(({ reason }) => reason ?? []))].map((reason) => `  ${reason}: ${reasons[reason]}`),
  ];
}

function outcomeOf({ outcome, reason }: Found, dryRun: boolean): string {
  if (outcome === "takenUp") return dryRun ? "would be taken up" : "taken up";
  return outcome === "cameAgain" ? "came again" : `left: ${reason}`;
}
