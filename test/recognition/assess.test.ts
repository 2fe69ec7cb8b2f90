/** The order, repetition and batching of a user's payments change no service, and ids outlive changes. */
import { usualPercents } from "../../src/recognition/search/confidence.ts";
import test from "ava";
import { generateHousehold } from "../../fixtures/population.ts";
import { convertAt, gatherRates } from "../../src/rates/rates.ts";
import { addDays, type Day } from "../../src/time/calendar.ts";
import type { LedgerTransaction } from "../../src/ledger/history.ts";
import { historyTransaction } from "../../src/payments/history-file.ts";
import { assess, type Assessment, type AssessmentContext } from "../../src/recognition/assess.ts";
import type { HistoryTransaction } from "../../src/recognition/recognise.ts";
import type { KnownService } from "../../src/recognition/services/identity.ts";
import { nothingRemembered, type Remembered } from "../../src/recognition/remembered.ts";
import type { IncomeResponse, IncomeSeries } from "../../src/interface/income.ts";
import type { Service, ServiceResponse } from "../../src/interface/services.ts";
import type { RecognisedUser } from "../../src/recognition/claimed.ts";
import fc, { runs } from "../property.ts";
import { everyDays, monthly, row, rows } from "./payments.ts";

const user: RecognisedUser = {
  id: 1,
  subject: "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
  country: "DK",
  currency: "DKK",
  timeZone: "Europe/Copenhagen",
  hiddenProductIds: [],
  percents: usualPercents,
  importCompletedOn: "2026-06-30",
  algorithmVersion: 1,
};
const nothing = nothingRemembered;
const today = "2026-06-30";
/** The real conversion, which takes whole minor units only; the same rates each week, so that none is too old. */
const rateDays = everyDays("2022-01-03", 260, 7);
const kronerPerUnit: Readonly<Record<string, number>> = { EUR: 7.5, SEK: 0.625 };
const rates = gatherRates(
  rateDays.length,
  rateDays.map((day) => [day, { DKK: 7.5, SEK: 12 }]),
);
const contextOn = (day: Day): AssessmentContext => ({
  today: day,
  baseUrl: "https://bank.example",
  arrived: null,
  convert: (money, currency, on) => convertAt(rates, money, currency, on),
});

/** Numbered by the sender's id, as a ledger would whatever the order of arrival. */
function ledger(history: readonly HistoryTransaction[]): LedgerTransaction[] {
  return history.map((one) => ({
    ...one,
    id: [...one.txid].reduce((hash, letter) => (hash * 31 + letter.codePointAt(0)!) % 1_000_003, 7),
  }));
}

function assessed(
  history: readonly HistoryTransaction[],
  remembered: Remembered = nothing,
  day: Day = today,
): Assessment {
  return assess(user, ledger(history), remembered, contextOn(day));
}

function servicesOf(assessment: Assessment): Service[] {
  const { servicesVisible, servicesHidden } = assessment.readModel;
  return [servicesVisible, servicesHidden].flatMap((text) => (JSON.parse(text) as ServiceResponse).services);
}

function incomeOf({ income }: Assessment): IncomeSeries[] {
  return (JSON.parse(income.document) as IncomeResponse).income;
}

/** What a store would remember of an assessment. */
function remember(assessment: Assessment, earlier: Remembered = nothing): Remembered {
  const kept = assessment.services.map((service) => ({ ...service, digest: null, cancellation: null }));
  return {
    services: kept,
    submissions: earlier.submissions,
    warnings: [...earlier.warnings, ...assessment.warnings],
    income: { series: JSON.parse(assessment.income.series) as KnownService[], digest: null },
  };
}

const anyHousehold = fc.record({ seed: fc.nat({ max: 10_000 }), index: fc.nat({ max: 50 }) }).map(({ seed, index }) => {
  const household = generateHousehold(seed, index, { months: 14, until: today, brand: "demo-dk" });
  return household.transactions.flatMap((record) =>
    record.tx === undefined ? [] : (historyTransaction(record, record.tx) ?? []),
  );
});
/** A household's assessment takes some tens of milliseconds. */
const few = runs(25);

test("order and duplication of the rows change nothing", (t) => {
  fc.assert(
    fc.property(anyHousehold, fc.infiniteStream(fc.nat()), fc.nat({ max: 40 }), (history, numbers, repeats) => {
      const shuffled = history
        .map((one) => ({ one, at: numbers.next().value as number }))
        .sort((a, b) => a.at - b.at)
        .map(({ one }) => one);
      t.is(JSON.stringify(assessed([...shuffled, ...history.slice(0, repeats)])), JSON.stringify(assessed(history)));
    }),
    few,
  );
});

