/** One replay: users first, then their records, with progress. */
import type { Door } from "../../sender/door.ts";
import { openJournal } from "../../sender/journal.ts";
import { sendThrough, type Summary } from "../../sender/send-through.ts";
import { sendUsers, type UsersSummary } from "../../sender/users.ts";
import type { Population } from "./population-source.ts";
import { startProgress } from "../terminal/progress.ts";

export type Replay = {
  population: Population;
  partnerId: string;
  complete: boolean;
  /** For populations that bring no users of their own. */
  createUsers: { brand: string; locale: string } | undefined;
  journalPath: string;
  /** Send what the journal knows, too. */
  again: boolean;
  recordsPerSecondMax: number | undefined;
  silent: boolean;
  signal: AbortSignal;
};

/** Closes the door. Stopped by the signal, the summary says so, or an AbortError where nothing was sent yet. */
export async function replay(plan: Replay, door: Door): Promise<Summary> {
  try {
    const users = await createUsersFirst(plan, door);
    const summary = await sendAll(plan, door);
    return {
      ...summary,
      usersCreated: summary.usersCreated + users.usersCreated,
      usersExisting: summary.usersExisting + users.usersExisting,
    };
  } finally {
    await door.close();
  }
}

async function createUsersFirst(plan: Replay, door: Door): Promise<UsersSummary> {
  const progress = startProgress({ label: "creating", unit: "users", silent: plan.silent });
  try {
    return await sendUsers(door, plan.population.users(), {
      signal: plan.signal,
      onProgress: (so) => progress.update(so.usersCreated + so.usersExisting, null),
    });
  } finally {
    progress.stop();
  }
}

async function sendAll(plan: Replay, door: Door): Promise<Summary> {
  const { population, partnerId, complete, createUsers, recordsPerSecondMax, signal } = plan;
  const progress = startProgress({ label: "replaying", unit: "records", silent: plan.silent });
  try {
    return await sendThrough({
      records: population.records(),
      partnerId,
      door,
      complete,
      createUsers,
      recordsPerSecondMax,
      signal,
      journal: await openJournal(plan.journalPath, plan.again),
      onProgress: (so) =>
        progress.update(
          so.recordsRead,
          population.total,
          so.recordsKnown > 0 ? `(${so.recordsKnown} of them sent before)` : "",
        ),
    });
  } finally {
    progress.stop();
  }
}
