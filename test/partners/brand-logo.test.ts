/** A brand's logo is a whole PNG or JPEG within its bounds, or it is refused by what is wrong with it. */
import { crc32, deflateSync } from "node:zlib";
import test from "ava";
import { logoBytesMax, readLogo } from "../../src/partners/settings/brand-logo.ts";

type Png = { width: number; height: number; depth?: number; colours?: number; interlace?: number; pixels?: Buffer };

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** RGB unless `colours` says otherwise; its pixels are black. */
function png({ width, height, depth = 8, colours = 2, interlace = 0, pixels }: Png): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([depth, colours, 0, 0, interlace], 8);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(pixels ?? Buffer.alloc((1 + width * 3) * height))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A frame header and a scan of nothing: no bank's logo, but all that its bounds are read of. */
function jpeg({ width, height, components = 3 }: { width: number; height: number; components?: number }): Buffer {
  const frame = Buffer.alloc(8 + 3 * components);
  frame.writeUInt16BE(frame.length, 0);
  frame[2] = 8;
  frame.writeUInt16BE(height, 3);
  frame.writeUInt16BE(width, 5);
  frame[7] = components;
  return Buffer.concat([Buffer.from("ffd8ffc0", "hex"), frame, Buffer.from("ffda0002ffd9", "hex")]);
}

test("a whole PNG or JPEG of a page's size is read with its pixels", (t) => {
  t.like(readLogo(png({ width: 300, height: 60 })), { mediaType: "image/png", width: 300, height: 60 });
  t.like(readLogo(jpeg({ width: 300, height: 60 })), { mediaType: "image/jpeg", width: 300, height: 60 });
});

test("what is no picture, too large or too small is refused", (t) => {
  const refused = (bytes: Buffer) => t.throws(() => readLogo(bytes))?.message;
  t.deepEqual(
    [
      refused(Buffer.from("<svg/>")),
      refused(Buffer.alloc(logoBytesMax + 1)),
      refused(png({ width: 2401, height: 600 })),
      refused(png({ width: 300, height: 15 })),
      refused(png({ width: 1600, height: 99 })),
    ],
    [
      "is neither a PNG nor a JPEG",
      "has more than 262144 bytes",
      "is 2401 × 600 pixels; each side must have 16 to 2400",
      "is 300 × 15 pixels; each side must have 16 to 2400",
      "is more than 16 times as long as it is wide",
    ],
  );
});

test("a picture that no report could print is refused: cut, changed, interlaced, of other colours, or a bomb", (t) => {
  const refused = (bytes: Buffer) => t.throws(() => readLogo(bytes))?.message;
  const whole = png({ width: 300, height: 60 });
  const changed = Buffer.from(whole);
  changed[60] = (changed[60] ?? 0) ^ 1;
  t.deepEqual(
    [
      refused(whole.subarray(0, -6)),
      refused(whole.subarray(0, -12)),
      refused(changed),
      refused(png({ width: 300, height: 60, interlace: 1 })),
      refused(png({ width: 300, height: 60, depth: 16 })),
      refused(png({ width: 300, height: 60, pixels: Buffer.alloc(100) })),
      refused(png({ width: 300, height: 60, pixels: Buffer.alloc(100_000_000) })),
      refused(png({ width: 300, height: 60, pixels: Buffer.alloc(901 * 60, 9) })),
      refused(jpeg({ width: 300, height: 60 }).subarray(0, -2)),
      refused(jpeg({ width: 300, height: 60, components: 4 })),
    ],
    [
      "is a PNG that ends too early",
      "is a PNG without its head or its end",
      "is a PNG whose checksum is wrong",
      "is a PNG with interlacing or more than eight bits a colour",
      "is a PNG with interlacing or more than eight bits a colour",
      "is a PNG with too few pixels",
      "is a PNG whose pixels cannot be read",
      "is a PNG with an unknown filter",
      "is a JPEG that ends too early",
      "is a JPEG in other colours than grey or RGB",
    ],
  );
});
