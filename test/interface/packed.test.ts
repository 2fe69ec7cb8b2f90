/** Documents of every length are what they were when they are unpacked, and other programs unpack them too. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { gunzipSync, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import test from "ava";
import { pack, packHere, unpack } from "../../src/interface/packed.ts";

/** A frame tells its length in one byte below 256, in two below 65,792, and in four from there. */
const lengths = [0, 1, 40, 255, 256, 257, 16_122, 16_123, 65_791, 65_792, 300_000];
const textOf = (length: number): string =>
  Array.from({ length }, (_, at) => String.fromCodePoint(33 + ((at * at * 7) % 89))).join("");

test("a text of any length is packed and unpacked", async (t) => {
  for (const length of lengths) {
    const text = textOf(length);
    const bytes = Buffer.from(text);
    for (const gzip of [packHere(bytes), await pack("gzip", bytes)]) {
      t.is(gunzipSync(gzip).toString(), text);
      t.is(unpack({ form: "gzip", bytes: gzip }).toString(), text, `${length} bytes`);
    }
    for (const zstd of [zstdCompressSync(bytes), await pack("zstd", bytes)]) {
      t.is(zstdDecompressSync(zstd).toString(), text);
      t.is(unpack({ form: "zstd", bytes: zstd }).toString(), text, `${length} bytes`);
    }
  }
});

test("a thread packs what it unpacks", async (t) => {
  const program = `
    import { parentPort } from "node:worker_threads";
    import { pack } from "${new URL("../../src/interface/packed.ts", import.meta.url).href}";
    const text = Buffer.from(${JSON.stringify(textOf(70_000))});
    parentPort.postMessage([await pack("gzip", text), await pack("zstd", text)]);`;
  const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`));
  const [[gzip, zstd]] = (await once(thread, "message")) as [[Uint8Array, Uint8Array]];
  t.is(unpack({ form: "gzip", bytes: Buffer.from(gzip) }).toString(), textOf(70_000));
  t.is(unpack({ form: "zstd", bytes: Buffer.from(zstd) }).toString(), textOf(70_000));
});

test("what was cut is an error, and so is a frame that promises less than it holds", (t) => {
  const whole = zstdCompressSync(Buffer.from(textOf(2_000)));
  t.throws(() => unpack({ form: "zstd", bytes: whole.subarray(0, -20) }));
  const shorter = Buffer.from(whole);
  shorter.writeUInt16LE(1_000 - 256, 5);
  t.throws(() => unpack({ form: "zstd", bytes: shorter }));
});
