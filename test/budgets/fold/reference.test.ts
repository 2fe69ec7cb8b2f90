/** What a household needs at least a month by the country's public table, and the budget's figure for the same. */
import test from "ava";
import type { CategoryNode, ReferenceCheck } from "../../../src/budgets/budget.ts";
import { childrenOf, expenseRoots } from "../../../src/categories/tree.ts";
import { checkReference, type Household, householdOf } from "../../../src/budgets/fold/reference.ts";
import type { UserData } from "../../../src/interface/user-data.ts";
import { userData } from "../household.ts";
import { groupWith, nodeWith, noteWith } from "./parts.ts";

const saying = (personal: Partial<UserData["personal"]>, share = 100): UserData => ({
  ...userData,
  personal: { ...userData.personal, ...personal },
  expenses: { share },
});
const shared = { type: "SHARED_FINANCES", budgetId: null } as const;
const separate = { type: "SEPARATE_FINANCES", budgetId: "other" } as const;

test("without user data a household is one adult of 35", (t) => {
  t.deepEqual(householdOf(null, null, "2026-06-15"), {
    adultAges: [35],
    childAges: [],
    sharePercent: 100,
    isAssumed: false,
  });
  t.deepEqual(householdOf(null, shared, "2026-06-15"), {
    adultAges: [35],
    childAges: [],
    sharePercent: 100,
    isAssumed: false,
  });
});

test("an adult is a year older from the birthday on, and nobody is younger than nothing", (t) => {
  const ageOn = (day: string) => householdOf(saying({ dateOfBirth: "1990-04-01" }), null, day).adultAges;
  t.deepEqual(
    [ageOn("2026-03-31"), ageOn("2026-04-01"), ageOn("2026-12-31"), ageOn("1980-01-01")],
    [[35], [36], [36], [0]],
  );
});

test("a couple are two adults unless their money is separate, and a share counts unless it is shared", (t) => {
  const of = (
    maritalStatus: UserData["personal"]["maritalStatus"],
    applicant: typeof shared | typeof separate | null,
  ) => {
    const { adultAges, childAges, sharePercent } = householdOf(
      saying({ maritalStatus, children: [{ age: 4 }, { age: 9 }] }, 60),
      applicant,
      "2026-06-15",
    );
    t.deepEqual(childAges, [4, 9]);
    return [adultAges, sharePercent];
  };
  t.deepEqual(
    [of("MARRIED", shared), of("COHABITANT", shared), of("SINGLE", shared), of("DIVORCED", shared)],
    [
      [[36, 36], 100],
      [[36, 36], 100],
      [[36], 100],
      [[36], 100],
    ],
  );
  t.deepEqual(
    [of("MARRIED", separate), of("MARRIED", null)],
    [
      [[36], 60],
      [[36, 36], 60],
    ],
  );
});

/** The whole tree with so much in each leaf. */
const tree = (leaves: Record<string, number> = {}, more: Record<string, Partial<CategoryNode>> = {}): CategoryNode[] =>
  expenseRoots.map(({ id }) =>
    groupWith(
      id,
      childrenOf(id).map((leaf) => nodeWith(leaf.id, leaves[leaf.id] ?? 0, more[leaf.id])),
      more[id],
    ),
  );
const adult: Household = { adultAges: [40], childAges: [], sharePercent: 100, isAssumed: false };
const inDenmark = (household: Partial<Household> = {}, nodes = tree(), asOf = "2024-06-15") =>
  checkReference("DK", "DKK", asOf, { ...adult, ...household }, nodes);
const inNorway = (household: Partial<Household>) =>
  checkReference("NO", "NOK", "2023-08-01", { ...adult, ...household }, tree())?.referenceMinor;
const inSweden = (household: Partial<Household> = {}, nodes = tree()) =>
  checkReference("SE", "SEK", "2025-06-15", { ...adult, ...household }, nodes)!;
const inIreland = (...childAges: number[]) =>
  checkReference(
    "IE",
    "EUR",
    "2025-06-15",
    { ...adult, childAges },
    tree({ FOOD_GROCERIES: 30_000, HOUSING_RENT: 100_000 }),
  );

test("a table is chosen by country, currency and day: the one that holds, else the latest before", (t) => {
  const setOn = (asOf: string) => inDenmark({}, tree(), asOf)?.setId ?? null;
  t.deepEqual(
    [setOn("2019-12-31"), setOn("2020-01-01"), setOn("2022-12-31"), setOn("2023-12-31"), setOn("2024-01-01")],
    [null, "DK-DEBT-2020", "DK-DEBT-2020", "DK-DEBT-2023", "DK-DEBT-2024"],
  );
  t.is(checkReference("DK", "EUR", "2024-06-15", adult, tree()), null);
  t.is(checkReference("FI", "EUR", "2024-06-15", adult, tree()), null);
});

