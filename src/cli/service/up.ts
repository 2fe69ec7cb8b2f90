/** `tideline up`: runs the chosen roles until it is told to stop. `npm start` is this with every default. */
import { parseArgs } from "node:util";
import type { KnobName } from "../../../config/knobs.ts";
import { type Config, consoleListenerOf, type Flags, readConfig } from "../../config.ts";
import { baseUrlOf } from "../../machine/addresses.ts";
import { dataFolderAt, makeWritable } from "../../machine/data-folder.ts";
import type { DemoSender } from "../../demo/sender.ts";
import { describeFault, Fault } from "../../errors.ts";
import { createEvents, type Events } from "../../events.ts";
import { type LogDestination, logDestination } from "../../log.ts";
import { startProgress } from "../terminal/progress.ts";
import { giveBack } from "../../machine/unused-memory.ts";
import type { Tideline } from "../../main.ts";

export const summary = "run Tideline: HTTPS API, SFTP door, workers, scheduler, database";
export const usage = `tideline up [--roles api,sftp,worker,scheduler,console] [--data-dir D] [--https-port N] [--sftp-port N]
            [--console-port N] [--host H] [--observe-port N] [--as-of YYYY-MM-DD] [--no-demo]

Runs the chosen roles (all by default) until Ctrl-C. On an empty embedded database it provisions the demo partner and
replays a small population through both doors; --no-demo leaves that out. --as-of starts the business clock at that
day, to replay old data. --observe-port serves /health/live, /health/ready and /metrics over plain HTTP, whatever the
role. The other settings are environment variables: see tideline check-config.`;

const options = {
  roles: { type: "string" },
  "data-dir": { type: "string" },
  "https-port": { type: "string" },
  "sftp-port": { type: "string" },
  "console-port": { type: "string" },
  host: { type: "string" },
  "observe-port": { type: "string" },
  "as-of": { type: "string" },
  "no-demo": { type: "boolean" },
} as const;

const knobOfOption: Record<Exclude<keyof typeof options, "no-demo">, KnobName> = {
  roles: "roles",
  "data-dir": "dataDir",
  "https-port": "httpsPort",
  "sftp-port": "sftpPort",
  "console-port": "consolePort",
  host: "host",
  "observe-port": "observePort",
  "as-of": "asOf",
};

/** Beyond the time to drain. A second signal, or a close that hangs, ends the process: everything accepted is durable already. */
const closeWithinMs = 45_000;
/** Far longer than what is still being written takes. */
const lingerMs = 5_000;

export async function run(argv: string[]): Promise<number> {
  const { values } = parseArgs({ args: argv, options, strict: true });
  const flags: Flags = {};
  for (const [option, knob] of Object.entries(knobOfOption)) {
    const value = values[option as keyof typeof knobOfOption];
    if (value !== undefined) flags[knob] = value;
  }
  const config = readConfig(flags);
  await makeWritable(config.dataDir);
  const { events, file: logFile } = openLog(config);
  const stop = listenForSignals(events, logFile);
  say("Tideline is starting …");
  const isDemo = values["no-demo"] !== true && canReplay(config);
  // What it cannot see into is told when it is the replay's turn.
  const sender = isDemo ? await (await replay()).prepareReplay(config.dataDir, config.asOf).catch(() => null) : null;
  try {
    // Read only now: the sender makes its people up on another processor meanwhile.
    const { openTideline } = await import("../../main.ts");
    const tideline = await openTideline(config, events);
    // Half of what a start has read and made is not needed again; V8 would let it lie until its heap had doubled.
    giveBack();
    try {
      await serve(tideline, config, { isDemo, sender, stop });
    } finally {
      const withinMs = closeWithinMs + config.drainSeconds * 1000;
      await close(tideline, events, stop.aborted ? "asked" : "broken", withinMs);
      endSoon(events);
    }
  } finally {
    sender?.close();
  }
  return process.exitCode === undefined ? 0 : Number(process.exitCode);
}

/** It goes through both doors, into an embedded database. */
function canReplay(config: Config): boolean {
  return (
    config.databaseUrl === undefined &&
    (["api", "sftp", "worker"] as const).every((role) => config.roles.includes(role))
  );
}

/** Read by whoever needs it: a sender, its population and its keys are no part of the service. */
async function replay(): Promise<typeof import("../../demo/replay.ts")> {
  return await import("../../demo/replay.ts");
}

type Serving = { isDemo: boolean; sender: DemoSender | null; stop: AbortSignal };

