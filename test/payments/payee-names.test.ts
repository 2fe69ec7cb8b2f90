/** Payments under one name or product are one payee's, whatever the bank writes around it. */
import test from "ava";
import { groupByPayee, isMiddleman, latestName, sellsOthers, titleOf } from "../../src/payments/payee.ts";
import { productById } from "../../src/payments/catalogue.ts";
import type { HistoryTransaction } from "../../src/recognition/recognise.ts";
import { paid, payeeWith, prepared } from "../recognition/obligations.ts";
import { everyDays, monthly, row, rows } from "../recognition/payments.ts";

const group = (history: readonly HistoryTransaction[], country = "DK") => groupByPayee(prepared(history), country);

/** Payees with how many payments each has, as "NAME 3". */
const told = (history: readonly HistoryTransaction[], country?: string): string[] =>
  group(history, country)
    .map(({ key, payments }) => `${key} ${payments.length}`)
    .toSorted();
/** One payment to each name, at a price of its own, a day apart. */
const named = (...names: string[]): HistoryTransaction[] =>
  names.map((name, index) => row(everyDays("2026-01-05", names.length, 1)[index]!, name, -(1_001 + index * 137)));

// One payee

test("payments under one cleaned name are one payee's, by day", (t) => {
  const [one, ...others] = group([
    row("2026-03-02", "KAFFEHUSET 4321", -3_600),
    row("2026-01-05", "DANKORT-NOTA KAFFEHUSET", -3_200),
  ]);
  t.deepEqual(others, []);
  t.like(one, { key: "KAFFEHUSET", product: null, gateway: null, direction: "OUT" });
  t.deepEqual(
    one?.payments.map(({ transaction }) => transaction.day),
    ["2026-01-05", "2026-03-02"],
  );
});

test("what one payee takes and what it gives are told apart", (t) => {
  const both = group([row("2026-01-05", "Kaffehuset", -3_600), row("2026-01-06", "Kaffehuset", 3_600)]);
  t.deepEqual(both.map(({ key, direction }) => `${key} ${direction}`).toSorted(), ["KAFFEHUSET IN", "KAFFEHUSET OUT"]);
  t.is(group([row("2026-01-05", "Kaffehuset", -1)])[0]?.direction, "OUT", "however little");
});

test("payees are told in the order of their names", (t) => {
  t.deepEqual(
    group(named("KIOSKEN", "BAGEREN", "FRISOREN")).map(({ key }) => key),
    ["BAGEREN", "FRISOREN", "KIOSKEN"],
  );
});

test("cash has no payee", (t) => {
  t.deepEqual(group(rows(["2026-01-05"], "Kontanten", -50_000, { rawType: "CASH_WITHDRAWAL" })), []);
});

test("without any text the kind of payment is all there is", (t) => {
  t.deepEqual(
    told([
      row("2026-01-05", "", -1_000, { rawType: "BANK_FEE" }),
      row("2026-02-05", "", -2_000, { rawType: "BANK_FEE" }),
      row("2026-02-06", "", -2_000, { rawType: "INTEREST" }),
    ]),
    ["FEE 2", "INTEREST 1"],
  );
});

test("all names of a catalogued product are one payee", (t) => {
  const [one, ...others] = group(named("NETFLIX.COM 2042367", "Netflix International B.V.", "PAYPAL *NETFLIX"));
  t.deepEqual(others, []);
  t.like(one, { key: "netflix", product: { id: "netflix" } });
  t.is(one?.payments.length, 3);
});

test("behind a gateway the shop is the payee, and the gateway itself where no shop is named", (t) => {
  const payees = group(named("PAYPAL *LYDBIBLIO 40293", "PAYPAL *", "PAYPAL *LYDBIBLIO 88121"));
  t.deepEqual(
    payees.map(({ key, product, gateway, payments }) => [key, product?.id, gateway, payments.length]).toSorted(),
    [
      ["LYDBIBLIO", "paypal", "PAYPAL", 2],
      ["paypal", "paypal", "PAYPAL", 1],
    ],
  );
});

// Names written differently

test("a name cut off after eight letters is that name", (t) => {
  t.deepEqual(told(named("VESTERBRO FITNESS", "VESTERBR")), ["VESTERBR 2"]);
  t.deepEqual(
    told(named("VESTERBRO FITNESS", "VESTERB")),
    ["VESTERB 1", "VESTERBRO FITNESS 1"],
    "seven letters may be others'",
  );
});

