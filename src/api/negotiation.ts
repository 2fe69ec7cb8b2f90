/** Whether a caller takes the media type that a route answers with (RFC 9110, 12.5.1). */

/** Longer Accept headers than any client sends are cut, so that judging one costs nothing. */
const rangesMax = 50;

/** @param accept the Accept header; absent or empty accepts everything. @param mediaType such as "application/json". */
export function accepts(accept: string | undefined, mediaType: string): boolean {
  if (accept === undefined || accept.trim() === "") return true;
  const [type = ""] = mediaType.split("/");
  const weights = new Map(accept.split(",", rangesMax).map(readRange));
  // The most specific range decides, whatever the order.
  const weight = weights.get(mediaType) ?? weights.get(`${type}/*`) ?? weights.get("*/*") ?? 0;
  return weight > 0;
}

/** The range in lower case without parameters, and its weight: 1 unless q says otherwise. */
function readRange(text: string): [string, number] {
  const [range = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith("q="));
  return [range, q === undefined ? 1 : Number(q.slice("q=".length)) || 0];
}
