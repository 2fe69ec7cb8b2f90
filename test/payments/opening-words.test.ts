import test from "ava";
import { addDays } from "../../src/time/calendar.ts";
import { prepare } from "../../src/payments/history.ts";
import { merchantBehind, merchantOf } from "../../src/payments/merchant.ts";
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
});

test("references behind a name, however many, do not make the name the bank's", (t) => {
  const codes = ["QWERTI", "ZXCVBN", "PLMOKN", "IJBUHV", "YGCTFX", "RDZESA", "WAQXSW", "EDCVFR"];
  const history = monthly("2025-11-12", 8).map((day, at) => row(day, `LAINUVIHIK ${codes[at]!}`, -8_900));
  t.true(keysOf(history).every((key) => key.startsWith("LAINUVIHIK ")));
});

test("an ended subscription is not taken to go on in shops that the bank's words begin like it", (t) => {
  const ended = rows(monthly("2025-03-04", 9), "OST PUNKT HELIVIHIK", -9_900);
  const since = [0, 11, 19, 46, 52, 101].flatMap((days, at) =>
    shops.map((name, shop) =>
      row(addDays(context.asOf, -days - 5 * shop - at * shop), `OST PUNKT ${name}`, -9_100 - 137 * at - 61 * shop),
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
  t.is(
    merchantBehind(merchantOf(null, "OST PUNKT 12.03.2026 4246xx1234 PAYPAL *HELIVIHIK 402"), "OST PUNKT").key,
    "HELIVIHIK",
  );
  t.is(
    merchantBehind(merchantOf(null, "OST PUNKT 12.03.2026 4246xx1234 PAYPAL *HELIVIHIK 402"), "OST PUNKT").gateway,
    "PAYPAL",
  );
  const bare = merchantOf(null, "OST PUNKT 7");
  t.is(merchantBehind(bare, "OST PUNKT"), bare);
});
