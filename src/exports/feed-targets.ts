/** Where the change feed goes: a file that grows, standard output, or messages of a bounded size to whoever takes them. */
import { once } from "node:events";
import { type FileHandle, open, stat } from "node:fs/promises";
import path from "node:path";
import { feedMessageBytesMax } from "../../config/feed.ts";
import { syncFolder } from "../machine/sync-folder.ts";
import type { FeedTarget } from "./feed.ts";

export type OpenFeedTarget = FeedTarget & { close(): Promise<void> };

/**
 * Lines behind those that are there. Half a line that a kill left is cut off: nobody can have read it as one. A file that
 * was renamed, as logrotate does, is left, and a new one begun.
 */
export async function openFeedFile(file: string): Promise<OpenFeedTarget> {
  let handle = await openWhole(file);
  return {
    async write(lines) {
      await handle.appendFile(`${lines.join("\n")}\n`);
    },
    async settle() {
      await handle.datasync();
      if (await isOpen(handle, file)) return;
      await handle.close();
      handle = await openWhole(file);
    },
    abandon() {},
    async close() {
      await handle.close();
    },
  };
}

async function openWhole(file: string): Promise<FileHandle> {
  const handle = await open(file, "a+", 0o600);
  try {
    await handle.truncate(await wholeLines(handle));
    await syncFolder(path.dirname(path.resolve(file)));
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const lookedBackBytes = 64 * 1024;

/** Bytes up to the end of the last whole line. */
async function wholeLines(handle: FileHandle): Promise<number> {
  const { size } = await handle.stat();
  const piece = Buffer.alloc(lookedBackBytes);
  for (let end = size; end > 0;) {
    const from = Math.max(0, end - piece.length);
    const { bytesRead } = await handle.read(piece, 0, end - from, from);
    const at = piece.subarray(0, bytesRead).lastIndexOf(0x0a);
    if (at >= 0) return from + at + 1;
    end = from;
  }
  return 0;
}

async function isOpen(handle: FileHandle, file: string): Promise<boolean> {
  const [own, named] = [await handle.stat(), await stat(file).catch(() => null)];
  return named !== null && named.ino === own.ino && named.dev === own.dev;
}

/** As fast as they are taken. */
export function openFeedOutput(stream: NodeJS.WritableStream): OpenFeedTarget {
  return {
    async write(lines) {
      if (!stream.write(`${lines.join("\n")}\n`)) await once(stream, "drain");
    },
    async settle() {},
    abandon() {},
    async close() {},
  };
}

export type FeedMessage = { id: string; body: string };

/** Gathers lines to messages, each sent before the next is made. @param send rejects when it was not taken */
export function openFeedMessages(follower: string, send: (message: FeedMessage) => Promise<void>): OpenFeedTarget {
  let [gathered, bytes, number] = [[] as string[], 0, 0];
  let position = "";
  const flush = async (): Promise<void> => {
    if (gathered.length === 0) return;
    const body = `{"follower":${JSON.stringify(follower)},"position":"${position}","changes":[${gathered.join(",")}]}`;
    [number, gathered, bytes] = [number + 1, [], 0];
    await send({ id: `feed_${follower}_${position}_${number}`, body });
  };
  return {
    async write(lines, of) {
      position = of;
      for (const line of lines) {
        const size = Buffer.byteLength(line);
        if (bytes + size > feedMessageBytesMax) await flush();
        gathered.push(line);
        bytes += size;
      }
    },
    async settle() {
      await flush();
      number = 0;
    },
    // What was gathered when a message was not taken is told again.
    abandon() {
      [number, gathered, bytes] = [0, [], 0];
    },
    async close() {},
  };
}
