/**
 * The audit trail as a busy door writes it: entries are written in groups, one insert at a time, in the order in which
 * they were recorded; those for which nobody waits gather for a moment first. While the database is away they wait in
 * memory, up to a limit.
 */
import { isDatabaseAway, type Queryable } from "../database/database.ts";
import type { Events } from "../events.ts";
import { type AuditEntry, recordAuditGroup, type TimedAudit } from "./audit.ts";

export type AuditTrail = {
  /**
   * Resolves when the entry is durable; one for which nobody waits, when it is written: a kill may take what came a moment
   * before it, a power cut what came in the second before. Never rejects: what had to be given up is an event.
   */
  record(actor: string, entry: AuditEntry, waits?: boolean): Promise<void>;
  /** Writes what is left, and gives up what cannot be written. */
  close(): Promise<void>;
};

type Waiting = TimedAudit & { waits: boolean; settle(): void };

/** One insert carries at most so many. */
const groupMax = 500;
/** Some minutes of a busy door while the database restarts; a few megabytes. */
const waitingMax = 10_000;
const retryMs = 1000;
/**
 * For entries to gather for which nobody waits: a busy door's come two a file, and each insert by itself costs the server
 * and this process as much as one of a hundred.
 */
const gatherMsDefault = 200;

export function createAuditTrail(database: Queryable, events: Events, gatherMs: number = gatherMsDefault): AuditTrail {
  const waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;
  let closing = false;
  let hurry = Promise.withResolvers<void>();
  const gathered = async (): Promise<void> => {
    if (closing || waiting.length >= groupMax || waiting.some(({ waits }) => waits)) return;
    hurry = Promise.withResolvers();
    const timer = setTimeout(hurry.resolve, gatherMs);
    await hurry.promise;
    clearTimeout(timer);
  };
  const giveUp = (entries: Waiting[]) => {
    if (entries.length === 0) return;
    events.emit("audit.lost", { count: entries.length });
    for (const one of entries) one.settle();
  };
  let size = groupMax;
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      await gathered();
      const group = waiting.slice(0, size);
      try {
        await recordAuditGroup(
          database,
          group,
          group.some(({ waits }) => waits),
        );
        for (const one of waiting.splice(0, group.length)) one.settle();
        size = Math.min(groupMax, size * 2);
      } catch (error) {
        if (!isDatabaseAway(error)) {
          // One that cannot be written must not keep the others, and who waits for them, waiting for ever: it is found
          // by halves.
          if (group.length === 1) giveUp(waiting.splice(0, 1));
          size = Math.ceil(group.length / 2);
          continue;
        }
        events.emit("database.unreachable", { error });
        if (closing) giveUp(waiting.splice(0));
        else await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    }
    writing = undefined;
  };
  return {
    record(actor, entry, waits = true) {
      return new Promise((resolve) => {
        // Those that are being inserted stand at the front: the newest is given up.
        if (waiting.length >= waitingMax) giveUp(waiting.splice(-1));
        waiting.push({ at: new Date(), actor, entry, waits, settle: resolve });
        if (waits || waiting.length >= groupMax) hurry.resolve();
        writing ??= drain();
      });
    },
    async close() {
      closing = true;
      hurry.resolve();
      await writing;
    },
  };
}
