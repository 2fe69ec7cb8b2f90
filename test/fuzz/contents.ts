/**
 * Contents that are sealed as they should be and hold at least one thing that must not be loaded: the batch is refused
 * whole.
 */
import { deflateRawSync } from "node:zlib";
import type { BatchKey } from "../faults/generated.ts";
import type { Random } from "../faults/random.ts";
import { bytesOf, headerOf, seal } from "./sealing.ts";

/** @param elements JSON texts of records that would be loaded @returns a plaintext that must be refused */
export type ContentMutation = { name: string; make(random: Random, elements: readonly string[]): Buffer };

const bracketsMax = 1_000_000;
/** Beyond what an unknown key may nest. */
const depth = { least: 33, most: 100_000 };

export const contentMutations: ContentMutation[] = [
  { name: "nested arrays", make: (random, elements) => Buffer.from(nested(random, elements)) },
  {
    name: "deep JSON in an unknown key",
    make: (random, elements) => oneRecord(random, elements, (record) => withKey(record, deepValue(random))),
  },
  {
    name: "huge numbers",
    make: (random, elements) => oneRecord(random, elements, (record) => withNumber(random, record)),
  },
  { name: "bad UTF-8", make: badUtf8 },
  { name: "broken JSON", make: brokenJson },
  {
    name: "records out of contract",
    make: (random, elements) => oneRecord(random, elements, (record) => outOfContract(random, record)),
  },
  { name: "not an array of records", make: (random, elements) => Buffer.from(notRecords(random, elements)) },
];

export function sealContent(random: Random, key: BatchKey, plaintext: Buffer): string {
  // What does not fit into a request's 2 MiB otherwise is deflated in any case.
  const deflated = plaintext.length > 500_000 || random.share() < 0.6;
  return seal(random, key, deflated ? deflateRawSync(plaintext) : plaintext, {
    header: JSON.stringify(headerOf(key, deflated)),
  });
}

function arrayOf(elements: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat([
    Buffer.from("["),
    ...elements.flatMap((element, index) => [Buffer.from(index === 0 ? "" : ","), Buffer.from(element)]),
    Buffer.from("]"),
  ]);
}

/** One element, anywhere in the batch, is changed. */
function oneRecord(random: Random, elements: readonly string[], change: (record: string) => string): Buffer {
  const at = random.between(0, elements.length - 1);
  return arrayOf(elements.with(at, change(elements[at] ?? "")));
}

function nested(random: Random, elements: readonly string[]): string {
  const count = Math.round(bracketsMax ** random.share()) + 1;
  const whole = `[${elements.join(",")}]`;
  return random.pick([
    () => "[".repeat(count),
    () => `${"[".repeat(count)}${"]".repeat(count)}`,
    () => `${"[".repeat(count)}${whole}${"]".repeat(count)}`,
    () => `[${elements[0] ?? ""},${"[".repeat(count)}${"]".repeat(count)}]`,
    () => `[${"[],".repeat(Math.min(count, 100_000))}${elements[0] ?? ""}]`,
    () => `[${'{"a":'.repeat(Math.min(count, 200_000))}0${"}".repeat(Math.min(count, 200_000))}]`,
    () => `${"]".repeat(count)}`,
  ])();
}

function deepValue(random: Random): string {
  const levels = random.between(depth.least, depth.most);
  return random.share() < 0.5
    ? `${"[".repeat(levels)}${"]".repeat(levels)}`
    : `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
}

function withKey(record: string, value: string): string {
  return `${record.slice(0, -1)},"later":${value}}`;
}

const hugeNumbers = [
  "1e400",
  "-1e400",
  "1e16",
  "-1e308",
  "9".repeat(400),
  `0.${"0".repeat(20)}1e60`,
  "1e999999999",
  "99999999999999999999",
  "1".repeat(70_000),
  "-9007199254740993e5",
];
const noNumbers = [
  "NaN",
  "Infinity",
  "-Infinity",
  "0x10",
  "01",
  "+1",
  "1.",
  ".5",
  "1e",
  "--1",
  "1_000",
  "1,5",
  '"12"',
  "[]",
  "{}",
  "true",
  "null",
  "1n",
];

function withNumber(random: Random, record: string): string {
  return record.replace(/"amount":[^,}]+/, `"amount":${random.pick(random.share() < 0.6 ? hugeNumbers : noNumbers)}`);
}

/**
 * Bytes that no UTF-8 text has: lone continuations, overlong forms, surrogates, beyond the last code point, cut
 * characters.
 */
const badSequences = [
  [0x80],
  [0xbf, 0xbf],
  [0xc0, 0xaf],
  [0xc1, 0x81],
  [0xe0, 0x80, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
  [0xff],
  [0xfe],
  [0xe2, 0x82],
  [0xf0, 0x9f, 0x92],
];

/** Also what is UTF-8 and cannot be stored as text: NUL and lone surrogates. */
function badUtf8(random: Random, elements: readonly string[]): Buffer {
  if (random.share() < 0.3)
    return oneRecord(random, elements, (record) =>
      record.replace(
        /"description":"/,
        `"description":"${random.pick(["\\u0000", "\\ud800", "\\udfff", "\\udc00\\ud800", "a\\ud83dz"])}`,
      ),
    );
  const whole = arrayOf(elements);
  const at = random.between(1, whole.length - 1);
  const place = at + whole.subarray(at).findIndex((byte) => (byte & 0xc0) !== 0x80);
  return Buffer.concat([
    whole.subarray(0, Math.max(at, place)),
    Buffer.from(random.pick(badSequences)),
    whole.subarray(Math.max(at, place)),
  ]);
}

