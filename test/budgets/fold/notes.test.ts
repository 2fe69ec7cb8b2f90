/** Notes on categories: payments that cover several, and figures that do not fit the household. */
import test from "ava";
import type { CategoryNode, Item } from "../../../src/budgets/budget.ts";
import type { Language } from "../../../src/texts/languages.ts";
import { annotate, inSentence, missingQuestionId, namesOf, noted } from "../../../src/budgets/fold/notes.ts";
import type { UserData } from "../../../src/interface/user-data.ts";
import { userData as renting } from "../household.ts";
import { budgetId, decisionsWith, groupWith, itemWith, nodeWith, noteWith } from "./parts.ts";

type Given = { items?: Item[]; userData?: UserData | null; notApplicable?: string[]; language?: Language };

const notesIn = (
  nodes: readonly CategoryNode[],
  { items = [], userData = null, notApplicable = [], language = "en" }: Given = {},
) => {
  const decisions = decisionsWith({ userData, notApplicable: new Set(notApplicable) });
  return annotate(nodes, { country: "NO", budgetId, language, decisions, items });
};
const notesOf = (node: CategoryNode, given?: Given) => notesIn([node], given)[0]!.notes;
const rent = nodeWith("HOUSING_RENT", 800_000, { name: "Rent" });
const both = itemWith({ categories: ["HOUSING_RENT", "UTILITIES_WATER_WASTE", "UTILITIES_HEATING"] });

test("the question about a missing category keeps its id in a budget", (t) => {
  t.is(missingQuestionId(budgetId, "FOOD_GROCERIES"), "c64aa151-05b4-5a2e-b97d-df4e26f510d3");
});

test("the carrier of a payment for several categories names these in tree order; each of them names it", (t) => {
  t.deepEqual(notesOf(rent, { items: [both] }), [
    {
      type: "INCLUDES_OTHERS",
      message: "This amount also covers heating and gas and water, sewage and waste.",
      categories: ["UTILITIES_HEATING", "UTILITIES_WATER_WASTE"],
      severity: "LOW",
    },
  ]);
  t.deepEqual(notesOf(nodeWith("UTILITIES_WATER_WASTE", 0), { items: [both] }), [
    {
      type: "INCLUDED_IN_OTHERS",
      message: "Paid together with rent.",
      categories: ["HOUSING_RENT"],
      severity: "LOW",
    },
  ]);
  t.deepEqual(
    notesOf(nodeWith("UTILITIES_HEATING", 0), { items: [both] }).map(({ type }) => type),
    ["INCLUDED_IN_OTHERS"],
  );
  t.deepEqual(notesOf(nodeWith("UTILITIES_ELECTRICITY", 0), { items: [both] }), []);
});

test("two payments that cover the same category name it once, and an item of one category says nothing", (t) => {
  const again = itemWith({ key: "b", categories: ["HOUSING_RENT", "UTILITIES_HEATING"] });
  const [note, ...rest] = notesOf(rent, { items: [both, again, itemWith({ categories: ["HOUSING_RENT"] })] });
  t.deepEqual(note?.categories, ["UTILITIES_HEATING", "UTILITIES_WATER_WASTE"]);
  t.deepEqual(rest, []);
  t.deepEqual(notesOf(nodeWith("UTILITIES_HEATING", 0), { items: [both, again] })[0]?.categories, ["HOUSING_RENT"]);
  t.deepEqual(notesOf(rent, { items: [itemWith({ categories: ["HOUSING_RENT"] })] }), []);
});

test("a category may carry one payment and be part of another: it says both", (t) => {
  const power = itemWith({ key: "b", categories: ["UTILITIES_HEATING", "UTILITIES_ELECTRICITY"] });
  t.deepEqual(
    notesOf(nodeWith("UTILITIES_HEATING", 10), { items: [both, power] }).map(({ type, categories }) => [
      type,
      categories,
    ]),
    [
      ["INCLUDES_OTHERS", ["UTILITIES_ELECTRICITY"]],
      ["INCLUDED_IN_OTHERS", ["HOUSING_RENT"]],
    ],
  );
});

test("what every household pays for is missed in words that do not claim to know the household", (t) => {
  t.deepEqual(notesOf(nodeWith("FOOD_GROCERIES", 0, { name: "Groceries" })), [
    {
      type: "EXPECTED_NONEMPTY",
      message: "Nearly every household pays for groceries.",
      categories: null,
      severity: "HIGH",
    },
  ]);
  t.deepEqual(notesOf(nodeWith("FOOD_GROCERIES", 1, { name: "Groceries" })), []);
  t.deepEqual(notesOf(nodeWith("FOOD_RESTAURANTS", 0)), []);
});

