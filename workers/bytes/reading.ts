/** Reading landed files, so that it can be told how far into one its loader is. */
import { createReadStream, type ReadStream } from "node:fs";

type ReadOptions = { start?: number; end?: number; highWaterMark: number };

/** The last stream over each file that this thread has in hand; the oldest goes when a thread has seen so many. */
const readingsMax = 16;
const readings = new Map<string, { start: number; stream: ReadStream }>();

/** Each piece has memory of its own. */
export function readFilePieces(path: string, options: ReadOptions): AsyncIterable<Buffer> & ReadStream {
  const stream = createReadStream(path, options);
  readings.delete(path);
  const [oldest] = readings.keys();
  if (oldest !== undefined && readings.size >= readingsMax) readings.delete(oldest);
  readings.set(path, { start: options.start ?? 0, stream });
  return stream as AsyncIterable<Buffer> & ReadStream;
}

/** How far the last reading of the file has come; 0 when there was none. */
export function bytesReadOf(path: string): number {
  const reading = readings.get(path);
  return reading ? reading.start + reading.stream.bytesRead : 0;
}
