/**
 * Histories as messy as real accounts: what is bought is no service, and what is owed stays one service through new
 * prices, names, dates and frequencies.
 */
import test from "ava";
import { type Day, addDays } from "../../src/time/calendar.ts";
import { type HistoryTransaction, recognise } from "../../src/recognition/recognise.ts";
import { yearlyCost } from "../../src/recognition/services/cost.ts";
import { context, everyDays, monthly, row, rows, services } from "./payments.ts";

const card = { rawType: "CARD_PURCHASE" };
const debit = { rawType: "DIRECT_DEBIT" };

/** Each service as "TITLE FREQUENCY payments STATUS". */
const told = (history: readonly HistoryTransaction[], asOf?: Day): string[] =>
  services(history, asOf)
    .map(({ title, paymentFrequency, payments, status }) => `${title} ${paymentFrequency} ${payments.length} ${status}`)
    .toSorted();

/** A number that looks drawn, the same in every run: 0 to below `below`. */
const drawn = (index: number, below: number): number => (index * 7_919 + 3) % below;

// Ordinary spending

test("fuel about once a month, at another amount each time, is no service", (t) => {
  const fills = monthly("2025-01-12", 16).map((day, index) =>
    row(addDays(day, drawn(index, 7) - 3), "Tankstop Sundby", -(31_000 + drawn(index, 331) * 100), {
      ...card,
      mcc: 5541,
    }),
  );
  t.deepEqual(told(fills), []);
});

test("a fuel card that is billed to the day at one price is a service: the kind of merchant is no verdict", (t) => {
  const bills = rows(monthly("2025-01-12", 18), "Tankstop Firmakort", -29_913, { ...debit, mcc: 5541 });
  t.deepEqual(told(bills), ["Tankstop Firmakort MONTHLY 18 ACTIVE"]);
});

test("the weekly shop at a supermarket is no service", (t) => {
  const shops = everyDays("2025-07-05", 50, 7).map((day, index) =>
    row(day, "Dagligvaren Torvet", -(18_000 + drawn(index, 431) * 100 + drawn(index, 83)), { ...card, mcc: 5411 }),
  );
  t.deepEqual(told(shops), []);
});

test("Friday's fast food and the weekly lunch are no services, though they cost the same", (t) => {
  const fridays = everyDays("2025-07-04", 50, 7).filter((_, index) => drawn(index, 9) > 1);
  const food = rows(fridays, "Burgerbaren", -11_900, { ...card, mcc: 5814 });
  const lunches = rows(
    everyDays("2025-07-02", 50, 7).filter((_, index) => drawn(index, 11) > 2),
    "Frokosthjornet",
    -8_500,
    { ...card, mcc: 5812 },
  );
  t.deepEqual(
    services([...food, ...lunches]).filter(({ visibility }) => visibility === "VISIBLE"),
    [],
  );
});

test("cash, and fees that only follow what was done, are no services", (t) => {
  const days: Day[] = [
    "2025-07-03",
    "2025-09-21",
    "2025-10-24",
    "2026-01-02",
    "2026-02-05",
    "2026-05-19",
    "2026-06-11",
  ];
  const cash = rows(days, "Hæveautomat", -100_000, { rawType: "CASH_WITHDRAWAL" });
  const trips = days.map((day, index) => row(day, "Kasa Praha", -(41_000 + drawn(index, 89) * 1_000), card));
  const exchange = trips.map(({ day, amountMinor }) =>
    row(day, "Valutatillæg", Math.round(amountMinor * 0.015), { rawType: "FEE" }),
  );
  t.deepEqual(told([...cash, ...trips, ...exchange]), []);
});

// What the catalogue knows

test("rentals under the name of a product that is also sold by subscription are no subscription", (t) => {
  const days: Day[] = ["2025-11-08", "2026-01-17", "2026-01-30", "2026-04-11", "2026-06-20"];
  const prices = [3_900, 4_900, 2_900, 3_900, 1_900];
  const rentals = days.map((day, index) => row(day, "GOOGLE *YouTube Videos", -prices[index]!, card));
  t.deepEqual(
    services(rentals).filter(({ visibility, status }) => visibility === "VISIBLE" || status === "ACTIVE"),
    [],
  );
});