test("what this household should pay for or earn is missed in words that say why", (t) => {
  t.deepEqual(notesOf({ ...rent, totalMonthlyMinor: 0 }, { userData: renting }), [
    {
      type: "EXPECTED_NONEMPTY",
      message: "From what we know of the household, something should be paid for rent.",
      categories: null,
      severity: "HIGH",
    },
  ]);
  t.deepEqual(notesOf(nodeWith("INCOME_SALARY", 0, { name: "Salary" }), { userData: renting }), [
    {
      type: "EXPECTED_NONEMPTY",
      message: "From what we know of the household, there should be salary.",
      categories: null,
      severity: "LOW",
    },
  ]);
});

test("the user's value decides whether a category is empty", (t) => {
  t.deepEqual(
    notesOf({ ...rent, totalMonthlyUserProvidedMinor: 0 }, { userData: renting }).map(({ type }) => type),
    ["EXPECTED_NONEMPTY"],
  );
  t.deepEqual(notesOf({ ...rent, totalMonthlyMinor: 0, totalMonthlyUserProvidedMinor: 1 }, { userData: renting }), []);
});

test("nothing is missed that is paid together with another category, or whose question was closed for good", (t) => {
  const heating = nodeWith("UTILITIES_HEATING", 0);
  const owning: UserData = { ...renting, residence: { ...renting.residence, ownership: "HOMEOWNER" } };
  t.deepEqual(
    notesOf(heating, { userData: owning }).map(({ type }) => type),
    ["EXPECTED_NONEMPTY"],
  );
  t.deepEqual(
    notesOf(heating, { userData: owning, items: [both] }).map(({ type }) => type),
    ["INCLUDED_IN_OTHERS"],
  );
  t.deepEqual(
    notesOf(heating, { userData: owning, notApplicable: [missingQuestionId(budgetId, "UTILITIES_HEATING")] }),
    [],
  );
  // The carrier of a payment is not included in another.
  const carried = itemWith({ categories: ["UTILITIES_HEATING", "UTILITIES_WATER_WASTE"] });
  t.deepEqual(
    notesOf(heating, { userData: owning, items: [carried] }).map(({ type }) => type),
    ["INCLUDES_OTHERS", "EXPECTED_NONEMPTY"],
  );
});

test("what the household should not pay for is told where something is paid", (t) => {
  const mortgage = nodeWith("HOUSING_MORTGAGE", 1, { name: "Mortgage" });
  t.deepEqual(notesOf(mortgage, { userData: renting }), [
    {
      type: "EXPECTED_EMPTY",
      message: "From what we know of the household, nothing should be paid for mortgage.",
      categories: null,
      severity: "LOW",
    },
  ]);
  t.deepEqual(notesOf({ ...mortgage, totalMonthlyMinor: 0 }, { userData: renting }), []);
  t.deepEqual(notesOf(mortgage), []);
  t.deepEqual(notesOf(nodeWith("HOUSING_MAINTENANCE", 1), { userData: renting }), []);
});

test("groups and leaves get their notes in the user's language, and nothing else of them changes", (t) => {
  const group = groupWith("INCOME_PENSION", [nodeWith("INCOME_PENSION_STATE", 0)], { name: "Pension" });
  const retired: UserData = { ...renting, employment: { ...renting.employment, status: "RETIRED" } };
  const [annotated] = notesIn([group], { userData: retired, language: "da" });
  t.deepEqual(annotated, {
    ...group,
    notes: [{ type: "EXPECTED_NONEMPTY", message: annotated!.notes[0]!.message, categories: null, severity: "LOW" }],
  });
  t.true(annotated!.notes[0]!.message.includes("pension"));
  const housing = groupWith("HOUSING", [{ ...rent, totalMonthlyMinor: 0 }]);
  t.is(notesIn([housing], { userData: renting })[0]?.children[0]?.notes.length, 1);
});

test("names begin small inside a sentence, unless they are abbreviations", (t) => {
  t.is(inSentence("Rent"), "rent");
  t.is(inSentence("SU"), "SU");
  t.is(inSentence("Østrig"), "østrig");
  t.is(inSentence("TV og bredbånd"), "TV og bredbånd");
  t.is(inSentence("A-kasse"), "a-kasse");
  t.is(inSentence(""), "");
  t.is(namesOf(["HOUSING_RENT", "UTILITIES_ELECTRICITY", "INCOME_BENEFIT_STUDENT"], "da"), "husleje, el og SU");
});

test("nodes with a note of a type are found in tree order, groups before their leaves", (t) => {
  const [first, second] = [noteWith("EXPECTED_NONEMPTY", "HIGH"), noteWith("EXPECTED_NONEMPTY", "LOW")];
  const rent = nodeWith("HOUSING_RENT", 0, { notes: [noteWith("EXPECTED_EMPTY"), first] });
  const housing = groupWith("HOUSING", [rent, nodeWith("HOUSING_MORTGAGE", 0)], { notes: [second] });
  const food = nodeWith("FOOD", 0, { notes: [noteWith("INCLUDES_OTHERS")] });
  t.deepEqual(noted([housing, food], "EXPECTED_NONEMPTY"), [
    { node: housing, note: second },
    { node: rent, note: first },
  ]);
});
