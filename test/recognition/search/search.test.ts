/** Payments of one agreement are found together, and those of two are kept apart, whatever their names and prices. */
import test from "ava";
import { type Day, addDays } from "../../../src/time/calendar.ts";
import { merchantOf } from "../../../src/payments/merchant.ts";
import { everyDays, monthly, row, rows, services } from "../payments.ts";

const told = (history: Parameters<typeof services>[0], asOf?: string) =>
  services(history, asOf)
    .map(({ title, paymentFrequency, payments, status }) => `${title} ${paymentFrequency} ${payments.length} ${status}`)
    .sort();

const debit = { rawType: "DIRECT_DEBIT" };

const card = { rawType: "CARD_PURCHASE" };

test("rent by hand is found though some months of it were paid otherwise: its name is read where gaps are a period on the whole", (t) => {
  const days: Day[] = ["2024-11-15", "2024-12-13", "2025-01-29", "2025-02-12", "2025-03-12", "2025-05-04"];
  const later: Day[] = ["2025-07-13", "2025-08-13", "2025-09-17", "2025-10-12", "2025-12-11", "2026-01-15"];
  const rent = (name: string) =>
    services(
      [...days, ...later].map((day) => row(day, name, -299_300, card)),
      "2026-01-28",
    );
  t.like(rent("Husleje Havnsted"), [{ paymentFrequency: "MONTHLY", status: "ACTIVE" }]);
  t.deepEqual(rent("Sundby Havnsted"), []);
});

test("a due that was paid twice at first is found where its payee is known", (t) => {
  const days: Day[] = ["2025-12-06", "2025-12-13", "2026-01-21", "2026-02-16", "2026-03-14"];
  const due = (name: string) =>
    services(
      days.map((day) => row(day, name, -23_500, { rawType: "TRANSFER_OUT" })),
      "2026-03-20",
    );
  t.like(due("Krifa Fagforening"), [{ paymentFrequency: "MONTHLY", status: "ACTIVE" }]);
  t.deepEqual(due("Sundby Havnsted"), []);
});

test("a bill that comes under two names by turns is one service", (t) => {
  const days = monthly("2025-01-15", 18);
  const history = days.map((day, index) =>
    row(
      day,
      index % 3 === 1 ? "NORDKRAFT ENERGIDISTRIBUTION" : "NORDKRAFT",
      -40_000 - ((index * 7919) % 9) * 1_000,
      debit,
    ),
  );
  t.deepEqual(told(history), ["Nordkraft MONTHLY 18 ACTIVE"]);
});

test("a yearly bill fills no month of another one that costs half, though both come from one house", (t) => {
  const history = [
    ...rows(
      monthly("2024-01-31", 24).filter((day) => !day.slice(5).startsWith("03")),
      "NORDKRAFT NET",
      -70_500,
      debit,
    ),
    ...["2024-03-29", "2025-03-31"].flatMap((day, year) =>
      rows([day], "NORDKRAFT TILSLUTNING", -138_800 - year * 9_000, debit),
    ),
  ];
  t.deepEqual(
    told(history, "2026-01-10").filter((line) => line.includes("MONTHLY")),
    ["Nordkraft Net MONTHLY 22 ACTIVE"],
  );
});

test("two bills of one company stay two services", (t) => {
  const history = [
    ...rows(monthly("2025-01-05", 18), "NORDKRAFT STROM", -40_000, debit),
    ...rows(monthly("2025-01-22", 18), "NORDKRAFT BREDBAND", -29_900, debit),
  ];
  t.deepEqual(told(history), ["Nordkraft Bredband MONTHLY 18 ACTIVE", "Nordkraft Strom MONTHLY 18 ACTIVE"]);
});

test("a price to the hundredth paid by turns under names that share nothing is one service, a round one is not", (t) => {
  const days = monthly("2025-01-02", 18);
  const paid = (minor: number) =>
    days.map((day, index) => row(day, index % 4 < 2 ? "SOLGARDEN FORENING" : "EF PARKVEJ", minor, debit));
  t.deepEqual(told(paid(-260_154)), ["Solgarden Forening MONTHLY 18 ACTIVE"]);
  t.true(told(paid(-260_000)).length > 1);
});

