/** Packets under AES-GCM are those of RFC 5647, and any that was changed, left out or oversized is refused. */
import { createDecipheriv, randomBytes } from "node:crypto";
import test from "ava";
import { GcmCipher, GcmDecipher, type GcmKeys } from "../../../../src/landing/sftp/connection/gcm.ts";
import fc from "../../../property.ts";

const keys: GcmKeys = {
  algorithm: "aes-256-gcm",
  key: Buffer.alloc(32, 7),
  initialVector: Buffer.from("000102030405060708090aff", "hex"),
};

/** Payloads as they go over the line. */
function sealed(payloads: readonly Uint8Array[], with_ = keys): Buffer {
  const written: Buffer[] = [];
  const cipher = new GcmCipher(with_, 0, (bytes) => void written.push(Buffer.from(bytes)));
  for (const payload of payloads) {
    const packet = cipher.allocPacket(payload.length);
    packet.set(payload, 5);
    cipher.encrypt(packet);
  }
  return Buffer.concat(written);
}

/** What comes out when the bytes arrive in chunks of these sizes, over and over. */
function opened(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const payloads: Buffer[] = [];
  const decipher = new GcmDecipher(keys, 0, (payload) => {
    payloads.push(Buffer.from(payload));
    return undefined;
  });
  for (let offset = 0, index = 0; offset < bytes.length; index += 1) {
    const end = Math.min(bytes.length, offset + (sizes[index % sizes.length] ?? 1));
    decipher.decrypt(bytes.subarray(offset, end), 0, end - offset);
    offset = end;
  }
  return payloads;
}

test("payloads come out as they went in, however the line cuts them", (t) => {
  const payload = fc.uint8Array({ minLength: 1, maxLength: 200 });
  const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(fc.array(payload, { minLength: 1, maxLength: 12 }), sizes, (payloads, cuts) => {
      t.deepEqual(
        opened(sealed(payloads), cuts),
        payloads.map((one) => Buffer.from(one)),
      );
    }),
  );
});

test("the largest packet comes through, a larger one ends the connection", (t) => {
  const largest = randomBytes(128 * 1024 + 9);
  t.deepEqual(
    opened(sealed([largest]), [65_536]).map((payload) => payload.equals(largest)),
    [true],
  );
  t.throws(() => opened(sealed([randomBytes(130 * 1024)]), [65_536]), { message: "Bad packet length" });
});

test("a packet on the line is what RFC 5647 says: length as it is, the rest under the counter, then the tag", (t) => {
  const line = sealed([Buffer.from("first"), Buffer.from("second")]);
  t.is(line.readUInt32BE(0), 16);
  const second = line.subarray(4 + 16 + 16);
  // The last eight bytes of the initial vector count, with carry: …0aff becomes …0b00.
  const decipher = createDecipheriv("aes-256-gcm", keys.key, Buffer.from("000102030405060708090b00", "hex"));
  decipher.setAAD(second.subarray(0, 4));
  decipher.setAuthTag(second.subarray(-16));
  const packet = Buffer.concat([decipher.update(second.subarray(4, -16)), decipher.final()]);
  t.is(packet[0], 9);
  t.is(packet.subarray(1, 7).toString(), "second");
});

test("padding is at least four bytes, to a multiple of sixteen", (t) => {
  for (let sizeBytes = 1; sizeBytes < 64; sizeBytes += 1) {
    const packet = new GcmCipher(keys, 0, () => undefined).allocPacket(sizeBytes);
    t.true((packet[4] ?? 0) >= 4 && (packet[4] ?? 0) < 20);
    t.is((packet.length - 4) % 16, 0);
    t.is(packet.length, 4 + 1 + sizeBytes + (packet[4] ?? 0));
  }
});

test("a changed bit anywhere is refused", (t) => {
  const line = sealed([Buffer.from("a payload of some length")]);
  fc.assert(
    fc.property(fc.nat(line.length * 8 - 1), (bit) => {
      const changed = Buffer.from(line);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      // A longer length may only wait for more; nothing wrong ever comes out.
      const payloads = (() => {
        try {
          return opened(changed, [1000]);
        } catch {
          return [];
        }
      })();
      t.deepEqual(payloads, []);
    }),
  );
});

test("a packet that was left out is noticed", (t) => {
  const [first, both] = [sealed([Buffer.from("one")]), sealed([Buffer.from("one"), Buffer.from("two")])];
  t.throws(() => opened(both.subarray(first.length), [1000]));
});

for (const sizeBytes of [0, 8, 17, 132_112, 0xffffffff]) {
  test(`a length of ${sizeBytes} is refused at once`, (t) => {
    const line = Buffer.alloc(4);
    line.writeUInt32BE(sizeBytes);
    t.throws(() => opened(line, [1]), { message: "Bad packet length" });
  });
}

test("counting goes on where the handler stopped", (t) => {
  const line = sealed([Buffer.from("one"), Buffer.from("two")]);
  const decipher = new GcmDecipher(keys, 41, () => false);
  const next = decipher.decrypt(line, 0, line.length);
  t.is(next, line.length / 2);
  t.is(decipher.decrypt(line, next ?? 0, line.length), line.length);
  t.is(decipher.inSeqno, 43);
});
