/** What a run of `send` or `backfill` did, in figures that add up, and the exit code that follows. */
import type { SendSummary } from "../../sender/send-records.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { alignColumns, countOf, formatCount, printResult } from "../terminal/result.ts";

/** The answer holds up to a hundred; these show the pattern. */
const detailsShownMax = 10;

export type Sending = { via: string; journalPath: string; summary: SendSummary };

/** Prints the summaries; as JSON one object, or a list of several. @returns the exit code */
export function reportSendings(sendings: readonly Sending[], asJson: boolean): number {
  const documents = sendings.map(({ via, journalPath, summary }) => ({ via, ...summary, journal: journalPath }));
  printResult(asJson, documents.length === 1 ? documents[0] : documents, sendings.flatMap(describeSending));
  return Math.max(exitCode.done, ...sendings.map(({ summary }) => exitCodeOf(summary)));
}

function exitCodeOf(summary: SendSummary): number {
  if (summary.outcome === "interrupted") return exitCode.interrupted;
  const refused =
    summary.outcome === "refused" || summary.receipt?.state === "refused" || (summary.receipt?.counts.refused ?? 0) > 0;
  return refused ? exitCode.refused : exitCode.done;
}

function describeSending({ via, journalPath, summary }: Sending): string[] {
  const n = formatCount;
  const rows = [
    [
      "records read",
      `${n(summary.recordsRead)} = ${n(summary.recordsSent)} sent + ${n(summary.recordsKnown)} sent before + ${n(summary.recordsRefused)} refused + ${n(summary.recordsUnsent)} not sent`,
    ],
    [
      "batches",
      `${n(summary.batchesSent)} sent over ${via}, ${n(summary.batchesKnown)} sent before${summary.retries > 0 ? `, ${countOf(summary.retries, "call")} repeated` : ""}`,
    ],
    [
      "took",
      `${(summary.durationMs / 1000).toFixed(1)} s, ${n(Math.round((summary.recordsSent * 1000) / Math.max(1, summary.durationMs)))} records/s`,
    ],
  ];
  if (summary.markersSent > 0) rows.push(["IMPORT_COMPLETED", countOf(summary.markersSent, "user")]);
  if (summary.usersCreated + summary.usersExisting > 0)
    rows.push(["users", `${n(summary.usersCreated)} created, ${n(summary.usersExisting)} there already`]);
  if (summary.file) rows.push(["file", `${summary.file.name}, ${countOf(summary.file.sizeBytes, "byte")}`]);
  if (summary.receipt) rows.push(["receipt", describeReceipt(summary.receipt)]);
  rows.push(["journal", journalPath]);
  return [
    ...alignColumns(rows),
    ...(summary.refusal ? describeRefusal(summary.refusal) : []),
    ...describeOutcome(summary),
  ];
}

function describeReceipt(receipt: NonNullable<SendSummary["receipt"]>): string {
  const { records, new: fresh, known, conflicting, refused, waiting, markers } = receipt.counts;
  const n = formatCount;
  const counts = `${countOf(records, "record")} = ${n(fresh)} new + ${n(known)} known + ${n(conflicting)} conflicting + ${n(refused)} refused + ${n(waiting)} waiting + ${countOf(markers, "marker")}`;
  return receipt.refusal
    ? `${receipt.state}: ${receipt.refusal.code}, ${receipt.refusal.reason}`
    : `${receipt.state}: ${counts}`;
}

function describeRefusal(refusal: NonNullable<SendSummary["refusal"]>): string[] {
  const recordOf = (index: number | undefined) =>
    index === undefined ? "the batch" : `record ${formatCount(refusal.recordsBefore + index + 1)}`;
  const shown = refusal.details
    .slice(0, detailsShownMax)
    .map((detail) => `  ${recordOf(detail.index)}  ${detail.field}  ${detail.reason}`);
  const more = refusal.details.length - shown.length;
  return [
    "",
    `Batch ${refusal.requestId} was refused (${refusal.status} ${refusal.errorCode}): ${refusal.message}`,
    ...shown,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

function describeOutcome(summary: SendSummary): string[] {
  if (summary.outcome === "interrupted") return ["", "Stopped. Run the same command again to go on where it stopped."];
  if (summary.outcome === "refused")
    return [
      "",
      "Stopped at the refused batch. Correct the source and run the same command again: what was taken is not sent twice.",
    ];
  return [];
}
