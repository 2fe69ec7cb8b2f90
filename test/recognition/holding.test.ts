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
import { addDays, daysBetween, type Day } from "../../src/time/calendar.ts";
import { monthly, row, rows } from "./payments.ts";

const until = "2026-06-30";

for (const [what, messy, country] of [
  ["tidy", null, "DK"],
  ["messy", "DE", "DE"],
  ["messy British", "GB", "GB"],
] as const)
  test(`figures of ${what} histories hold as long as is told`, (t) => {
    let held = 0;
    for (const [number, history] of historiesOf(messy).entries()) {
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
  "a price in another currency holds no longer than rates do": {
    history: rows(monthly("2026-01-07", 5), "Streamly", -7_900, {
      mcc: 4899,
      currency: "SEK",
    }),
    today: "2026-06-30",
    holdsUntil: "2026-07-01",
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
} satisfies Record<string, { history: unknown; today: Day; holdsUntil: Day }>;

for (const [what, { history, today, holdsUntil }] of Object.entries(kinds))
  test(what, (t) => {
    const numbered = history.map((one, id) => ({ ...one, id }));
    t.is(madeOn(today, userOf("DK", "DKK"), numbered, nothingRemembered)[1], holdsUntil);
  });

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
): [Assessment, Day] {
  const holding = new Holding();
  const context = { today, baseUrl: "https://bank.example", convert: () => null, arrived, holding };
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

function historiesOf(messy: string | null): LedgerTransaction[][] {
  return [...generatePopulation({ users: 3, months: 15, messy, seed: 32, until })].map(({ transactions }) =>
    transactions
      .flatMap((record) => (record.tx ? (historyTransaction(record, record.tx) ?? []) : []))
      .map((one, id) => ({ ...one, id })),
  );
}