test("a table is old from twelve months after it began on", (t) => {
  const isOld = (asOf: string) => inDenmark({}, tree(), asOf)?.isOlderThanTwelveMonths;
  t.deepEqual([isOld("2020-12-31"), isOld("2021-01-01")], [false, true]);
});

test("a table with a sum is compared with what it covers, groups as groups and leaves as leaves", (t) => {
  // Rent and day care are what the Danish table leaves out.
  const nodes = tree({
    FOOD_GROCERIES: 250_000,
    FOOD_RESTAURANTS: 20_000,
    TRANSPORT_PUBLIC: 40_000,
    TRANSPORT_VEHICLE_FINANCE: 300_000,
    HOUSING_RENT: 800_000,
    CHILDREN_DAYCARE: 90_000,
    CHILDREN_ACTIVITIES: 7000,
  });
  t.deepEqual(inDenmark({ childAges: [4] }, nodes), {
    setId: "DK-DEBT-2024",
    source: "Gældsstyrelsen (DK-DEBT-2024)",
    validFrom: "2024-01-01",
    validTo: "2024-12-31",
    checked: "VERIFIED_IN_STORED_PAGE",
    isOlderThanTwelveMonths: false,
    adults: 1,
    children: 1,
    isHouseholdAssumed: false,
    isOfChildren: false,
    referenceMinor: 724_000 + 252_000,
    budgetMinor: 317_000,
    coveredMinor: 317_000,
    byCategory: [],
    categories: [
      "COMMUNICATION",
      "FOOD",
      "TRANSPORT_FUEL_CHARGING",
      "TRANSPORT_VEHICLE_TAX",
      "TRANSPORT_VEHICLE_MAINTENANCE",
      "TRANSPORT_PARKING_TOLLS",
      "TRANSPORT_PUBLIC",
      "TRANSPORT_TAXI_SHARING",
      "INSURANCE",
      "CHILDREN_ACTIVITIES",
      "PERSONAL",
      "HOME_GOODS",
      "LEISURE",
      "EDUCATION",
      "OTHER",
    ],
  });
});

test("the Danish table has a first and a second adult, and children by their ages", (t) => {
  const needed = (household: Partial<Household>) => inDenmark(household)?.referenceMinor;
  t.is(needed({ adultAges: [40, 41] }), 724_000 + 504_000);
  const ofChild = (age: number) => needed({ childAges: [age] })! - 724_000;
  t.deepEqual([0, 1, 2, 6, 7, 17, 18].map(ofChild), [197_000, 197_000, 252_000, 252_000, 363_000, 363_000, 0]);
  t.is(needed({ childAges: [1, 2, 17] }), 724_000 + 197_000 + 252_000 + 363_000);
});

test("a share of the household's costs is a share of what it needs; no share needs nothing", (t) => {
  t.is(inDenmark({ sharePercent: 50, isAssumed: false })?.referenceMinor, 362_000);
  t.is(inDenmark({ sharePercent: 0, isAssumed: false }), null);
  // A third of 3,880.00 of groceries is 1,280.40 at 33 %.
  t.is(
    inSweden({ sharePercent: 33, isAssumed: false }).byCategory.find(({ id }) => id === "FOOD_GROCERIES")
      ?.referenceMinor,
    128_040,
  );
});

test("the Norwegian table gives each of a couple less, and the youngest from the fourth member on a fifth less", (t) => {
  t.is(inNorway({}), 1_041_200);
  t.is(inNorway({ adultAges: [40, 41] }), 2 * 881_700);
  t.is(inNorway({ adultAges: [40, 41], childAges: [16] }), 1_763_400 + 641_800);
  // 3,332.00 less a fifth.
  t.is(inNorway({ adultAges: [40, 41], childAges: [3, 16] }), 1_763_400 + 641_800 + 266_560);
  t.is(inNorway({ childAges: [16, 3] }), 1_041_200 + 641_800 + 333_200);
  t.is(inNorway({ childAges: [12, 3, 16] }), 1_041_200 + 641_800 + 558_000 + 266_560);
});

test("the Swedish authority's amounts are for one adult or a couple, with nothing off for more children", (t) => {
  const needed = (household: Partial<Household>) =>
    checkReference("SE", "SEK", "2023-06-01", { ...adult, ...household }, tree())?.referenceMinor;
  t.is(needed({}), 571_700);
  t.is(needed({ adultAges: [40, 41] }), 944_500);
  t.is(needed({ adultAges: [40, 41], childAges: [6, 7, 15] }), 944_500 + 305_500 + 366_700 + 488_900);
});