test("a purchase at the price of a subscription elsewhere is not its earlier name", (t) => {
  const subscription = rows(monthly("2026-01-12", 6), "Lydbogen", -19_900, card);
  const purchase = row("2025-12-12", "Havnsted Sko", -19_900, card);
  t.deepEqual(told([purchase, ...subscription]), ["Lydbogen MONTHLY 6 ACTIVE"]);
  const ended = rows(monthly("2025-08-12", 6), "Lydbogen", -19_900, card);
  const [one] = services([...ended, row("2026-02-12", "Havnsted Sko", -19_900, card)]);
  t.like(one, { title: "Lydbogen", status: "INACTIVE" });
});

test("of two services of one brand the one that ends is not continued by the other", (t) => {
  const gas = rows(monthly("2025-01-05", 12), "Havkraft Gas", -39_913, debit);
  const electricity = rows(monthly("2025-01-05", 18), "Havkraft Elnet", -51_207, debit);
  t.deepEqual(told([...gas, ...electricity]), ["Havkraft Elnet MONTHLY 18 ACTIVE", "Havkraft Gas MONTHLY 12 INACTIVE"]);
});

test("a place that payees share joins none of them", (t) => {
  const names = ["Svømmehal Havnsted", "Optik Havnsted", "Cykler Havnsted", "Kro Havnsted", "Taxa Havnsted"];
  const swimming = rows(monthly("2025-01-07", 9), names[0]!, -22_500, debit);
  const club = rows(monthly("2025-10-07", 9), names[1]!, -24_100, debit);
  const others = names
    .slice(2)
    .flatMap((name, at) =>
      everyDays(addDays("2025-02-03", at), 9, 41).map((day, index) =>
        row(day, name, -(9_000 + drawn(index + at, 97) * 100), card),
      ),
    );
  t.deepEqual(told([...swimming, ...club, ...others]), [
    "Optik Havnsted MONTHLY 9 ACTIVE",
    "Svømmehal Havnsted MONTHLY 9 INACTIVE",
  ]);
});

test("a merchant named within the line of a wallet is the payee", (t) => {
  const bought = (day: Day, at: string, minor: number) =>
    row(day, `PayPal Europe S.a.r.l. et Cie, Ihr Einkauf bei ${at}`, -minor, debit);
  const history = [
    ...monthly("2026-01-05", 6).map((day) => bought(day, "Lydbogen AB", 1_099)),
    ...monthly("2026-01-17", 6).map((day) => bought(day, "Havnsted Film", 1_499)),
  ];
  t.deepEqual(told(history), ["Havnsted Film MONTHLY 6 ACTIVE", "Lydbogen MONTHLY 6 ACTIVE"]);
});

test("two known services at one price are two, though one begins where the other ends", (t) => {
  const history = [
    ...rows(monthly("2025-07-05", 6), "Spotify AB", -10_900, card),
    ...rows(monthly("2026-01-05", 6), "TIDAL Music", -10_900, card),
  ];
  t.is(services(history).length, 2);
  t.deepEqual(
    services(history).map(({ payments }) => payments.length),
    [6, 6],
  );
});

// What ends, pauses and changes

test("instalments are over with the last one, and before it their end is told", (t) => {
  const plan = (count: number) =>
    monthly("2026-01-12", count).map((day, index) => row(day, `Sofahuset RATE ${index + 1} VON 6`, -49_900, debit));
  const [running] = services(plan(4), "2026-04-20");
  t.like(running, { status: "ACTIVE", instalments: { remaining: 2, endsOn: "2026-06-12" } });
  const [paid] = services(plan(6), "2026-06-20");
  t.like(paid, { status: "INACTIVE", isOverdue: false, instalments: { remaining: 0, endsOn: "2026-06-12" } });
  t.is(yearlyCost(running!, { minor: 49_900, currency: "DKK" }, { minor: 0, currency: "DKK" }, "2026-04-20"), 998);
});