test("whole words in front of a longer name are that name from four letters on", (t) => {
  t.deepEqual(told(named("SEAS NVE STROM", "SEAS")), ["SEAS 2"]);
  t.deepEqual(told(named("YKK STROM", "YKK")), ["YKK 1", "YKK STROM 1"]);
  t.deepEqual(told(named("SEASON TIKET", "SEAS")), ["SEAS 1", "SEASON TIKET 1"]);
});

test("spaces do not tell names apart", (t) => {
  t.deepEqual(told(named("FIT NESS", "FITNESS")), ["FIT NESS 2"]);
  t.deepEqual(told(named("FITNESS", "FIT NESS")), ["FIT NESS 2"], "whichever comes first");
});

test("a variant keeps what it brings: payments by day, and the gateway through which one of them went", (t) => {
  const [one] = group([
    row("2026-02-05", "LYDBIBLIOTEKET", -5_900),
    row("2026-01-05", "LYDBIBLIOTEK", -4_900),
    row("2026-03-05", "LYDBIBLIOTEK", -4_900),
  ]);
  t.deepEqual(
    one?.payments.map(({ cost }) => cost),
    [4_900, 5_900, 4_900],
  );
  t.is(one?.key, "LYDBIBLIOTEK");
});

test("names of either direction are never variants of each other", (t) => {
  t.deepEqual(told([row("2026-01-05", "VESTERBRO FITNESS", -1_000), row("2026-01-06", "VESTERBRO", 2_000)]), [
    "VESTERBRO 1",
    "VESTERBRO FITNESS 1",
  ]);
});

// Places and references

test("the last word of three different names is a place, and no part of them", (t) => {
  t.deepEqual(told(named("BAGER SVENDBORG", "FRISOR SVENDBORG", "KIOSK SVENDBORG", "KIOSK")), [
    "BAGER 1",
    "FRISOR 1",
    "KIOSK 2",
  ]);
  t.deepEqual(
    told(named("BAGER SVENDBORG", "FRISOR SVENDBORG")),
    ["BAGER SVENDBORG 1", "FRISOR SVENDBORG 1"],
    "two may be a coincidence",
  );
});

test("a place has four letters, and leaves a name of three", (t) => {
  t.deepEqual(told(named("BAGER RIB", "FRISOR RIB", "KIOSK RIB")), ["BAGER RIB 1", "FRISOR RIB 1", "KIOSK RIB 1"]);
  t.deepEqual(told(named("BAGER RIBE", "FRISOR RIBE", "KIOSK RIBE", "YX RIBE", "SPA RIBE")), [
    "BAGER 1",
    "FRISOR 1",
    "KIOSK 1",
    "SPA 1",
    "YX RIBE 1",
  ]);
});

test("a name of one word is nobody's place", (t) => {
  t.deepEqual(told(named("BAGER SVENDBORG", "FRISOR SVENDBORG", "KIOSK SVENDBORG", "SVENDBORG")), [
    "BAGER 1",
    "FRISOR 1",
    "KIOSK 1",
    "SVENDBORG 1",
  ]);
  t.deepEqual(
    told(named("BAGER SVENDBORG", "FRISOR SVENDBORG", "SVENDBORG")),
    ["BAGER SVENDBORG 1", "FRISOR SVENDBORG 1", "SVENDBORG 1"],
    "nor does it make the word one",
  );
});

test("numbers behind a name that come once each are references", (t) => {
  t.deepEqual(told(named("RENTHUS 11", "RENTHUS 14", "RENTHUS 17")), ["RENTHUS 3"]);
  t.deepEqual(told(named("RENTHUS 11", "RENTHUS 14")), ["RENTHUS 11 1", "RENTHUS 14 1"]);
});

test("numbers that return are accounts", (t) => {
  t.deepEqual(
    told(
      ["RENTHUS 11", "RENTHUS 14", "RENTHUS 17"].flatMap((name, index) =>
        rows(monthly(`2026-01-0${index + 1}`, 2), name, -(1_001 + index)),
      ),
    ),
    ["RENTHUS 11 2", "RENTHUS 14 2", "RENTHUS 17 2"],
  );
  t.deepEqual(
    told([...named("RENTHUS 11", "RENTHUS 14", "RENTHUS 17", "RENTHUS 21"), row("2026-03-05", "RENTHUS 11", -9_900)]),
    ["RENTHUS 5"],
    "one in four may",
  );
});

