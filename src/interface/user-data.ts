/** What the household says of itself. Source: interface document, "Budgets", BudgetUserData. */
import { type Static, Type } from "typebox";

const DateSchema = Type.String({ format: "date" });
/** More is a slip of the keyboard, and every one is written into the report. */
const listLengthMax = 30;
const ageMax = 120;
const insuranceMonthsMax = 1200;

export const PersonalSchema = Type.Object(
  {
    children: Type.Array(
      Type.Object({ age: Type.Integer({ minimum: 0, maximum: ageMax }) }, { title: "BudgetUserDataChild" }),
      {
        maxItems: listLengthMax,
      },
    ),
    hasChildren: Type.Boolean(),
    maritalStatus: Type.Enum(["SINGLE", "MARRIED", "COHABITANT", "DIVORCED", "WIDOWED", "SEPARATED"], {
      title: "MaritalStatus",
    }),
    dateOfBirth: DateSchema,
  },
  { title: "BudgetUserDataPersonal" },
);
export const ResidenceSchema = Type.Object(
  {
    ownership: Type.Enum(["HOMEOWNER", "COOPERATIVE", "RENT", "PARENTS", "OTHER"], { title: "ResidenceOwnership" }),
    type: Type.Enum(["HOUSE", "APARTMENT", "ROOM"], { title: "ResidenceType" }),
    occupancyDate: DateSchema,
    hasVacationHome: Type.Boolean(),
  },
  { title: "BudgetUserDataResidence" },
);
export const EmploymentSchema = Type.Object(
  {
    status: Type.Enum(["EMPLOYED", "UNEMPLOYED", "RETIRED", "STUDENT", "APPRENTICE"], { title: "EmploymentStatus" }),
    type: Type.Enum(["SALARIED", "PART_TIME", "HOURLY_WAGE", "SELF_EMPLOYED"], { title: "EmploymentType" }),
    date: DateSchema,
    unemploymentFund: Type.Boolean(),
    unemploymentInsuranceMonths: Type.Integer({ minimum: 0, maximum: insuranceMonthsMax }),
  },
  { title: "BudgetUserDataEmployment" },
);
export const EducationSchema = Type.Object(
  {
    type: Type.Enum(
      ["ELEMENTARY", "SECONDARY", "VOCATIONAL", "HIGHER_SHORT", "HIGHER_MEDIUM", "HIGHER_LONG", "BACHELOR", "PHD"],
      { title: "EducationType" },
    ),
  },
  { title: "BudgetUserDataEducation" },
);
const VehiclesSchema = Type.Array(
  Type.Object(
    { ownership: Type.Enum(["OWNED", "LEASED", "COMPANY"], { title: "VehicleOwnership" }) },
    { title: "BudgetUserDataVehicle" },
  ),
  {
    maxItems: listLengthMax,
  },
);
export const ExpensesShareSchema = Type.Object(
  { share: Type.Integer({ minimum: 0, maximum: 100 }) },
  { title: "BudgetUserDataExpenses" },
);

const groups = {
  personal: PersonalSchema,
  residence: ResidenceSchema,
  employment: EmploymentSchema,
  education: EducationSchema,
  expenses: ExpensesShareSchema,
};

/** The flag's second name is the one that the interface's list of required fields spells. */
const flag = Type.Boolean();
const otherName = Type.Optional(
  Type.Boolean({ description: "The same flag by its other name; where both are given, hasVehicle counts." }),
);

/** As sent: under either of its two names, or under both. */
export const UserDataRequestSchema = Type.Object(
  {
    ...groups,
    transport: Type.Union([
      Type.Object({ vehicles: VehiclesSchema, hasVehicle: flag, hasVehile: otherName }),
      Type.Object({ vehicles: VehiclesSchema, hasVehile: flag, hasVehicle: otherName }),
    ]),
  },
  { title: "BudgetUserDataRequest" },
);
/** As answered: both names. */
export const UserDataSchema = Type.Object(
  {
    ...groups,
    transport: Type.Object(
      { vehicles: VehiclesSchema, hasVehicle: Type.Boolean(), hasVehile: Type.Boolean() },
      { title: "BudgetUserDataTransport" },
    ),
  },
  { title: "BudgetUserData" },
);

export type UserDataRequest = Static<typeof UserDataRequestSchema>;
export type UserData = Static<typeof UserDataSchema>;

/** Only the fields of the interface, in its order. */
export function readUserData(request: UserDataRequest): UserData {
  const { personal, residence, employment, education, transport, expenses } = request;
  const hasVehicle = hasVehicleOf(transport);
  return {
    personal: {
      children: personal.children.map(({ age }) => ({ age })),
      hasChildren: personal.hasChildren,
      maritalStatus: personal.maritalStatus,
      dateOfBirth: personal.dateOfBirth,
    },
    residence: {
      ownership: residence.ownership,
      type: residence.type,
      occupancyDate: residence.occupancyDate,
      hasVacationHome: residence.hasVacationHome,
    },
    employment: {
      status: employment.status,
      type: employment.type,
      date: employment.date,
      unemploymentFund: employment.unemploymentFund,
      unemploymentInsuranceMonths: employment.unemploymentInsuranceMonths,
    },
    education: { type: education.type },
    transport: {
      vehicles: transport.vehicles.map(({ ownership }) => ({ ownership })),
      hasVehicle,
      hasVehile: hasVehicle,
    },
    expenses: { share: expenses.share },
  };
}

function hasVehicleOf(transport: UserDataRequest["transport"]): boolean {
  return transport.hasVehile === undefined ? transport.hasVehicle : (transport.hasVehicle ?? transport.hasVehile);
}