test("a shop whose name begins alike is not drawn into a bill", (t) => {
  const bill = rows(monthly("2025-01-20", 18, 1), "BERGEN FJERNVARME", -150_000, debit);
  const rides = everyDays("2025-01-03", 30, 17).map((day, index) =>
    row(day, "BERGEN TAXI", -10_000 - ((index * 7919) % 250) * 100),
  );
  t.deepEqual(told([...bill, ...rides]), ["Bergen Fjernvarme MONTHLY 18 ACTIVE"]);
});

test("two agreements at one price, half a month apart, are two monthly services and not one every two weeks", (t) => {
  const history = [
    ...rows(monthly("2025-01-09", 18), "TELMORE", -19_900),
    ...rows(monthly("2025-01-24", 18), "TELMORE", -19_900),
  ];
  t.deepEqual(
    services(history).map(({ paymentFrequency, payments }) => `${paymentFrequency} ${payments.length}`),
    ["MONTHLY 18", "MONTHLY 18"],
  );
});

test("of two agreements at one payee the one that ended ends, and the other keeps its own past", (t) => {
  const history = [
    ...rows(monthly("2024-06-28", 19), "VESTMOBIL", -16_900),
    ...rows(monthly("2025-06-30", 13), "VESTMOBIL", -12_900),
  ];
  t.deepEqual(told(history), ["Vestmobil MONTHLY 13 ACTIVE", "Vestmobil MONTHLY 19 INACTIVE"]);
});

test("coffee about once a week is no service", (t) => {
  const gaps = [4, 9, 6, 5, 10, 8, 6, 3, 11, 5, 9, 2, 6];
  let at = 0;
  const days = Array.from(
    { length: 60 },
    (_, index) =>
      everyDays("2025-02-01", 1, 1).map((first) => everyDays(first, 2, (at += gaps[index % gaps.length]!))[1]!)[0]!,
  );
  const history = days.map((day, index) =>
    row(day, "KAFFEBAREN", index % 3 === 0 ? -3_200 : -4_100, { rawType: "CARD_PURCHASE", mcc: 5814 }),
  );
  t.deepEqual(told(history), []);
});

test("an application store's other purchases do not go on what ended there", (t) => {
  const store = { rawType: "CARD_PURCHASE", mcc: 5816 };
  const history = [
    ...rows(monthly("2025-01-19", 12), "APPLE.COM/BILL", -8_900, store),
    row("2026-01-15", "APPLE.COM/BILL", -11_900, store),
  ];
  t.deepEqual(
    services(history).map(({ status, payments }) => [status, payments.length]),
    [["INACTIVE", 12]],
  );
});

test("two yearly payments with an unpaid year between them are no yearly service", (t) => {
  t.deepEqual(told(rows(["2024-03-10", "2026-03-11"], "HAVEFORENINGEN", -60_000, debit)), []);
  t.deepEqual(told(rows(["2025-03-10", "2026-03-11"], "HAVEFORENINGEN", -60_000, debit)), [
    "Haveforeningen YEARLY 2 ACTIVE",
  ]);
});

test("an amount before the name is no part of it, whatever its size", (t) => {
  t.is(
    merchantOf(null, "*8796 28.03 NOK 304.76 OSLO BAKERI 5730 Kurs: 1.0000").key,
    merchantOf(null, "*8796 07.05 NOK 60.00 OSLO BAKERI 1230 Kurs: 1.0000").key,
  );
});

