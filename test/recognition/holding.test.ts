/** Figures that are told to hold until a day are just the same on every day before it, while nothing comes. */
import { hash } from "node:crypto";
import test from "ava";
import { generatePopulation } from "../../fixtures/population.ts";
import type { LedgerTransaction } from "../../src/ledger/history.ts";
import { historyTransaction } from "../../src/payments/history-file.ts";
import { assess, type Assessment } from "../../src/recognition/assess.ts";
import { Holding } from "../../src/recognition/holding.ts";
import { nothingRemembered, type Remembered } from "../../src/recognition/remembered.ts";
import { usualPercents } from "../../src/recognition/search/confidence.ts";
import type { KnownService } from "../../src/recognition/services/identity.ts";
import type { RecognisedUser } from "../../src/recognition/claimed.ts";
import { type Convert, convertAt, gatherRates, type Rates } from "../../src/rates/rates.ts";
import { addDays, dayNumber, daysBetween, type Day } from "../../src/time/calendar.ts";
import fc, { runs } from "../property.ts";
import { monthly, row, rows } from "./payments.ts";

const until = "2026-06-30";

for (const [what, messy, country] of [
  ["tidy", null, "DK"],
  ["messy", "DE", "DE"],
  ["messy British", "GB", "GB"],
] as const)
  test(`figures of ${what} histories hold as long as is told`, (t) => {
    let held = 0;
    for (const [number, history] of historiesOf(messy, 5).entries()) {
      const user = userOf(country, history[0]!.currency);
      let remembered = nothingRemembered;
      for (let today = addDays(until, -70); today <= until; today = addDays(today, 7)) {
        // The last weeks stay without a payment, so that time alone ends what was paid.
        const known = history.filter(({ day }) => day <= today && day <= addDays(until, -45));
        const [made, holdsUntil] = madeOn(today, user, known, remembered);
        remembered = remember(made, remembered);
        for (let day = addDays(today, 1); day < holdsUntil; day = addDays(day, 1)) {
          const [later] = madeOn(day, user, known, remembered);
          t.true(told(later) === told(made), `household ${number}, made on ${today}, looked at on ${day}`);
          t.deepEqual(later.warnings, []);
          held += 1;
        }
      }
    }
    t.true(held > 5, `${held} days were held`);
  });

/** What becomes of the rates on a day: none come, those of some days up to it do, or all that are known are replaced. */
const ratesOfDay = fc.oneof(
  { weight: 6, arbitrary: fc.constant("none" as const) },
  { weight: 6, arbitrary: fc.constant("new" as const) },
  { weight: 1, arbitrary: fc.constant("correction" as const) },
);
const year = fc.record({
  household: fc.nat({ max: 2 }),
  messy: fc.constantFrom(null, "DE"),
  /** Of ten rows so many are there at all, and so many of those in another currency. */
  kept: fc.integer({ min: 3, max: 8 }),
  foreign: fc.integer({ min: 0, max: 9 }),
  /** Quoted every day, nearly every day, never. */
  currency: fc.constantFrom("SEK", "SEK", "USD", "ISK"),
  /** Months in which nothing comes; what was paid then comes after them. */
  silent: fc.subarray([2, 3, 4, 6, 7, 9, 10, 11]),
  rates: fc.array(ratesOfDay, { minLength: 30, maxLength: 40 }),
});

test("who is left alone while nothing can change is told, on every day of a year, what a run from nothing tells", (t) => {
  let held = 0;
  let heldConverted = 0;
  fc.assert(
    fc.property(year, ({ household, messy, kept, foreign, currency, silent, rates: ratesOf }) => {
      const history = historiesOf(messy)[household]!.flatMap((one) => inOtherCurrency(one, kept, foreign, currency));
      const user = userOf("DK", "DKK");
      let remembered = nothingRemembered;
      let table = new GrowingRates(ratesUpTo(addDays(until, -366)));
      let [made, holdsUntil, madeAt, seen] = [null as Assessment | null, until, -1, -1];
      let sawAll = until;
      for (let [at, today] = [0, addDays(until, -365)]; today <= until; [at, today] = [at + 1, addDays(today, 1)]) {
        table = table.on(today, ratesOf[at % ratesOf.length]!);
        if (!silent.includes(Number(today.slice(5, 7)))) sawAll = today;
        const known = history.filter(({ day }) => day <= sawAll);
        const [fresh, until_] = madeOn(today, user, known, remembered, null, table);
        const isLeft =
          made !== null &&
          known.length === seen &&
          today < holdsUntil &&
          madeAt >= table.correctedAt &&
          !(made.readModel.lacksRates && madeAt < table.version);
        if (isLeft) {
          t.true(told(fresh) === told(made!), `household ${household}, looked at on ${today}`);
          t.deepEqual(fresh.warnings, []);
          held += 1;
          if (table.conversions > 0) heldConverted += 1;
        } else {
          [made, holdsUntil, madeAt, seen] = [fresh, until_, table.version, known.length];
          remembered = remember(fresh, remembered);
        }
      }
    }),
    runs(4),
  );
  t.true(held > 40, `${held} days were held`);
  t.true(heldConverted > 20, `${heldConverted} of them of figures in which something was converted`);
});

