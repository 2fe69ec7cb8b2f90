/**
 * The demo replay: a small generated population goes through both doors as a bank would send it, until every user is
 * recognised. Interrupted, it goes on at the next start: the service knows what it has.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Type } from "typebox";
import { Parse } from "typebox/value";
import type { Day } from "../time/calendar.ts";
import { Fault } from "../errors.ts";
import type { DemoHost } from "./host.ts";
import { brokenFile, readSmallFile, writeSmallFile } from "../machine/small-file.ts";
import { demoPartnerId } from "./provision.ts";
import type { SendingFailure, SendingMessage, SendingTask } from "./send.ts";

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
  try {
    await sendAll(tideline, state.until, showProgress, signal);
    await waitUntilRecognised(tideline, population.users, showProgress, signal);
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

/**
 * By a process of its own, as a bank is one: what it takes to make up households and to seal their payments is given back
 * when it ends, and a service keeps none of it.
 */
async function sendAll(tideline: DemoHost, until: Day, showProgress: ShowProgress, signal: AbortSignal): Promise<void> {
  const progress = showProgress("  sent over HTTPS and SFTP", "transactions");
  const child = fork(fileURLToPath(new URL("./send.ts", import.meta.url)));
  const stop = () => child.connected && child.send({ stop: true });
  signal.addEventListener("abort", stop);
  try {
    const ended = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
    let failure: SendingFailure | null = null;
    child.on("message", (message: SendingMessage) => {
      if ("failure" in message) failure = message.failure;
      else progress.update(message.progress.done, message.progress.total);
    });
    child.send({ folder: tideline.folder.demo, population: { ...population, until } } satisfies SendingTask);
    const [code, killedBy] = await ended;
    if (failure !== null) throw asFault(failure);
    if (code !== 0 && !signal.aborted) throw new Error(`the demo's sender ended with ${killedBy ?? `code ${code}`}`);
  } finally {
    signal.removeEventListener("abort", stop);
    progress.stop();
  }
}

function asFault({ code, message }: SendingFailure): Error {
  return code === null ? new Error(message) : new Fault(code, message);
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
