/**
 * A brand's logo: a PNG or a JPEG that is whole and no larger than a page needs. It is checked to the last byte when it
 * is set, for what a report cannot print would fail for every customer.
 *
 * Sources: W3C PNG (Third Edition), 5 (chunks), 11.2.2 (IHDR), 7.2 (scanlines); ITU-T T.81, B.1 (markers), B.2.2
 * (frame header).
 */
import { crc32, inflateSync } from "node:zlib";

export type LogoMediaType = "image/png" | "image/jpeg";
/** Pixels. */
export type Logo = { mediaType: LogoMediaType; bytes: Buffer; width: number; height: number };

/** Also a constraint of the table. A logo of a line's height is some thousand bytes. */
export const logoBytesMax = 256 * 1024;
/** Four times what 300 dots an inch need for the widest place that a logo has. */
const pixelsMax = 2400;
const pixelsMin = 16;
/** Neither a dot nor a hairline: the longer side to the shorter one. */
const ratioMax = 16;

/** @throws Error whose message completes "the logo …" */
export function readLogo(bytes: Buffer): Logo {
  if (bytes.length > logoBytesMax) throw new Error(`has more than ${logoBytesMax} bytes`);
  const logo = isPng(bytes) ? readPng(bytes) : isJpeg(bytes) ? readJpeg(bytes) : null;
  if (logo === null) throw new Error("is neither a PNG nor a JPEG");
  return assertSize({ ...logo, bytes });
}

function assertSize(logo: Logo): Logo {
  const { width, height } = logo;
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  if (shorter < pixelsMin || longer > pixelsMax)
    throw new Error(`is ${width} × ${height} pixels; each side must have ${pixelsMin} to ${pixelsMax}`);
  if (longer > ratioMax * shorter) throw new Error(`is more than ${ratioMax} times as long as it is wide`);
  return logo;
}

type Read = Omit<Logo, "bytes">;

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, pngSignature.length).equals(pngSignature);
}

/** Bits a pixel, by the colour type of IHDR and its bits a sample; what is not here is not allowed. */
const samples: Readonly<Record<number, { count: number; depths: readonly number[] }>> = {
  0: { count: 1, depths: [1, 2, 4, 8] },
  2: { count: 3, depths: [8] },
  3: { count: 1, depths: [1, 2, 4, 8] },
  4: { count: 2, depths: [8] },
  6: { count: 4, depths: [8] },
};

function readPng(bytes: Buffer): Read {
  const chunks = pngChunks(bytes);
  const head = chunks[0]?.type === "IHDR" ? chunks[0].data : Buffer.alloc(0);
  if (head.length !== 13 || chunks.at(-1)?.type !== "IEND") throw new Error("is a PNG without its head or its end");
  const [width, height] = [head.readUInt32BE(0), head.readUInt32BE(4)];
  const [depth = 0, colourType = 0, compression, filter, interlace] = head.subarray(8);
  const kind = samples[colourType];
  if (kind === undefined || !kind.depths.includes(depth) || compression !== 0 || filter !== 0 || interlace !== 0)
    throw new Error("is a PNG with interlacing or more than eight bits a colour");
  if (colourType === 3 && !chunks.some(({ type, data }) => type === "PLTE" && data.length % 3 === 0))
    throw new Error("is a PNG without its palette");
  // The bounds before the pixels: a small file may open to gigabytes.
  assertSize({ mediaType: "image/png", bytes, width, height });
  const lineBytes = 1 + Math.ceil((width * kind.count * depth) / 8);
  const pixels = inflated(chunks, lineBytes * height);
  for (let line = 0; line < height; line++)
    if ((pixels[line * lineBytes] ?? 255) > 4) throw new Error("is a PNG with an unknown filter");
  return { mediaType: "image/png", width, height };
}

type Chunk = { type: string; data: Buffer };

function pngChunks(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = pngSignature.length; at < bytes.length;) {
    const length = at + 12 <= bytes.length ? bytes.readUInt32BE(at) : bytes.length;
    const end = at + 12 + length;
    if (end > bytes.length) throw new Error("is a PNG that ends too early");
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
      throw new Error("is a PNG whose checksum is wrong");
    chunks.push({ type: bytes.toString("latin1", at + 4, at + 8), data: bytes.subarray(at + 8, end - 4) });
    at = end;
  }
  return chunks;
}

function inflated(chunks: readonly Chunk[], sizeBytes: number): Buffer {
  const packed = Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map(({ data }) => data));
  try {
    const pixels = inflateSync(packed, { maxOutputLength: sizeBytes });
    if (pixels.length === sizeBytes) return pixels;
  } catch (cause) {
    throw new Error("is a PNG whose pixels cannot be read", { cause });
  }
  throw new Error("is a PNG with too few pixels");
}

function isJpeg(bytes: Buffer): boolean {
  return bytes.length > 4 && bytes.readUInt16BE(0) === 0xffd8;
}

/** Frame headers of the codings that every reader of PDFs knows: baseline, extended, progressive. */
const frames: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);
const otherFrames: ReadonlySet<number> = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);
const startOfScan = 0xda;

function readJpeg(bytes: Buffer): Read {
  if (bytes.readUInt16BE(bytes.length - 2) !== 0xffd9) throw new Error("is a JPEG that ends too early");
  let found: Read | null = null;
  for (let at = 2; at + 4 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff || otherFrames.has(marker)) throw new Error("is a JPEG that cannot be read");
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2 || at + 2 + length > bytes.length) throw new Error("is a JPEG that ends too early");
    if (frames.has(marker)) found = jpegFrame(bytes.subarray(at + 4, at + 2 + length));
    if (marker === startOfScan) break;
    at += 2 + length;
  }
  if (found === null) throw new Error("is a JPEG without a picture");
  return found;
}

function jpegFrame(frame: Buffer): Read {
  const [precision, components] = [frame[0], frame[5]];
  if (frame.length < 6 || precision !== 8 || (components !== 1 && components !== 3))
    throw new Error("is a JPEG in other colours than grey or RGB");
  return { mediaType: "image/jpeg", height: frame.readUInt16BE(1), width: frame.readUInt16BE(3) };
}
