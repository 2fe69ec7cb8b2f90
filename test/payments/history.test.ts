/** One user's ledger rows prepared as payments. */
import test from "ava";
import { chronologically, isToldAgreed, kindOf, paymentKind, prepare } from "../../src/payments/history.ts";
import type { PaymentKind } from "../../src/payments/payment.ts";
import { row } from "../recognition/payments.ts";

const kind = test.macro({
  exec(t, expected: PaymentKind, ...rawTypes: string[]) {
    for (const rawType of rawTypes) {
      t.is(paymentKind(rawType), expected, rawType);
      t.is(kindOf(rawType), expected, rawType);
      t.is(kindOf(rawType), expected, `${rawType} again`);
    }
  },
  title: (_, expected, ...rawTypes) => `the kind of ${rawTypes.join(", ")} is ${expected}`,
});

test(kind, "DIRECT_DEBIT", "DD", "D/D", "SO", "S/O", "STO", "DDR");
test(kind, "CARD", "DEB", "VIS");
test(kind, "CASH", "CPT", "C/L");
test(kind, "TRANSFER", "TFR", "XFR", "FPO", "FPI", "BGC");
test(kind, "CASH", "CASH_DEPOSIT", "ATM", "WITHDRAWAL", "cash", "CARD_CASH_WITHDRAWAL", "ATM_FEE");
test(kind, "DIRECT_DEBIT", "DIRECT_DEBIT", "DIRECTDEBIT", "STANDING_ORDER", "STANDINGORDER");
test(kind, "DIRECT_DEBIT", "SEPA_LASTSCHRIFT", "AUTOGIRO", "MANDATE", "INVOICE", "BILL_PAYMENT", "INVOICE_FEE");
test(kind, "FEE", "FEE", "CHARGE", "PENALTY", "CARD_FEE", "INTEREST_CHARGE");
test(kind, "INTEREST", "INTEREST", "INTEREST_PAYMENT");
test(kind, "CARD", "CARD", "PURCHASE", "POS", "card_payment");
test(kind, "TRANSFER", "TRANSFER_OUT", "ACCOUNT_TRANSFER");
test(
  kind,
  "DIRECT_DEBIT",
  "AVTGI",
  "AVTG",
  "Avtalegiro",
  "Dauerauftrag",
  "Incasso",
  "Prélèvement",
  "Betalingsservice",
  "Mandato sdd",
);
test(kind, "CARD", "VISA VARE", "Varekjøp", "Kartenzahlung", "Kortkøb", "Betaalautomaat", "Paiement par carte");
test(kind, "CASH", "MINIBANK", "Kontantuttak", "Bargeldauszahlung", "Retrait", "Geldautomat");
test(kind, "TRANSFER", "OVERFØRT", "Überweisung beleglos", "Online-Ueberweisung", "Virement", "Overboeking");
test(kind, "OTHER", "SALARY", "PAYMENT", "DIRECT", "", "STANDING", "DEBIT");

const kindOfLine = (description: string, rawType: string): PaymentKind | undefined =>
  prepare([row("2026-06-12", description, -50_000, { rawType })], "2026-06-30")[0]?.kind;

test("a line that says that cash was drawn is cash, whatever its type but a direct debit", (t) => {
  for (const line of [
    "GELDAUTOMAT HAVNSTED",
    "Hæveautomat Sundby",
    "RETRAIT DAB 12.06",
    "Bargeldauszahlung",
    "OTTO. SUNDBY",
  ])
    t.is(kindOfLine(line, "PAYMENT"), "CASH", line);
  t.is(kindOfLine("Hæveautomat Sundby", "CARD_PURCHASE"), "CASH");
  t.is(kindOfLine("ATM Fitness", "DIRECT_DEBIT"), "DIRECT_DEBIT");
});

