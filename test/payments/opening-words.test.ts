/** Words with which a bank begins many texts are told from the names behind them. */
import test from "ava";
import { addDays } from "../../src/time/calendar.ts";
import { prepare } from "../../src/payments/history.ts";
import type { Payment } from "../../src/payments/payment.ts";
import { merchantBehind, merchantOf } from "../../src/payments/merchant.ts";
import { withoutOpeningWords } from "../../src/payments/opening-words.ts";
import { context, monthly, row, rows, services } from "../recognition/payments.ts";

const shops = ["LEIVURI", "VIHIK", "KALAMAJA TURG", "MARJA", "PUIT", "JUUST"];

/** Two purchases at each shop on days of no cadence, as a bank in a language that nobody taught us writes them. */
function purchases(opening: string, names: readonly string[]) {
  return names.flatMap((name, at) =>
    [3, 61].map((days, again) =>
      row(addDays(context.asOf, -days - at * 7 - again * at), `${opening} ${name}`, -1_700 - 311 * at - 97 * again),
    ),
  );
}

function keysOf(history: Parameters<typeof prepare>[0]): string[] {
  return [...new Set(prepare(history, context.asOf).map(({ merchant }) => merchant.key))].toSorted();
}

test("words that many names begin with are the bank's, in any language", (t) => {
  t.deepEqual(keysOf(purchases("OST PUNKT", shops)), shops.toSorted());
});

test("few names that begin alike keep what they begin with", (t) => {
  const few = shops.slice(0, 5);
  t.deepEqual(keysOf(purchases("OST PUNKT", few)), few.map((name) => `OST PUNKT ${name}`).toSorted());
});

test("what a small part of the names begins with is a name of its own", (t) => {
  const others = Array.from(
    { length: 40 },
    (_, n) => `${String.fromCodePoint(65 + (n % 26), 66 + (n % 7), 67 + (n % 11))}KAUP`,
  );
  const keys = keysOf([
    ...purchases("SUURTURG", shops),
    ...others.flatMap((name, n) => [
      row(addDays(context.asOf, -n - 1), name, -900 - n),
      row(addDays(context.asOf, -n - 90), name, -950 - n),
    ]),
  ]);
  t.true(keys.includes("SUURTURG LEIVURI"));
  const longer = keysOf([
    ...purchases("OST PUNKT", shops),
    ...others.flatMap((name, n) => [
      row(addDays(context.asOf, -n - 1), name, -900 - n),
      row(addDays(context.asOf, -n - 90), name, -950 - n),
    ]),
  ]);
  t.true(longer.includes("LEIVURI"), "products hardly have two words in common");
});

test("references behind a name, however many, do not make the name the bank's", (t) => {
  const codes = ["QWERTI", "ZXCVBN", "PLMOKN", "IJBUHV", "YGCTFX", "RDZESA", "WAQXSW", "EDCVFR"];
  const history = monthly("2025-11-12", 8).map((day, at) => row(day, `LAINUVIHIK ${codes[at]!}`, -8_900));
  t.true(keysOf(history).every((key) => key.startsWith("LAINUVIHIK ")));
});

/** One payment for each line, none of which has been looked at beside the others. */
function paid(...descriptions: string[]): Payment[] {
  return descriptions.flatMap((description, at) =>
    prepare([row(addDays("2026-01-01", at % 150), description, -900 - at)], context.asOf),
  );
}

function keys(payments: readonly Payment[]): string[] {
  return payments.map(({ merchant }) => merchant.key);
}

const twice = (...names: string[]): string[] => names.flatMap((name) => [name, name]);
const sixNames = ["OST LEIVURI", "OST VIHIK", "OST KALAMAJA", "OST MARJA", "OST PUIT", "OST JUUST"];
/** Other names of one word; twenty-six at most. */
const others = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `B${String.fromCodePoint(65 + n)}KAUP`);

