/** `tideline recognise`: figures made anew for users in the database, or recognition over a file without any. */
import { availableParallelism } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import { baseUrlOf } from "../../machine/addresses.ts";
import { createClock } from "../../time/clock.ts";
import { readConfig } from "../../config.ts";
import { Fault } from "../../errors.ts";
import { createEvents } from "../../events.ts";
import type { Changes } from "../../recognition/services/changes.ts";
import { comparingServices } from "../../recognition/comparison.ts";
import { countHeld, countMarked, type Marked, markForRecognition } from "../../partners/changed-users.ts";
import { countUnasked } from "../../recognition/preview/held-back.ts";
import { recogniseChanged } from "../../recognition/run.ts";
import { openPools } from "../../staging/pools.ts";
import { commonOptions, readArguments, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { startProgress } from "../terminal/progress.ts";
import { runOptions, runsCommand } from "./preview.ts";
import { recogniseFile } from "./recognise-file.ts";
import { alignColumns, countOf, formatCount, printResult } from "../terminal/result.ts";
import { type Session, withSession } from "../service/session.ts";

export const usage = `
tideline recognise --user BANK-USER-ID [--partner P] [--as-of YYYY-MM-DD] [--data-dir DIR] [--json]
tideline recognise --all [--report] [--partner P] [--as-of YYYY-MM-DD] [--data-dir DIR] [--json]
tideline recognise FILE [--as-of YYYY-MM-DD|FILE.json] [--country CC] [--currency CCC]
tideline recognise --preview NAME [--partner P] [--as-of DAY] [--asked-percent N] [--visible-percent N] [--html FILE] [--json]
tideline recognise --compare RUN[,RUN] [--html FILE] [--limit N] [--json]
tideline recognise --put-in-force RUN [--json]
tideline recognise --keep NAME [--partner P] | --runs | --forget NAME [--json]

The first two make the services of users in the database anew and return when that is done: by the running service,
whose business day holds (--as-of is refused then), or here when none runs (then --as-of may name the business day). --report tells what that
changed: services new and gone, and those whose frequency or status is another.
With a FILE of RawTransactions (JSON array or JSON Lines, .gz too) nothing is stored: one service a line on standard
output, money leaving is negative. --as-of: a day, or a JSON object of days by user; default: each user's last day.
--preview finds what this version would, beside what is in force, which stays as it is; --keep keeps what is in force
under a name. --compare tells what two of these find differently, or one of them and what is in force now. A preview that
was stopped goes on with the same command. --asked-percent and --visible-percent: from which confidence on users are
asked and shown, in place of what their brands set. --put-in-force has what a preview was made with hold: this version,
for brands whose recognitionRollout is preview, and the thresholds that it was given. What such a brand's users would see
differently is held until then; the service keeps it in runs named version-N-PARTNER and version-N-PARTNER-before.
`;

export async function run(argv: string[]): Promise<number> {
  const text = { type: "string" } as const;
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    user: text,
    all: { type: "boolean", default: false },
    report: { type: "boolean", default: false },
    partner: text,
    "as-of": text,
    country: text,
    currency: text,
    ...runOptions,
  });
  const [file, ...more] = positionals;
  const ofRuns = await runsCommand(values);
  if (ofRuns !== null) return ofRuns;
  if ([file !== undefined, values.user !== undefined, values.all].filter(Boolean).length !== 1 || more.length > 0)
    usageError("Give one of FILE, --user and --all.");
  if (values.report && !values.all) usageError("--report goes with --all.");
  if (file !== undefined) return await overFile(file, values);
  const config = readConfig({
    ...(values["data-dir"] === undefined ? {} : { dataDir: values["data-dir"] }),
    ...(values["as-of"] === undefined ? {} : { asOf: values["as-of"] }),
  });
  return await withSession(config, async (session) => {
    if (values["as-of"] !== undefined && !session.alone)
      usageError(
        "--as-of holds only where this command recognises by itself, with the embedded database and no service running. " +
          "Here the service does it, by its own business day: stop it, or start it with tideline up --as-of.",
      );
    const held = values.all ? await countHeld(session.database, values.partner ?? null) : 0;
    if (held > 0)
      usageError(
        `${countOf(held, "user")} ${held === 1 ? "is" : "are"} held: a version of recognition is not put in force. Look at it with --runs and --compare, then --put-in-force.`,
      );
    const unasked = values.all ? await countUnasked(session.database, values.partner ?? null) : 0;
    if (unasked > 0)
      usageError(
        `${countOf(unasked, "user")} of brands with recognitionRollout=preview ${unasked === 1 ? "has" : "have"} not been looked at by this version yet, and would get what it finds unseen. The running service looks at them first: try again when --runs lists what it found.`,
      );
    const anew = async (): Promise<number> => {
      const marked = await markForRecognition(session.database, values.partner ?? null, values.user ?? null);
      if (marked.users === 0)
        throw new Fault(
          "NOT_FOUND",
          values.user === undefined ? "There is no user." : `There is no user "${values.user}".`,
        );
      await recogniseMarked(session, marked, values.json);
      return marked.users;
    };
    if (!values.report) {
      const users = await anew();
      printResult(values.json, { users }, [`Recognised anew: ${countOf(users, "user")}.`]);
      return exitCode.done;
    }
    const { result: users, changes } = await comparingServices(session.database, anew);
    printResult(values.json, { users, ...changes }, [
      `Recognised anew: ${countOf(users, "user")}.`,
      ...describeChanges(changes),
    ]);
    return exitCode.done;
  });
}

