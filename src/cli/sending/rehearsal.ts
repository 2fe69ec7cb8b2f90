/** `backfill --dry-run`: the replay as far as its door, and what would go through that. */
import { cutBatches } from "../../sealing/batches.ts";
import type { RawTransaction } from "../../interface/record.ts";
import { readJournal } from "../../sender/journal.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { alignColumns, formatCount, printResult } from "../terminal/result.ts";
import type { Population } from "./population-source.ts";
import type { Replay } from "./replay.ts";

export type Rehearsal = {
  dryRun: true;
  name: string;
  via: string;
  partnerId: string;
  /** recordsRead = recordsToSend + recordsKnown; added markers are counted apart. */
  recordsRead: number;
  recordsToSend: number;
  /** Sent by an earlier run, as the journal says. */
  recordsKnown: number;
  markersToSend: number;
  batchesToSend: number;
  batchesKnown: number;
  /** Whom the records name, and whom the source brings to be created. */
  usersOfRecords: number;
  usersToCreate: number;
  /** YYYY-MM-DD of the earliest and latest payment; null without any. */
  firstDay: string | null;
  lastDay: string | null;
  /** At the rate that was asked for; null: as fast as it goes. */
  seconds: number | null;
  journal: string;
};

export type RehearsedReplay = Pick<
  Replay,
  "population" | "partnerId" | "complete" | "journalPath" | "again" | "recordsPerSecondMax"
> & { via: string };

/** Reads everything as the replay would, cuts the same batches, and sends and writes nothing. @throws Fault SOURCE_INVALID */
export async function rehearseReplay(plan: RehearsedReplay): Promise<Rehearsal> {
  const { population, partnerId, via, complete, journalPath, again, recordsPerSecondMax } = plan;
  const journal = await readJournal(journalPath, again);
  const seen = { users: new Set<string>(), firstDay: null as string | null, lastDay: null as string | null };
  const sums = { recordsToSend: 0, recordsKnown: 0, markersToSend: 0, batchesToSend: 0, batchesKnown: 0 };
  for await (const batch of cutBatches(watched(population, seen), { partnerId, complete })) {
    if (journal.has(batch.requestId)) {
      sums.recordsKnown += batch.records;
      sums.batchesKnown += 1;
    } else {
      sums.recordsToSend += batch.records;
      sums.markersToSend += batch.markersAdded;
      sums.batchesToSend += 1;
    }
  }
  let usersToCreate = 0;
  for await (const _ of population.users()) usersToCreate += 1;
  return {
    dryRun: true,
    name: population.name,
    via,
    partnerId,
    recordsRead: sums.recordsToSend + sums.recordsKnown,
    ...sums,
    usersOfRecords: seen.users.size,
    usersToCreate,
    firstDay: seen.firstDay,
    lastDay: seen.lastDay,
    seconds: recordsPerSecondMax === undefined ? null : (sums.recordsToSend + sums.markersToSend) / recordsPerSecondMax,
    journal: journalPath,
  };
}

async function* watched(
  population: Population,
  seen: { users: Set<string>; firstDay: string | null; lastDay: string | null },
): AsyncGenerator<RawTransaction> {
  for await (const record of population.records()) {
    seen.users.add(record.uid);
    const day = record.tx?.txTime?.slice(0, 10);
    if (day !== undefined) {
      if (seen.firstDay === null || day < seen.firstDay) seen.firstDay = day;
      if (seen.lastDay === null || day > seen.lastDay) seen.lastDay = day;
    }
    yield record;
  }
}

/** As JSON one object, or a list of several. @returns the exit code */
export function reportRehearsals(rehearsals: readonly Rehearsal[], asJson: boolean): number {
  printResult(asJson, rehearsals.length === 1 ? rehearsals[0] : rehearsals, [
    ...rehearsals.flatMap(describe),
    "Nothing was sent.",
  ]);
  return exitCode.done;
}

function describe(rehearsal: Rehearsal): string[] {
  const n = formatCount;
  const { firstDay, lastDay, seconds } = rehearsal;
  return alignColumns([
    ["source", rehearsal.name],
    [
      "records read",
      `${n(rehearsal.recordsRead)} = ${n(rehearsal.recordsToSend)} to send + ${n(rehearsal.recordsKnown)} sent before`,
    ],
    [
      "batches",
      `${n(rehearsal.batchesToSend)} to send over ${rehearsal.via}, ${n(rehearsal.batchesKnown)} sent before`,
    ],
    ["users", `${n(rehearsal.usersOfRecords)} have records, ${n(rehearsal.usersToCreate)} to create`],
    ...(firstDay === null ? [] : [["days", `${firstDay} to ${lastDay}`]]),
    ...(rehearsal.markersToSend === 0 ? [] : [["IMPORT_COMPLETED", n(rehearsal.markersToSend)]]),
    ...(seconds === null ? [] : [["at that rate", `${seconds.toFixed(1)} s`]]),
    ["journal", rehearsal.journal],
  ]);
}
