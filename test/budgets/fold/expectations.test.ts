/** What a household should and should not have in its budget, by what it says of itself. */
import test from "ava";
import { expectationsOf, isAlwaysExpected } from "../../../src/budgets/fold/expectations.ts";
import type { UserData } from "../../../src/interface/user-data.ts";
import { userData } from "../household.ts";

type Change = { [Group in keyof UserData]?: Partial<UserData[Group]> };

/** A household of which nothing more is expected than of any: it says "other" wherever it can. */
const plain: UserData = {
  ...userData,
  residence: { ...userData.residence, ownership: "OTHER" },
  employment: { ...userData.employment, status: "APPRENTICE" },
};
const saying = ({ personal, residence, employment, transport }: Change): UserData => ({
  ...plain,
  personal: { ...plain.personal, ...personal },
  residence: { ...plain.residence, ...residence },
  employment: { ...plain.employment, ...employment },
  transport: { ...plain.transport, ...transport },
});
/** What is expected beyond what is expected of any household, with how much it matters. */
const expectedOf = (change: Change) =>
  [...expectationsOf(saying(change), "NO").nonempty].slice(2).map(([id, severity]) => `${id} ${severity}`);
const emptyOf = (change: Change) => [...expectationsOf(saying(change), "NO").empty];
/** What is to be empty in the plain household, and what of it no longer is, or newly is, after a change. */
const change = (given: Change) => {
  const [before, after] = [emptyOf({}), emptyOf(given)];
  return { newly: after.filter((id) => !before.includes(id)), nolonger: before.filter((id) => !after.includes(id)) };
};
const driving = (...ownerships: ("OWNED" | "LEASED" | "COMPANY")[]): Change => ({
  transport: { vehicles: ownerships.map((ownership) => ({ ownership })), hasVehicle: true },
});

test("without user data only groceries and a phone are expected, and nothing is to be empty", (t) => {
  const { nonempty, empty } = expectationsOf(null, "NO");
  t.deepEqual(
    [...nonempty],
    [
      ["FOOD_GROCERIES", "HIGH"],
      ["COMMUNICATION_MOBILE", "LOW"],
    ],
  );
  t.deepEqual(empty, new Set());
  t.true(isAlwaysExpected("FOOD_GROCERIES"));
  t.true(isAlwaysExpected("COMMUNICATION_MOBILE"));
  t.false(isAlwaysExpected("HOUSING_RENT"));
});

test("of children, vehicles, a second home and an unemployment fund nothing is expected where there are none", (t) => {
  t.deepEqual(expectedOf({}), []);
  t.deepEqual(emptyOf({}), [
    "HOUSING_SECOND_HOME",
    "CHILDREN_DAYCARE",
    "CHILDREN_SCHOOL",
    "TRANSPORT_VEHICLE_FINANCE",
    "TRANSPORT_FUEL_CHARGING",
    "TRANSPORT_VEHICLE_TAX",
    "TRANSPORT_VEHICLE_MAINTENANCE",
    "INSURANCE_VEHICLE",
    "WORK_UNEMPLOYMENT_FUND",
  ]);
});

test("who rents pays rent, electricity (not in a room), insurance of the home, no mortgage, no property tax", (t) => {
  const renting: Change = { residence: { ownership: "RENT" } };
  t.deepEqual(expectedOf(renting), ["HOUSING_RENT HIGH", "UTILITIES_ELECTRICITY MEDIUM", "INSURANCE_HOME MEDIUM"]);
  t.deepEqual(change(renting), { newly: ["HOUSING_MORTGAGE", "HOUSING_PROPERTY_TAX"], nolonger: [] });
  t.deepEqual(expectedOf({ residence: { ownership: "RENT", type: "ROOM" } }), [
    "HOUSING_RENT HIGH",
    "INSURANCE_HOME MEDIUM",
  ]);
});

test("who owns a home pays for it and for what is used in it, not so in a room; the mortgage may be paid off", (t) => {
  const owning: Change = { residence: { ownership: "HOMEOWNER" } };
  const home = ["HOUSING_MORTGAGE LOW", "HOUSING_PROPERTY_TAX HIGH", "INSURANCE_HOME MEDIUM"];
  t.deepEqual(expectedOf(owning), [
    ...home,
    "UTILITIES_ELECTRICITY MEDIUM",
    "UTILITIES_HEATING MEDIUM",
    "UTILITIES_WATER_WASTE MEDIUM",
  ]);
  t.deepEqual(change(owning), { newly: ["HOUSING_RENT"], nolonger: [] });
  t.deepEqual(expectedOf({ residence: { ownership: "HOMEOWNER", type: "ROOM" } }), home);
});

test("a member of a co-operative pays its fee, and no rent", (t) => {
  const cooperative: Change = { residence: { ownership: "COOPERATIVE" } };
  t.deepEqual(expectedOf(cooperative), ["HOUSING_COOPERATIVE_FEE HIGH", "INSURANCE_HOME MEDIUM"]);
  t.deepEqual(change(cooperative), { newly: ["HOUSING_RENT"], nolonger: [] });
});

