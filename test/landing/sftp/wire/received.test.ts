/** What was received is freed with the last of its bytes that somebody looked at, and not before. */
import { randomBytes } from "node:crypto";
import test from "ava";
import { type Packet, readPackets } from "../../../../src/landing/sftp/wire/packets.ts";
import { keepReceived, lendReceived, useReceived } from "../../../../src/landing/sftp/wire/received.ts";
import fc from "../../../property.ts";

/** Packets in chunks of these sizes, each a view of plaintext that has something before and behind it. */
async function* chunksOf(line: Buffer, sizes: readonly number[], all: ArrayBufferLike[]): AsyncGenerator<Buffer> {
  for (let offset = 0, nth = 0; offset < line.length; nth += 1) {
    const sizeBytes = Math.min(line.length - offset, sizes[nth % sizes.length] ?? 1);
    const plaintext = Buffer.allocUnsafeSlow(10 + sizeBytes + 7);
    line.copy(plaintext, 10, offset, offset + sizeBytes);
    lendReceived(plaintext);
    all.push(plaintext.buffer);
    yield plaintext.subarray(10, 10 + sizeBytes);
    offset += sizeBytes;
  }
}

function framed(payload: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(payload.length);
  return Buffer.concat([length, payload]);
}

test("packets are whole until they are used, in whatever order, and then nothing is left", async (t) => {
  const payloads = fc.array(fc.integer({ min: 1, max: 60_000 }), { minLength: 1, maxLength: 6 });
  const sizes = fc.array(fc.integer({ min: 20_000, max: 70_000 }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(payloads, sizes, fc.infiniteStream(fc.nat()), async (lengths, cuts, picks) => {
      const sent = lengths.map((length) => randomBytes(length));
      const memory: ArrayBufferLike[] = [];
      const waiting: { nth: number; pieces: readonly Buffer[] }[] = [];
      const useOne = () => {
        const [one] = waiting.splice((picks.next().value ?? 0) % waiting.length, 1);
        t.true(Buffer.concat(one?.pieces ?? []).equals(sent[one?.nth ?? 0] ?? Buffer.alloc(0)));
        one?.pieces.forEach(useReceived);
      };
      let nth = 0;
      for await (const pieces of readPackets(chunksOf(Buffer.concat(sent.map(framed)), cuts, memory), 256 * 1024)) {
        waiting.push({ nth, pieces });
        nth += 1;
        if (waiting.length > 2) useOne();
      }
      while (waiting.length > 0) useOne();
      t.is(nth, sent.length);
      // Small ones are the garbage collector's.
      for (const { byteLength } of memory) t.true(byteLength < 16 * 1024);
    }),
    { numRuns: 30 },
  );
});

test("what somebody keeps is not freed by anybody else", async (t) => {
  const sent = [randomBytes(10_000), randomBytes(30_000)];
  const memory: ArrayBufferLike[] = [];
  const packets: Packet[] = [];
  for await (const packet of readPackets(chunksOf(Buffer.concat(sent.map(framed)), [100_000], memory), 256 * 1024))
    packets.push(packet);
  packets[0]?.forEach(keepReceived);
  for (const packet of packets) packet.forEach(useReceived);
  t.deepEqual(
    packets.map((packet) => Buffer.concat(packet).equals(sent[packets.indexOf(packet)] ?? Buffer.alloc(0))),
    [true, true],
  );
});

test("memory that was not lent is left alone", async (t) => {
  const line = Buffer.concat([framed(randomBytes(40_000)), framed(randomBytes(40_000))]);
  const before = Buffer.from(line);
  const chunks = (async function* () {
    yield line;
  })();
  for await (const packet of readPackets(chunks, 256 * 1024)) packet.forEach(useReceived);
  t.true(line.equals(before));
});
