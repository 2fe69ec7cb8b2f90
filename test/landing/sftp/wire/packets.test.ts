/** Packets come out of the stream as they went in however it is cut, and absurd lengths are refused at once. */
import test from "ava";
import { joined, type Packet, ProtocolViolation, readPackets } from "../../../../src/landing/sftp/wire/packets.ts";
import fc from "../../../property.ts";

async function* chunked(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let offset = 0;
  for (let index = 0; offset < bytes.length; index += 1) {
    const end = offset + (sizes[index % sizes.length] ?? 1);
    yield bytes.subarray(offset, end);
    offset = end;
  }
}

function framed(payloads: readonly Uint8Array[]): Buffer {
  return Buffer.concat(
    payloads.flatMap((payload) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(payload.length);
      return [length, payload];
    }),
  );
}

async function collect(packets: AsyncIterable<Packet>): Promise<Buffer[]> {
  const all: Buffer[] = [];
  for await (const packet of packets) all.push(Buffer.from(joined(packet)));
  return all;
}

test("packets come out as they went in, however the stream is cut", async (t) => {
  const payload = fc.uint8Array({ minLength: 1, maxLength: 50 });
  const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.array(payload, { maxLength: 20 }), sizes, async (payloads, cuts) => {
      const packets = await collect(readPackets(chunked(framed(payloads), cuts), 50));
      t.deepEqual(
        packets,
        payloads.map((one) => Buffer.from(one)),
      );
    }),
  );
});

test("a stream that ends within a packet yields those before it", async (t) => {
  const bytes = framed([Buffer.from("one"), Buffer.from("two")]);
  t.deepEqual(await collect(readPackets(chunked(bytes.subarray(0, -1), [4]), 50)), [Buffer.from("one")]);
});

for (const sizeBytes of [0, 51, 0xffffffff]) {
  test(`a length of ${sizeBytes} is refused before its bytes are collected`, async (t) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(sizeBytes);
    await t.throwsAsync(collect(readPackets(chunked(length, [1]), 50)), { instanceOf: ProtocolViolation });
  });
}

test("a packet that comes byte by byte is the same, in fewer pieces than bytes", async (t) => {
  const payload = Buffer.from(Array.from({ length: 3000 }, (_, index) => index % 251));
  const packets: Packet[] = [];
  for await (const packet of readPackets(chunked(framed([payload]), [1]), 4000)) packets.push(packet);
  t.deepEqual(packets.map(joined), [payload]);
  t.true((packets[0]?.length ?? 0) <= 256);
});
