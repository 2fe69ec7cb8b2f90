/** What has no setting, for `tideline check-config --fixed`: what an operator meets, with its value and the reason for it. */
import {
  consoleConnectionsMax,
  observationConnectionsMax,
  queueConnectionsMax,
  threadConnectionsMax,
} from "../../../config/connections.ts";
import {
  expectedFilesMax,
  keptWithRowBytesMax,
  quotaDefaults,
  quotaMax,
  retentionDefaults,
  retentionDaysMax,
} from "../../../config/landing.ts";
import {
  amountAbsoluteMax,
  chunkBytesMax,
  chunkRecordsMax,
  fileCiphertextBytesMax,
  filePlaintextBytesMax,
  identifierLengthMax,
  openedRatioMax,
  problemsAnsweredMax,
  problemsKeptMax,
  recordBytesMax,
  requestBodyBytesMax,
  requestPlaintextBytesMax,
  requestRecordsMax,
} from "../../../config/limits.ts";
import { makingWithinMs, reportsWaitingMax, waitingWithinMs } from "../../../config/reports.ts";
import {
  groupMembersMax,
  loadThreadsBeside,
  lookEveryMs,
  parkedLoadsMax,
  smallBytesMax,
  smallOpenedBytesMax,
  turnMs,
  weightMax,
} from "../../../config/staging.ts";
import { sftpLimits } from "../../landing/sftp/limits.ts";
import { silentAfterSeconds } from "../../observation/processes.ts";

export type FixedLimit = { what: string; unit: string; value: number; reason: string };

const byPartner = (setting: string) => `Of a partner until tideline partner set says otherwise (${setting}).`;

export const fixedLimits: readonly FixedLimit[] = [
  ...listed("records", [
    ["in one pushed request", requestRecordsMax, "The interface says so."],
    ["in one transaction of a load", chunkRecordsMax, "Fewer cost commits, more cost memory and repeated work."],
    ["in the answer about refused ones", problemsAnsweredMax, "Enough to see what is wrong; the counts are exact."],
    ["kept as refused, of one delivery", problemsKeptMax, "The original keeps the others; the counts are exact."],
  ]),
  ...listed("bytes", [
    ["body of a pushed request", requestBodyBytesMax, "750 records at their field limits, signed and sealed."],
    ["plaintext of a request", requestPlaintextBytesMax, "The same, opened."],
    ["one record's JSON", recordBytesMax, "The longest texts allowed, every character escaped."],
    ["an encrypted file", fileCiphertextBytesMax, "AES-GCM under one key and nonce ends there (NIST SP 800-38D)."],
    ["a file, opened", filePlaintextBytesMax, "Some 400 million records."],
    ["a file over SFTP", sftpLimits.fileSizeBytesMax, "As an encrypted file."],
    ["plaintext of one transaction of a load", chunkBytesMax, "Bounds a thread's memory, whatever senders write."],
    ["a small delivery", smallBytesMax, "Loaded in a lane of its own, so that none waits for a file of hours."],
    ["a small delivery, opened", smallOpenedBytesMax, "What opens to more goes to the other lane."],
    [
      "a file whose bytes are committed with its row",
      keptWithRowBytesMax,
      "One sync instead of three; beyond, twice the writing.",
    ],
    ["undelivered of a partner", quotaDefaults.inboxBytes, byPartner("quota.inboxBytes")],
    ["stored of a partner", quotaDefaults.storedBytes, byPartner("quota.storedBytes")],
    ["that a quota may say", quotaMax.bytes, "More is a slip of the pen."],
  ]),
  ...listed("times its size", [["that a file may open to", openedRatioMax, "Transactions reach 15, bombs 1,000."]]),
  ...listed("characters", [
    ["of an identifier", identifierLengthMax, "It is part of an index, whose rows end at 2,704 bytes."],
  ]),
  ...listed("units of money", [
    ["of one amount, up or down", amountAbsoluteMax, "Beyond, a JSON number is not exact."],
  ]),
  ...listed("files", [
    ["undelivered of a partner", quotaDefaults.inboxFiles, byPartner("quota.inboxFiles")],
    ["stored of a partner", quotaDefaults.storedFiles, byPartner("quota.storedFiles")],
    ["loaded together", groupMembersMax, "Small ones and requests; a commit each would cost more than they do."],
    ["expected of a partner", expectedFilesMax, "More kinds are a mistake."],
  ]),
  ...listed("folders", [["in inbox/ of a partner", quotaDefaults.inboxFolders, byPartner("quota.inboxFolders")]]),
  ...listed("days", [
    ["landed bytes stay", retentionDefaults.landedDays, byPartner("retention.landedDays")],
    ["rows and receipts stay", retentionDefaults.receiptDays, byPartner("retention.receiptDays")],
    ["a deleted user's data stay", retentionDefaults.deletedUserDays, byPartner("retention.deletedUserDays")],
    ["that a partner's retention may say", retentionDaysMax, "Book-keeping acts ask for ten years at most."],
  ]),
  ...listed("connections", [
    [
      "of a thread to the database",
      threadConnectionsMax,
      "One carries the load, one looks up meanwhile; through a pooler a third holds its lock.",
    ],
    ["of the queue to the database", queueConnectionsMax, "Without REDIS_URL; of it and of its worker each."],
    ["of the console to the database", consoleConnectionsMax, "Some pages at once, and what they write."],
    ["of whoever watches, to the database", observationConnectionsMax, "Readiness, figures, the beat."],
    ["of a partner over SFTP, logged in", quotaDefaults.sessions, byPartner("quota.sessions")],
    ["that quota.sessions may say", quotaMax.sessions, "The door's own ceiling."],
  ]),
  ...listed("threads", [
    ["that load small deliveries only", loadThreadsBeside, "Beside TIDELINE_LOAD_THREADS."],
    ["with a parked load at most", parkedLoadsMax, "Each keeps two connections and a chunk in memory."],
  ]),
  ...listed("reports", [
    ["waiting in a process", reportsWaitingMax, "The last one waits ten seconds; then callers are told to come again."],
  ]),
  ...listed("turns", [["that load.weight may say", weightMax, "A hundred times the share of another."]]),
  ...listed("attempts", [
    ["to log in, of one SFTP connection", sftpLimits.loginAttemptsMax, "An agent offers its keys one by one."],
  ]),
  ...listed("channels", [["of one SFTP connection", sftpLimits.channelsPerConnectionMax, "As OpenSSH's MaxSessions."]]),
  ...listed("handles", [
    ["open in one SFTP session", quotaDefaults.handles, byPartner("quota.handles")],
    ["that quota.handles may say", quotaMax.handles, "The door's own ceiling."],
  ]),
  ...listed("milliseconds", [
    ["a load runs while others wait", turnMs, "Then it parks, and goes on where it stood."],
    ["between two looks for work", lookEveryMs, "Calls of the queue can be lost."],
    ["to make a report", makingWithinMs, "One that takes longer is stuck."],
    ["a caller waits for a budget's report", waitingWithinMs, "Proxies give up after a minute."],
  ]),
  ...listed("seconds", [["without a beat, and a process is silent", silentAfterSeconds, "It beats every ten."]]),
];

function listed(unit: string, rows: readonly (readonly [string, number, string])[]): FixedLimit[] {
  return rows.map(([what, value, reason]) => ({ what, unit, value, reason }));
}
