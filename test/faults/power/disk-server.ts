/**
 * The disk whose power is cut: a file system of one file, `disk`, which a loop device takes for a disk. It notes every
 * write since the last flush with what stood there before, so that it can undo them as a disk may that lost its cache.
 * A process of its own: while it stands still nobody reaches the disk.
 *
 *   node disk-server.ts IMAGE MOUNT_POINT      with an IPC channel: hears Cut, tells "ready" and CutResult
 */
import { spawnSync } from "node:child_process";
import { openSync, read, readSync, writeSync, writevSync, fstatSync, ftruncateSync } from "node:fs";
import { createRandom } from "../random.ts";
import {
  answer,
  attributes,
  entryOf,
  expectsAnswer,
  failure,
  initAnswer,
  opened,
  operation,
  rangeOf,
  readRequest,
  type Request,
  requestBytesMax,
  statistics,
  writeAnswer,
  writtenBytes,
} from "./fuse.ts";

/** What the disk keeps of what it was not told to flush: all of it, nothing, or any of it. */
export type Kept = "all" | "none" | "some";
export type Cut = { keep: Kept; seed: number };
export type CutResult = { writes: number; writesKept: number; bytes: number };

type Write = { offset: number; before: Buffer; after: Buffer };

/** What a disk writes whole. */
const sectorBytes = 512;
/** Of the writes that are kept in part, one in so many is torn. */
const tornEvery = 8;

const [imagePath = "", mountPoint = ""] = process.argv.slice(2);
const image = openSync(imagePath, "r+");
const sizeBytes = fstatSync(image).size;
let unflushed: Write[] = [];
let hasPower = true;

const channel = openSync("/dev/fuse", "r+");
const mounted = spawnSync(
  "mount",
  ["--internal-only", "-t", "fuse", "-o", "fd=3,rootmode=40000,user_id=0,group_id=0", "powercut", mountPoint],
  { stdio: ["ignore", "inherit", "inherit", channel] },
);
if (mounted.status !== 0) process.exit(1);
process.on("message", (cut: Cut) => process.send?.(cutPower(cut) satisfies CutResult));
process.once("disconnect", () => process.exit());
process.send?.("ready");
const request = Buffer.alloc(requestBytesMax);
listen();

function listen(): void {
  read(channel, request, 0, request.length, null, (error, bytes) => {
    // Unmounted.
    if (error?.code === "ENODEV") process.exit();
    if (error && error.code !== "EINTR" && error.code !== "ENOENT") throw error;
    if (!error) serve(readRequest(request.subarray(0, bytes)));
    listen();
  });
}

function serve(asked: Request): void {
  if (!expectsAnswer(asked)) return;
  try {
    writevSync(channel, respond(asked));
  } catch (error) {
    // Whoever asked has been killed meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

function respond(asked: Request): Buffer[] {
  const { kind, body, isRoot } = asked;
  if (!hasPower) return failure(asked, "EIO");
  switch (kind) {
    case operation.init:
      return answer(asked, initAnswer(body));
    case operation.lookup:
      return body.toString("latin1").startsWith("disk\0")
        ? answer(asked, entryOf(sizeBytes))
        : failure(asked, "ENOENT");
    case operation.getAttributes:
    case operation.setAttributes:
      return answer(asked, attributes(isRoot, sizeBytes));
    case operation.open:
      return answer(asked, opened);
    case operation.release:
    case operation.flush:
      return answer(asked, Buffer.alloc(0));
    case operation.statistics:
      return answer(asked, statistics);
    case operation.read:
      return answer(asked, readAt(rangeOf(body)));
    case operation.write:
      return answer(asked, writeAnswer(write(rangeOf(body).offset, writtenBytes(body))));
    case operation.sync:
      unflushed = [];
      return answer(asked, Buffer.alloc(0));
    default:
      return failure(asked, "ENOSYS");
  }
}

function readAt({ offset, size }: { offset: number; size: number }): Buffer {
  const bytes = Buffer.alloc(Math.max(0, Math.min(size, sizeBytes - offset)));
  readSync(image, bytes, 0, bytes.length, offset);
  return bytes;
}

function write(offset: number, bytes: Buffer): number {
  unflushed.push({ offset, before: readAt({ offset, size: bytes.length }), after: Buffer.from(bytes) });
  writeSync(image, bytes, 0, bytes.length, offset);
  return bytes.length;
}

/** From now on every request fails, so that nobody is told that anything is durable which is not. */
function cutPower({ keep, seed }: Cut): CutResult {
  hasPower = false;
  const bytes = unflushed.reduce((sum, { after }) => sum + after.length, 0);
  const writes = unflushed.length;
  if (keep === "all") return { writes, writesKept: writes, bytes };
  for (const { offset, before } of unflushed.toReversed()) writeSync(image, before, 0, before.length, offset);
  ftruncateSync(image, sizeBytes);
  const writesKept = keep === "none" ? 0 : keepSome(seed);
  return { writes, writesKept, bytes };
}

/** A disk may write what it has in its cache in any order, and stop in the middle of a write. */
function keepSome(seed: number): number {
  const random = createRandom(seed);
  const share = random.share();
  let kept = 0;
  for (const { offset, after } of unflushed) {
    if (random.between(1, tornEvery) === 1) {
      for (let at = 0; at < after.length; at += sectorBytes)
        if (random.share() < share) writeSync(image, after, at, Math.min(sectorBytes, after.length - at), offset + at);
    } else if (random.share() < share) {
      writeSync(image, after, 0, after.length, offset);
      kept += 1;
    }
  }
  return kept;
}
