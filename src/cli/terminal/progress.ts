/**
 * Progress of long commands, on standard error: a bar on a terminal, now and then a line elsewhere, nothing for --json.
 */
import cliProgress from "cli-progress";
import { formatCount } from "./result.ts";

export type Progress = {
  /** @param total null while it is not known. */
  update(done: number, total: number | null, note?: string): void;
  /** Removes or completes the bar. Idempotent. */
  stop(): void;
};

export type ProgressOptions = {
  label: string;
  /** What is counted, such as "records". */
  unit: string;
  silent: boolean;
  /** The notes tell how fast it goes and how long it takes. */
  tellsPace?: boolean;
  stream?: NodeJS.WritableStream & { isTTY?: boolean };
  now?: () => number;
};

/** Between two plain lines: a log of an hour stays readable. */
const plainLineEveryMs = 5000;
/** A bar redrawn more often costs time and tells nobody more. */
const barFramesPerSecond = 8;
/** Samples for the estimate of the remaining time. */
const estimateSamples = 50;

/** What counts for the pace: what was there already, or stood still, is soon behind it. */
const paceOverMs = 10_000;
/** Of less nothing is claimed. */
const paceFromMs = 1000;
const minuteSeconds = 60;
/** From here on seconds are of no interest. */
const inMinutesFrom = 2 * minuteSeconds;

export function startProgress(options: ProgressOptions): Progress {
  if (options.silent) return { update: () => undefined, stop: () => undefined };
  const stream = options.stream ?? process.stderr;
  const shown = stream.isTTY === true ? startBar(options, stream) : startLines(options, stream);
  return options.tellsPace === true ? shown : withPace(options, shown);
}

/** Rate and remaining time, while there is something left; of an unknown total the rate alone. */
function withPace({ now = () => performance.now() }: ProgressOptions, shown: Progress): Progress {
  const seen: { at: number; done: number }[] = [];
  return {
    update(done, total, note = "") {
      const at = now();
      while (seen.length > 1 && at - (seen[1]?.at ?? at) >= paceOverMs) seen.shift();
      const first = seen[0] ?? { at, done };
      seen.push({ at, done });
      const pace = (done - first.done) / Math.max(at - first.at, 1);
      const isGoing = pace > 0 && at - first.at >= paceFromMs;
      const rate = `at ${formatRate(pace * 1000)}/s`;
      const left = total === null ? "" : `, ${leftOf((total - done) / pace)}`;
      const told = isGoing && (total === null || done < total) ? `${rate}${left}` : "";
      shown.update(done, total, [told, note].filter(Boolean).join(" "));
    },
    stop: () => shown.stop(),
  };
}

/** What comes less than ten times a second has a decimal. */
function formatRate(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : formatCount(Math.round(perSecond));
}

function leftOf(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return seconds < inMinutesFrom ? `${seconds} s left` : `${Math.ceil(seconds / minuteSeconds)} min left`;
}

function startBar(options: ProgressOptions, stream: NodeJS.WritableStream): Progress {
  const bar = new cliProgress.SingleBar({
    format: `${options.label} {bar} {counted} ${options.unit} {note}`,
    stream,
    hideCursor: true,
    etaBuffer: estimateSamples,
    fps: barFramesPerSecond,
  });
  let stopped = false;
  bar.start(1, 0, { counted: "0", note: "" });
  return {
    update(done, total, note = "") {
      if (stopped) return;
      // Of an unknown total nothing is filled.
      bar.setTotal(Math.max(total ?? 1, 1));
      bar.update(total === null ? 0 : done, { counted: describeCount(done, total), note });
    },
    stop() {
      if (!stopped) bar.stop();
      stopped = true;
    },
  };
}

function startLines(options: ProgressOptions, stream: NodeJS.WritableStream): Progress {
  const now = options.now ?? (() => performance.now());
  let lastAt = now();
  let pending: string | null = null;
  return {
    update(done, total, note = "") {
      pending = `${options.label}: ${describeCount(done, total)} ${options.unit}${note === "" ? "" : ` ${note}`}\n`;
      if (now() - lastAt < plainLineEveryMs) return;
      lastAt = now();
      stream.write(pending);
      pending = null;
    },
    stop() {
      if (pending !== null) stream.write(pending);
      pending = null;
    },
  };
}

function describeCount(done: number, total: number | null): string {
  if (total === null) return formatCount(done);
  return `${formatCount(done)} of ${formatCount(total)} (${total === 0 ? 100 : Math.floor((done / total) * 100)}%)`;
}
