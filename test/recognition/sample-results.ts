/**
 * What recognition makes of the sample population: of each user all that is found, services and incomes, with the
 * evidence that operators are told; a first run a month before the day; and a second one that remembers it and hears
 * the user call two payments subscriptions.
 */
import { addMonths, type Day } from "../../src/time/calendar.ts";
import type { LedgerTransaction } from "../../src/ledger/history.ts";
import { assess, type Assessment } from "../../src/recognition/assess.ts";
import { type RecognisedService, recognise } from "../../src/recognition/recognise.ts";
import type { KnownService } from "../../src/recognition/services/identity.ts";
import { nothingRemembered, type Remembered } from "../../src/recognition/remembered.ts";
import type { RecognisedUser } from "../../src/recognition/claimed.ts";
import type { Submission } from "../../src/recognition/services/submission.ts";
import { algorithmVersion } from "../../src/recognition/version.ts";
import { convertSample, sampleDay, sampleUsers } from "../sample-population.ts";
import type { Algorithm } from "../results-digest.ts";

const nothing = nothingRemembered;

export function assessSample(
  user: RecognisedUser,
  history: readonly LedgerTransaction[],
  remembered = nothing,
  today: Day = sampleDay,
): Assessment {
  return assess(user, history, remembered, {
    today,
    baseUrl: "https://bank.example",
    convert: convertSample,
    arrived: null,
  });
}

/** What a store would remember of a first run. */
function remember({ services, warnings, income }: Assessment, submissions: Submission[]): Remembered {
  return {
    services: services.map((service) => ({ ...service, digest: null, cancellation: null })),
    submissions,
    warnings,
    income: { series: JSON.parse(income.series) as KnownService[], digest: null },
  };
}

/** The latest purchase in no service and the oldest one of all. */
function submissionsOf({ services }: Assessment, history: readonly LedgerTransaction[]): Submission[] {
  const known = new Set(services.flatMap(({ txids }) => txids));
  const paid = history.filter(({ amountMinor }) => amountMinor < 0);
  const chosen = [paid.findLast(({ txid }) => !known.has(txid)), paid[0]];
  return chosen.flatMap((row) =>
    row === undefined
      ? []
      : [
          {
            id: `submission ${row.txid}`,
            txid: row.txid,
            paymentFrequency: "MONTHLY",
            outcome: null,
            submittedAt: new Date(`${sampleDay}T08:00:00Z`),
            seen: false,
          },
        ],
  );
}

/** Rows by their names: they are in the sample. */
function briefly({ payments, refunds, ...service }: RecognisedService) {
  return { ...service, payments: payments.map(({ txid }) => txid), refunds: refunds.map(({ txid }) => txid) };
}

/** All that is told of the user; until when it holds is no word of it. */
function figures(assessment: Assessment) {
  return { ...assessment, readModel: { ...assessment.readModel, holdsUntil: undefined } };
}

export const recognition: Algorithm = {
  name: "recognition",
  version: String(algorithmVersion),
  versionFile: "src/recognition/version.ts",
  stored: new URL("digest.json", import.meta.url),
  *results() {
    const earlierDay = addMonths(sampleDay, -1);
    for (const sample of sampleUsers()) {
      const { user, history } = sample;
      const earlier = history.filter(({ day }) => day <= earlierDay);
      const first = assessSample(user, earlier, nothing, earlierDay);
      const second = assessSample(user, history, remember(first, submissionsOf(first, earlier)));
      const { services, income } = recognise(history, {
        asOf: sampleDay,
        country: user.country,
        currency: user.currency,
      });
      yield { sample, result: [services.map(briefly), income.map(briefly), figures(first), figures(second)] };
    }
  },
};
