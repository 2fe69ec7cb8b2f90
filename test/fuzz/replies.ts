/** What an SFTP door says, packet by packet (draft-ietf-secsh-filexfer-02). */

export type Reply = { type: number; id: number; status: number | null; body: Buffer };

const version = 2;
const statusType = 101;

/** The whole packets in what came so far. */
export function splitReplies(bytes: Buffer): Reply[] {
  const replies: Reply[] = [];
  for (let at = 0; at + 4 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const body = bytes.subarray(at + 4, at + 4 + length);
    if (body.length < length) break;
    const type = body[0] ?? 0;
    replies.push({
      type,
      id: type === version || body.length < 5 ? 0 : body.readUInt32BE(1),
      status: type === statusType && body.length >= 9 ? body.readUInt32BE(5) : null,
      body,
    });
    at += 4 + length;
  }
  return replies;
}

/** Null, or what is wrong: an answer to nobody's question, or one with what belongs to another. */
export function problemOfReplies(
  replies: readonly Reply[],
  asked: readonly number[],
  secrets: readonly string[],
): string | null {
  const [first, ...others] = replies;
  if (first !== undefined && first.type !== version) return `the first packet is of type ${first.type}`;
  const ids = others.map(({ id }) => id);
  if (ids.some((id) => !asked.includes(id))) return "an answer to what was not asked";
  if (new Set(ids).size < ids.length) return "a question that was answered twice";
  const told = secrets.find((secret) => replies.some(({ body }) => body.includes(secret)));
  return told === undefined ? null : `an answer with what belongs to another: ${told}`;
}