/** Some bytes more, fewer or others, until the text is no JSON array any more. */
function brokenJson(random: Random, elements: readonly string[]): Buffer {
  for (;;) {
    let bytes = arrayOf(elements);
    for (let changes = random.between(1, 3); changes > 0; changes -= 1) {
      const at = random.between(0, bytes.length - 1);
      const [cutBytes, put] = [
        random.between(0, 3),
        random.share() < 0.6
          ? Buffer.from(
              random.pick([
                "[",
                "]",
                "{",
                "}",
                ",",
                ":",
                '"',
                "\\",
                "0",
                "-",
                "\n",
                "\0",
                "//",
                "/* */",
                "'",
                "undefined",
              ]),
            )
          : bytesOf(random, 1),
      ];
      bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + cutBytes)]);
    }
    if (!isJsonArray(bytes)) return bytes;
  }
}

function isJsonArray(bytes: Buffer): boolean {
  try {
    return Array.isArray(JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)));
  } catch {
    return false;
  }
}

type Loose = Record<string, unknown> & { tx: Record<string, unknown> };

const requiredOfTx = ["txid", "description", "txTime", "type", "amount", "currency"];

function outOfContract(random: Random, record: string): string {
  const value = JSON.parse(record) as Loose;
  random.pick<() => unknown>([
    () => delete value.tx[random.pick(requiredOfTx)],
    () => delete value[random.pick(["uid", "type", "tx"])],
    () => (value.tx[random.pick(requiredOfTx)] = random.pick<unknown>([null, {}, [], true])),
    () => (value.type = random.pick<unknown>(["", "tx", "IMPORT_COMPLETED", "IMPORT", 1, null, ["TX"]])),
    () =>
      (value.uid = random.pick<unknown>(["", "nobody", `${String(value.uid)} `, 7, null, "x".repeat(201), "../other"])),
    () =>
      (value.tx.txTime = random.pick([
        "",
        "yesterday",
        "2026-02-30T00:00:00",
        "2026-13-01",
        "0000-00-00",
        "99999-01-01",
        "1899-12-31T00:00:00",
        `${"2".repeat(70)}`,
      ])),
    () => (value.tx.currency = random.pick(["", "dkk", "DK", "DKKK", "12A", "€€€"])),
    () => (value.tx.txid = random.pick(["", "x".repeat(256), "a\0b", "\ud800"])),
    () => (value.tx.description = "x".repeat(random.between(2001, 60_000))),
    () =>
      (value.account = random.pick<unknown>([
        "acc",
        {},
        { id: "" },
        { id: 1, name: "a", iban: "b" },
        { id: "x".repeat(300), name: "n", iban: "i" },
        [],
      ])),
    () =>
      (value.card = random.pick<unknown>([
        "card",
        {},
        { id: "c" },
        { id: "c", pan4: "4571123412341234" },
        { id: 1, pan4: "1234" },
      ])),
    () =>
      (value.tx.merchant = random.pick<unknown>([
        "Shop",
        { mcc: 5411 },
        { name: "s", mcc: "5411" },
        { name: "s", mcc: 1e9 },
        { name: "s", mcc: -1 },
        { name: "s", mcc: 1.5 },
        { name: "x".repeat(501) },
        [],
      ])),
    () => (value.tx.originalCurrency = random.pick<unknown>(["eur", 7, ""])),
  ])();
  return JSON.stringify(value);
}

const recordsMax = 750;

function notRecords(random: Random, elements: readonly string[]): string {
  const whole = `[${elements.join(",")}]`;
  return random.pick([
    () => "",
    () => "null",
    () => "7",
    () => '"[]"',
    () => "{}",
    () => elements[0] ?? "",
    () => `{"txs":${whole}}`,
    () => JSON.stringify(whole),
    () => `${whole}${whole}`,
    () => `${whole},`,
    () => `[${elements.join("\n")}]`.replace("}\n{", "} {"),
    () => `[${elements[0] ?? ""},]`,
    () => `[,${elements[0] ?? ""}]`,
    () => `[${elements[0] ?? ""},,${elements[0] ?? ""}]`,
    () => "[null]",
    () => '["TX"]',
    () => "[[]]",
    () => `\uFEFF${whole}`,
    () => `[${Array.from({ length: recordsMax + 1 }, () => elements[0] ?? "").join(",")}]`,
    () => elements.join("\n"),
    () => `[${elements[0] ?? ""}`,
    () => `${whole}\0`,
  ])();
}
