/**
 * The demo replay: a small generated population goes through both doors as a bank would send it, until every user is
 * recognised. Interrupted, it goes on at the next start: the service knows what it has.
 */
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Type } from "typebox";
import { Parse } from "typebox/value";
import type { Day } from "../time/calendar.ts";
import { hasCluster } from "../database/embedded/cluster.ts";
import { dataFolderAt } from "../machine/data-folder.ts";
import { type DemoHost, demoPartnerId } from "./host.ts";
import { brokenFile, readSmallFile, writeSmallFile } from "../machine/small-file.ts";
import { type DemoSender, openSender } from "./sender.ts";
import { type Clock, createClock } from "../time/clock.ts";

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

/**
 * Before the service is there: its people are made up while it starts, which waits for its database most of the time.
 * @returns null where nothing will be replayed as far as one can see; whoever prepared closes
 */
export async function prepareReplay(dataDir: string, asOf?: Day): Promise<DemoSender | null> {
  const kept = await readReplayState(path.join(dataFolderAt(dataDir).demo, stateName));
  const isOpen = kept === null ? !(await hasCluster(dataDir)) : !kept.done;
  return isOpen ? openSender({ ...population, until: kept?.until ?? firstUntil(createClock(asOf)) }) : null;
}

/** @returns whether there was something to replay. Stops early, to be continued, when the signal is raised. */
export async function replayDemo(
  tideline: DemoHost,
  prepared: DemoSender | null,
  showProgress: ShowProgress,
  signal: AbortSignal,
): Promise<boolean> {
  const state = await openState(tideline);
  if (state === null || state.done) return false;
  try {
    await sendAll(tideline, state.until, prepared, showProgress, signal);
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
  const state = { until: firstUntil(tideline.clock), done: false };
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

const stateName = "replay.json";

function stateFile(tideline: DemoHost): string {
  return path.join(tideline.folder.demo, stateName);
}

function firstUntil(clock: Clock): Day {
  return clock.today("Europe/Copenhagen");
}

async function sendAll(
  tideline: DemoHost,
  until: Day,
  prepared: DemoSender | null,
  showProgress: ShowProgress,
  signal: AbortSignal,
): Promise<void> {
  const isPrepared = prepared !== null && prepared.population.until === until;
  const sender = isPrepared ? prepared : openSender({ ...population, until });
  const progress = showProgress("  sent over HTTPS and SFTP", "transactions");
  try {
    await sender.send(tideline.folder.demo, signal, (done, total) => progress.update(done, total));
  } finally {
    progress.stop();
    sender.close();
  }
}

const pollEveryMs = 100;

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
