/** A door that takes one file: batches are gathered in a temporary file, which is delivered at the end. */
import { randomBytes } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Door } from "./door.ts";
import { createFileWriter, type FileFormat } from "./file-writer.ts";
import type { Sealer } from "../sealing/sealer.ts";

export type FileDoorOptions = {
  via: "sftp" | "direct";
  /** Start of the file's name; time and a random part follow, so that every delivery has a receipt of its own. */
  name: string;
  format: FileFormat;
  sealer: Sealer;
  /** Where the temporary file lies until it is delivered. */
  spoolDirectory: string;
  createUser: Door["createUser"];
  /** Hands the complete file over. */
  deliver(file: { path: string; name: string; sizeBytes: number }): Promise<void>;
  close(): Promise<void>;
};

export async function openFileDoor(options: FileDoorOptions): Promise<Door> {
  await mkdir(options.spoolDirectory, { recursive: true, mode: 0o700 });
  const name = fileName(options.name, options.format, new Date(), randomBytes(3).toString("hex"));
  const spool = path.join(options.spoolDirectory, name);
  const writer = createFileWriter(spool, options.format, options.sealer);
  return {
    via: options.via,
    // Lines keep the order of the source.
    inFlightMax: 1,
    durableAfter: "file",
    retries: 0,
    createUser: options.createUser,
    async send(batch) {
      await writer.add(batch);
      return null;
    },
    async finish() {
      const { sizeBytes, batches } = await writer.end();
      if (batches === 0) return null;
      await options.deliver({ path: spool, name, sizeBytes });
      return { name, sizeBytes, batches };
    },
    async close() {
      writer.abandon();
      await rm(spool, { force: true });
      await options.close();
    },
  };
}

/** transactions-20240131T081500Z-1f3a9c.jsonl */
function fileName(stem: string, format: FileFormat, at: Date, unique: string): string {
  const time = at.toISOString().replace(/[-:]|\.\d+/g, "");
  return `${stem.replace(/[^A-Za-z0-9_-]+/g, "-")}-${time}-${unique}.${format}`;
}
