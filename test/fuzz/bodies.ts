/** JSON bodies with something in the wrong place, and bytes that are hardly JSON. */
import type { Random } from "../faults/random.ts";
import { bytesOf } from "./sealing.ts";

const junkTexts = [
  "",
  " ",
  "\0",
  "\ud800",
  "💳",
  "'; drop table users; --",
  "${7*7}",
  "../../etc/passwd",
  "\u202e",
  "<script>",
  "x".repeat(255),
  "x".repeat(2000),
  "2026-02-30",
  "0000-00-00",
  "1e999",
  "null",
];

/** Text of JSON, since some of it no value stands for. */
function junkValue(random: Random): string {
  return random.pick<() => string>([
    () => "null",
    () => "true",
    () => "0",
    () => "-1",
    () => "1e400",
    () => "-0.0000001",
    () => "9".repeat(random.between(16, 400)),
    () => "1.5",
    () => "[]",
    () => "{}",
    () => "[[]]",
    () => "[null]",
    () => JSON.stringify(random.pick(junkTexts)),
    () => JSON.stringify("x".repeat(random.between(1000, 70_000))),
    () => `[${Array.from({ length: random.between(2, 5000) }, () => "0").join(",")}]`,
    () => `${"[".repeat(5000)}${"]".repeat(5000)}`,
    () => `${'{"a":'.repeat(3000)}1${"}".repeat(3000)}`,
    () => '{"__proto__":{"isAdmin":true}}',
    () => '{"constructor":{"prototype":{}}}',
    () => '{"toString":1,"valueOf":null}',
    () => '{"$ref":"#/x"}',
  ])();
}

const mark = "\u0001here\u0001";

/** One to three places of the example replaced, taken away or doubled; keys added. */
export function changedBody(random: Random, example: unknown): string {
  let text = JSON.stringify(example);
  for (let changes = random.between(1, 3); changes > 0; changes -= 1) text = changeOnce(random, text);
  return text;
}

function changeOnce(random: Random, text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  const places = pathsOf(value);
  if (places.length === 0 || random.share() < 0.08) return junkValue(random);
  const { owner, key } = random.pick(places);
  const way = random.share();
  if (way < 0.2) {
    if (Array.isArray(owner)) owner.splice(Number(key), 1);
    else Reflect.deleteProperty(owner, key);
    return JSON.stringify(value);
  }
  if (way < 0.3 && !Array.isArray(owner)) {
    Object.assign(owner, { later: 1, [`${key} `]: Reflect.get(owner, key), __proto: 1 });
    return JSON.stringify(value);
  }
  Reflect.set(owner, key, mark);
  return JSON.stringify(value).replace(JSON.stringify(mark), () => junkValue(random));
}

type Place = { owner: object; key: string };

/** Deeper than any body is meant to be. */
const depthMax = 12;

function pathsOf(value: unknown, depth = 0): Place[] {
  if (typeof value !== "object" || value === null || depth > depthMax) return [];
  return Object.entries(value).flatMap(([key, inner]) => [{ owner: value, key }, ...pathsOf(inner, depth + 1)]);
}

export function bodyBytes(random: Random, text: string): Buffer {
  const whole = Buffer.from(text);
  return random.pick<() => Buffer>([
    () => whole.subarray(0, random.between(0, whole.length - 1)),
    () => Buffer.concat([whole, whole]),
    () =>
      Buffer.from(
        whole.map((byte, index) =>
          index === random.between(0, whole.length - 1) ? byte ^ (1 << random.between(0, 7)) : byte,
        ),
      ),
    () => bytesOf(random, random.between(1, 300)),
    () => Buffer.concat([Buffer.from("\uFEFF"), whole]),
    () => Buffer.from(text, "utf16le"),
    () =>
      Buffer.concat([
        whole.subarray(0, Math.ceil(whole.length / 2)),
        Buffer.of(0xff, 0xc0, 0x80),
        whole.subarray(Math.ceil(whole.length / 2)),
      ]),
    () => Buffer.from("[".repeat(random.between(1, 60_000))),
    () => Buffer.alloc(random.between(1, 200_000), " "),
    () => Buffer.from("<xml/>"),
    () => Buffer.from("a=b&c=d"),
    () => Buffer.alloc(0),
    () => Buffer.from(`${text}\0`),
    () => Buffer.from('{"a":1,"a":2}'),
  ])();
}