test("however the rows come in batches, each recognised, the user ends with the same services", (t) => {
  fc.assert(
    fc.property(
      anyHousehold,
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
      (history, cuts) => {
        const once = servicesOf(assessed(history));
        let remembered = nothing;
        for (const cut of [...cuts.sort((a, b) => a - b), 1])
          remembered = remember(assessed(history.slice(0, Math.ceil(cut * history.length)), remembered), remembered);
        const inBatches = servicesOf(assessed(history, remembered));
        t.deepEqual(inBatches.map(withoutId).toSorted(), once.map(withoutId).toSorted());
        t.is(new Set(inBatches.map(({ id }) => id)).size, inBatches.length);
      },
    ),
    few,
  );
});

test("assessing again what was assessed changes nothing, ids included", (t) => {
  fc.assert(
    fc.property(anyHousehold, (history) => {
      const first = assessed(history);
      const again = assessed(history, remember(first));
      t.is(JSON.stringify(servicesOf(again)), JSON.stringify(servicesOf(first)));
      t.deepEqual(again.changes, { servicesNew: 0, servicesGone: 0, frequenciesChanged: 0, statusesChanged: 0 });
      t.deepEqual(again.merges, []);
    }),
    few,
  );
});

test("accounts in another currency than the brand's are assessed whatever was paid until then", (t) => {
  const anyBills = fc.array(fc.integer({ min: 95_000, max: 105_000 }), { minLength: 3, maxLength: 24 });
  fc.assert(
    fc.property(anyHousehold, anyBills, fc.constantFrom(-1, 1), (history, amounts, sign) => {
      const bills = monthly("2024-06-12", amounts.length).map((day, index) =>
        row(day, "Xqzvw Fjordkraft", sign * amounts[index]!, { txid: `bill ${index}` }),
      );
      const abroad = [...history, ...bills].map((one) => ({ ...one, currency: "EUR" }));
      const assessment = assessed(abroad);
      const named = [...servicesOf(assessment), ...incomeOf(assessment)].map(({ currency }) => currency);
      t.deepEqual(new Set(named.filter((currency) => currency !== "DKK")), new Set());
    }),
    few,
  );
});

test("payments to somebody else change no other service", (t) => {
  const unrelated = fc.array(fc.record({ days: fc.nat({ max: 400 }), amount: fc.integer({ min: 100, max: 90_000 }) }), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(anyHousehold, unrelated, (history, purchases) => {
      // What costs to the last penny what an obligation costs, when it is due, may be that obligation under another
      // name.
      const paid = new Set(history.map((one) => one.amountMinor));
      const others = purchases
        .filter(({ amount }) => !paid.has(-amount))
        .map(({ days, amount }, index) =>
          row(addDays(today, -days), "Xqzvw Fjordhandel", -amount, { txid: `unrelated ${index}` }),
        );
      const before = servicesOf(assessed(history));
      const after = servicesOf(assessed([...history, ...others])).filter(
        (service) => !service.payments.some(({ sourceTransactionId }) => sourceTransactionId.startsWith("unrelated")),
      );
      t.is(JSON.stringify(after), JSON.stringify(before));
    }),
    few,
  );
});

test("a day that passes changes only what time explains", (t) => {
  fc.assert(
    fc.property(anyHousehold, (history) => {
      // Nothing is paid on the day that passes.
      const past = history.filter(({ day }) => day < today);
      const before = assessed(past, nothing, addDays(today, -1));
      const after = assessed(past, remember(before), today);
      const explained = ({
        status: _status,
        notifications: _notifications,
        nextExpectedTransactionDate: _next,
        totalAmountLastTwelveMonths: _total,
        yearlyCost: _cost,
        amountToDisplay: _display,
        visibilityOption: _visibility,
        cancellationOption: _cancellation,
        amount: _amount,
        amountRange: _range,
        isOverdue: _isOverdue,
        predecessorId: _predecessorId,
        ...service
      }: Service) => service;
      const byId = (assessment: Assessment) => new Map(servicesOf(assessment).map((service) => [service.id, service]));
      const [was, is] = [byId(before), byId(after)];
      // A first payment that no second one followed in time is nothing to tell; whatever else was told is told on.
      const kept = [...was.values()].filter(
        ({ id, visibility, payments }) => is.has(id) || visibility !== "UNDECIDED" || payments.length > 2,
      );
      t.deepEqual([...is.keys()].toSorted(), kept.map(({ id }) => id).toSorted());
      for (const earlier of kept) {
        const later = is.get(earlier.id)!;
        t.deepEqual(explained(later), explained(earlier));
        t.true(later.status === earlier.status || (earlier.status === "ACTIVE" && later.status === "INACTIVE"));
        // What ended is told with the day on which it was last due, no longer with the day after today.
        if (later.status === earlier.status)
          t.true(later.nextExpectedTransactionDate >= earlier.nextExpectedTransactionDate);
      }
    }),
    few,
  );
});

