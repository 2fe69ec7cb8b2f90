/**
 * The demo replay: a small generated population goes through both doors as a bank would send it, until every user is
 * recognised. Interrupted, it goes on at the next start: the service knows what it has.
 */
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Type } from "typebox";
import { Parse } from "typebox/value";
import { generatePopulation, type Household } from "../../fixtures/population.ts";
import type { Day } from "../time/calendar.ts";
import { Fault } from "../errors.ts";
import type { RawTransaction } from "../interface/record.ts";
import type { DemoHost } from "./host.ts";
import { brokenFile, readSmallFile, writeSmallFile } from "../machine/small-file.ts";
import { readCredentials } from "../sender/credentials.ts";
import type { Door } from "../sender/door.ts";
import { openHttpsDoor } from "../sender/https-door.ts";
import { sendThrough } from "../sender/send-through.ts";
import { openSftpDoor } from "../sender/sftp-door.ts";
import { sendUsers } from "../sender/users.ts";
import { demoPartnerId } from "./provision.ts";

/** Shows how far one step of the replay is, wherever its caller wants it shown. */
export type ShowProgress = (
  label: string,
  unit: string,
) => { update(done: number, total: number): void; /** Idempotent. */ stop(): void };

/** Enough to show every frequency and each country, little enough to be recognised within a minute. */
const population = { users: 40, months: 26, seed: 1 };

const ReplayStateSchema = Type.Object({
  until: Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" }),
  done: Type.Boolean(),
});
type ReplayState = { until: Day; done: boolean };

/** @returns whether there was something to replay. Stops early, to be continued, when the signal is raised. */
export async function replayDemo(
  tideline: DemoHost,
  showProgress: ShowProgress,
  signal: AbortSignal,
): Promise<boolean> {
  const state = await openState(tideline);
  if (state === null || state.done) return false;
  const households = [...generatePopulation({ ...population, until: state.until })];
  try {
    await sendAll(tideline, households, showProgress, signal);
    await waitUntilRecognised(tideline, households.length, showProgress, signal);
  } catch (error) {
    if (signal.aborted) return true;
    throw error;
  }
  if (!signal.aborted) await keepState(tideline, { ...state, done: true });
  return true;
}

/** The replay under way or done; a new one for an empty ledger; null when the ledger holds other data. */
async function openState(tideline: DemoHost): Promise<ReplayState | null> {
  const kept = await readReplayState(stateFile(tideline));
  if (kept !== null) return kept;
  const { rows } = await tideline.database.query<{ empty: boolean }>(
    "select not exists (select 1 from users) as empty",
  );
  if (rows[0]?.empty !== true) return null;
  const state = { until: tideline.clock.today("Europe/Copenhagen"), done: false };
  await keepState(tideline, state);
  return state;
}

const remedy =
  "It says how far the demo's replay is. Remove it to leave the replay as it is; it begins again only in an empty ledger.";

/** @returns null when none has begun. @throws Fault FILE_BROKEN */
export async function readReplayState(file: string): Promise<ReplayState | null> {
  const text = await readSmallFile(file, remedy);
  if (text === null) return null;
  try {
    return Parse(ReplayStateSchema, JSON.parse(text));
  } catch (error) {
    throw brokenFile(file, "is broken: it does not hold until and done", remedy, error);
  }
}

async function keepState(tideline: DemoHost, state: ReplayState): Promise<void> {
  await writeSmallFile(stateFile(tideline), `${JSON.stringify(state)}\n`);
}

function stateFile(tideline: DemoHost): string {
  return path.join(tideline.folder.demo, "replay.json");
}

/** Half of the users go over HTTPS, a quarter as a .jsonl and a quarter as one .jwe over SFTP. */
async function sendAll(
  tideline: DemoHost,
  households: readonly Household[],
  showProgress: ShowProgress,
  signal: AbortSignal,
): Promise<void> {
  const credentials = await readCredentials(tideline.folder.demo);
  const spoolDirectory = tideline.folder.demo;
  const group = (...remainders: number[]) => households.filter((_, index) => remainders.includes(index % 4));
  const https = await openHttpsDoor(credentials, signal);
  await withDoor(https, async () => {
    await sendUsers(
      https,
      households.map((household) => household.user),
      { signal },
    );
    await sendGroup("over HTTPS ", https, group(0, 2), showProgress, signal);
  });
  for (const [format, members] of [
    ["jsonl", group(1)],
    ["jwe", group(3)],
  ] as const) {
    const sftp = await openSftpDoor(credentials, { name: `demo-history.${format}`, format, spoolDirectory, signal });
    await withDoor(sftp, () => sendGroup(`SFTP .${format.padEnd(6)}`, sftp, members, showProgress, signal));
  }
}

async function withDoor(door: Door, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    await door.close();
  }
}

async function sendGroup(
  label: string,
  door: Door,
  households: readonly Household[],
  showProgress: ShowProgress,
  signal: AbortSignal,
): Promise<void> {
  const records = inTimeOrder(households);
  const progress = showProgress(`  ${label}`, "transactions");
  const summary = await sendThrough({
    records,
    partnerId: demoPartnerId,
    door,
    complete: true,
    signal,
    // A file counts as sent only when it is delivered whole; until then what went into it is what can be shown.
    onProgress: (so) =>
      progress.update(door.durableAfter === "file" ? so.recordsRead : so.recordsSent + so.recordsKnown, records.length),
  }).finally(() => progress.stop());
  if (summary.refusal)
    throw new Fault(
      "INTERNAL",
      `The demo's own batch was refused: ${summary.refusal.errorCode} ${summary.refusal.message}`,
    );
}

/** As a bank's nightly run has it: day after day, all customers mixed. */
function inTimeOrder(households: readonly Household[]): RawTransaction[] {
  const records = households.flatMap((household) => household.transactions);
  return records.toSorted((a, b) => (a.tx?.txTime ?? "").slice(0, 10).localeCompare((b.tx?.txTime ?? "").slice(0, 10)));
}

const pollEveryMs = 250;

async function waitUntilRecognised(
  tideline: DemoHost,
  users: number,
  showProgress: ShowProgress,
  signal: AbortSignal,
): Promise<void> {
  const progress = showProgress("  recognised ", "users");
  try {
    for (let done = 0; done < users && !signal.aborted; await wait(pollEveryMs, undefined, { signal })) {
      const { rows } = await tideline.database.query<{ done: number }>(
        `select count(*) as done
           from read_models as model
           join users on users.id = model.user_id
          where users.partner_id = $1
            and model.import_complete`,
        [demoPartnerId],
      );
      done = rows[0]?.done ?? 0;
      progress.update(done, users);
    }
  } finally {
    progress.stop();
  }
}
