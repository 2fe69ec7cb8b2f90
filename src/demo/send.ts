/**
 * The sender of the demo's replay, a process of its own: sender.ts starts it, tells it whom to make up and then where to
 * send, and is told how far it is. Half of the users go over HTTPS, a quarter as a .jsonl and a quarter as one .jwe over SFTP, at the same time.
 */
import { batchesOfThreadMax } from "../../config/staging.ts";
import { generatePopulation, type Household } from "../../fixtures/population.ts";
import { type ErrorCode, Fault } from "../errors.ts";
import type { RawTransaction } from "../interface/record.ts";
import { readCredentials } from "../sender/credentials.ts";
import type { Door } from "../sender/door.ts";
import { openHttpsDoor } from "../sender/https-door.ts";
import { sendThrough } from "../sender/send-through.ts";
import { openSftpDoor } from "../sender/sftp-door.ts";
import { sendUsers } from "../sender/users.ts";

export type Population = Parameters<typeof generatePopulation>[0];
/** First whom to make up; then the demo partner's folder, with everything that a sender needs. */
export type SendingTask = { population: Population } | { folder: string } | { stop: true };
/** code: of a fault, that the user is told in words. */
export type SendingFailure = { code: ErrorCode | null; message: string };
/** done is total when that part is sent. */
export type SendingMessage = { progress: { done: number; total: number } } | { failure: SendingFailure };

const stopping = new AbortController();
let households: readonly Household[] = [];

// A terminal's Ctrl-C reaches both processes; the other one tells this one what to do.
process.on("SIGINT", () => undefined);
process.on("disconnect", () => process.exit(1));
process.on("message", (message: SendingTask) => {
  if ("population" in message) households = [...generatePopulation(message.population)];
  else if ("folder" in message) void sendAll(message.folder).then(end, fail);
  else stopping.abort();
});

function end(): void {
  process.exit(0);
}

function fail(error: unknown): void {
  if (stopping.signal.aborted) end();
  const failure =
    error instanceof Fault
      ? { code: error.code, message: error.message }
      : { code: null, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  process.send?.({ failure } satisfies SendingMessage, () => process.exit(1));
}

/** Over HTTPS no more at once than one thread of the door takes: a second one would start for this, and cost more than it brings. */
async function sendAll(folder: string): Promise<void> {
  const { signal } = stopping;
  const credentials = await readCredentials(folder);
  const group = (...remainders: number[]) => households.filter((_, index) => remainders.includes(index % 4));
  const tell = openCount(households.reduce((sum, { transactions }) => sum + transactions.length, 0));
  const https = await openHttpsDoor(credentials, signal, batchesOfThreadMax);
  const overSftp = async (format: "jsonl" | "jwe", members: readonly Household[]): Promise<void> => {
    const options = { name: `demo-history.${format}`, format, spoolDirectory: folder, signal };
    const sftp = await openSftpDoor(credentials, options);
    await withDoor(sftp, () => sendGroup(sftp, members, tell));
  };
  await withDoor(https, async () => {
    await sendUsers(
      https,
      households.map((household) => household.user),
      { signal },
    );
    await Promise.all([sendGroup(https, group(0, 2), tell), overSftp("jsonl", group(1)), overSftp("jwe", group(3))]);
  });
}

async function withDoor(door: Door, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    await door.close();
  }
}

/** @returns what each group calls with how many of its transactions are sent; the sum of all is told */
function openCount(total: number): (group: Door, done: number) => void {
  const sent = new Map<Door, number>();
  return (group, done) => {
    sent.set(group, done);
    const all = sent.values().reduce((sum, one) => sum + one, 0);
    process.send?.({ progress: { done: all, total } } satisfies SendingMessage);
  };
}

async function sendGroup(
  door: Door,
  households: readonly Household[],
  tell: ReturnType<typeof openCount>,
): Promise<void> {
  const records = inTimeOrder(households);
  const summary = await sendThrough({
    records,
    partnerId: "demo",
    door,
    complete: true,
    signal: stopping.signal,
    // A file counts as sent only when it is delivered whole; until then what went into it is what can be shown.
    onProgress: (so) => tell(door, door.durableAfter === "file" ? so.recordsRead : so.recordsSent + so.recordsKnown),
  });
  if (summary.refusal)
    throw new Fault(
      "INTERNAL",
      `The demo's own batch was refused: ${summary.refusal.errorCode} ${summary.refusal.message}`,
    );
}

/** As a bank's nightly run has it: day after day, all customers mixed. */
function inTimeOrder(households: readonly Household[]): RawTransaction[] {
  const ofDays = Map.groupBy(
    households.flatMap((household) => household.transactions),
    ({ tx }) => (tx?.txTime ?? "").slice(0, 10),
  );
  return [...ofDays.keys()].sort().flatMap((day) => ofDays.get(day) ?? []);
}
