/** Texts that are kept once for many rows come back as they are, also beyond what is kept. */
import test from "ava";
import { KnownTexts } from "../../src/ledger/known-texts.ts";

/** The text of a part of other bytes, as a row's field is, and whether it was made of them anew. */
function look(known: KnownTexts, text: string, end = ">"): { text: string; isMade: boolean } {
  const bytes = Buffer.from(`<${text}${end}`, "utf8");
  let isMade = false;
  bytes.toString = (encoding?: BufferEncoding, from?: number, to?: number) => {
    isMade = true;
    return Buffer.prototype.toString.call(bytes, encoding, from, to);
  };
  return { text: known.of(bytes, 1, bytes.length - 1), isMade };
}

/** How many of these were made anew. */
function made(known: KnownTexts, texts: Iterable<string>): number {
  let count = 0;
  for (const text of texts) {
    const found = look(known, text);
    if (found.text !== text) throw new Error(`${found.text} instead of ${text}`);
    if (found.isMade) count += 1;
  }
  return count;
}

function* orders(count: number, prefix = "ORDER "): Generator<string> {
  for (let number = 0; number < count; number++) yield `${prefix}${number}`;
}

test("every text comes back as it is, also when there are more than are kept", (t) => {
  const known = new KnownTexts();
  for (let round = 0; round < 2; round++) {
    for (let number = 0; number < 70_000; number++) {
      const text = `ORDER ${number} KØB ${"x".repeat(number % 150)}`;
      if (look(known, text).text !== text) t.fail(text);
    }
  }
  t.is(look(known, "").text, "");
});

test("a text is made once, and nothing is made of no bytes", (t) => {
  const known = new KnownTexts();
  t.deepEqual(look(known, "NETFLIX"), { text: "NETFLIX", isMade: true });
  t.deepEqual(look(known, "NETFLIX"), { text: "NETFLIX", isMade: false });
  t.deepEqual(look(known, "KØB 日本 🧾"), { text: "KØB 日本 🧾", isMade: true });
  t.deepEqual(look(known, "KØB 日本 🧾"), { text: "KØB 日本 🧾", isMade: false });
  t.deepEqual(look(known, ""), { text: "", isMade: false });
});

test("what stands beside a text makes no other one of it", (t) => {
  const known = new KnownTexts();
  for (const end of [">", "X", "Y"]) t.is(look(known, "NETFLIX", end).isMade, end === ">");
});

test("texts of up to 128 bytes are kept, longer ones are not", (t) => {
  const known = new KnownTexts();
  t.is(made(known, ["x".repeat(128), "x".repeat(128), "ø".repeat(64), "ø".repeat(64)]), 2);
  t.is(made(known, ["x".repeat(129), "x".repeat(129), "ø".repeat(65), "ø".repeat(65)]), 4);
});

test("texts that differ by a byte, by their order or by their length are told apart", (t) => {
  const known = new KnownTexts();
  const texts = ["a", "b", "ab", "ba", "aa", "aab", "aba", "baa", "Netflix", "Netflis", "netflix"];
  t.is(made(known, texts), texts.length);
  t.is(made(known, texts), 0);
});

test("texts are told apart even where their hash is the same", (t) => {
  const known = new KnownTexts();
  for (const pair of [
    ["EdNQXHlyhI", "SAWSUtQWlQ"],
    ["fhkCrBThMW", "gFMUegwlTl"],
    ["RentGs e5J", "Rent"],
  ]) {
    t.is(made(known, pair), 2);
    t.is(made(known, pair), 0);
  }
});

test("32,768 texts are kept, and one more has all forgotten", (t) => {
  const known = new KnownTexts();
  t.is(made(known, orders(32_768)), 32_768);
  t.is(made(known, orders(32_768)), 0);
  t.is(made(known, ["one more"]), 1);
  t.is(made(known, orders(32_768)), 32_768);
  t.is(made(known, orders(32_768)), 0);
});

test("a mebibyte of texts is kept, and one byte more has all forgotten", (t) => {
  const known = new KnownTexts();
  const long = [...orders(8192)].map((text) => text.padEnd(128, "."));
  t.is(made(known, long), 8192);
  t.is(made(known, long), 0);
  t.is(made(known, ["x"]), 1);
  t.is(made(known, long.slice(0, 10)), 10);
  t.is(made(known, long.slice(0, 10)), 0);
});
