/** A logo that is drawn here: a ring with an alpha channel, as banks' logos have. */
import { crc32, deflateSync } from "node:zlib";
import type { Logo } from "../../src/reports/document/blocks.ts";

const [width, height] = [160, 40] as const;

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** RGBA lines, each after its filter byte. */
function pixels(): Buffer {
  const line = 1 + 4 * width;
  const drawn = Buffer.alloc(line * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const distance = Math.hypot(x - 20, y - 20);
      drawn.set([10, 79, 96, distance > 8 && distance < 18 ? 255 : 0], y * line + 1 + 4 * x);
    }
  return drawn;
}

export const drawnLogo: Logo = {
  width,
  height,
  bytes: Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    // 160 × 40, eight bits a colour, RGBA.
    chunk("IHDR", Buffer.from("000000a0000000280806000000", "hex")),
    chunk("IDAT", deflateSync(pixels())),
    chunk("IEND", Buffer.alloc(0)),
  ]),
};
