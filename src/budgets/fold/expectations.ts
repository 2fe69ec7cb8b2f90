/** What a household of this kind should and should not have in its budget, by what it says of itself. Pure. */
import type { Severity } from "../budget.ts";
import { childrenOf, groupOf } from "../../categories/tree.ts";
import type { UserData } from "../../interface/user-data.ts";

export type Expectations = {
  /** Categories that should not be empty, by how much it matters. */
  nonempty: ReadonlyMap<string, Severity>;
  /** Categories that should be empty. */
  empty: ReadonlySet<string>;
};

type Rule = { when(data: UserData): boolean; nonempty?: readonly string[]; empty?: readonly string[] };

const vehicleLeaves = [
  "TRANSPORT_VEHICLE_FINANCE",
  "TRANSPORT_FUEL_CHARGING",
  "TRANSPORT_VEHICLE_TAX",
  "TRANSPORT_VEHICLE_MAINTENANCE",
  "INSURANCE_VEHICLE",
];
const utilityLeaves = childrenOf("UTILITIES").map(({ id }) => id);

const always: readonly string[] = ["FOOD_GROCERIES", "COMMUNICATION_MOBILE"];

const rules: readonly Rule[] = [
  { when: owns("RENT"), nonempty: ["HOUSING_RENT"], empty: ["HOUSING_MORTGAGE", "HOUSING_PROPERTY_TAX"] },
  { when: (data) => owns("RENT")(data) && !isRoom(data), nonempty: ["UTILITIES_ELECTRICITY", "INSURANCE_HOME"] },
  { when: (data) => owns("RENT")(data) && isRoom(data), nonempty: ["INSURANCE_HOME"] },
  {
    when: owns("HOMEOWNER"),
    nonempty: ["HOUSING_MORTGAGE", "HOUSING_PROPERTY_TAX", "INSURANCE_HOME"],
    empty: ["HOUSING_RENT"],
  },
  { when: (data) => owns("HOMEOWNER")(data) && !isRoom(data), nonempty: utilityLeaves },
  { when: owns("COOPERATIVE"), nonempty: ["HOUSING_COOPERATIVE_FEE", "INSURANCE_HOME"], empty: ["HOUSING_RENT"] },
  { when: owns("PARENTS"), empty: ["HOUSING_RENT", "HOUSING_MORTGAGE", "HOUSING_PROPERTY_TAX"] },
  { when: ({ residence }) => residence.hasVacationHome, nonempty: ["HOUSING_SECOND_HOME"] },
  { when: ({ residence }) => !residence.hasVacationHome, empty: ["HOUSING_SECOND_HOME"] },
  { when: ({ personal }) => personal.children.some(({ age }) => age <= 9), nonempty: ["CHILDREN_DAYCARE"] },
  { when: (data) => !hasChildren(data), empty: ["CHILDREN_DAYCARE", "CHILDREN_SCHOOL"] },
  { when: hasVehicle("OWNED"), nonempty: ["TRANSPORT_FUEL_CHARGING", "INSURANCE_VEHICLE", "TRANSPORT_VEHICLE_TAX"] },
  { when: hasVehicle("LEASED"), nonempty: ["TRANSPORT_VEHICLE_FINANCE", "TRANSPORT_FUEL_CHARGING"] },
  {
    when: (data) =>
      isMotorised(data) &&
      data.transport.vehicles.length > 0 &&
      data.transport.vehicles.every(({ ownership }) => ownership === "COMPANY"),
    empty: ["TRANSPORT_VEHICLE_FINANCE", "TRANSPORT_VEHICLE_TAX", "INSURANCE_VEHICLE"],
  },
  { when: (data) => !isMotorised(data), empty: vehicleLeaves },
  { when: ({ employment }) => employment.unemploymentFund, nonempty: ["WORK_UNEMPLOYMENT_FUND"] },
  { when: ({ employment }) => !employment.unemploymentFund, empty: ["WORK_UNEMPLOYMENT_FUND"] },
  { when: works("EMPLOYED"), nonempty: ["INCOME_SALARY"] },
  { when: works("RETIRED"), nonempty: ["INCOME_PENSION"] },
  { when: works("STUDENT"), nonempty: ["INCOME_BENEFIT_STUDENT"] },
  { when: works("UNEMPLOYED"), nonempty: ["INCOME_BENEFITS"] },
];

/** Whether it is expected of any household, whatever it says of itself. */
export function isAlwaysExpected(categoryId: string): boolean {
  return always.includes(categoryId);
}

/** What the state takes with the income's tax, so that no payment shows it: Denmark's property tax since 2024. */
const withTheTax: Readonly<Record<string, readonly string[]>> = { DK: ["HOUSING_PROPERTY_TAX"] };

/** Without user data only what every household pays. @param country ISO 3166-1, of the brand */
export function expectationsOf(userData: UserData | null, country: string): Expectations {
  const holding = userData === null ? [] : rules.filter(({ when }) => when(userData));
  const nonempty = new Set([...always, ...holding.flatMap((rule) => rule.nonempty ?? [])]);
  for (const id of withTheTax[country] ?? []) nonempty.delete(id);
  const empty = new Set(holding.flatMap((rule) => rule.empty ?? []).filter((id) => !nonempty.has(id)));
  return { nonempty: new Map([...nonempty].map((id) => [id, severityOf(id, userData)])), empty };
}

const bySeverity: Readonly<Record<string, Severity>> = {
  HOUSING: "HIGH",
  FOOD: "HIGH",
  UTILITIES: "MEDIUM",
  INSURANCE: "MEDIUM",
  CHILDREN: "MEDIUM",
  TRANSPORT: "MEDIUM",
};

/** A home may be paid off. */
function severityOf(categoryId: string, userData: UserData | null): Severity {
  if (categoryId === "HOUSING_MORTGAGE" && userData?.residence.ownership === "HOMEOWNER") return "LOW";
  return bySeverity[groupOf(categoryId) ?? ""] ?? "LOW";
}

function owns(ownership: UserData["residence"]["ownership"]) {
  return ({ residence }: UserData): boolean => residence.ownership === ownership;
}

function works(status: UserData["employment"]["status"]) {
  return ({ employment }: UserData): boolean => employment.status === status;
}

function isRoom({ residence }: UserData): boolean {
  return residence.type === "ROOM";
}

function hasChildren({ personal }: UserData): boolean {
  return personal.hasChildren || personal.children.length > 0;
}

function isMotorised({ transport }: UserData): boolean {
  return transport.hasVehicle || transport.vehicles.length > 0;
}

function hasVehicle(ownership: "OWNED" | "LEASED") {
  return ({ transport }: UserData): boolean => transport.vehicles.some((vehicle) => vehicle.ownership === ownership);
}