test("the Irish table has what children cost a week by their stage, and says nothing of a household without", (t) => {
  // 72, 98 and 158 a week at 52.18 / 12 weeks a month: 313.08, 426.1366…, 687.0366….
  t.deepEqual(
    [4, 5, 11, 12].map((age) => inIreland(age)?.referenceMinor),
    [31_308, 42_614, 42_614, 68_704],
  );
  t.like(inIreland(3, 7), {
    referenceMinor: 73_922,
    budgetMinor: 30_000,
    coveredMinor: 30_000,
    isOfChildren: true,
    adults: 0,
    children: 2,
    validTo: null,
  });
  t.is(inIreland(), null);
});

const rowsOf = ({ byCategory }: ReferenceCheck) =>
  Object.fromEntries(byCategory.map(({ id, referenceMinor }) => [id, referenceMinor]));
const rowOf = (id: string, check: ReferenceCheck) => {
  const row = check.byCategory.find((one) => one.id === id);
  return row === undefined ? null : [row.referenceMinor, row.budgetMinor];
};

test("a table by category adds up each person's amounts by age and the household's by its size", (t) => {
  // One adult of 40, of two persons with a child of 3.
  t.deepEqual(rowsOf(inSweden({ childAges: [3] })), {
    UTILITIES_ELECTRICITY: 51_000,
    UTILITIES_WATER_WASTE: 39_000,
    COMMUNICATION_MOBILE: 12_000,
    COMMUNICATION_INTERNET_TV: 119_000,
    // 3,730 + 1,610 + 200.
    FOOD_GROCERIES: 554_000,
    INSURANCE_HOME: 17_000,
    INSURANCE_PERSON: 22_000,
    CHILDREN_ACTIVITIES: 53_000,
    PERSONAL_CLOTHING: 80_000 + 103_000,
    PERSONAL_CARE: 58_000 + 65_000,
    HOME_FURNITURE: 103_000,
    LEISURE: 59_000 + 24_000 + 68_000,
  });
});

test("what a table by category has no amount for is not compared", (t) => {
  const check = inSweden();
  t.deepEqual(
    check.categories,
    check.byCategory.map(({ id }) => id),
  );
  t.is(rowOf("CHILDREN_ACTIVITIES", check), null);
  t.is(rowOf("INSURANCE_PERSON", check), null);
  // Of the last amount of an age, the first beyond it, and one that no row has.
  const food = (age: number) => rowOf("FOOD_GROCERIES", inSweden({ adultAges: [age] }))?.[0];
  t.deepEqual(
    [food(60), food(61), food(120), food(121)],
    [373_000 + 15_000, 335_000 + 15_000, 335_000 + 15_000, 15_000],
  );
});

test("each person beyond the table's largest household adds what the last one in it added", (t) => {
  const furniture = (persons: number) =>
    rowOf("HOME_FURNITURE", inSweden({ adultAges: Array.from({ length: persons }, () => 40) }))?.[0];
  t.deepEqual([1, 6, 7, 8, 9].map(furniture), [92_000, 196_000, 207_000, 218_000, 229_000]);
});

test("more of one category makes up for no other, and what came back takes nothing away", (t) => {
  const check = inSweden(
    {},
    tree({
      FOOD_GROCERIES: 500_000,
      PERSONAL_CLOTHING: 70_000,
      PERSONAL_CARE: -5000,
      HOUSING_MAINTENANCE: 99,
      INSURANCE_PERSON: 4000,
    }),
  );
  t.deepEqual(
    [rowOf("FOOD_GROCERIES", check), rowOf("PERSONAL_CLOTHING", check), rowOf("PERSONAL_CARE", check)],
    [
      [388_000, 500_000],
      [80_000, 70_000],
      [58_000, -5000],
    ],
  );
  // 3,880 + 800 + 590 + 630 + 120 + 580 + 920 + 970 + 380 + 200 + 150.
  t.is(check.referenceMinor, 922_000);
  t.deepEqual([check.budgetMinor, check.coveredMinor], [565_000, 458_000]);
  t.deepEqual([check.adults, check.children, check.isOfChildren], [1, 0, false]);
});

test("a value that was given for a leaf or a covered group counts as it is", (t) => {
  t.deepEqual(
    rowOf(
      "FOOD_GROCERIES",
      inSweden(
        {},
        tree(
          { FOOD_GROCERIES: 100 },
          { FOOD_GROCERIES: { totalMonthlyUserProvidedMinor: 300 }, FOOD: { totalMonthlyUserProvidedMinor: 300 } },
        ),
      ),
    ),
    [388_000, 300],
  );
  t.is(
    rowOf(
      "LEISURE",
      inSweden({}, tree({ LEISURE_PETS: 100 }, { LEISURE: { totalMonthlyUserProvidedMinor: 700 } })),
    )?.[1],
    700,
  );
});