test("what is paid for the year at once instead of each month is the same service, on the very day", (t) => {
  const months = rows(monthly("2025-01-12", 12), "Lydbogen", -3_850, debit);
  const [before] = services(months, "2026-01-11");
  const [after, ...others] = services([...months, row("2026-01-12", "Lydbogen", -43_620, debit)], "2026-01-12");
  t.deepEqual(others, []);
  t.like(after, {
    key: before!.key,
    status: "ACTIVE",
    paymentFrequency: "YEARLY",
    expectedAmountMinor: 43_620,
    nextExpectedDay: "2027-01-12",
  });
});

test("what is paid each month instead of for the year at once is the same service", (t) => {
  const years = rows(monthly("2023-02-12", 3, 12), "Lydbogen", -43_620, debit);
  const months = rows(monthly("2026-02-12", 5), "Lydbogen", -3_850, debit);
  t.deepEqual(told([...years, ...months]), ["Lydbogen MONTHLY 8 ACTIVE"]);
});

/** Months in which a kindergarten is paid. */
const without = (years: readonly number[], ...off: number[]): Day[] =>
  years.flatMap((year) => monthly(`${year}-01-05`, 12).filter((day) => !off.includes(Number(day.slice(5, 7)))));

test("a month that is free every year is not waited for once two years have shown it", (t) => {
  const fees = rows(
    [...without([2024, 2025], 7), ...monthly("2026-01-05", 6)],
    "Solstrålen Børnehave",
    -241_000,
    debit,
  );
  t.like(services(fees, "2026-06-30")[0], {
    status: "ACTIVE",
    nextExpectedDay: "2026-08-05",
    evidence: { pausedMonths: [7], misses: 0 },
  });
  t.like(services(fees, "2026-07-31")[0], { status: "ACTIVE", isOverdue: false, nextExpectedDay: "2026-08-05" });
});

test("one month that stayed unpaid is no pause of every year", (t) => {
  const fees = rows([...without([2025], 7), ...monthly("2026-01-05", 6)], "Solstrålen Børnehave", -241_000, debit);
  t.like(services(fees, "2026-06-30")[0], { nextExpectedDay: "2026-07-05", evidence: { pausedMonths: [], misses: 1 } });
});

// Dates

test("a fixed price paid by hand about every week is a service, however loosely it keeps its day", (t) => {
  let day: Day = "2025-09-01";
  const days = Array.from(
    { length: 37 },
    (_, index) => (day = addDays(day, [7, 5, 9, 12, 2, 8, 7, 6][drawn(index, 8)]!)),
  );
  const bread = everyDays("2025-09-02", 60, 4).map((on, index) =>
    row(on, "Brødboden", -(3_100 + drawn(index, 40) * 61)),
  );
  const [one, ...others] = services([...rows(days, "Pilates Hos Wilma", -25_499), ...bread], days.at(-1));
  t.deepEqual(others, []);
  t.like(one, { status: "ACTIVE", expectedAmountMinor: 25_499 });
  t.true(one!.payments.length >= 33, `${one?.payments.length} of 37`);
});

for (const days of [28, 29, 30, 31])
  test(`what is billed every ${days} days is told to the day`, (t) => {
    const dates = everyDays("2025-05-06", 14, days);
    const [one] = services(rows(dates, "Mobilnettet", -14_900, card), dates.at(-1));
    t.like(one, {
      paymentFrequency: "MONTHLY",
      nextExpectedDay: addDays(dates.at(-1)!, days),
      evidence: { periodDays: days },
    });
  });

test("what is due on the 1st and the 15th is found whole, as two or as every second week", (t) => {
  const days = [...monthly("2025-07-01", 12), ...monthly("2025-07-15", 12)];
  const found = services(rows(days, "Udlejer Holm", -250_000), "2026-06-20");
  t.is(found.flatMap(({ payments }) => payments).length, 24);
  t.true(found.every(({ paymentFrequency }) => ["MONTHLY", "BIWEEKLY"].includes(paymentFrequency)));
  t.deepEqual(new Set(found.map(({ status }) => status)), new Set(["ACTIVE"]));
});