type RateSet = readonly [Day, Record<string, number>];

/** A table of rates as it is on a day, with its version and that of its last correction. */
class GrowingRates {
  readonly version: number;
  readonly correctedAt: number;
  readonly #sets: readonly RateSet[];
  readonly #rates: Rates;
  #conversions = 0;

  constructor(sets: readonly RateSet[], version = 0, correctedAt = 0) {
    [this.#sets, this.version, this.correctedAt] = [sets, version, correctedAt];
    this.#rates = gatherRates(sets.length, sets);
  }

  on(today: Day, what: "none" | "new" | "correction"): GrowingRates {
    const { days } = this.#rates;
    const version = this.version + 1;
    if (what === "correction" && days.length > 0) {
      const others = days.map((day): RateSet => [day, ratesOn(dayNumber(day) + 7 * version)]);
      return new GrowingRates(others, version, version);
    }
    const last = days.at(-1)!;
    // A day's rates come in its evening: most nights know those of the day before.
    const newest = dayNumber(today) % 3 === 0 ? today : addDays(today, -1);
    if (what === "none" || newest <= last) return new GrowingRates(this.#sets, this.version, this.correctedAt);
    const come = daysAfter(last, newest).map((day): RateSet => [day, ratesOn(dayNumber(day))]);
    return new GrowingRates([...this.#sets, ...come], version, this.correctedAt);
  }

  get until(): Day | null {
    return this.#rates.days.at(-1) ?? null;
  }

  /** How often it was asked. */
  get conversions(): number {
    return this.#conversions;
  }

  readonly convert: Convert = (money, currency, day) => {
    if (money.currency !== currency) this.#conversions += 1;
    return convertAt(this.#rates, money, currency, day);
  };
}

function daysAfter(last: Day, newest: Day): Day[] {
  return Array.from({ length: daysBetween(last, newest) }, (_, more) => addDays(last, more + 1));
}

/** From before the first row on. */
function ratesUpTo(newest: Day): RateSet[] {
  const days = Array.from({ length: 120 }, (_, back) => addDays(newest, back - 119));
  return days.map((day) => [day, ratesOn(dayNumber(day))]);
}

/** Now and then one of the currencies is not quoted. */
function ratesOn(at: number): Record<string, number> {
  const usual = { DKK: 7.4 + (at % 13) / 100, SEK: 11 + (at % 7) / 10 };
  return at % 5 === 0 ? usual : { ...usual, USD: 1.1 + (at % 17) / 100 };
}

function inOtherCurrency(one: LedgerTransaction, kept: number, foreign: number, currency: string): LedgerTransaction[] {
  // What one payee is paid stays together.
  const mark = one.description.length * 31 + one.description.charCodeAt(0);
  if (mark % 10 >= kept) return [];
  return [(mark >> 3) % 10 < foreign ? { ...one, currency } : { ...one, currency: "DKK" }];
}

const kinds = {
  "a service due in some days holds until the day after it is due": {
    history: rows(monthly("2026-01-07", 6), "Streamly", -7_900, { mcc: 4899 }),
    today: "2026-07-03",
    holdsUntil: "2026-07-08",
  },
  "an overdue one holds until the next banking day": {
    history: rows(monthly("2026-01-07", 6), "Streamly", -7_900, { mcc: 4899 }),
    today: "2026-07-10",
    holdsUntil: "2026-07-13",
  },
  "a payment of a later day takes part from then on": {
    history: [row("2026-07-03", "Later", -500)],
    today: "2026-06-30",
    holdsUntil: "2026-07-03",
  },
  "what is made at a rate that is still to come for its day holds for a day": {
    history: rows(monthly("2026-01-07", 6), "Streamly", -7_900, { mcc: 4899, currency: "SEK" }),
    today: "2026-06-30",
    ratesUntil: "2026-06-05",
    holdsUntil: "2026-07-01",
  },
  "what is made at rates of days gone by holds as anything else does": {
    history: rows(monthly("2026-01-07", 6), "Streamly", -7_900, { mcc: 4899, currency: "SEK" }),
    today: "2026-06-30",
    ratesUntil: "2026-06-29",
    holdsUntil: "2026-07-07",
  },
  "what is to be made at the day's own rate holds for a day": {
    history: rows(monthly("2026-01-07", 5), "Streamly", -7_900, { mcc: 4899, currency: "SEK" }),
    today: "2026-06-30",
    ratesUntil: "2026-06-30",
    holdsUntil: "2026-07-01",
  },
  "what nothing converts holds, and waits for rates": {
    history: rows(monthly("2026-01-07", 6), "Streamly", -7_900, { mcc: 4899, currency: "SEK" }),
    today: "2026-06-30",
    holdsUntil: "2026-07-07",
  },
  "what ended holds until its first payment leaves the year": {
    history: rows(monthly("2025-07-04", 4), "Streamly", -7_900, { mcc: 4899 }),
    today: "2026-06-30",
    holdsUntil: "2026-07-04",
  },
  "what ended long ago holds for a week, and is looked at then": {
    history: rows(monthly("2023-07-20", 4), "Streamly", -7_900, { mcc: 4899 }),
    today: "2026-06-30",
    holdsUntil: "2026-07-07",
  },
} satisfies Record<string, Kind>;

type Kind = { history: ReturnType<typeof rows>; today: Day; ratesUntil?: Day; holdsUntil: Day };

for (const [what, { history, today, ratesUntil = null, holdsUntil }] of Object.entries<Kind>(kinds))
  test(what, (t) => {
    const numbered = history.map((one, id) => ({ ...one, id }));
    const rates = ratesUntil === null ? noRates : { until: ratesUntil, convert: atPar };
    t.is(madeOn(today, userOf("DK", "DKK"), numbered, nothingRemembered, null, rates)[1], holdsUntil);
  });

const noRates = { until: null, convert: (() => null) as Convert };

function atPar({ minor }: { minor: number }, currency: string): ReturnType<Convert> {
  return { minor, currency };
}

test("a user's word just judged holds until the next run only, and so does what another algorithm made", (t) => {
  const history = rows(monthly("2023-07-20", 4), "Streamly", -7_900, { mcc: 4899 }).map((one, id) => ({ ...one, id }));
  const user = userOf("DK", "DKK");
  const submission = {
    id: "6ba7b810-9dad-11d1-80b4-00c04fd430c9",
    txid: history[0]!.txid,
    paymentFrequency: null,
    outcome: null,
    submittedAt: new Date("2026-06-30T00:00:00Z"),
    seen: false,
  };
  t.is(madeOn(until, user, history, { ...nothingRemembered, submissions: [submission] })[1], "2026-07-01");
  t.is(madeOn(until, user, history, nothingRemembered, new Set())[1], "2026-07-01");
});

function madeOn(
  today: Day,
  user: RecognisedUser,
  history: readonly LedgerTransaction[],
  remembered: Remembered,
  arrived: ReadonlySet<string> | null = null,
  rates: { convert: Convert; until: Day | null } = noRates,
): [Assessment, Day] {
  const holding = new Holding(rates.until);
  const context = { today, baseUrl: "https://bank.example", convert: rates.convert, arrived, holding };
  const made = assess(user, history, remembered, context);
  const { holdsUntil } = made.readModel;
  if (holdsUntil === null || daysBetween(today, holdsUntil) < 1) throw new Error("figures hold for a day");
  return [made, holdsUntil];
}

/** All that is written of it, but for the day. */
function told({ services, readModel, income, merges, verdicts }: Assessment): string {
  return JSON.stringify({
    // What is lost comes as it was remembered.
    services: services.map((service) => ({ ...service, digest: null, cancellation: null })),
    readModel: { ...readModel, computedFor: null, holdsUntil: null },
    income,
    merges,
    verdicts,
  });
}

function remember({ services, warnings, income }: Assessment, earlier: Remembered): Remembered {
  return {
    services: services.map((service) => ({
      ...service,
      cancellation: null,
      digest: service.document === null ? null : hash("md5", service.document),
    })),
    submissions: [],
    warnings: [...earlier.warnings, ...warnings],
    income: { series: JSON.parse(income.series) as KnownService[], digest: null },
  };
}

function userOf(country: string, currency: string): RecognisedUser {
  return {
    id: 1,
    subject: "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
    country,
    currency,
    timeZone: "Europe/Copenhagen",
    hiddenProductIds: [],
    percents: usualPercents,
    importCompletedOn: addDays(until, -100),
    algorithmVersion: 1,
  };
}

function historiesOf(messy: string | null, users = 3): LedgerTransaction[][] {
  return [...generatePopulation({ users, months: 15, messy, seed: 32, until })].map(({ transactions }) =>
    transactions
      .flatMap((record) => (record.tx ? (historyTransaction(record, record.tx) ?? []) : []))
      .map((one, id) => ({ ...one, id })),
  );
}