async function serve(tideline: Tideline, config: Config, { isDemo, sender, stop }: Serving): Promise<void> {
  if (isDemo) await (await import("../../demo/provision.ts")).provisionDemo(tideline);
  say(describeAddresses(tideline, config));
  if (isDemo) {
    const { replayDemo } = await replay();
    await replayDemo(
      tideline,
      sender,
      (label, unit) => startProgress({ label, unit, silent: false, stream: process.stdout }),
      stop,
    );
    const { describeDemo } = await import("../../demo/summary.ts");
    if (!stop.aborted) say(await describeDemo(tideline));
  }
  if (!stop.aborted) say("Ready. Ctrl-C stops it; the data stays.");
  const stopped = new Promise<null>((resolve) => {
    if (stop.aborted) resolve(null);
    else stop.addEventListener("abort", () => resolve(null), { once: true });
  });
  const reason = await Promise.race([stopped, tideline.broken]);
  if (reason !== null) throw new Fault("POSTGRES_START", `${reason} while Tideline was running.`);
}

/** Logs are JSON lines. While a terminal shows the summary they go to a file, so that both stay readable. */
function openLog(config: Config): { events: Events; file: LogDestination | null } {
  const path = config.logFile ?? (process.stdout.isTTY ? dataFolderAt(config.dataDir).logFile : undefined);
  const file = path === undefined ? null : logDestination(path);
  const { logLevel: level, logLevels: levels, logSamples: samples } = config;
  return { events: createEvents({ level, levels, samples, destination: file ?? undefined }), file };
}

function listenForSignals(events: Events, logFile: LogDestination | null): AbortSignal {
  const controller = new AbortController();
  // A service outlives the terminal that started it. Settings need no signal either: they are in force within seconds.
  // What rotates logs renames the file and sends this.
  process.on("SIGHUP", () => {
    logFile?.reopen();
    events.emit("service.hung-up", {});
  });
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(130);
      say("\nStopping: running work may finish (a second Ctrl-C does not wait) …");
      controller.abort();
    });
  }
  return controller.signal;
}

async function close(tideline: Tideline, events: Events, reason: "asked" | "broken", withinMs: number): Promise<void> {
  events.emit("service.stopping", { reason });
  const deadline = setTimeout(() => {
    say("Closing took too long; what was accepted is safe and continues at the next start.");
    process.exit(1);
  }, withinMs);
  try {
    await tideline.close();
    events.emit("service.stopped", {});
    say("Stopped.");
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    say(describeFault(error));
  } finally {
    clearTimeout(deadline);
  }
}

/** Everything is closed: a timer or connection that somebody forgot is told, and keeps no stopped service. */
function endSoon(events: Events): void {
  setTimeout(() => {
    events.emit("service.lingered", { resources: process.getActiveResourcesInfo().join(" ") });
    process.exit();
  }, lingerMs).unref();
}

function describeAddresses(tideline: Tideline, config: Config): string {
  const rows: [string, string][] = [];
  if (tideline.httpsPort !== null)
    rows.push(["API", `${tideline.baseUrl}/openapi.json`], ["health", `${tideline.baseUrl}/health/ready`]);
  if (tideline.sftpPort !== null) rows.push(["SFTP", `${config.host} port ${tideline.sftpPort}`]);
  if (tideline.consolePort !== null)
    rows.push([
      "console",
      `${config.consoleUrl ?? consoleBaseOf(tideline.consolePort, tideline, config)}/console, token in ${tideline.folder.consoleToken}`,
    ]);
  if (tideline.observePort !== null)
    rows.push(["observed at", `http://${tideline.observeHost}:${tideline.observePort}/health/ready`]);
  rows.push(["data folder", tideline.folder.root]);
  if (tideline.cluster)
    rows.push(["database", `PostgreSQL on 127.0.0.1:${tideline.cluster.port}, files in ${tideline.cluster.location}`]);
  if (config.asOf !== undefined) rows.push(["business day", `${config.asOf} and ticking`]);
  if (config.logFile !== undefined || process.stdout.isTTY)
    rows.push(["log", config.logFile ?? tideline.folder.logFile]);
  return rows.map(([name, value]) => `  ${name.padEnd(13)}${value}`).join("\n");
}

function consoleBaseOf(port: number, { baseUrl }: Tideline, config: Config): string {
  const listener = consoleListenerOf(config);
  return listener === null ? baseUrl : baseUrlOf(listener.host, port);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