function describeChanges(changes: Changes): string[] {
  return alignColumns([
    ["services new", formatCount(changes.servicesNew)],
    ["services gone", formatCount(changes.servicesGone)],
    ["frequency changed", formatCount(changes.frequenciesChanged)],
    ["status changed", formatCount(changes.statusesChanged)],
  ]);
}

async function overFile(
  file: string,
  values: { "as-of"?: string | undefined; country?: string | undefined; currency?: string | undefined },
): Promise<number> {
  await recogniseFile({
    file,
    ...(values["as-of"] === undefined ? {} : { asOf: values["as-of"] }),
    ...(values.country === undefined ? {} : { country: values.country }),
    ...(values.currency === undefined ? {} : { currency: values.currency }),
    out: process.stdout,
    progress: (line) => void process.stderr.write(`${line}\n`),
  });
  return exitCode.done;
}

async function recogniseMarked(session: Session, marked: Marked, silent: boolean): Promise<void> {
  const progress = startProgress({ label: "recognising", unit: "users", silent });
  try {
    const here = session.alone ? recogniseDue(session) : null;
    await untilRecognised(session, marked, here, (done) => progress.update(done, marked.users));
    await here;
  } finally {
    progress.stop();
  }
}

/** Recognises whoever is due here, with the same threads and the same statements as the service. */
export async function recogniseDue({ config, database, url, folder, keyEncryptionKey }: Session): Promise<void> {
  const threads = availableParallelism();
  const pools = openPools(
    { databaseUrl: url, keyEncryptionKey: await keyEncryptionKey(), vaultDirectory: folder.vault },
    { doorThreads: 1, loadThreads: 1, recognitionThreads: threads },
  );
  try {
    const events = createEvents({ level: "silent" });
    await recogniseChanged(
      {
        database,
        clock: createClock(config.asOf),
        events,
        baseUrl: config.publicUrl ?? baseUrlOf(config.host, config.httpsPort),
        recognise: pools.recognise,
      },
      () => false,
      threads,
    );
  } finally {
    await pools.close();
  }
}

const pollEveryMs = 200;
/** A running worker takes users within a second; past this it is said that none does. */
const silenceMsMax = 30_000;

/**
 * Users with new data go before these, and a busy service may be at them for hours: silence is told and waited out,
 * since what was marked stays marked whether this command waits or not. Ctrl-C ends the waiting.
 * @throws what recognition here threw.
 */
async function untilRecognised(
  session: Session,
  marked: Marked,
  here: Promise<void> | null,
  onDone: (users: number) => void,
): Promise<void> {
  let fewest = Number.POSITIVE_INFINITY;
  let changedAt = performance.now();
  let told = false;
  for (;;) {
    const waiting = await countMarked(session.database, marked.at);
    onDone(Math.max(0, marked.users - waiting));
    if (waiting === 0) return;
    if (waiting < fewest) [fewest, changedAt, told] = [waiting, performance.now(), false];
    if (!told && performance.now() - changedAt > silenceMsMax) {
      process.stderr.write(
        `Waiting for a worker: ${countOf(waiting, "user")}, on its list also when this command is stopped.\n`,
      );
      told = true;
    }
    await Promise.race([wait(pollEveryMs), ...(here ? [here.then(() => wait(pollEveryMs))] : [])]);
  }
}