test("a value given for a group is shared as its leaves are, or among what is covered where nothing was seen", (t) => {
  const given = (group: string, totalMonthlyUserProvidedMinor: number, leaves: Record<string, number> = {}) =>
    inSweden({}, tree(leaves, { [group]: { totalMonthlyUserProvidedMinor } }));
  t.is(
    rowOf("FOOD_GROCERIES", given("FOOD", 150_000, { FOOD_GROCERIES: 200_000, FOOD_RESTAURANTS: 100_000 }))?.[1],
    100_000,
  );
  t.is(rowOf("FOOD_GROCERIES", given("FOOD", 150_000))?.[1], 150_000);
  const personal = given("PERSONAL", 150_000);
  t.deepEqual([rowOf("PERSONAL_CLOTHING", personal)?.[1], rowOf("PERSONAL_CARE", personal)?.[1]], [75_000, 75_000]);
  // What came back to one leaf and left by another adds up to nothing, and is what it is.
  t.is(rowOf("FOOD_GROCERIES", inSweden({}, tree({ FOOD_GROCERIES: 5000, FOOD_RESTAURANTS: -5000 })))?.[1], 5000);
  // Restaurants alone were seen: groceries have nothing of it.
  t.is(rowOf("FOOD_GROCERIES", given("FOOD", 150_000, { FOOD_RESTAURANTS: 100_000 }))?.[1], 0);
});

const included = (...categories: string[]): Partial<CategoryNode> => ({
  notes: [noteWith("INCLUDES_OTHERS", "LOW", ["LEISURE_PETS"]), noteWith("INCLUDED_IN_OTHERS", "LOW", categories)],
});

test("what is paid together with another category of the table is compared with that one", (t) => {
  const together = (water: number) =>
    inSweden(
      {},
      tree(
        { UTILITIES_ELECTRICITY: 60_000, UTILITIES_WATER_WASTE: water },
        { UTILITIES_WATER_WASTE: included("UTILITIES_ELECTRICITY") },
      ),
    );
  t.is(rowOf("UTILITIES_WATER_WASTE", together(0)), null);
  t.deepEqual(rowOf("UTILITIES_ELECTRICITY", together(0)), [38_000 + 20_000, 60_000]);
  t.is(together(0).referenceMinor, 922_000);
  // Where something is paid for it by itself, it is compared by itself.
  t.deepEqual(rowOf("UTILITIES_WATER_WASTE", together(1)), [20_000, 1]);
  t.deepEqual(rowOf("UTILITIES_ELECTRICITY", together(1)), [38_000, 60_000]);
});

test("what is paid together with one that the table lacks is not compared", (t) => {
  const check = inSweden(
    {},
    tree(
      {},
      {
        UTILITIES_WATER_WASTE: included("DEBT_PRIVATE"),
        UTILITIES_ELECTRICITY: { notes: [noteWith("INCLUDES_OTHERS", "LOW", ["FOOD_GROCERIES"])] },
      },
    ),
  );
  t.is(rowOf("UTILITIES_WATER_WASTE", check), null);
  t.is(check.referenceMinor, 902_000);
  t.deepEqual(rowOf("UTILITIES_ELECTRICITY", check), [38_000, 0]);
});

test("what a bill of another name often covers is not compared where that bill is paid and it is not", (t) => {
  const without = (leaves: Record<string, number>, more: Record<string, Partial<CategoryNode>> = {}) => {
    const compared = new Set(inSweden({ childAges: [17] }, tree(leaves, more)).categories);
    return ["UTILITIES_WATER_WASTE", "COMMUNICATION_INTERNET_TV", "INSURANCE_HOME", "INSURANCE_PERSON"].filter(
      (id) => !compared.has(id),
    );
  };
  t.deepEqual(without({}), []);
  t.deepEqual(without({ HOUSING_RENT: 1 }), ["UTILITIES_WATER_WASTE"]);
  t.deepEqual(without({ HOUSING_COOPERATIVE_FEE: 1 }), ["UTILITIES_WATER_WASTE", "COMMUNICATION_INTERNET_TV"]);
  t.deepEqual(without({ COMMUNICATION_MOBILE: 1, INSURANCE_OTHER: 1 }), [
    "COMMUNICATION_INTERNET_TV",
    "INSURANCE_HOME",
    "INSURANCE_PERSON",
  ]);
  t.deepEqual(without({ HOUSING_RENT: 1, UTILITIES_WATER_WASTE: 1 }), []);
  t.deepEqual(without({ HOUSING_RENT: 1 }, { HOUSING_RENT: { totalMonthlyUserProvidedMinor: 0 } }), []);
});