test("where the type calls all that is debited alike, the line says what a card bought or drew", (t) => {
  t.is(kindOfLine("VISA RORET NR4711083021 SUNDBY KAUFUMSATZ 19.08 142627", "Lastschrifteinzug"), "CARD");
  t.is(kindOfLine("VISA SPARBANK SUNDBY NR4711083021 BARGELDAUSZAHLUNG 19.08", "Lastschrifteinzug"), "CASH");
  t.is(kindOfLine("Roret Beitrag 08/2026", "Lastschrifteinzug"), "DIRECT_DEBIT");
  t.is(kindOfLine("VISA RORET KAUFUMSATZ 19.08", "DIRECT_DEBIT"), "DIRECT_DEBIT");
  t.false(isToldAgreed({ rawType: "Lastschrifteinzug", description: "VISA RORET KAUFUMSATZ 19.08" }));
  t.true(isToldAgreed({ rawType: "Lastschrifteinzug", description: "Roret Beitrag 08/2026" }));
});

test("what the card scheme calls recurring, and what collectors for clubs collect, was agreed beforehand", (t) => {
  for (const line of [
    "RECURRING PAYMENT AUTHORIZED ON 12/28 RORET NY",
    "Recurring card purchase Roret",
    "ezi*Roret Mortlake",
    "DBS*RORET",
  ])
    t.is(kindOfLine(line, "PAYMENT"), "DIRECT_DEBIT", line);
  t.is(kindOfLine("PURCHASE AUTHORIZED ON 12/28 RORET NY", "PAYMENT"), "OTHER");
  t.is(kindOfLine("EZIRORET MORTLAKE", "PAYMENT"), "OTHER");
});

test("a shop of a machine's name and what is paid without cash are no cash", (t) => {
  t.is(kindOfLine("OTTO GMBH HAMBURG", "TRANSFER"), "TRANSFER");
  t.is(kindOfLine("OTTO.DE", "CARD_PURCHASE"), "CARD");
  t.is(kindOfLine("BARGELDLOSE ZAHLUNG TANKSTOP", "CARD_PURCHASE"), "CARD");
});

function txids(history: Parameters<typeof prepare>[0], asOf = "2026-06-30"): string[] {
  return prepare(history, asOf).map(({ transaction }) => transaction.txid);
}

test("payments stand in the order of their days, those of one day in that of their ids, however they arrive", (t) => {
  const history = [
    row("2026-03-02", "Roret", -5_00, { txid: "a" }),
    row("2026-03-01", "Roret", -5_00, { txid: "c" }),
    row("2025-12-31", "Roret", -5_00, { txid: "d" }),
    row("2026-03-01", "Roret", -5_00, { txid: "b" }),
  ];
  t.deepEqual(txids(history), ["d", "b", "c", "a"]);
  t.deepEqual(txids(history.toReversed()), ["d", "b", "c", "a"]);
});

test("of two payments of one day the one whose id comes first is the earlier", (t) => {
  const [first, second] = prepare(
    [row("2026-03-01", "Roret", -1, { txid: "a" }), row("2026-03-01", "Roret", -1, { txid: "b" })],
    "2026-03-01",
  );
  t.is(chronologically(first!, second!), -1);
  t.is(chronologically(second!, first!), 1);
});

test("what is booked on the day itself counts, what is booked after it does not", (t) => {
  const history = [
    row("2026-06-30", "Roret", -5_00, { txid: "today" }),
    row("2026-07-01", "Roret", -5_00, { txid: "tomorrow" }),
  ];
  t.deepEqual(txids(history, "2026-06-30"), ["today"]);
});

test("a row without an amount is no payment", (t) => {
  t.deepEqual(txids([row("2026-03-01", "Roret", 0), row("2026-03-02", "Roret", 1, { txid: "one" })]), ["one"]);
});

test("a row sent twice is one payment, as it was sent last", (t) => {
  const payments = prepare(
    [row("2026-03-01", "Roret", -5_00, { txid: "a" }), row("2026-03-02", "Roret", -6_00, { txid: "a" })],
    "2026-06-30",
  );
  t.deepEqual(
    payments.map(({ at, cost }) => [at, cost]),
    [[20_514, 6_00]],
  );
});