test("the payments keep their order and all but their merchants", (t) => {
  const payments = paid(...twice(...sixNames), "MUU");
  const renamed = withoutOpeningWords(payments);
  t.deepEqual(keys(renamed), [...twice("LEIVURI", "VIHIK", "KALAMAJA", "MARJA", "PUIT", "JUUST"), "MUU"]);
  t.deepEqual(
    payments.map(({ merchant }, at) => ({ ...renamed[at], merchant })),
    payments,
  );
  t.is(renamed[12], payments[12]);
});

test("where no words are the bank's the payments are the same", (t) => {
  const payments = paid(...twice(...sixNames.slice(1)));
  t.is(withoutOpeningWords(payments), payments);
  t.deepEqual(withoutOpeningWords([]), []);
});

test("a name that is paid once tells nothing of the bank's words, but loses them too", (t) => {
  t.deepEqual(keys(withoutOpeningWords(paid(...twice(...sixNames.slice(1)), "OST LEIVURI"))), [
    ...twice(...sixNames.slice(1)),
    "OST LEIVURI",
  ]);
  t.deepEqual(keys(withoutOpeningWords(paid(...twice(...sixNames), "OST ONU"))).slice(-1), ["ONU"]);
});

test("a name that returns often is one name", (t) => {
  const often = paid(...twice(...sixNames.slice(1)), ...sixNames.slice(1), ...sixNames.slice(1));
  t.is(withoutOpeningWords(often), often);
});

test("six names are enough among thirty, and too few among thirty-one", (t) => {
  t.is(keys(withoutOpeningWords(paid(...twice(...sixNames, ...others(24)))))[0], "LEIVURI");
  t.is(keys(withoutOpeningWords(paid(...twice(...sixNames, ...others(25)))))[0], "OST LEIVURI");
});

const letters = (n: number): string => String.fromCodePoint(66 + (n % 20), 65 + Math.floor(n / 20));

test("twenty names behind two words are enough among any number, and nineteen are too few among many", (t) => {
  const all = Array.from({ length: 400 }, (_, n) => `${letters(n)}KAUP`);
  const opened = (count: number): string[] => Array.from({ length: count }, (_, n) => `OST PUNKT ${letters(n)}TURG`);
  const firstOf = (count: number): string | undefined =>
    keys(withoutOpeningWords(paid(...twice(...opened(count), ...all.slice(count)))))[0];
  t.is(firstOf(20), "BATURG");
  t.is(firstOf(19), "OST PUNKT BATURG");
});

test("eight names behind two words are enough among any number where five are each paid a price of their own", (t) => {
  const crowd = Array.from({ length: 120 }, (_, n) => `${letters(n)}KAUP`);
  const others = crowd.flatMap((name, n) =>
    [1, 90].map((days) => row(addDays(context.asOf, -n - days), name, -900 - n - days)),
  );
  const bills = (names: readonly string[], priced: number) =>
    names.flatMap((name, at) =>
      [5, 35, 66].map((days, again) =>
        row(addDays(context.asOf, -days - at), `OST PUNKT ${name}`, -1_700 - 311 * at - (at < priced ? 0 : 97 * again)),
      ),
    );
  const eight = [...shops, "VALGUS", "KINDLUS"];
  const opened = (names: readonly string[], priced: number): boolean =>
    !keysOf([...bills(names, priced), ...others]).includes(`OST PUNKT ${shops[0]}`);
  t.true(opened(eight, 5));
  t.false(opened(eight, 4));
  t.false(opened(eight.slice(0, 7), 7));
});