test("an overdue payment is waited for through the whole grace, and what is due today is due today", (t) => {
  const rent = rows(monthly("2025-10-04", 4), "Udlejer Holm", -850_000);
  const next = (asOf: Day) => {
    const [one] = services(rent, asOf);
    return [one!.nextExpectedDay, one!.status, one!.isOverdue];
  };
  t.deepEqual(next("2026-02-04"), ["2026-02-04", "ACTIVE", false]);
  t.deepEqual(next("2026-02-10"), ["2026-02-11", "ACTIVE", true]);
  t.deepEqual(next("2026-02-16"), ["2026-02-17", "ACTIVE", true]);
  t.deepEqual(next("2026-02-17"), ["2026-02-04", "INACTIVE", false]);
});

// Prices

test("one bill of a quarter of the usual is a bill, and no reason to miss that month's", (t) => {
  const minors = [61_200, 58_300, 63_000, 16_100, 60_500, 59_900, 62_100, 57_400];
  const bills = monthly("2025-11-20", 8).map((day, index) => row(day, "Fjordens Varme", -minors[index]!, debit));
  const [one, ...others] = services(bills);
  t.deepEqual(others, []);
  t.like(one, { status: "ACTIVE", paymentFrequency: "MONTHLY", evidence: { misses: 0 } });
  t.is(one?.payments.length, 8);
});

test("of variable bills the middle one is expected, not a mean that an outlier spoils", (t) => {
  const minors = [3_030, 2_990, 3_110, 9_800, 3_050, 2_970];
  const bills = monthly("2026-01-20", 6).map((day, index) => row(day, "Fjordens Vand", -minors[index]!, debit));
  const expected = services(bills)[0]!.expectedAmountMinor;
  t.true(expected >= 2_970 && expected <= 3_110, `${expected}`);
});

test("after arrears were paid at once the price that stands is expected", (t) => {
  const minors = [18_013, 18_013, 18_013, 18_013, 54_039, 18_013, 18_013];
  const days: Day[] = [
    "2025-10-12",
    "2025-11-12",
    "2025-12-12",
    "2026-01-12",
    "2026-04-12",
    "2026-05-12",
    "2026-06-12",
  ];
  const bills = days.map((day, index) => row(day, "Fjordens Net", -minors[index]!, debit));
  t.is(services(bills.slice(0, 5), "2026-04-20")[0]?.expectedAmountMinor, 18_013);
  t.is(services(bills)[0]?.expectedAmountMinor, 18_013);
});

test("an indexed premium is expected at its latest price, and so is what followed a trial", (t) => {
  const premium = [600_000, 612_000, 624_240].map((minor, index) =>
    row(`${2024 + index}-03-02`, "Kystens Assurance", -minor, debit),
  );
  t.like(services(premium)[0], { paymentFrequency: "YEARLY", expectedAmountMinor: 624_240 });
  const trial = [900, 39_900].map((minor, index) =>
    row(monthly("2026-05-12", 2)[index]!, "Havnsted Motion", -minor, { ...card, mcc: 5968 }),
  );
  t.is(services(trial)[0]?.expectedAmountMinor, 39_900);
});

// What came back, and what was renamed

test("a direct debit that came back and was charged again is one payment, no income and no other service", (t) => {
  const history = [
    ...rows(monthly("2025-09-02", 10), "Havnsted Fitness", -47_013, debit),
    row("2026-03-04", "Ruecklastschrift Havnsted Fitness", 47_013),
    row("2026-03-16", "Havnsted Fitness", -47_513, debit),
    row("2025-09-04", "Ruecklastschrift Havnsted Fitness", 47_013),
    row("2025-09-16", "Havnsted Fitness", -47_513, debit),
  ];
  t.deepEqual(told(history), ["Havnsted Fitness MONTHLY 10 ACTIVE"]);
  t.deepEqual(recognise(history, context).income, []);
});

test("a yearly payee that was renamed is one service from its first payment under the new name", (t) => {
  const history = [
    ...rows(["2023-03-02", "2024-03-02", "2025-03-02"], "Grindelund Alarm", -129_513, debit),
    row("2026-03-02", "Grindelund Sikring", -134_913, debit),
  ];
  t.deepEqual(told(history), ["Grindelund Sikring YEARLY 4 ACTIVE"]);
});

