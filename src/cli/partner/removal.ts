/** `tideline partner remove`: everything that is held about a partner, for good. */
import { Fault } from "../../errors.ts";
import { readPartnerContents } from "../../data-subjects/partner.ts";
import { findWhyNotRemovable, removePartner } from "../../operations/partner-removal.ts";
import { listGuarded } from "../../operations/approvals.ts";
import { commandLineActor } from "../../partners/audit.ts";
import { openVault } from "../../vault/open.ts";
import { s3SettingsOf } from "../../vault/settings.ts";
import { assertNotAway } from "../../landing/vault-watch.ts";
import { commonOptions, configOf, readArguments, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { listenForInterrupt } from "../terminal/interrupt.ts";
import { startProgress } from "../terminal/progress.ts";
import { countOf, printResult } from "../terminal/result.ts";
import { type Session, withSession } from "../service/session.ts";
import { partnerOf } from "./change.ts";

export async function removePartnerCommand(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    "dry-run": { type: "boolean", default: false },
    confirm: { type: "string" },
  });
  const partnerId = partnerOf(positionals);
  const dryRun = values["dry-run"];
  if (!dryRun && values.confirm !== partnerId)
    usageError(`It cannot be undone: say --confirm ${partnerId}, or --dry-run to see what would go.`);
  return await withSession(configOf(values), async (session) => {
    const why = await findWhyNotRemovable(session.database, partnerId);
    if (dryRun) return await preview(session, partnerId, why, values.json);
    if (why !== null) throw new Fault("COMMAND_USAGE", why);
    if ((await listGuarded(session.database)).some(({ action }) => action === "erase"))
      throw new Fault("APPROVAL_NEEDED", "Erasing is guarded here: unguard it first, which needs a second operator.");
    return await remove(session, partnerId, values.json);
  });
}

async function preview({ database }: Session, partnerId: string, why: string | null, asJson: boolean): Promise<number> {
  const contents = await readPartnerContents(database, partnerId);
  if (contents === null) throw new Fault("NOT_FOUND", `There is no partner "${partnerId}".`);
  const { name, brands, users, deliveries } = contents;
  printResult(asJson, { dryRun: true, partnerId, ...contents, why }, [
    `${partnerId} (${name}): ${countOf(brands, "brand")}, ${countOf(users, "user")} and ${deliveries} deliveries would go, with their bytes and keys.`,
    ...(why === null ? [] : [`Not yet: ${why}`]),
  ]);
  return why === null ? exitCode.done : exitCode.refused;
}

async function remove(session: Session, partnerId: string, asJson: boolean): Promise<number> {
  const { database, folder, config } = session;
  const vault = openVault(folder.vault, s3SettingsOf(config));
  await assertNotAway(database, vault);
  const contents = await readPartnerContents(database, partnerId);
  const total = (contents?.users ?? 0) + (contents?.deliveries ?? 0);
  const progress = startProgress({ label: "Removing", unit: "users and deliveries", silent: asJson });
  const interrupt = listenForInterrupt();
  try {
    const removed = await removePartner(
      {
        database,
        vault,
        landingDirectory: folder.landing,
        actor: commandLineActor(),
        onProgress: ({ users, deliveries }) => progress.update(users + deliveries, total),
        signal: interrupt.signal,
      },
      partnerId,
    );
    progress.stop();
    printResult(asJson, { partnerId, ...removed }, [
      `${partnerId} is gone: ${countOf(removed.users, "user")}, ${countOf(removed.rows, "row")}, ${removed.deliveries} deliveries, ${countOf(removed.vaultFiles, "file")} of the vault. The audit trail and older backups still name it.`,
    ]);
    return exitCode.done;
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    progress.stop();
    console.error("Stopped on the way: what is gone stays gone, and the same command goes on.");
    return exitCode.interrupted;
  } finally {
    progress.stop();
    interrupt.release();
  }
}