test("where a bank leads to the name with one word, it does so behind whatever words of its own", (t) => {
  const names = ["LEIVURI", "VIHIK", "KALAMAJA", "MARJA", "PUIT", "JUUST"];
  const opened = names.map((name) => `MAKSE SELLELE ${name}`);
  const bills = (...opening: string[]): string[] => [`${opening.join(" ")} ELEKTER`, `${opening.join(" ")} VESI`];
  t.deepEqual(
    keys(withoutOpeningWords(paid(...twice(...opened, ...bills("ARVE", "INTERNETIS", "SELLELE"))))).slice(-4),
    twice("ELEKTER", "VESI"),
  );
  t.deepEqual(
    keys(withoutOpeningWords(paid(...twice(...opened, ...bills("ARVE", "INTERNETIS"))))).slice(-4),
    twice(...bills("ARVE", "INTERNETIS")),
    "another word leads to nothing",
  );
  t.deepEqual(
    keys(withoutOpeningWords(paid(...twice(...opened, "ARVE SELLELE ELEKTER")))).slice(-2),
    twice("ARVE SELLELE ELEKTER"),
    "what goes on in one way only is a name",
  );
  const byOneWord = names.map((name) => `SELLELE ${name}`);
  t.deepEqual(
    keys(withoutOpeningWords(paid(...twice(...byOneWord, ...bills("ARVE", "SELLELE"))))).slice(-4),
    twice(...bills("ARVE", "SELLELE")),
    "a word that opens alone leads to nothing behind others",
  );
});

test("names go on differently when their next words differ", (t) => {
  const alike = ["OST PUIT A1", "OST PUIT B2", "OST PUIT C3", "OST PUIT D4", "OST PUIT E5", "OST PUIT F6"];
  t.deepEqual(
    keys(withoutOpeningWords(paid(...twice(...alike)))),
    twice("OST PUIT A1", "OST PUIT B2", "OST PUIT C3", "OST PUIT D4", "OST PUIT E5", "OST PUIT F6"),
  );
  const ended = ["OST PUIT ARVO", "OST PUIT", "OST MARI", "OST MARI ONU", "OST JUUST", "OST VIHIK", "OST KALA"];
  t.is(keys(withoutOpeningWords(paid(...twice(...ended))))[0], "OST PUIT ARVO");
});

test("next words that differ in their first letter alone are different", (t) => {
  t.is(keys(withoutOpeningWords(paid(...twice("OST KARJA", ...sixNames.slice(1)))))[0], "KARJA");
});

test("an opening may be a single letter", (t) => {
  t.is(keys(withoutOpeningWords(paid(...twice(...sixNames.map((name) => name.replace("OST", "Q"))))))[0], "LEIVURI");
});

test("names of one word that differ in their last letter have no opening in common", (t) => {
  const names = ["RORA", "RORB", "RORC", "RORD", "RORE", "RORF", "ROR NORD"];
  t.deepEqual(keys(withoutOpeningWords(paid(...twice(...names)))), twice(...names));
});

test("of several openings the longest is taken off, ten words at most", (t) => {
  const names = ["LEIVURI", "VIHIK", "KALAMAJA", "MARJA", "PUIT", "JUUST"];
  const opened = (opening: string) =>
    keys(withoutOpeningWords(paid(...twice(...names.map((name) => `${opening} ${name}`)))));
  t.deepEqual(opened("OST"), twice(...names));
  t.deepEqual(opened("OST PUNKT"), twice(...names));
  t.deepEqual(opened("OST PUNKT TALLINN"), twice(...names));
  const ten = "OST PUNKT TALLINN KESK KONTO DEEBET MAKSE TEENUS POOD KELL";
  t.deepEqual(opened(ten), twice(...names));
  t.deepEqual(opened(`${ten} VEEL`), twice(...names.map((name) => `${ten} VEEL ${name}`)));
  const both = [...names.map((name) => `OST ${name}`), ...names.map((name) => `OST PUNKT ${name}`)];
  t.deepEqual(keys(withoutOpeningWords(paid(...twice(...both)))), twice(...names, ...names));
});

test("the opening alone stays what it is, and so does a name that only begins with its letters", (t) => {
  const payments = paid(...twice(...sixNames), "OST", "OSTUR LEIVURI");
  t.deepEqual(keys(withoutOpeningWords(payments)).slice(-2), ["OST", "OSTUR LEIVURI"]);
});

test("where nobody is named behind the opening, the payment is the same", (t) => {
  const payments = paid(...twice(...sixNames), "OST XY");
  t.is(withoutOpeningWords(payments).at(-1), payments.at(-1));
});

