/**
 * What payees of each category look like where nobody knows their names: how they are paid, how often, how much and how
 * evenly. From what household budgets and price lists of northern Europe say of the trades in general; of no single
 * shop, bank or history.
 */
import { isLeaf } from "../../categories/tree.ts";

/** How money reaches a payee. ANY: the bank does not say. */
export type PaymentKind = "CARD" | "BILL" | "TRANSFER" | "ANY";
/** MONTHLY and SELDOM come by a calendar; OFTEN and RARE (less than once a month) do not. */
export type Rhythm = "MONTHLY" | "SELDOM" | "OFTEN" | "RARE";
/** Of its amounts: the same, within about a fifth of their middle, or any. */
export type Evenness = "FIXED" | "STEADY" | "VARIED";

export type PayeeProfile = {
  categoryId: string;
  /** How many such payees a household has that are worth a question, to those of other categories. */
  payees: number;
  /** Shares of such payees, in hundredths. */
  kinds: Readonly<Record<Exclude<PaymentKind, "ANY">, number>>;
  rhythms: Readonly<Record<Rhythm, number>>;
  evenness: Readonly<Record<Evenness, number>>;
  /** In hundredths, those whose payments are round sums. */
  round: number;
  /** Most of them come by a calendar. */
  isRegular: boolean;
  /** The middle payment, of what is regular a month's cost, in thousandths of what a household spends in a month. */
  amount: number;
  /** Two of three payments lie between the middle one divided and multiplied by this. */
  spread: number;
};

/**
 * payees ×10 | card bill transfer | monthly seldom often rare | fixed steady varied | round | amount spread. A
 * payee of a home is one of many that bill it; shops are met at any time, and most of them seldom. A category whose
 * payees are of two kinds, as a club and a shop for its goods, has a line for each.
 */
