/** Section 3: what the household says of itself. */
import type { UserData } from "../../interface/user-data.ts";
import type { Facts, Section } from "../document/blocks.ts";
import { type BudgetReport, fill, type Writing } from "./writing.ts";

export function household({ budget: { userData, userDataAt, userDataBy } }: BudgetReport, writing: Writing): Section {
  const {
    texts: { household: texts },
    shared,
  } = writing;
  if (userData === null)
    return { kind: "section", title: texts.title, blocks: [{ kind: "paragraph", text: texts.none }] };
  const day = userDataAt === null ? shared.none : writing.moment(userDataAt);
  return {
    kind: "section",
    title: texts.title,
    blocks: [
      { kind: "paragraph", text: fill(texts.intro, { day, who: writing.actor(userDataBy) }) },
      { kind: "facts", facts: factsOf(userData, writing) },
    ],
  };
}

function factsOf(
  { personal, residence, employment, education, transport, expenses }: UserData,
  { texts, formats }: Writing,
): Facts["facts"] {
  const { household: labels } = texts;
  const yesNo = (value: boolean) => (value ? labels.yes : labels.no);
  return [
    { label: labels.maritalStatus, value: texts.marital[personal.maritalStatus] },
    { label: labels.dateOfBirth, value: formats.longDay(personal.dateOfBirth) },
    { label: labels.children, value: childrenOf(personal, yesNo(personal.hasChildren), texts, formats) },
    { label: labels.ownership, value: `${texts.ownership[residence.ownership]}, ${texts.residence[residence.type]}` },
    { label: labels.occupied, value: formats.longDay(residence.occupancyDate) },
    { label: labels.vacationHome, value: yesNo(residence.hasVacationHome) },
    {
      label: labels.employment,
      value: `${texts.employment[employment.status]}, ${texts.employmentType[employment.type]}`,
    },
    { label: labels.employedSince, value: formats.longDay(employment.date) },
    { label: labels.unemploymentFund, value: yesNo(employment.unemploymentFund) },
    {
      label: labels.insurance,
      value: fill(labels.insuranceValue, { count: formats.counted(employment.unemploymentInsuranceMonths) }),
    },
    { label: labels.education, value: texts.education[education.type] },
    { label: labels.vehicles, value: vehiclesOf(transport, yesNo(transport.hasVehicle), texts) },
    { label: labels.share, value: formats.percent(expenses.share / 100) },
  ];
}

/** As told: that there are some, and which, need not agree. */
function childrenOf(
  { children }: UserData["personal"],
  told: string,
  { household: texts }: Writing["texts"],
  formats: Writing["formats"],
): string {
  if (children.length === 0) return told;
  return fill(texts.childrenValue, {
    count: formats.count(children.length),
    ages: children.map(({ age }) => formats.count(age)).join(", "),
  });
}

function vehiclesOf({ vehicles }: UserData["transport"], told: string, texts: Writing["texts"]): string {
  return vehicles.length === 0 ? told : vehicles.map(({ ownership }) => texts.vehicle[ownership]).join(", ");
}