test("behind two letters a long number is a reference or an account, a short one is part of the name", (t) => {
  t.deepEqual(told(named("IF 682858955", "IF 682866874", "IF 682874793")), ["IF 3"]);
  t.deepEqual(told(named("IF 11", "IF 14", "IF 17")).length, 3);
});

// One bill under changing names

/** A bill that is paid under two names by turns. */
const turns = (a: string, b: string, minor: (index: number) => number, count = 6): HistoryTransaction[] =>
  monthly("2026-01-15", count).map((day, index) => row(day, index % 2 === 0 ? a : b, -minor(index)));

test("names that begin alike and take the same prices are one payee", (t) => {
  t.deepEqual(told(turns("NORDK DISTRIBUTION", "NORDKRAFT", () => 40_000)), ["NORDK DISTRIBUTION 6"]);
});

test("prices of their own tell them apart", (t) => {
  t.deepEqual(told(turns("NORDK DISTRIBUTION", "NORDKRAFT", (index) => 40_000 + index)).length, 2);
});

test("each must take at least twice what both take", (t) => {
  const at = (a: number[], b: number[]): number =>
    group([
      ...a.map((minor, index) => row(monthly("2026-01-05", 9)[index]!, "NORDK DISTRIBUTION", -minor)),
      ...b.map((minor, index) => row(monthly("2026-01-20", 9)[index]!, "NORDKRAFT", -minor)),
    ]).length;
  t.is(at([100, 100, 777], [100, 100, 888]), 1);
  t.is(at([100, 200, 777], [100, 200, 888]), 1, "two prices once each");
  t.is(at([100, 777, 778], [100, 100, 888]), 2, "the one took it once only");
  t.is(at([100, 100, 777], [100, 887, 888]), 2, "the other took it once only");
  t.is(at([100, 777, 778], [100, 887, 888]), 2);
});

test("who is paid more than four hundred times together is no bill", (t) => {
  const often = (count: number): number =>
    group([
      ...rows(everyDays("2024-01-01", count, 1), "NORDK DISTRIBUTION", -40_000),
      ...rows(everyDays("2026-01-05", 2, 1), "NORDKRAFT", -40_000),
    ]).length;
  t.is(often(398), 1);
  t.is(often(399), 2);
});

test("a word that stood alone once is none of three payees that are named behind it", (t) => {
  const behind = ["RORET ANNA", "RORET ANNA", "RORET TOP UP", "RORET TOP UP", "RORET BODIL"];
  t.deepEqual(told(named("RORET 43DV2019", ...behind)), ["RORET 1", "RORET ANNA 2", "RORET BODIL 1", "RORET TOP UP 2"]);
  t.deepEqual(told(named("RORET", "RORET", ...behind)), ["RORET 7"]);
  t.deepEqual(told(named("RORET", ...behind.slice(0, 4))), ["RORET 5"]);
  t.deepEqual(told(named("RORET", "RORET ANNA", "RORET ANNA BERG", "RORET ANNA HOLM")), ["RORET 4"]);
});

test("one first word must be the beginning of the other, from three letters on", (t) => {
  t.is(group(turns("NORDEN STROM", "NORDKRAFT", () => 40_000)).length, 2);
  t.is(group(turns("NOR STROM", "NORDKRAFT", () => 40_000)).length, 1);
  t.is(group(turns("NO STROM", "NO KRAFT", () => 40_000)).length, 2);
  t.is(group(turns("NORDKRAFT STROM", "NORDKRAFT NET", () => 40_000)).length, 1);
});

test("of names that begin alike the latest twenty are compared", (t) => {
  const bill = (name: string, minor: number): HistoryTransaction[] => rows(monthly("2026-01-05", 2), name, -minor);
  const between = (count: number): HistoryTransaction[] =>
    [..."BCDFGHIJKLMNOPQRSTUV"].slice(0, count).flatMap((letter, index) => bill(`NORA${letter}`, 1_001 + index));
  t.is(group([...bill("NORA", 40_000), ...between(19), ...bill("NORAZ", 40_000)]).length, 20);
  t.is(group([...bill("NORA", 40_000), ...between(20), ...bill("NORAZ", 40_000)]).length, 22);
});

test("money that comes in is not joined with money that goes out", (t) => {
  const back = rows(monthly("2026-01-20", 3), "NORDKRAFT", 40_000);
  t.is(group([...rows(monthly("2026-01-05", 3), "NORDK DISTRIBUTION", -40_000), ...back]).length, 2);
});