test("an ended subscription is not taken to go on in shops that the bank's words begin like it", (t) => {
  const ended = rows(monthly("2025-03-04", 9), "OST PUNKT HELIVIHIK", -9_900);
  const since = [0, 11, 19, 46, 52, 101].flatMap((days, at) =>
    shops.map((name, shop) =>
      row(
        addDays(context.asOf, -days - 5 * shop - at * shop),
        `OST PUNKT ${name}`,
        -9_100 - 137 * [0, 4, 1, 5, 2, 3][at]! - 61 * shop,
      ),
    ),
  );
  const history = [...ended, ...since];
  const [found, ...more] = services(history);
  t.deepEqual(more, []);
  t.is(found?.status, "INACTIVE");
  t.is(found?.title, "Helivihik");
  t.is(found?.payments.length, 9);
});

test("behind the bank's words the name is read as if it stood alone", (t) => {
  const behind = merchantBehind(merchantOf(null, "OST PUNKT 12.03.2026 4246xx1234 PAYPAL *Helivihik 402"), "OST PUNKT");
  t.like(behind, {
    text: "OST PUNKT 12.03.2026 4246xx1234 PAYPAL *Helivihik 402",
    key: "HELIVIHIK",
    gateway: "PAYPAL",
    title: "Helivihik",
  });
  t.is(merchantBehind(merchantOf(null, "OST PUNKT: KORTKOB LEIVURI 12.03"), "OST PUNKT").key, "LEIVURI");
  t.is(merchantBehind(merchantOf(null, "OST PUNKT KORTKOB LEIVURI"), "OST PUNKT").searchText, "LEIVURI");
  t.is(merchantBehind(merchantOf(null, "OST, PUNKT - Leivuri"), "OST PUNKT").searchText, "LEIVURI");
});

test("a merchant of whom nothing is left behind the words stays itself", (t) => {
  for (const line of ["OST PUNKT 7", "OST PUNKT", "OST PUNKT XY"]) {
    const bare = merchantOf(null, line);
    t.is(merchantBehind(bare, "OST PUNKT"), bare, line);
  }
  t.is(merchantBehind(merchantOf(null, "OST PUNKT ABC"), "OST PUNKT").key, "ABC");
});

test("a merchant whose line does not have the words as words of their own stays itself", (t) => {
  for (const line of ["OSTPUNKT LEIVURI", "OST LEIVURI", "PUNKT OST LEIVURI"]) {
    const other = merchantOf(null, line);
    t.is(merchantBehind(other, "OST PUNKT"), other, line);
  }
});

test("what is behind words is read once for each", (t) => {
  const merchant = merchantOf(null, "OST PUNKT LEIVURI");
  t.is(merchantBehind(merchant, "OST"), merchantBehind(merchant, "OST"));
  t.is(merchantBehind(merchant, "OST").key, "PUNKT LEIVURI");
  t.is(merchantBehind(merchant, "OST PUNKT").key, "LEIVURI");
});

test("beside a kind of line that many names follow, others that begin with its word need fewer", (t) => {
  const few = ["KOLDING", "SOLBERG", "TOMMERUP", "LINDHAVE"];
  const keys = keysOf([...purchases("TAKSTU KAART PUNKT", shops), ...purchases("TAKSTU ARVE", few)]);
  t.deepEqual(keys, [...shops, ...few].toSorted());
  const apart = keysOf([...purchases("TAKSTU KAART PUNKT", shops), ...purchases("MAKSTUD ARVE", few)]);
  t.true(apart.includes("MAKSTUD ARVE SOLBERG"), "another first word is nobody's known");
});

test("a shop in one kind of line is no opening, however many numbers and streets go on from it", (t) => {
  const streets = ["KOLDING SW", "KOLDING 20TH", "KOLDING 75TH", "KOLDING A12", "KOLDING B3"];
  const keys = keysOf([...purchases("TAKSTU KAART PUNKT", shops), ...purchases("TAKSTU POS", streets)]);
  t.true(keys.every((key) => !key.startsWith("SW") && !key.startsWith("20TH")));
});
