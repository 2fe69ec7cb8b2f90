/** Stands for pino while logs are tapped: the same logger, which also writes all it is told into the folder. */
import path from "node:path";
import { threadId } from "node:worker_threads";
import { type DestinationStream, destination, type LoggerOptions, multistream, pino as real } from "pino";

const folder = new URL(import.meta.url).searchParams.get("folder") ?? "";
const tap = destination({
  dest: path.join(folder, `${process.pid}-${threadId}.jsonl`),
  sync: true,
  append: true,
  mkdir: true,
});

export const pino = Object.assign(
  (options: LoggerOptions, given: DestinationStream) => {
    const own =
      options.level === undefined || options.level === "silent"
        ? []
        : [{ level: options.level as "info", stream: given }];
    return real({ ...options, level: "trace" }, multistream([{ level: "trace", stream: tap }, ...own]));
  },
  { destination: real.destination, stdTimeFunctions: real.stdTimeFunctions },
);