test("a short name with a new reference each time is one payee, with an account each its own", (t) => {
  const references = monthly("2025-01-27", 18).map((day, index) =>
    row(day, `IF ${682858955 + index * 7919}`, -25_776, debit),
  );
  t.deepEqual(
    services(references).map(({ paymentFrequency, payments }) => `${paymentFrequency} ${payments.length}`),
    ["MONTHLY 18"],
  );
  const accounts = [
    ...rows(monthly("2025-01-05", 18), "QR 68285895", -10_000, debit),
    ...rows(monthly("2025-01-05", 18), "QR 11772283", -30_000, debit),
  ];
  t.deepEqual(
    services(accounts).map(({ payments }) => payments.length),
    [18, 18],
  );
});

test("a name with what the bank left of a reference is one payee", (t) => {
  const found = services(
    everyDays("2025-06-18", 27, 14).map((day, index) => row(day, `RENTHUS.DK ${11 + index * 3}`, -49_900)),
  );
  t.is(found.length, 1);
  t.like(found[0], { paymentFrequency: "BIWEEKLY", status: "ACTIVE" });
});

test("a weekly service that was paused for months is the same one", (t) => {
  const days = [...everyDays("2025-06-04", 20, 7), ...everyDays("2026-03-04", 17, 7)];
  const found = services(days.map((day) => row(day, "Rent Hjem 1234", -38_900)));
  t.is(found.length, 1);
  t.is(found[0]?.payments.length, 37);
});

test("of an application store's many purchases two at one price a year apart are no yearly service", (t) => {
  const prices = [1_900, 2_900, 4_500, 5_800, 7_900, 9_900];
  const purchases = Array.from({ length: 12 }, (_, index) =>
    addDays("2024-07-08", index * 31 + ((index * index * 5) % 23)),
  ).map((day, index) => row(day, "GOOGLE *PLAY APPS", -prices[index % prices.length]!));
  t.deepEqual(
    services([
      ...purchases,
      row("2024-12-23", "GOOGLE *PLAY APPS", -4_100),
      row("2025-12-22", "GOOGLE *PLAY APPS", -4_100),
    ]),
    [],
  );
  const [dear] = services([
    ...purchases,
    row("2023-12-22", "GOOGLE *PLAY APPS", -35_900),
    row("2024-12-23", "GOOGLE *PLAY APPS", -35_900),
    row("2025-12-22", "GOOGLE *PLAY APPS", -35_900),
  ]);
  t.like(dear, { paymentFrequency: "YEARLY" }, "what costs more than all else there is not bought in passing");
});

test("a price that wanders over three names is nobody's", (t) => {
  const found = services([
    row("2024-04-06", "Vinhandleren", -15_500),
    row("2025-03-31", "Jens Hansen", -15_500),
    row("2026-03-31", "Ida Holm", -15_500),
  ]);
  t.deepEqual(found, []);
});

test("shops of the town after which a bill is named do not go on with it", (t) => {
  const bill = rows(monthly("2024-09-02", 12), "OSLO P-HUS", -111_969, { mcc: 7523, rawType: "INVOICE" });
  const shops = [
    "ESSO OSLO",
    "YX OSLO",
    "FRISOR OSLO",
    "LINDEX OSLO",
    "OBS BYGG OSLO",
    "ESSO OSLO",
    "YX OSLO",
    "FRISOR OSLO",
    "LINDEX OSLO",
  ];
  const bought = shops.map((name, month) =>
    row(monthly("2025-09-02", 10)[month]!, name, -(98_700 + month * 2_713), { mcc: 5541, rawType: "CARD_PURCHASE" }),
  );
  const [found] = services([...bill, ...bought]).filter(({ payments }) => payments.length > 2);
  t.is(found?.payments.length, 12);
  t.is(found?.status, "INACTIVE");
});

test("a purchase at a price that a service had long ago does not go on with it", (t) => {
  const days = monthly("2025-01-20", 14);
  const service = days.map((day, month) => row(day, "Lydbogen", month < 6 ? -1_999 : -2_399));
  const [found] = services([...service, row("2026-05-19", "Togrejser Roma", -1_999)]);
  t.is(found?.payments.length, 14);
  t.is(found?.status, "INACTIVE");
});
