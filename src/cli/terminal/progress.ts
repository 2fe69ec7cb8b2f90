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
  stream?: NodeJS.WritableStream & { isTTY?: boolean };
  now?: () => number;
};

/** Between two plain lines: a log of an hour stays readable. */
const plainLineEveryMs = 5000;
/** A bar redrawn more often costs time and tells nobody more. */
const barFramesPerSecond = 8;
/** Samples for the estimate of the remaining time. */
const estimateSamples = 50;

export function startProgress(options: ProgressOptions): Progress {
  if (options.silent) return { update: () => undefined, stop: () => undefined };
  const stream = options.stream ?? process.stderr;
  return stream.isTTY === true ? startBar(options, stream) : startLines(options, stream);
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