const table = `
HOUSING_RENT                  | 10 |  0 30 70 | 94  1  1  4 | 60 35  5 | 25 | 300  1.5
HOUSING_MORTGAGE              |  8 |  0 90 10 | 70 25  1  4 | 40 50 10 |  5 | 300  1.7
HOUSING_COOPERATIVE_FEE       |  4 |  0 75 25 | 88  8  1  3 | 70 25  5 | 10 | 160  1.6
HOUSING_PROPERTY_TAX          |  4 |  0 95  5 | 40 52  1  7 | 70 20 10 |  5 |  45  2.2
HOUSING_MAINTENANCE           |  8 | 20 45 35 |  6  6 18 70 | 15 20 65 | 20 |  60  2.6
HOUSING_MAINTENANCE           |  5 | 15 50 35 | 75 18  3  4 | 70 22  8 | 20 |  20  2.2
HOUSING_SECOND_HOME           |  1 |  5 60 35 | 30 45  5 20 | 40 30 30 | 10 |  40  2.4
UTILITIES_ELECTRICITY         | 11 |  2 94  4 | 78 16  2  4 | 28 30 42 |  3 |  35  1.8
UTILITIES_HEATING             |  7 |  3 92  5 | 58 32  3  7 | 22 22 56 |  4 |  48  1.9
UTILITIES_WATER_WASTE         |  6 |  1 96  3 | 20 70  2  8 | 25 40 35 |  3 |  14  1.9
COMMUNICATION_MOBILE          | 14 | 25 72  3 | 88  3  6  3 | 55 30 15 |  8 |   9  1.8
COMMUNICATION_INTERNET_TV     | 11 | 12 85  3 | 88  8  2  2 | 68 26  6 |  5 |  16  1.6
FOOD_GROCERIES                | 40 | 97  1  2 |  5  2 60 33 |  3 10 87 |  3 |  13  2.0
FOOD_GROCERIES                |  2 | 90 10  0 | 45  2 48  5 | 65 20 15 |  6 |  22  2.0
FOOD_RESTAURANTS              | 32 | 95  1  4 |  5  2 47 46 |  8 20 72 | 14 |   8  2.1
FOOD_ALCOHOL_TOBACCO          |  4 | 97  0  3 |  4  2 34 60 |  6 14 80 |  6 |  11  1.9
TRANSPORT_VEHICLE_FINANCE     |  4 |  1 92  7 | 95  1  1  3 | 75 20  5 |  4 | 110  1.5
TRANSPORT_FUEL_CHARGING       | 11 | 96  3  1 |  8  2 58 32 |  4 22 74 |  8 |  18  1.6
TRANSPORT_VEHICLE_TAX         |  3 |  3 94  3 | 10 84  1  5 | 60 25 15 | 10 |  13  2.1
TRANSPORT_VEHICLE_MAINTENANCE |  5 | 75 17  8 |  3  6 15 76 |  8 12 80 |  8 |  70  2.8
TRANSPORT_VEHICLE_MAINTENANCE |  2 | 15 84  1 | 45 50  1  4 | 75 20  5 |  5 |   5  1.8
TRANSPORT_PARKING_TOLLS       |  5 | 80 18  2 |  6  2 55 37 | 10 18 72 | 15 |   3  2.0
TRANSPORT_PARKING_TOLLS       |  2 | 30 66  4 | 88  8  1  3 | 80 16  4 | 20 |  15  1.9
TRANSPORT_PUBLIC              |  7 | 96  2  2 |  4  2 60 34 | 14 26 60 | 14 |   4  2.2
TRANSPORT_PUBLIC              |  5 | 82 16  2 | 88  2  6  4 | 76 20  4 | 20 |  26  1.6
TRANSPORT_TAXI_SHARING        |  4 | 98  0  2 |  2  1 38 59 |  3 12 85 | 10 |   8  1.8
INSURANCE_HOME                |  6 |  2 97  1 | 45 48  1  6 | 70 24  6 |  2 |   6  1.8
INSURANCE_VEHICLE             |  5 |  2 97  1 | 50 44  1  5 | 68 24  8 |  2 |  17  1.8
INSURANCE_PERSON              |  5 |  2 97  1 | 60 34  1  5 | 68 24  8 |  2 |   9  2.0
INSURANCE_OTHER               |  9 |  2 97  1 | 52 42  1  5 | 68 24  8 |  2 |  11  2.4
WORK_UNEMPLOYMENT_FUND        |  6 |  1 97  2 | 62 34  1  3 | 82 16  2 |  3 |  15  1.8
WORK_UNION                    |  7 |  1 97  2 | 64 32  1  3 | 78 20  2 |  5 |  17  1.8
CHILDREN_DAYCARE              |  4 |  1 84 15 | 94  1  1  4 | 60 30 10 |  6 |  95  1.8
CHILDREN_SCHOOL               |  2 |  6 70 24 | 60 20  4 16 | 54 24 22 | 12 |  50  2.3
CHILDREN_MAINTENANCE_PAID     |  1 |  0 25 75 | 95  1  1  3 | 78 20  2 | 30 |  65  1.7
CHILDREN_ACTIVITIES           |  4 | 92  5  3 |  1  2 27 70 |  5 12 83 |  6 |  15  2.2
CHILDREN_ACTIVITIES           |  4 | 12 50 38 | 22 46  3 29 | 50 28 22 | 30 |   8  2.0
HEALTH_PHARMACY               |  7 | 98  1  1 |  2  1 47 50 |  3 12 85 |  3 |   7  2.1
HEALTH_CARE                   |  7 | 78 14  8 |  2  4 14 80 | 12 18 70 | 10 |  30  2.6
HEALTH_CARE                   |  2 | 40 56  4 | 74 20  2  4 | 78 18  4 |  4 |   8  2.0
PERSONAL_CLOTHING             | 14 | 97  2  1 |  1  1 22 76 |  4 12 84 |  8 |  20  2.0
PERSONAL_CARE                 |  8 | 93  1  6 |  3  6 31 60 | 16 30 54 | 16 |  14  1.9
HOME_FURNITURE                |  8 | 94  4  2 |  1  1 16 82 |  4 10 86 |  6 |  40  2.7
HOME_ELECTRONICS              |  7 | 96  3  1 |  1  1 12 86 |  4  8 88 |  6 |  60  2.8
HOME_DIY_GARDEN               |  9 | 96  2  2 |  1  1 34 64 |  3 12 85 |  4 |  18  2.3
LEISURE_STREAMING             |  9 | 84 15  1 | 88  5  5  2 | 80 16  4 |  4 |   5  1.7
LEISURE_NEWS_BOOKS            |  4 | 45 54  1 | 72 20  4  4 | 66 28  6 |  5 |  10  1.8
LEISURE_NEWS_BOOKS            |  3 | 95  3  2 |  1  1 24 74 |  6 14 80 |  5 |  10  1.9
LEISURE_FITNESS_SPORT         |  5 | 45 52  3 | 78 16  3  3 | 78 18  4 |  6 |  12  1.7
LEISURE_FITNESS_SPORT         |  4 | 93  4  3 |  2  2 22 74 |  6 14 80 |  8 |  22  2.3
LEISURE_CULTURE_EVENTS        |  8 | 95  1  4 |  1  2 26 71 | 10 22 68 | 20 |  15  2.2
LEISURE_HOBBIES_GAMES         |  4 | 95  2  3 |  2  2 32 64 |  6 14 80 |  6 |  12  2.1
LEISURE_HOBBIES_GAMES         |  2 | 94  6  0 | 88  4  5  3 | 82 14  4 |  4 |   4  1.6
LEISURE_PETS                  |  4 | 96  2  2 |  4  3 40 53 |  6 18 76 |  5 |  14  2.0
LEISURE_GAMBLING              |  2 | 82  8 10 |  4  1 70 25 | 14 22 64 | 60 |   6  2.3
LEISURE_GAMBLING              |  2 | 45 52  3 | 78  8 10  4 | 82 14  4 | 45 |   7  2.0
LEISURE_TRAVEL                |  7 | 94  4  2 |  0  2  6 92 |  3  8 89 |  8 | 120  2.9
EDUCATION_COURSES             |  2 | 60 30 10 | 25 10  8 57 | 40 20 40 | 15 |  40  2.5
DEBT_CONSUMER_LOAN            |  7 |  2 88 10 | 94  2  1  3 | 66 26  8 | 10 |  55  2.0
DEBT_CREDIT_CARD              |  5 |  1 84 15 | 84  3  6  7 | 10 14 76 | 10 |  70  2.5
DEBT_PAY_LATER                |  5 | 18 78  4 | 46  4 24 26 | 40 14 46 |  4 |  18  2.2
DEBT_STUDENT_LOAN             |  4 |  0 94  6 | 62 34  1  3 | 76 20  4 |  8 |  40  1.7
DEBT_COLLECTION               |  2 |  4 84 12 | 40  6 14 40 | 40 20 40 |  8 |  40  2.3
DEBT_PRIVATE                  |  1 |  0  5 95 | 50  4 16 30 | 40 16 44 | 55 |  60  2.4
SAVINGS_PENSION               |  4 |  0 55 45 | 88  4  2  6 | 72 20  8 | 45 |  50  2.1
SAVINGS_INVESTMENT            |  7 |  6 24 70 | 66  4 12 18 | 55 15 30 | 75 |  50  2.5
FEES_TAX                      |  4 |  6 80 14 | 18 36  4 42 | 30 20 50 |  5 |  40  2.9
FEES_BANK                     |  3 |  4 92  4 | 52 28 12  8 | 55 20 25 | 12 |   3  2.2
FEES_DONATIONS_MEMBERSHIPS    |  6 | 30 50 20 | 62 22  2 14 | 80 12  8 | 55 |   7  2.0
OTHER_CASH                    | 10 | 55 15 30 |  3  1 65 31 | 10 16 74 | 96 |  30  2.1
OTHER_TRANSFERS               | 12 |  4  4 92 | 22  2 36 40 | 22 14 64 | 60 |  18  2.7
`;

