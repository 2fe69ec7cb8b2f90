/** OpenPGP messages as they are read here, against those that OpenPGP.js makes and packets made by hand. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { deflateRawSync, deflateSync } from "node:zlib";
import test, { type ExecutionContext } from "ava";
import { createMessage, encrypt, enums, generateKey } from "openpgp";
import fc, { runs } from "../../property.ts";
import { collect } from "../collecting.ts";
import { NotOpened } from "../../../workers/not-opened.ts";
import { NotUnderstood, readContent } from "../../../workers/pgp/content.ts";
import { deciphered, findSessionKey } from "../../../workers/pgp/envelope.ts";
import { packetOf, PacketSplitter, packetType } from "../../../workers/pgp/packets.ts";

test("what OpenPGP.js sealed is read as it was, of any length and compressed or not", async (t) => {
  const { seal, read } = await openWorld(t);
  for (const length of [0, 1, 15, 16, 17, 31, 21_000, 300_000, 1_000_001]) {
    for (const algorithm of [enums.compression.uncompressed, enums.compression.zip, enums.compression.zlib]) {
      const content = randomBytes(length);
      t.true(
        (await read(await seal(content, algorithm))).equals(content),
        `${length} bytes with compression ${algorithm}`,
      );
    }
  }
});

test("whichever bit flips behind the wrapped key, it is not opened, and neither is what is cut off anywhere", async (t) => {
  const { seal, read } = await openWorld(t);
  const sealed = await seal(Buffer.from("text ".repeat(40)), enums.compression.uncompressed);
  const from = sealed.length - 240;
  for (let at = from; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] as number) ^ (1 << (at % 8));
    const error = await t.throwsAsync(read(changed));
    // The block behind the bit becomes random, and with it now and then a kind of compression: that is left to
    // OpenPGP.js.
    t.true(error instanceof NotOpened || error instanceof NotUnderstood, `bit of byte ${at}: ${error?.stack}`);
    await t.throwsAsync(read(sealed.subarray(0, at)), { instanceOf: NotOpened }, `cut at ${at}`);
  }
});

test("nothing may stand behind the message", async (t) => {
  const { seal, read } = await openWorld(t);
  const sealed = await seal(Buffer.from("text"), enums.compression.uncompressed);
  await t.throwsAsync(read(Buffer.concat([sealed, packetOf(packetType.marker, Buffer.from("PGP"))])), {
    instanceOf: NotOpened,
  });
  await t.throwsAsync(read(Buffer.concat([sealed, sealed])), { instanceOf: NotOpened });
  await t.throwsAsync(read(Buffer.concat([sealed, Buffer.from("\n")])), { instanceOf: NotOpened });
});

test("AEAD is left to OpenPGP.js", async (t) => {
  const { findKey } = await openWorld(t, { aeadProtect: true });
  t.is(await findKey(), null);
});

const literal = (text: string) =>
  packetOf(packetType.literal, Buffer.concat([Buffer.from("b\u0004name\0\0\0\0", "latin1"), Buffer.from(text)]));
const signature = packetOf(packetType.signature, Buffer.from("any"));
const compressed = (algorithm: number, body: Buffer) =>
  packetOf(packetType.compressed, Buffer.concat([Buffer.of(algorithm), body]));

test("signatures around the literal are passed over, inside compression too", async (t) => {
  const signed = Buffer.concat([packetOf(packetType.onePassSignature, Buffer.from("any")), literal("text"), signature]);
  t.is(await contentOf(signed), "text");
  t.is(await contentOf(compressed(0, signed)), "text");
  t.is(await contentOf(compressed(1, deflateRawSync(signed))), "text");
  t.is(await contentOf(compressed(2, deflateSync(signed))), "text");
});

const noContents: [name: string, bytes: Buffer][] = [
  ["nothing", Buffer.alloc(0)],
  ["no literal", signature],
  ["two literals", Buffer.concat([literal("a"), literal("b")])],
  ["a literal without a head", packetOf(packetType.literal, Buffer.from("b"))],
  ["a packet of another kind", Buffer.concat([literal("a"), packetOf(6, Buffer.from("key"))])],
  ["compression in compression", compressed(1, deflateRawSync(compressed(1, deflateRawSync(literal("a")))))],
  ["something behind compression", Buffer.concat([compressed(1, deflateRawSync(literal("a"))), literal("b")])],
  ["two compressed packets", Buffer.concat([compressed(0, literal("a")), compressed(0, literal("b"))])],
  ["half a packet", literal("text").subarray(0, -1)],
  ["no packet", Buffer.from("text")],
];

for (const [name, bytes] of noContents) {
  test(`no content: ${name}`, async (t) => {
    await t.throwsAsync(contentOf(bytes), { instanceOf: NotOpened });
  });
}

test("BZip2 is left to OpenPGP.js", async (t) => {
  await t.throwsAsync(contentOf(compressed(3, Buffer.from("BZh9"))), { instanceOf: NotUnderstood });
});

test("packets come out whole, however their lengths are written and wherever the pieces are cut", (t) => {
  const written = fc.tuple(
    fc.constantFrom(1, 2, 8, 11),
    fc.uint8Array({ maxLength: 9000 }),
    fc.constantFrom("old 1", "old 2", "old 4", "new", "new 5", "partial"),
  );
  fc.assert(
    fc.property(fc.array(written, { maxLength: 5 }), fc.array(fc.nat(700), { maxLength: 60 }), (packets, cuts) => {
      const bytes = Buffer.concat(packets.map(([type, body, form]) => write(type, Buffer.from(body), form)));
      t.deepEqual(
        split(bytes, cuts),
        packets.map(([type, body]) => ({ type, body: Buffer.from(body).toString("hex") })),
      );
    }),
    runs(500),
  );
});

test("a packet without a length goes on to the end", (t) => {
  t.deepEqual(split(Buffer.concat([Buffer.of(0x80 | (8 << 2) | 3), Buffer.from("abc")]), [1, 1]), [
    { type: 8, body: Buffer.from("abc").toString("hex") },
  ]);
});

async function contentOf(bytes: Buffer): Promise<string> {
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
  };
  return Buffer.concat(await Array.fromAsync(readContent(pieces()))).toString();
}

function split(bytes: Buffer, cuts: readonly number[]): { type: number; body: string }[] {
  const splitter = new PacketSplitter();
  const packets: { type: number; body: string }[] = [];
  let at = 0;
  for (const size of [...cuts, bytes.length]) {
    for (const part of splitter.push(bytes.subarray(at, at + size))) {
      if (part.isFirst) packets.push({ type: part.type, body: "" });
      (packets.at(-1) as { body: string }).body += part.bytes.toString("hex");
    }
    at = Math.min(bytes.length, at + size);
  }
  splitter.end();
  return packets;
}

function write(type: number, body: Buffer, form: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  if (form === "old 1" && body.length < 256) return Buffer.concat([Buffer.of(0x80 | (type << 2), body.length), body]);
  if (form === "old 2") return Buffer.concat([Buffer.of(0x80 | (type << 2) | 1), length.subarray(2), body]);
  if (form === "old 4") return Buffer.concat([Buffer.of(0x80 | (type << 2) | 2), length, body]);
  if (form === "new 5") return packetOf(type, body);
  return Buffer.concat([Buffer.of(0xc0 | type), form === "partial" ? inParts(body) : shortly(body)]);
}

function shortly(body: Buffer): Buffer {
  const { length } = body;
  if (length < 192) return Buffer.concat([Buffer.of(length), body]);
  if (length < 8384) return Buffer.concat([Buffer.of(((length - 192) >> 8) + 192, (length - 192) & 255), body]);
  return packetOf(0, body).subarray(1);
}

/** Parts of 1,024 bytes while there are so many. */
function inParts(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (; body.length - at >= 1024; at += 1024) parts.push(Buffer.of(224 + 10), body.subarray(at, at + 1024));
  return Buffer.concat([...parts, shortly(body.subarray(at))]);
}

async function openWorld(t: ExecutionContext, config: { aeadProtect?: boolean } = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), "pgp-content-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const { privateKey, publicKey } = await generateKey({
    type: "rsa",
    rsaBits: 2048,
    userIDs: [{ name: "Bank" }],
    format: "object",
    config,
  });
  const file = path.join(folder, "message");
  const seal = async (content: Buffer, preferredCompressionAlgorithm: enums.compression) =>
    Buffer.from(
      await encrypt({
        message: await createMessage({ binary: content }),
        encryptionKeys: publicKey,
        format: "binary",
        config: { preferredCompressionAlgorithm },
      }),
    );
  return {
    seal,
    async read(sealed: Buffer): Promise<Buffer> {
      await writeFile(file, sealed);
      const key = await findSessionKey(file, [privateKey]);
      if (key === null) throw new NotOpened();
      return await collect(readContent(deciphered(file, key)));
    },
    async findKey(): Promise<Uint8Array | null> {
      await writeFile(file, await seal(Buffer.from("text"), enums.compression.uncompressed));
      return await findSessionKey(file, [privateKey]);
    },
  };
}