test("a bill that follows use goes on under a related name", (t) => {
  const minors = [61_200, 70_500, 58_300, 49_900, 54_100, 63_000, 59_400, 66_800];
  const bills = monthly("2025-11-20", 8).map((day, index) =>
    row(day, index < 6 ? "Fjordkraft Varme" : "Fjordkraft Energi Nord", -minors[index]!, debit),
  );
  t.deepEqual(told(bills), ["Fjordkraft Varme MONTHLY 8 ACTIVE"]);
});

test("a renamed payee of another name altogether is the same by its customer number", (t) => {
  const history = [
    ...rows(["2023-03-02", "2024-03-02", "2025-03-02"], "Grindelund kundenr 88104712", -129_500, debit),
    row("2026-03-02", "Puls Sikring kundenr 88104712", -149_900, debit),
  ];
  t.is(services(history).length, 1);
  t.like(services(history)[0], { status: "ACTIVE", paymentFrequency: "YEARLY" });
  t.is(services(history)[0]?.payments.length, 4);
});

// How it is shown

test("what is billed through a store carries the store", (t) => {
  const app = services(rows(monthly("2026-01-09", 6), "GOOGLE *Meteorapp", -3_900, card));
  t.like(app[0], { store: "STORE_B" });
  const apple = services(rows(monthly("2026-01-09", 6), "APPLE COM BILL", -3_900, card));
  t.like(apple[0], { store: "STORE_A", productId: "app-store-subscription-store-a" });
});

test("titles keep the country's letters and the whole name, and leave out the bank's words", (t) => {
  const title = (text: string) => services(rows(monthly("2026-01-09", 6), text, -19_913))[0]?.title;
  t.is(title("STØRVOLD LÆKLUB"), "Størvold Læklub");
  t.is(title("CIRCLE K"), "Circle K");
  t.is(title("Til Ingrid Bø"), "Ingrid Bø");
  t.is(title("Skickad Åsa Öberg"), "Åsa Öberg");
});

// How money moved, told from lines

test("a creditor's identifier in a line of no told kind tells a direct debit, whose bills may leap", (t) => {
  const gas = [94_020, 47_110, 16_350, 38_470, 102_740, 47_950, 14_610, 40_090];
  const bills = monthly("2024-07-01", 8, 3).map((day, at) =>
    row(day, `Fjordgas AMS NL31ZZZ88838366829 kenmerk ${40_000 + at * 317}`, -gas[at]!),
  );
  t.deepEqual(
    services(bills).map(({ paymentFrequency, payments, status }) => [paymentFrequency, payments.length, status]),
    [["QUARTERLY", 8, "ACTIVE"]],
  );
});

test("what a gateway collects by direct debit a year apart at another price is two purchases", (t) => {
  const bought = [
    row("2024-11-04", "PayPal Europe, Ihr Einkauf bei Steinkrug", -2_197, debit),
    row("2025-11-06", "PayPal Europe, Ihr Einkauf bei Steinkrug", -3_140, debit),
  ];
  t.deepEqual(services(bought, "2025-12-01"), []);
});

test("amounts that change and are whole tens each time are drawn or shared, not billed", (t) => {
  const days = monthly("2025-01-15", 17).map((day, at) => addDays(day, drawn(at, 9) - 4));
  const chosen = days.map((day, at) => row(day, "Auslag Torvet", -(90_000 + drawn(at, 9) * 10_000)));
  t.deepEqual(told(chosen), []);
});

test("a ticket at one price on days that nobody keeps is no service, a dear hour of work is one", (t) => {
  const gaps = [7, 5, 9, 14, 7, 3, 8, 6, 12, 7, 4, 9, 7, 10, 6, 8];
  const loose = (name: string, minor: number) => {
    let day: Day = "2026-02-25";
    return gaps.map((gap) => {
      day = addDays(day, gap);
      return row(day, name, -minor);
    });
  };
  const shops = everyDays("2025-09-03", 70, 4).map((day, at) =>
    row(addDays(day, drawn(at, 3)), `Butik ${"ABCDEFGHIJKLMN"[at % 14]!}strup`, -(4_013 + drawn(at, 97) * 90), card),
  );
  t.deepEqual(told([...shops, ...loose("Billetten", 1_950)]), []);
  t.deepEqual(told([...shops, ...loose("Gerda Havn", 36_950)]), ["Gerda Havn WEEKLY 16 ACTIVE"]);
});