test("a payment has its row, its merchant, and its day as numbers", (t) => {
  const transaction = row("2026-03-09", "KORTKOB RORET 4471", -129_00, { rawType: "CARD_PURCHASE" });
  const [payment] = prepare([transaction], "2026-06-30");
  t.is(payment?.transaction, transaction);
  t.is(payment?.merchant.key, "RORET");
  t.like(payment, {
    kind: "CARD",
    at: 20_521,
    monthIndex: 24_314,
    dayOfMonth: 9,
    isMonthEnd: false,
    price: 129_00,
    priceCurrency: "DKK",
    cost: 129_00,
    logCost: Math.log(129_00),
  });
});

test("the merchant's name counts before the description", (t) => {
  const [payment] = prepare([row("2026-03-09", "Terminal 12", -1_00, { merchantName: "Roret" })], "2026-06-30");
  t.is(payment?.merchant.key, "RORET");
});

test("money that arrives has a positive cost too", (t) => {
  const [payment] = prepare([row("2026-03-09", "Roret", 129_00)], "2026-06-30");
  t.like(payment, { price: 129_00, cost: 129_00, logCost: Math.log(129_00) });
});

const dated = test.macro({
  exec(t, day: string, at: number, monthIndex: number, dayOfMonth: number, isMonthEnd: boolean) {
    // Asked twice: days are told from memory the second time.
    for (let time = 0; time < 2; time++) {
      t.like(prepare([row(day, "Roret", -1_00)], "2100-01-01")[0], { at, monthIndex, dayOfMonth, isMonthEnd });
    }
  },
  title: (_, day, at, monthIndex, dayOfMonth, isMonthEnd) =>
    `${day} is day ${at}, month ${monthIndex}, the ${dayOfMonth}., ${isMonthEnd ? "a" : "no"} month's end`,
});

test(dated, "1970-01-01", 0, 23_640, 1, false);
test(dated, "2024-02-28", 19_781, 24_289, 28, false);
test(dated, "2024-02-29", 19_782, 24_289, 29, true);
test(dated, "2026-02-28", 20_512, 24_313, 28, true);
test(dated, "2026-04-30", 20_573, 24_315, 30, true);
test(dated, "2026-12-30", 20_817, 24_323, 30, false);
test(dated, "2026-12-31", 20_818, 24_323, 31, true);

test("a purchase abroad has the price that was set there, and costs what the account was charged", (t) => {
  const [payment] = prepare(
    [row("2026-03-09", "Roret", -74_55, { originalAmountMinor: -9_99, originalCurrency: "EUR" })],
    "2026-06-30",
  );
  t.like(payment, { price: 9_99, priceCurrency: "EUR", cost: 74_55, logCost: Math.log(74_55) });
});

for (const [why, original] of Object.entries({
  "of nothing": { originalAmountMinor: 0, originalCurrency: "EUR" },
  "without a currency": { originalAmountMinor: -9_99, originalCurrency: null },
  "without an amount": { originalAmountMinor: null, originalCurrency: "EUR" },
})) {
  test(`an original amount ${why} is none: the price is what the account was charged`, (t) => {
    const [payment] = prepare([row("2026-03-09", "Roret", -74_55, original)], "2026-06-30");
    t.like(payment, { price: 74_55, priceCurrency: "DKK" });
  });
}