// What a payee is called, and what it sells

test("a product is called by its title, anyone else as most of the payments do", (t) => {
  t.is(titleOf(payeeWith(paid(["2026-01-05"], 100, "NETFLIX.COM"), { product: "netflix" }), []), "Netflix");
  const payments = prepared(named("Lydbogen Klub", "Lydbogen", "Lydbogen Klub"));
  t.is(titleOf(payeeWith(payments), payments), "Lydbogen Klub");
  t.is(titleOf(payeeWith(payments), payments.slice(0, 2)), "Lydbogen", "of equally frequent names the shortest");
  t.is(titleOf(payeeWith(payments, { product: "paypal" }), payments), "Lydbogen Klub", "the shop, not the gateway");
  const alike = prepared(named("Tandlaege By", "Tandlaege Bo"));
  t.is(titleOf(payeeWith(alike), alike), "Tandlaege Bo", "of equally long ones the first by the alphabet");
});

test("without a text it is called by the kind of its first payment", (t) => {
  const payments = prepared([row("2026-01-05", "", -100, { rawType: "BANK_FEE" })]);
  t.is(titleOf(payeeWith(payments), payments), "BANK_FEE");
});

test("gateways and application stores sell what others make", (t) => {
  t.deepEqual(
    ["paypal", "app-store-subscription-store-a", "netflix"].map((id) => isMiddleman(productById(id))),
    [true, true, false],
  );
  t.false(isMiddleman(null));
  const payments = paid(["2026-01-05"], 100, "PAYPAL *");
  t.true(sellsOthers(payeeWith(payments, { product: "paypal", key: "paypal" })));
  t.false(sellsOthers(payeeWith(payments, { product: "paypal", key: "LYDBIBLIO" })));
  t.false(sellsOthers(payeeWith(payments, { product: "netflix", key: "netflix" })));
  t.false(sellsOthers(payeeWith(payments)));
});

test("its latest name is that of its latest payment", (t) => {
  t.is(latestName(payeeWith(prepared(named("Lydbogen", "Lydbogen Klub")))), "LYDBOGEN KLUB");
});

test("a gateway's name before a name that is paid through it is its mark, though the bank left that out", (t) => {
  t.deepEqual(told(named("GOOGLE*GARNBOKS", "Google Garnboks", "GOOGLE*GARNBOKS")), ["GARNBOKS 3"]);
  t.deepEqual(told(named("Paypal Sundby Garn", "PAYPAL *SUNDBY GARN")), ["SUNDBY GARN 2"]);
  t.deepEqual(told(named("GOOGLE*GARNBOKS", "Paypal Garnboks")), ["GARNBOKS 1", "PAYPAL GARNBOKS 1"]);
  t.deepEqual(told(named("GARNBOKS", "Google Garnboks")), ["GARNBOKS 1", "GOOGLE GARNBOKS 1"]);
});

test("what other names have as a word of its own is no longer word cut off", (t) => {
  t.deepEqual(told(named("Havnsted", "Havnsted Strand", "Havnstedfjernvarme", "Havnstedfjernvarme")), [
    "HAVNSTED 2",
    "HAVNSTEDFJERNVARME 2",
  ]);
  t.deepEqual(told(named("Havnsted", "Havnstedfjernvarme")), ["HAVNSTED 2"], "nothing says that it is a word");
});

test("a membership is another payee than the shop whose name it begins with", (t) => {
  const shop = named("Kurvhuset", "Kurvhuset", "Kurvhuset Torv");
  const member = rows(monthly("2026-01-09", 3), "Kurvhuset subscrip", -9_900);
  t.deepEqual(told([...shop, ...member]), ["KURVHUSET 3", "KURVHUSET SUBSCRIP 3"]);
});

test("prices in common make a catalogued product nobody else's where a bank opens many lines alike", (t) => {
  const turns = (name: string): HistoryTransaction[] => [
    ...rows(monthly("2026-01-09", 3), name, -13_900),
    ...rows(monthly("2026-01-20", 3), name, -9_900),
  ];
  const others = named("Uttak Lejlund", "Uttak Bodal", "Uttak Kildemose", "Uttak Rosager");
  t.is(told([...turns("Uttak Netflix.com"), ...turns("Uttak Tankhuset"), ...others]).length, 6);
  t.is(told([...turns("Uttak Netflix.com"), ...turns("Uttak Tankhuset"), ...others.slice(2)]).length, 3);
});