const change = fc.record({
  months: fc.integer({ min: 8, max: 14 }),
  at: fc.integer({ min: 3, max: 5 }),
  stepPercent: fc.integer({ min: 2, max: 30 }),
  amount: fc.integer({ min: 2_900, max: 90_000 }),
  gap: fc.boolean(),
});

test("a step in price and a missed month keep the id, whenever they are seen", (t) => {
  fc.assert(
    fc.property(change, ({ months, at, stepPercent, amount, gap }) => {
      const days = monthly("2025-05-05", months).filter((_, index) => !gap || index !== at);
      const history = days.map((day, index) =>
        row(day, "Sundby Motion", index < at ? -amount : -Math.round(amount * (1 + stepPercent / 100))),
      );
      let remembered = nothing;
      const ids = days.slice(2).map((day, index) => {
        const assessment = assessed(history.slice(0, index + 3), remembered, addDays(day, 1));
        remembered = remember(assessment, remembered);
        return servicesOf(assessment)
          .map(({ id }) => id)
          .join();
      });
      t.deepEqual(new Set(ids), new Set([ids[0]!]));
    }),
    runs(60),
  );
});

test("a payee that goes on under another name at the same price and day keeps the id", (t) => {
  const history = [
    ...rows(monthly("2025-08-05", 7), "Sundby Motion", -19_900),
    ...rows(monthly("2026-03-05", 4), "Puls Fitness", -19_900),
  ];
  const before = assessed(history.slice(0, 7), nothing, "2026-02-20");
  const after = assessed(history, remember(before));
  t.deepEqual(
    servicesOf(after).map(({ id, payments }) => [id, payments.length]),
    [[servicesOf(before)[0]!.id, 11]],
  );
});

test("prices in another currency are told in the brand's, and the original beside them", (t) => {
  fc.assert(
    fc.property(fc.constantFrom("EUR", "SEK"), fc.integer({ min: 500, max: 50_000 }), (currency, price) => {
      const abroad = monthly("2026-01-09", 6).map((day) =>
        row(day, "Streamly", -Math.round(price * kronerPerUnit[currency]!), {
          originalAmountMinor: -price,
          originalCurrency: currency,
        }),
      );
      const [service] = servicesOf(assessed(abroad));
      t.is(service?.currency, "DKK");
      t.is(service?.amount, Math.round(price * kronerPerUnit[currency]!) / 100);
      t.like(service?.payments[0], { currency: "DKK", originalAmount: price / 100, originalCurrency: currency });
      const [account] = servicesOf(
        assessed(monthly("2026-01-09", 6).map((day) => row(day, "Streamly", -price, { currency }))),
      );
      t.like(account, { currency: "DKK", amount: Math.round(price * kronerPerUnit[currency]!) / 100 });
    }),
    runs(40),
  );
});

test("a series that stops being found keeps its decisions until it returns", (t) => {
  const history = rows(everyDays("2026-05-01", 8, 7), "Ugekassen", -9_900);
  const first = assessed(history);
  const remembered = remember(first);
  const decided = { ...remembered, services: remembered.services.map((service) => ({ ...service, hidden: true })) };
  const without = assessed([], decided);
  t.deepEqual(servicesOf(without), []);
  t.like(without.changes, { servicesGone: 1 });
  const back = assessed(history, remember(without, decided));
  t.deepEqual(
    servicesOf(back).map(({ id, visibility }) => [id, visibility]),
    [[servicesOf(first)[0]!.id, "HIDDEN"]],
  );
  t.like(back.changes, { servicesNew: 1 });
});

test("what the user confirmed or cancels is never removed; what nobody decided about is", (t) => {
  const history = rows(["2026-05-28"], "Netflix", -7_900);
  const remembered = remember(assessed(history, nothing, "2026-06-01"));
  const inAutumn = (more: Partial<Remembered["services"][number]>) =>
    servicesOf(
      assessed(
        history,
        { ...remembered, services: remembered.services.map((service) => ({ ...service, ...more })) },
        "2026-10-01",
      ),
    );
  t.deepEqual(inAutumn({}), []);
  t.deepEqual(inAutumn({ hidden: true }), []);
  const { id } = remembered.services[0]!;
  t.deepEqual(
    inAutumn({ hidden: false }).map((service) => [
      service.id,
      service.visibility,
      service.status,
      service.paymentFrequency,
    ]),
    [[id, "VISIBLE", "INACTIVE", "MONTHLY"]],
  );
  const cancellation = {
    state: "CONFIRMED",
    needsMoreInformation: false,
    changedDay: "2026-06-10",
    equipmentBack: null,
    moneyBack: null,
    confirmationContent: null,
    freeTextMessage: null,
    endDate: "2026-06-28",
    abortReason: null,
  } as const;
  t.deepEqual(
    inAutumn({ cancellation }).map((service) => [service.id, service.status]),
    [[id, "CANCELLED"]],
  );
});

function withoutId(service: Service): string {
  return JSON.stringify({ ...service, id: null });
}
