/** Ways in which a sealed batch is damaged or was sealed wrongly: none may be opened, and all get one answer. */
import { requestPlaintextBytesMax } from "../../config/limits.ts";
import { constants, generateKeyPairSync, publicEncrypt } from "node:crypto";
import { deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import type { BatchKey } from "../faults/generated.ts";
import type { Random } from "../faults/random.ts";
import { bytesOf, headerOf, oaep, seal } from "./sealing.ts";

/** @param plaintext a JSON array that would be loaded @returns a token that must not be loaded, whatever it is */
export type TokenMutation = {
  name: string;
  /** How often it is chosen beside the others. */
  weight?: number;
  /**
   * Whether it is sealed as it should be, to the right key: a file's content is then judged as it is inflated,
   * whichever limit or rule it breaks first.
   */
  sealedWell?: boolean;
  make(random: Random, key: BatchKey, plaintext: string): string;
};

const kibibyte = 1024;
/** The smallest is just beyond what a request may hold. */
const bombMebibytes = [requestPlaintextBytesMax / kibibyte ** 2 + 1, 48, 300];
const headerLengthMax = 4096;
const segmentNames = ["header", "key", "IV", "ciphertext", "tag"] as const;

export const tokenMutations: TokenMutation[] = [
  ...segmentNames.map((name, segment): TokenMutation => ({
    name: `bits flipped: ${name}`,
    make: (random, key, plaintext) =>
      changed(random, good(random, key, plaintext), (token) => flipBits(random, token, segment)),
  })),
  {
    name: "characters changed",
    make: (random, key, plaintext) =>
      changed(random, good(random, key, plaintext), (token) => changeCharacters(random, token)),
  },
  { name: "truncated", make: (random, key, plaintext) => cut(random, good(random, key, plaintext)) },
  { name: "lengthened", make: (random, key, plaintext) => lengthen(random, good(random, key, plaintext)) },
  {
    name: "segments permuted",
    make: (random, key, plaintext) =>
      changed(random, good(random, key, plaintext), (token) => random.shuffle(token.split(".")).join(".")),
  },
  { name: "segments of two batches", make: splice },
  {
    name: "segments dropped, doubled, emptied",
    make: (random, key, plaintext) => rearrange(random, good(random, key, plaintext)),
  },
  {
    name: "header edited, then sealed",
    make: (random, key, plaintext) => seal(random, key, Buffer.from(plaintext), { header: wrongHeader(random, key) }),
  },
  {
    name: "header edited afterwards",
    make: (random, key, plaintext) =>
      changed(random, good(random, key, plaintext), (token) => editHeader(random, key, token)),
  },
  {
    name: "content key wrapped wrongly",
    make: (random, key, plaintext) => seal(random, key, Buffer.from(plaintext), wrongWrap(random, key)),
  },
  {
    name: "IV or tag of another length",
    make: (random, key, plaintext) =>
      seal(
        random,
        key,
        Buffer.from(plaintext),
        random.share() < 0.5
          ? { iv: bytesOf(random, random.pick([1, 7, 8, 11, 13, 16, 32])) }
          : { tagBytes: random.pick([4, 8, 12, 13, 14, 15]) },
      ),
  },
  { name: "deflate bombs", weight: 0.3, sealedWell: true, make: bomb },
  {
    name: "damaged deflate",
    make: (random, key, plaintext) =>
      seal(random, key, damagedDeflate(random, Buffer.from(plaintext)), {
        header: JSON.stringify(headerOf(key, true)),
      }),
  },
];

/** Damage that leaves the padding whole, and damage to the padding: nobody may learn from the time which it was. */
export const timedMutations = { padding: "content key wrapped wrongly", tag: "bits flipped: tag" } as const;

export function good(random: Random, key: BatchKey, plaintext: string): string {
  const deflated = random.share() < 0.7;
  const content = deflated ? deflateRawSync(plaintext) : Buffer.from(plaintext);
  return seal(random, key, content, { header: JSON.stringify(headerOf(key, deflated)) });
}

/** Changes until it is another text. */
function changed(random: Random, token: string, change: (token: string, random: Random) => string): string {
  for (;;) {
    const other = change(token, random);
    if (other !== token) return other;
  }
}

function flipBits(random: Random, token: string, segment: number): string {
  const segments = token.split(".");
  const bytes = Buffer.from(segments[segment] ?? "", "base64url");
  for (let flips = random.between(1, 8); flips > 0; flips -= 1) {
    const at = random.between(0, bytes.length - 1);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.between(0, 7));
  }
  return segments.with(segment, bytes.toString("base64url")).join(".");
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/=. \t\n\0"\\{}é💳';

function changeCharacters(random: Random, token: string): string {
  const characters = [...token];
  for (let changes = random.between(1, 4); changes > 0; changes -= 1)
    characters[random.between(0, characters.length - 1)] = random.pick([...alphabet]);
  return characters.join("");
}

function cut(random: Random, token: string): string {
  return random.share() < 0.5
    ? token.slice(0, random.between(1, token.length - 1))
    : token.slice(random.between(1, token.length - 1));
}

function lengthen(random: Random, token: string): string {
  const more = random.pick([
    "=",
    "==",
    ".",
    ".x",
    "..",
    "A",
    "AAAA",
    "\0",
    "+",
    "%00",
    token,
    `.${token}`,
    "A".repeat(random.between(1, 64) * kibibyte),
  ]);
  const segments = token.split(".");
  const at = random.between(0, segments.length - 1);
  return random.share() < 0.5 ? `${token}${more}` : segments.with(at, `${segments[at]}${more}`).join(".");
}

/** Their headers are equal; some of the other four, not all, come from another batch. */
function splice(random: Random, key: BatchKey, plaintext: string): string {
  const [one, other] = [seal(random, key, Buffer.from(plaintext)), seal(random, key, Buffer.from(`${plaintext} `))].map(
    (token) => token.split("."),
  );
  const taken = random.shuffle([1, 2, 3, 4]).slice(0, random.between(1, 3));
  return (one ?? []).map((segment, index) => (taken.includes(index) ? (other?.[index] ?? "") : segment)).join(".");
}

function rearrange(random: Random, token: string): string {
  const segments = token.split(".");
  const at = random.between(0, segments.length - 1);
  const segment = segments[at] ?? "";
  return random
    .pick([
      segments.toSpliced(at, 1),
      segments.toSpliced(at, 0, segment),
      segments.with(at, ""),
      segments.with(at, segment + segment),
      segments.with(at, [...segment].toReversed().join("") + "A"),
    ])
    .join(".");
}

const wrongValues: Readonly<Record<string, readonly unknown[]>> = {
  alg: [
    undefined,
    null,
    "",
    "none",
    "dir",
    "RSA1_5",
    "RSA-OAEP-256",
    "RSA-OAEP-512",
    "rsa-oaep",
    "RSA-OAEP ",
    "A256KW",
    "ECDH-ES",
    7,
    ["RSA-OAEP"],
    { alg: "RSA-OAEP" },
  ],
  enc: [undefined, null, "", "A128GCM", "A192GCM", "A256CBC-HS512", "a256gcm", "A256GCM\0", 256, ["A256GCM"], true],
  zip: [null, "", "def", "GZIP", "deflate", 0, false, [], {}, ["DEF"]],
  kid: [
    undefined,
    null,
    "",
    "other",
    7,
    ["kid"],
    {},
    "\0",
    "k".repeat(300),
    "'; drop table batch_keys; --",
    "../../etc/passwd",
    "\u{1F4B3}",
  ],
  crit: [null, [], ["exp"], ["b64"], "exp", {}],
};

/** One parameter out of the contract; or a text that is no header at all. */
function wrongHeader(random: Random, key: BatchKey): string | Buffer {
  if (random.share() < 0.25) return headerJunk(random, key);
  const name = random.pick(Object.keys(wrongValues));
  const values = wrongValues[name] ?? [];
  // Undefined leaves the parameter out.
  return JSON.stringify({ ...headerOf(key, false), [name]: values[random.between(0, values.length - 1)] });
}

function headerJunk(random: Random, key: BatchKey): string | Buffer {
  const whole = JSON.stringify(headerOf(key, false));
  return random.pick<() => string | Buffer>([
    () => bytesOf(random, random.between(1, 200)),
    () => whole.slice(0, random.between(1, whole.length - 1)),
    () => `[${whole}]`,
    () => JSON.stringify(whole),
    () => "null",
    () => `${whole}${whole}`,
    () => `${"[".repeat(random.between(1, 2900))}`,
    () => `{"alg":"RSA-OAEP","enc":"A256GCM","kid":${JSON.stringify(key.kid)},"alg":"none"}`,
    () => `{"__proto__":${whole}}`,
    () => JSON.stringify({ ...headerOf(key, false), junk: "x".repeat(headerLengthMax) }),
    () =>
      Buffer.concat([Buffer.from(whole.slice(0, -1)), Buffer.from(',"x":"'), Buffer.of(0xff, 0xfe), Buffer.from('"}')]),
  ])();
}

function editHeader(random: Random, key: BatchKey, token: string): string {
  const [, ...others] = token.split(".");
  const header =
    random.share() < 0.5
      ? wrongHeader(random, key)
      : JSON.stringify({ ...headerOf(key, random.share() < 0.5), typ: random.pick(["JWE", "JWT", ""]) });
  return [Buffer.from(header).toString("base64url"), ...others].join(".");
}

const foreignKeys = new Map<string, BatchKey>();

function foreignKeyOf(kid: string): BatchKey {
  const known = foreignKeys.get(kid) ?? {
    kid,
    publicKey: generateKeyPairSync("rsa", { modulusLength: 3072 }).publicKey,
  };
  foreignKeys.set(kid, known);
  return known;
}

function wrongWrap(random: Random, key: BatchKey): Partial<{ contentKey: Buffer; wrap(contentKey: Buffer): Buffer }> {
  const modulus = Buffer.from(key.publicKey.export({ format: "jwk" }).n ?? "", "base64url");
  const raw = (bytes: Buffer) => ({ wrap: () => bytes });
  return random.pick([
    () => ({ contentKey: bytesOf(random, random.pick([0, 1, 16, 24, 31, 33, 64])) }),
    () => ({ wrap: (contentKey: Buffer) => oaep(key, contentKey, { oaepHash: "sha256" }) }),
    () => ({ wrap: (contentKey: Buffer) => oaep(key, contentKey, { oaepLabel: Buffer.from("label") }) }),
    () => ({
      wrap: (contentKey: Buffer) =>
        publicEncrypt({ key: key.publicKey, padding: constants.RSA_PKCS1_PADDING }, contentKey),
    }),
    () => ({ wrap: (contentKey: Buffer) => oaep(foreignKeyOf(key.kid), contentKey) }),
    () => raw(bytesOf(random, modulus.length).fill(0, 0, 1)),
    () => raw(Buffer.alloc(modulus.length)),
    () => raw(Buffer.from(Buffer.alloc(modulus.length).fill(1, modulus.length - 1))),
    () => raw(modulus),
    () => raw(Buffer.from(modulus.with(modulus.length - 1, (modulus.at(-1) ?? 1) - 1))),
    () => raw(Buffer.alloc(modulus.length, 0xff)),
    () => raw(bytesOf(random, random.pick([0, 1, 100, modulus.length - 1, modulus.length + 1]))),
  ])();
}

const bombs = new Map<string, Buffer>();

/**
 * Blanks, brackets, zeros again and again: more than any request may hold. Deflating 300 MiB takes a second, so each is
 * made once.
 */
function bomb(random: Random, key: BatchKey): string {
  const [mebibytes, filling] = [random.pick(bombMebibytes), random.pick([" ", "[", "0", '{"uid":"'])];
  const name = `${mebibytes} ${filling}`;
  const content = bombs.get(name) ?? deflateRawSync(Buffer.alloc(mebibytes * kibibyte * kibibyte, filling));
  bombs.set(name, content);
  return seal(random, key, content, { header: JSON.stringify(headerOf(key, true)) });
}

function damagedDeflate(random: Random, plaintext: Buffer): Buffer {
  const whole = deflateRawSync(plaintext);
  return random.pick<() => Buffer>([
    () => whole.subarray(0, random.between(0, whole.length - 1)),
    () => Buffer.concat([whole, bytesOf(random, random.between(1, 40))]),
    () => Buffer.concat([whole, whole]),
    () => deflateSync(plaintext),
    () => gzipSync(plaintext),
    () => plaintext,
    () => Buffer.alloc(random.between(1, 100)),
    // The reserved block type (RFC 1951, 3.2.3).
    () => Buffer.concat([Buffer.of(0x07), whole]),
  ])();
}
