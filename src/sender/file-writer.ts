/** Writes batches into one file as the SFTP door takes it: `.jsonl`, one TransactionsRequest a line, or one `.jwe`. */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Batch } from "../sealing/batches.ts";
import type { Sealer } from "../sealing/sealer.ts";

export type FileFormat = "jsonl" | "jwe";

export type FileWriter = {
  add(batch: Batch): Promise<void>;
  /** Ends the file. @returns its size and how many batches it holds. */
  end(): Promise<{ sizeBytes: number; batches: number }>;
  /** Ends without a usable file. */
  abandon(): void;
};

export function createFileWriter(path: string, format: FileFormat, sealer: Sealer): FileWriter {
  return format === "jsonl" ? writeLines(path, sealer) : writeToken(path, sealer);
}

function writeLines(path: string, sealer: Sealer): FileWriter {
  const text = openText(path, (source) => source);
  const hash = createHash("sha256");
  let batches = 0;
  return {
    async add(batch) {
      const line = `${JSON.stringify({ reqId: batch.requestId, txs: await sealer.seal(batch.plaintext) })}\n`;
      hash.update(line);
      batches += 1;
      await text.write(line);
    },
    async end() {
      // Proves to the receiver that the file is whole: over all bytes of the lines before it.
      await text.write(`${JSON.stringify({ manifest: { batches, sha256: hash.digest("hex") } })}\n`);
      await text.end();
      return { sizeBytes: (await stat(path)).size, batches };
    },
    abandon: text.abandon,
  };
}

function writeToken(path: string, sealer: Sealer): FileWriter {
  const text = openText(path, (source) => sealer.sealStream(source));
  let batches = 0;
  return {
    async add(batch) {
      await text.write(`${batches === 0 ? "[" : ","}${batch.elements.join(",")}`);
      batches += 1;
    },
    async end() {
      await text.write(batches === 0 ? "[]" : "]");
      await text.end();
      return { sizeBytes: (await stat(path)).size, batches };
    },
    abandon: text.abandon,
  };
}

/** Text in, transformed bytes into the file, with the file's back-pressure. */
function openText(path: string, transform: (source: AsyncIterable<string>) => AsyncIterable<Buffer | string>) {
  const input = new PassThrough({ encoding: "utf8" });
  const written = pipeline(Readable.from(transform(input)), createWriteStream(path, { mode: 0o600 }));
  // Told by write and end; without a listener it would end the process before they are called.
  written.catch(() => undefined);
  return {
    async write(text: string): Promise<void> {
      if (input.write(text)) return;
      await Promise.race([written, new Promise<void>((resolve) => input.once("drain", () => resolve()))]);
    },
    async end(): Promise<void> {
      input.end();
      await written;
    },
    abandon: () => void input.destroy(),
  };
}
