/**
 * Strict base64url without padding (RFC 7515, section 2). Node's own decoder skips what it does not know, takes the
 * plain base64 alphabet too and ignores left-over bits; here each of these is an error, so that one content has one
 * spelling.
 */

const plus = 0x2b;
const slash = 0x2f;
const equals = 0x3d;

/** Longer ones are freed when they are done with (see lend.ts). */
const ownMemoryCharacters = 8192;

/**
 * The bytes of a whole segment, long ones in memory of their own; null when it is not strict base64url. The empty
 * segment is no bytes.
 */
export function decodeBase64Url(text: string): Buffer | null {
  const remainder = text.length % 4;
  if (remainder === 1 || /[+/=]/.test(text)) return null;
  const bytes = decode(text);
  if (bytes.length !== decodedLength(text.length)) return null;
  return remainder === 0 || hasNoLeftOverBits(bytes, text.slice(-remainder)) ? bytes : null;
}

/** As many as were decoded before a character that means nothing. */
function decode(text: string): Buffer {
  if (text.length < ownMemoryCharacters) return Buffer.from(text, "base64url");
  const bytes = Buffer.allocUnsafeSlow(decodedLength(text.length));
  return bytes.subarray(0, bytes.write(text, "base64url"));
}

/** Bytes that a segment of this many characters stands for. */
export function decodedLength(characters: number): number {
  return Math.floor((characters * 3) / 4);
}

/**
 * A multiple of four, and short enough for a string that V8's scavenger clears away: longer ones wait for a full
 * collection.
 */
const charactersAtOnce = 48 * 1024;

/**
 * Decodes a segment that comes in pieces cut anywhere. Characters that do not fill a quantum wait for the next piece.
 */
export class Base64UrlDecoder {
  #waiting = "";

  /** The bytes that this piece completes; null when a character is none of the alphabet. */
  push(piece: Buffer): Buffer | null {
    if (piece.includes(plus) || piece.includes(slash) || piece.includes(equals)) return null;
    const lent = this.#waiting === "" ? 0 : Math.min(4 - this.#waiting.length, piece.length);
    const first = this.#waiting + piece.toString("latin1", 0, lent);
    const whole = first.length % 4 === 0 ? piece.length - ((piece.length - lent) % 4) : lent;
    this.#waiting = first.length % 4 === 0 ? piece.toString("latin1", whole) : first;
    const bytes = Buffer.allocUnsafeSlow(((first.length - (first.length % 4) + whole - lent) / 4) * 3);
    let to = first.length === 4 ? bytes.write(first, 0, "base64url") : 0;
    for (let from = lent; from < whole; from += charactersAtOnce)
      to += bytes.write(piece.toString("latin1", from, Math.min(from + charactersAtOnce, whole)), to, "base64url");
    return to === bytes.length ? bytes : null;
  }

  /** The last bytes; null when what is left is not the end of a segment. */
  end(): Buffer | null {
    return decodeBase64Url(this.#waiting);
  }
}

function hasNoLeftOverBits(bytes: Buffer, lastCharacters: string): boolean {
  return bytes.subarray(bytes.length - (lastCharacters.length - 1)).toString("base64url") === lastCharacters;
}
