/** Whether a caller takes the media type that a route answers with (RFC 9110, 12.5.1), and takes it compressed (12.5.3). */

/** Longer Accept headers than any client sends are cut, so that judging one costs nothing. */
const rangesMax = 50;

/**
 * The media type that the caller likes best, of those with equal weight the first; null: none is accepted.
 * @param accept the Accept header; absent or empty accepts everything. @param mediaTypes such as "application/json".
 */
export function preferred(accept: string | undefined, mediaTypes: readonly string[]): string | null {
  // What nearly all callers send needs no reading.
  if (accept === undefined || accept.trim() === "" || accept === "*/*" || accept === mediaTypes[0])
    return mediaTypes[0] ?? null;
  const weights = new Map(accept.split(",", rangesMax).map(readRange));
  const weighed = mediaTypes
    .map((mediaType) => ({ mediaType, weight: weightOf(mediaType, weights) }))
    .filter(({ weight }) => weight > 0);
  const highest = Math.max(...weighed.map(({ weight }) => weight));
  return weighed.find(({ weight }) => weight === highest)?.mediaType ?? null;
}

/** What nearly all clients send that take gzip; it needs no reading. */
const usualEncodings = /^gzip(?:, ?(?:deflate|br|zstd))*$/;

/** @param acceptEncoding the Accept-Encoding header; who sends none may be unable to unpack anything */
export function takesGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined || acceptEncoding === "identity") return false;
  if (usualEncodings.test(acceptEncoding)) return true;
  const weights = new Map(acceptEncoding.split(",", rangesMax).map(readRange));
  return (weights.get("gzip") ?? weights.get("*") ?? 0) > 0;
}

/** The most specific range decides, whatever the order. */
function weightOf(mediaType: string, weights: ReadonlyMap<string, number>): number {
  const [type = ""] = mediaType.split("/");
  return weights.get(mediaType) ?? weights.get(`${type}/*`) ?? weights.get("*/*") ?? 0;
}

/** The range in lower case without parameters, and its weight: 1 unless q says otherwise. */
function readRange(text: string): [string, number] {
  const [range = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith("q="));
  return [range, q === undefined ? 1 : Number(q.slice("q=".length)) || 0];
}