test("who lives with parents pays for no home, and a room asks nothing more", (t) => {
  const parents: Change = { residence: { ownership: "PARENTS" } };
  t.deepEqual(expectedOf(parents), []);
  t.deepEqual(change(parents), { newly: ["HOUSING_RENT", "HOUSING_MORTGAGE", "HOUSING_PROPERTY_TAX"], nolonger: [] });
  t.deepEqual(expectedOf({ residence: { type: "ROOM" } }), []);
});

test("a holiday home costs something", (t) => {
  const second: Change = { residence: { hasVacationHome: true } };
  t.deepEqual(expectedOf(second), ["HOUSING_SECOND_HOME HIGH"]);
  t.deepEqual(change(second), { newly: [], nolonger: ["HOUSING_SECOND_HOME"] });
});

test("a child up to nine is looked after; an older one may go to school, which nobody need pay for", (t) => {
  const aged = (...ages: number[]): Change => ({
    personal: { hasChildren: true, children: ages.map((age) => ({ age })) },
  });
  t.deepEqual(
    [expectedOf(aged(9)), expectedOf(aged(10)), expectedOf(aged(12, 0))],
    [["CHILDREN_DAYCARE MEDIUM"], [], ["CHILDREN_DAYCARE MEDIUM"]],
  );
  t.deepEqual(change(aged(9)).nolonger, ["CHILDREN_DAYCARE", "CHILDREN_SCHOOL"]);
  // Either word is enough for there to be children.
  t.deepEqual(change({ personal: { hasChildren: true, children: [] } }).nolonger, [
    "CHILDREN_DAYCARE",
    "CHILDREN_SCHOOL",
  ]);
  t.deepEqual(change({ personal: { hasChildren: false, children: [{ age: 12 }] } }).nolonger, [
    "CHILDREN_DAYCARE",
    "CHILDREN_SCHOOL",
  ]);
});

const vehicleLeaves = [
  "TRANSPORT_VEHICLE_FINANCE",
  "TRANSPORT_FUEL_CHARGING",
  "TRANSPORT_VEHICLE_TAX",
  "TRANSPORT_VEHICLE_MAINTENANCE",
  "INSURANCE_VEHICLE",
];

test("an own vehicle needs fuel, insurance and tax; a leased one its instalments and fuel", (t) => {
  t.deepEqual(expectedOf(driving("OWNED")), [
    "TRANSPORT_FUEL_CHARGING MEDIUM",
    "INSURANCE_VEHICLE MEDIUM",
    "TRANSPORT_VEHICLE_TAX MEDIUM",
  ]);
  t.deepEqual(expectedOf(driving("LEASED")), ["TRANSPORT_VEHICLE_FINANCE MEDIUM", "TRANSPORT_FUEL_CHARGING MEDIUM"]);
  t.deepEqual(change(driving("OWNED")), { newly: [], nolonger: vehicleLeaves });
  t.deepEqual(expectedOf(driving("COMPANY", "OWNED")), expectedOf(driving("OWNED")));
});

test("who drives an employer's vehicle alone pays neither for it, nor its tax, nor its insurance", (t) => {
  t.deepEqual(expectedOf(driving("COMPANY")), []);
  t.deepEqual(change(driving("COMPANY")), {
    newly: [],
    nolonger: ["TRANSPORT_FUEL_CHARGING", "TRANSPORT_VEHICLE_MAINTENANCE"],
  });
  t.deepEqual(change(driving("COMPANY", "LEASED")), { newly: [], nolonger: vehicleLeaves });
});

test("a vehicle is there when it is said to be or when one is listed", (t) => {
  t.deepEqual(change({ transport: { hasVehicle: true, vehicles: [] } }), { newly: [], nolonger: vehicleLeaves });
  t.deepEqual(change({ transport: { hasVehicle: false, vehicles: [{ ownership: "LEASED" }] } }), {
    newly: [],
    nolonger: vehicleLeaves,
  });
});

test("a member of an unemployment fund pays for it", (t) => {
  const insured: Change = { employment: { unemploymentFund: true } };
  t.deepEqual(expectedOf(insured), ["WORK_UNEMPLOYMENT_FUND LOW"]);
  t.deepEqual(change(insured), { newly: [], nolonger: ["WORK_UNEMPLOYMENT_FUND"] });
});

test("work, retirement, study and unemployment each bring an income of their kind", (t) => {
  const working = (status: UserData["employment"]["status"]) => expectedOf({ employment: { status } });
  t.deepEqual(working("EMPLOYED"), ["INCOME_SALARY LOW"]);
  t.deepEqual(working("RETIRED"), ["INCOME_PENSION LOW"]);
  t.deepEqual(working("STUDENT"), ["INCOME_BENEFIT_STUDENT LOW"]);
  t.deepEqual(working("UNEMPLOYED"), ["INCOME_BENEFITS LOW"]);
  t.deepEqual(change({ employment: { status: "EMPLOYED" } }), { newly: [], nolonger: [] });
});
