/** What an unclean stop of an earlier run may have spoiled is mended, beside everything else. */
import { setTimeout as wait } from "node:timers/promises";
import { forgetUncleanStop, wasStoppedUncleanly } from "../machine/data-folder.ts";
import { mendKept } from "../landing/mend-kept.ts";
import { mendReceipts } from "../staging/mend-receipts.ts";
import type { Ground } from "./ground.ts";
import type { Stages } from "./stages.ts";

const againAfterMs = 10_000;

/**
 * Only where receipts are written: elsewhere the landing zone need not be there. Returns when what the door serves is
 * mended; receipts are while it runs.
 */
export async function startMending(ground: Ground, { receipts, vaultWatch, landing }: Stages): Promise<void> {
  const { closers, database, events, folder } = ground;
  if (!(await wasStoppedUncleanly(folder))) return;
  const keptIsMended = await mendKeptFiles(ground, landing.vault.isElsewhere ? "elsewhere" : await vaultWatch.look());
  const stopping = new AbortController();
  const mend = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        // Stopped half-way, the next start goes on: the note stays.
        if ((await mendReceipts({ database, events, receipts }, () => stopping.signal.aborted)) && keptIsMended)
          await forgetUncleanStop(folder);
        return;
      } catch (error) {
        events.emit("job.failed", { job: "mend-receipts", durationMs: 0, error });
        await wait(againAfterMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  const mended = mend();
  closers.push(async () => {
    stopping.abort();
    await mended;
  });
}

async function mendKeptFiles(
  { config, database, events, folder }: Ground,
  vaultIsThere: boolean | "elsewhere",
): Promise<boolean> {
  const startedAt = performance.now();
  try {
    const mended = await mendKept({
      database,
      landingDirectory: folder.landing,
      vaultDirectory: folder.vault,
      ownsInbox: config.roles.includes("sftp"),
      vaultIsThere: vaultIsThere === true,
    });
    events.emit("files.compared", mended);
    // Small files have no name in a vault elsewhere.
    return vaultIsThere !== false;
  } catch (error) {
    events.emit("job.failed", { job: "mend-files", durationMs: performance.now() - startedAt, error });
    return false;
  }
}
