/** Of a line the bank's own words are taken off; what is left names the payee and tells what it is for. */
import test from "ava";
import { bankWordsAt, isClosing, isNumberLike, isShortNumber, longestAt } from "../../src/categories/bank-words.ts";
import { nameStart, noOpenings, readingOf, withoutLongNumbers } from "../../src/categories/reading.ts";
import { wordsIn } from "../../src/categories/words.ts";

const read = (text: string, openings = noOpenings) => readingOf(text, openings);
const word = (text: string) => ({ text, at: 0 });

test("a name stands behind the bank's words and numbers, and ends before its closing words", (t) => {
  t.deepEqual(read("BS: 7741 XQZV"), { name: "XQZV", longerName: null, before: 4, text: "XQZV" });
  t.deepEqual(read("CARD PAYMENT TO TESCO ON 15 MAY BCC"), {
    name: "TESCO ON 15 MAY ",
    longerName: "TO TESCO ON 15 MAY ",
    before: 2,
    text: "TESCO ON 15 MAY BCC",
  });
  t.deepEqual(read("NETTO XXX1234 KORT"), {
    name: "NETTO ",
    longerName: null,
    before: 0,
    text: "NETTO XXX1234 KORT",
  });
});

test("the last of the bank's words may belong to the name: a short number, or a word", (t) => {
  t.like(read("DANKORT-NOTA 7-ELEVEN 12"), { name: "ELEVEN 12", longerName: "7-ELEVEN 12", before: 1 });
  t.like(read("KORT 365-DISCOUNT"), { name: "DISCOUNT", longerName: "365-DISCOUNT", before: 3 });
  t.like(read("KORT 3650-DISCOUNT"), { name: "DISCOUNT", longerName: null, before: 4 });
  t.like(read("MC DONALDS 12"), { name: "DONALDS 12", longerName: "MC DONALDS 12", before: 2 });
  t.like(read("XQZV 12"), { name: "XQZV 12", longerName: null, before: 0 });
});

test("where nothing stands behind the bank's words they are all there is", (t) => {
  t.deepEqual(read("VISA"), { name: "", longerName: null, before: 0, text: "VISA" });
  t.deepEqual(read("44 55"), { name: "", longerName: null, before: 0, text: "44 55" });
  t.deepEqual(read(""), { name: "", longerName: null, before: 0, text: "" });
});

test("numbers of five digits and more, dates, times and amounts are no part of a name; shorter numbers may be", (t) => {
  t.is(
    withoutLongNumbers("A 12345 B 1234 C 12.05.26 D 12:30 E 1.5 F 123.45 G 12-34 H 1/2/34"),
    "A # B 1234 C # D # E 1.5 F # G # H #",
  );
  t.is(read("NETTO 1234567 VEJLE 12:30").name, "NETTO # VEJLE #");
});

test("what a user's bank begins its lines with is taken off for that user alone, the longest first", (t) => {
  t.is(read("FLURB BINK NETTO", new Set(["FLURB BINK"])).name, "NETTO");
  t.is(read("FLURB BINK NETTO", new Set(["FLURB"])).name, "BINK NETTO");
  t.is(read("FLURB BINK NETTO", new Set(["FLURB", "FLURB BINK"])).name, "NETTO");
  t.is(read("FLURB BINK NETTO").name, "FLURB BINK NETTO");
  t.is(read("VISA FLURB NETTO", new Set(["FLURB"])).name, "NETTO");
  t.is(read("VISA 12 FLURB 7 KORT NETTO", new Set(["FLURB"])).name, "NETTO");
});

test("users of banks with the same openings, in whatever order, have the same readings", (t) => {
  t.is(read("ZONK NETTO", new Set(["ZONK", "ARB"])), read("ZONK NETTO", new Set(["ARB", "ZONK"])));
  t.not(read("ZONK NETTO", new Set(["ZONK"])), read("ZONK NETTO", new Set(["ARB", "ZONK"])));
  t.is(read("KORT 123456 NETTO"), read("KORT 654321 NETTO"));
});

test("words of digits are numbers, but a letter and a digit are a name", (t) => {
  for (const text of ["12", "A33", "1A", "X12", "12345A", "AB12"]) t.true(isNumberLike(word(text)), text);
  for (const text of ["A3", "AB3", "XYZ12", "ABC1", "NETTO", "A"]) t.false(isNumberLike(word(text)), text);
  for (const text of ["1", "12", "365"]) t.true(isShortNumber(word(text)), text);
  for (const text of ["3650", "A12", "12A", "NETTO"]) t.false(isShortNumber(word(text)), text);
  t.false(isShortNumber(undefined));
});

test("three and more masked digits close a name, and so do banks' own words", (t) => {
  for (const text of ["XXX", "XXX1234", "XXXXXX", "BCC"]) t.true(isClosing(word(text)), text);
  for (const text of ["XX12", "XX", "XXXA", "AXXX12", "NETTO"]) t.false(isClosing(word(text)), text);
  // It has a name before it, or is one.
  t.is(read("BCC").name, "BCC");
});

test("a bank's phrase is the longest that stands here, of at most four words", (t) => {
  t.is(bankWordsAt(wordsIn("BETALING VIA INTERNET NETTO"), 0), 1);
  t.is(bankWordsAt(wordsIn("BETALING VIA INTERNET NETTO"), 1), 2);
  t.is(bankWordsAt(wordsIn("NETTO VISA"), 0), 0);
  t.is(bankWordsAt(wordsIn("NETTO VISA"), 1), 1);
  // What also names who is paid is none.
  t.is(bankWordsAt(wordsIn("EUROCARD NETTO"), 0), 0);
  t.is(longestAt(wordsIn("A B C D E"), 0, new Set(["A", "A B C D", "A B C D E"])), 4);
  t.is(longestAt(wordsIn("A B C D E"), 3, new Set(["D E"])), 2);
  t.is(longestAt(wordsIn("A B"), 2, new Set(["A"])), 0);
});

test("a name begins at the first word that is no number and no bank's; nowhere where there is none", (t) => {
  t.is(nameStart(wordsIn("VISA 1234 NETTO 7"), noOpenings), 2);
  t.is(nameStart(wordsIn("VISA 1234"), noOpenings), 2);
  t.is(nameStart(wordsIn("NETTO"), noOpenings), 0);
});