test("a line that names its scheme is a direct debit where its type says nothing, and so is a standing order", (t) => {
  const lines = [
    "DOMICILIERING VAN WATERLEER SCHULDEISERSREFERTE PAGP01",
    "DOMICILIATION DE WATERLEER REFERENCE 003",
    "RECIBO WATERLEER SAU Nº RECIBO 0042",
    "WATERLEER CO - D/D",
    "WATERLEER DES:ASSN DUES ID:00045 CO ID:00046 PPD",
    "WATERLEER PAYMENTS PPD ID: 1234567",
    "VIR PERM POUR: 3000301 MOTIF: EPARGNE",
    "VIREMENT PERMANENT WATERLEER",
    "STANDING ORDER TO WATERLEER",
    "Dauerauftrag Waterleer",
    "Lastschrifteinzug Waterleer GmbH",
    "Lastschrifteinlösung Waterleer GmbH",
    "Waterleer SEPA-BASISLASTSCHR IFT SVWZ+ 1",
    "Fast betaling Waterleer",
    "Fast overførsel Waterleer",
    "Faste betalinger Waterleer",
    "Stående överföring Waterleer",
    "Periodieke overboeking Waterleer",
    "AVTGI WATERLEER AS",
    "E-FAKTURA Nettgiro til: Waterleer",
    "BS-betaling Waterleer",
    "Beingreiðsla Waterleer",
    "Suoramaksu Waterleer",
    "Püsikorraldus Waterleer",
    "Tiešais debets Waterleer",
    "Tiesioginis debetas Waterleer",
    "Mandato sdd Waterleer - 0012",
    "SDD A : WATERLEER SPA",
    "Addebito RID Waterleer",
    "Bonifico periodico Waterleer",
    "DD WATERLEER S.A. 100000861234",
    "COBR SEPA WATERLEER",
    "Débito directo Waterleer",
    "Pago domiciliado Waterleer",
    "Domiciliación Waterleer",
    "Orden permanente Waterleer",
    "Ordre permanent Waterleer",
    "Daueraufträge Waterleer",
    "DAUERAUFTRAEGE WATERLEER",
    "Doorlopende machtiging Waterleer",
    "Polecenie zapłaty Waterleer",
    "ZLECENIE STALE WATERLEER",
    "Trvalý příkaz Waterleer",
    "SEPA inkaso Waterleer",
    "Csoportos beszedés Waterleer",
    "Állandó átutalás Waterleer",
    "Trajni nalog Waterleer",
    "Otomatik ödeme Waterleer",
    "Πάγια εντολή Waterleer",
    "Директен дебит Waterleer",
    "DEBICHECK DEBIT ORDER WATERLEER 112835",
    "Waterleer ACH Withdrawal: Waterleer",
    "WITHDRAWAL-ACH-A-WATERLEER",
    "Preauthorized debit Waterleer",
    "WATERLEER MTG AUTO PAY 012017",
    "Utility Bill Pmt WATERLEER",
    "NACH-DR-WATERLEER",
    "ECS DR WATERLEER",
    "Waterleer app BPAY 625921 3994316",
    "Automatic payment Waterleer",
  ];
  for (const line of lines) t.is(kindOfLine(line, "DEBIT"), "DIRECT_DEBIT", line);
  for (const line of [
    "VIR INST WATERLEER",
    "FAST FOOD BETALING WATERLEER",
    "WATERLEER PPDS 12",
    "WATERLEER DES:PAYMENT CO ID:00046 WEB",
    "Überweisung nach Drögen, Waterleer",
    "PAD THAI WATERLEER",
    "CADDY WATERLEER",
    "MANDATE REGISTRATION CHARGE",
    "WATERLEER LSVINGEN",
  ])
    t.is(kindOfLine(line, "DEBIT"), "OTHER", line);
  t.is(kindOfLine("RECIBO DE NÓMINA WATERLEER", "CREDIT"), "OTHER");
});

test("a line that says at what hour it was paid is a purchase where its type says nothing", (t) => {
  t.is(kindOfLine("Zapfpunkt Welterborn STENDAL 2026-04-05T09:03:10 KFN 1 VJ 2812", "PAYMENT"), "CARD");
  t.is(kindOfLine("Varelageret Hobro d.29.04 kl.16.54", "PAYMENT"), "CARD");
  t.is(kindOfLine("Varelageret Hobro d.29.04", "PAYMENT"), "OTHER");
  t.is(kindOfLine("Varelageret Hobro kl.16.54", "ACCOUNT_TRANSFER"), "TRANSFER", "the type goes first");
  t.is(kindOfLine("SEPA-Lastschrift Welterborn 2026-04-05T09:03", "PAYMENT"), "DIRECT_DEBIT");
});
