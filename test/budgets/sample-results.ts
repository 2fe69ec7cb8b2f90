/**
 * What budgets make of the sample population: of each user the engine's snapshot, the budget as it is folded of nothing
 * else, and the one after a household has spoken for itself, answered, skipped and adjusted.
 */
import type { FoldedBudget, Item } from "../../src/budgets/budget.ts";
import { languageCodes } from "../../src/texts/languages.ts";
import { buildSnapshot } from "../../src/budgets/engine/build-snapshot.ts";
import type { BudgetSnapshot } from "../../src/budgets/engine/snapshot.ts";
import { leavesOf } from "../../src/budgets/documents.ts";
import type { Answer, BudgetEvent } from "../../src/budgets/events.ts";
import { type BudgetFacts, foldBudget } from "../../src/budgets/fold/fold.ts";
import { costliestFirst } from "../../src/budgets/fold/nodes.ts";
import type { UserData } from "../../src/interface/user-data.ts";
import { rulesVersion } from "../../src/budgets/version.ts";
import { uuidVersion5 } from "../../src/recognition/services/identity.ts";
import type { Service } from "../../src/interface/services.ts";
import type { RecognisedUser } from "../../src/recognition/claimed.ts";
import { assessSample } from "../recognition/sample-results.ts";
import type { Algorithm } from "../results-digest.ts";
import { convertSample, sampleDay, type SampleUser, sampleUsers } from "../sample-population.ts";
import { facts, logOf, userData } from "./household.ts";

function snapshotOf({ user, history, accounts }: SampleUser): BudgetSnapshot {
  const services = assessSample(user, history).services.flatMap(({ id, txids, document }) =>
    document === null ? [] : [{ id, txids, document: JSON.parse(document) as Service }],
  );
  const brand = { id: `sample-${user.country.toLowerCase()}`, country: user.country, currency: user.currency };
  return buildSnapshot({
    history,
    services,
    accounts,
    brand,
    asOf: sampleDay,
    baseUrl: "https://bank.example",
    convert: convertSample,
  });
}

function factsOf({ id, subject, country, currency }: RecognisedUser): BudgetFacts {
  return {
    ...facts,
    id: uuidVersion5(subject, "budget"),
    language: languageCodes[id % languageCodes.length]!,
    country,
    currency,
  };
}

const ownerships = ["RENT", "HOMEOWNER", "COOPERATIVE", "PARENTS", "OTHER"] as const;
const maritalStatuses = ["MARRIED", "SINGLE", "COHABITANT"] as const;

/** Households differ by their number. */
function userDataOf({ id }: RecognisedUser): UserData {
  return {
    ...userData,
    personal: {
      ...userData.personal,
      children: id % 2 === 0 ? [{ age: id % 18 }, { age: 3 }] : [],
      hasChildren: id % 2 === 0,
      maritalStatus: maritalStatuses[id % maritalStatuses.length]!,
    },
    residence: { ...userData.residence, ownership: ownerships[id % ownerships.length]!, hasVacationHome: id % 7 === 0 },
    transport: {
      ...userData.transport,
      vehicles: id % 3 === 0 ? [{ ownership: "OWNED" }] : [],
      hasVehicle: id % 3 === 0,
    },
  };
}

/**
 * Said of itself, shared with another, a payee answered, one split, a question skipped, groceries and work adjusted.
 */
function eventsOf(user: RecognisedUser, { questions, categories }: FoldedBudget): BudgetEvent[] {
  const [asked] = questions.filter(({ item }) => item !== null);
  const skipped = questions.find((question) => question !== asked);
  const [costliest] = leavesOf(categories)
    .flatMap(({ items }) => items)
    .filter(isAnswerable)
    .toSorted(costliestFirst);
  return [
    { type: "USER_DATA_SET", userData: userDataOf(user) },
    { type: "COAPPLICANT_SET", applicantType: "SHARED_FINANCES", budgetId: null },
    ...(asked === undefined ? [] : [answerTo(asked.id, asked.item!, togetherAs(asked.potentialCategories ?? []))]),
    ...(costliest === undefined ? [] : [answerTo("split", costliest, inThirds)]),
    ...(skipped === undefined ? [] : [{ type: "SKIPPED", actionId: skipped.id } as const]),
    { type: "ADJUSTED", categoryId: "FOOD_GROCERIES", amountMinor: 400_000, frequency: "MONTHLY" },
    { type: "ADJUSTED", categoryId: "INCOME_WORK", amountMinor: 9_000_000, frequency: "QUARTERLY" },
  ];
}

function isAnswerable({ subject }: Item): boolean {
  return subject !== null;
}

/** That it covers what it was taken for first and second. */
function togetherAs(ids: readonly string[]): Answer["categories"] {
  return ids.slice(0, 2).map((id) => ({ id, amountMinor: null }));
}

const inThirds: Answer["categories"] = [
  { id: "HOUSING_RENT", amountMinor: 200 },
  { id: "UTILITIES_HEATING", amountMinor: 100 },
];

function answerTo(actionId: string, { subject }: Item, categories: Answer["categories"]): BudgetEvent {
  const answer: Answer = {
    type: "DERIVED_FROM_TRANSACTIONS",
    categories,
    subject,
    txid: null,
    amountMinor: null,
    frequency: null,
    title: null,
  };
  return { type: "ANSWERED", actionId, answer };
}

export const budgets: Algorithm = {
  name: "budgets",
  version: rulesVersion,
  versionFile: "src/budgets/version.ts",
  stored: new URL("digest.json", import.meta.url),
  *results() {
    for (const sample of sampleUsers()) {
      // The version is no result: with it a raised one would seem to change them all.
      const snapshot = { ...snapshotOf(sample), rulesVersion: "" };
      const own = factsOf(sample.user);
      const folded = foldBudget(own, snapshot, []);
      const spoken = foldBudget(own, snapshot, logOf(eventsOf(sample.user, folded)));
      yield { sample, result: [snapshot, folded, spoken] };
    }
  },
};