/** At least half. */
const regularMin = 50;

/** Of the leaves that a question may offer; of some more than one. */
export const payeeProfiles: readonly PayeeProfile[] = table
  .trim()
  .split("\n")
  .map((line) => profileOf(line.split("|").map((cell) => cell.trim())));

function profileOf([categoryId = "", payees, kinds, rhythms, evenness, round, size]: readonly string[]): PayeeProfile {
  if (!isLeaf(categoryId)) throw new RangeError(`There is no category ${categoryId}.`);
  const [card, bill, transfer] = numbersOf(kinds, 3);
  const [monthly, seldom, often, rare] = numbersOf(rhythms, 4);
  const [fixed, steady, varied] = numbersOf(evenness, 3);
  const [amount, spread] = numbersOf(size, 2);
  return {
    categoryId,
    payees: numbersOf(payees, 1)[0],
    kinds: { CARD: card, BILL: bill, TRANSFER: transfer },
    rhythms: { MONTHLY: monthly, SELDOM: seldom, OFTEN: often, RARE: rare },
    evenness: { FIXED: fixed, STEADY: steady, VARIED: varied },
    round: numbersOf(round, 1)[0],
    isRegular: monthly + seldom >= regularMin,
    amount,
    spread,
  };
}

/** @throws RangeError where a cell has not so many numbers: a bug */
function numbersOf(cell: string | undefined, count: 1): [number];
function numbersOf(cell: string | undefined, count: 2): [number, number];
function numbersOf(cell: string | undefined, count: 3): [number, number, number];
function numbersOf(cell: string | undefined, count: 4): [number, number, number, number];
function numbersOf(cell: string | undefined, count: number): number[] {
  const numbers = (cell ?? "").split(/ +/).map(Number);
  if (numbers.length !== count || numbers.some(Number.isNaN))
    throw new RangeError(`A profile needs ${count} numbers, not "${cell}".`);
  return numbers;
}
