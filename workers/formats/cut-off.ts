/**
 * Whether the structure alone tells that a file is not whole: an upload that was broken off, whose client closed it all
 * the same. Nothing is deciphered, and what is whole and wrong is not judged here.
 */
import { createGunzip } from "node:zlib";
import { inflatedPieceBytes, inflateRatioFromBytes, manifestBytesMax } from "../../config/limits.ts";
import { type LandedBytes, readParts, streamOf } from "../bytes/landed-bytes.ts";
import { isPgpCutOff } from "../pgp/why-not-opened.ts";
import { parseManifest } from "./manifest.ts";

/** @returns what is missing, a clause about the file; null where nothing tells that anything is */
export type FindCut = (file: LandedBytes, rules: { manifestRequired: boolean }) => Promise<string | null>;

const headBytes = 16 * 1024;
/** Behind the ciphertext stand a dot, the tag and perhaps a line's end. */
const tagTailBytes = 64;
/** A manifest and what may be blank behind it. */
const lineTailBytes = manifestBytesMax + 4096;
const pieceBytes = 1024 * 1024;
/** Of sixteen bytes in base64url. */
const tagLength = 22;
/** Tables deflate well; beyond this it is a bomb, which the loader judges. */
const ratioMax = 200;

export const isCutPgp: FindCut = async (file) =>
  (await isPgpCutOff(file)) ? "the OpenPGP message ends before its end" : null;

/** Five segments, of which the last one is the tag. */
export const isCutToken: FindCut = async (file) => {
  const { head, tail, size } = await readEnds(file, tagTailBytes);
  if (!/^ey[A-Za-z0-9_-]*(\.[A-Za-z0-9_-]*)*\s*$/.test(head)) return null;
  const segments = head.trimEnd().split(".");
  if (size > headBytes && segments.length < 4) return null;
  const isTold = size > headBytes || segments.length <= 5;
  const tag = size > headBytes ? tail.trimEnd().split(".").slice(1).at(-1) : segments[4];
  return isTold && (tag?.length ?? 0) < tagLength ? "the JWE ends before its authentication tag" : null;
};

export const isCutLines: FindCut = async (file, { manifestRequired }) => {
  const { head, tail } = await readEnds(file, lineTailBytes);
  return findCutLine(head, tail, manifestRequired);
};

export const isCutGzip: FindCut = async (file) => ((await inflateEnds(file)).isCut ? cutGzip : null);

export const isCutLinesInGzip: FindCut = async (file, { manifestRequired }) => {
  const { head, tail, isCut, isRead } = await inflateEnds(file);
  if (isCut) return cutGzip;
  return isRead ? findCutLine(head, tail, manifestRequired) : null;
};

const cutGzip = "the gzip stream ends before its end";

/** Every line is a JSON object, and so is the manifest. */
function findCutLine(head: string, tail: string, manifestRequired: boolean): string | null {
  const end = tail.trimEnd();
  if (!head.trimStart().startsWith("{") || end === "") return null;
  if (!end.endsWith("}")) return "the last line ends before its end";
  const lastLine = end.slice(end.lastIndexOf("\n") + 1);
  return manifestRequired && parseManifest(lastLine) === null ? "the manifest line is missing" : null;
}

async function readEnds(file: LandedBytes, tailBytes: number): Promise<{ head: string; tail: string; size: number }> {
  const { parts, sizeBytes } = await readParts(file, [
    { at: 0, bytes: headBytes },
    { at: -tailBytes, bytes: tailBytes },
  ]);
  const [head = "", tail = ""] = parts.map((part) => part.toString("latin1"));
  return { head, tail, size: sizeBytes };
}

/** `isRead`: to its end, so that the ends are those of the text. */
type Inflated = { head: string; tail: string; isCut: boolean; isRead: boolean };

async function inflateEnds(file: LandedBytes): Promise<Inflated> {
  const source = streamOf(file, pieceBytes);
  const gunzip = createGunzip({ chunkSize: inflatedPieceBytes });
  source.once("error", (error) => gunzip.destroy(error));
  const ends = { head: "", tail: "" };
  let inflatedBytes = 0;
  try {
    for await (const piece of source.pipe(gunzip) as AsyncIterable<Buffer>) {
      if (ends.head === "") ends.head = piece.toString("latin1", 0, headBytes);
      ends.tail = `${ends.tail}${piece.toString("latin1", Math.max(0, piece.length - lineTailBytes))}`.slice(
        -lineTailBytes,
      );
      inflatedBytes += piece.length;
      if (inflatedBytes > inflateRatioFromBytes + gunzip.bytesWritten * ratioMax)
        return { ...ends, isCut: false, isRead: false };
    }
    return { ...ends, isCut: false, isRead: true };
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    if (!code.startsWith("Z_")) throw error;
    // Any other error of zlib is damage, not an end that came too early.
    return { ...ends, isCut: code === "Z_BUF_ERROR", isRead: false };
  } finally {
    source.destroy();
  }
}
