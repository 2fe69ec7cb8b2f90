/** Base64url that comes in pieces decodes to the same bytes, or is refused, as when it comes whole. */
import { randomBytes } from "node:crypto";
import test from "ava";
import { Base64UrlDecoder, decodeBase64Url } from "../../../workers/jwe/base64url.ts";
import fc, { runs } from "../../property.ts";

test("a segment in pieces is the segment, wherever the pieces are cut", (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.array(fc.nat(9), { maxLength: 60 }), (bytes, cuts) => {
      t.deepEqual(decodeInPieces(Buffer.from(bytes).toString("base64url"), cuts), Buffer.from(bytes));
    }),
    runs(1000),
  );
});

test("pieces longer than what is decoded at once come out whole", (t) => {
  const bytes = randomBytes(500_003);
  for (const cuts of [[], [1], [262_144, 262_144], [49_153, 49_151, 3, 200_001]])
    t.true(decodeInPieces(bytes.toString("base64url"), cuts)?.equals(bytes));
});

test("in pieces or whole, the same texts are refused", (t) => {
  const character = fc.constantFrom(..."AQg-_+/= \n.é");
  fc.assert(
    fc.property(fc.array(character, { maxLength: 12 }), fc.array(fc.nat(5), { maxLength: 8 }), (characters, cuts) => {
      const text = Buffer.from(characters.join("")).toString("latin1");
      t.deepEqual(decodeInPieces(text, cuts), decodeBase64Url(text));
    }),
    runs(5000),
  );
});

function decodeInPieces(text: string, cuts: readonly number[]): Buffer | null {
  const decoder = new Base64UrlDecoder();
  const bytes = Buffer.from(text, "latin1");
  const decoded: (Buffer | null)[] = [];
  let at = 0;
  for (const size of [...cuts, bytes.length]) {
    decoded.push(decoder.push(bytes.subarray(at, at + size)));
    at = Math.min(bytes.length, at + size);
  }
  decoded.push(decoder.end());
  return decoded.includes(null) ? null : Buffer.concat(decoded as Buffer[]);
}
