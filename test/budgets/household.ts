/** Households for budgets: ledger rows, recognised and assessed by the real engine, folded with events. */
import { usualPercents } from "../../src/recognition/search/confidence.ts";
import { buildSnapshot } from "../../src/budgets/engine/build-snapshot.ts";
import type { KnownAccount } from "../../src/budgets/engine/accounts.ts";
import type { BudgetSnapshot } from "../../src/budgets/engine/snapshot.ts";
import type { BudgetEvent, LoggedEvent } from "../../src/budgets/events.ts";
import type { BudgetFacts } from "../../src/budgets/fold/fold.ts";
import type { UserData } from "../../src/interface/user-data.ts";
import type { Day } from "../../src/time/calendar.ts";
import type { LedgerTransaction } from "../../src/ledger/history.ts";
import { parseAmount } from "../../src/money.ts";
import { assess } from "../../src/recognition/assess.ts";
import { nothingRemembered } from "../../src/recognition/remembered.ts";
import type { Service } from "../../src/interface/services.ts";

export const asOf = "2026-06-15";

export type Paid = {
  day: Day;
  amount: string;
  name: string;
  mcc?: number;
  type?: string;
  account?: string;
  currency?: string;
  description?: string;
};

/** Numbered in the order given. */
export function ledgerOf(paid: readonly Paid[]): LedgerTransaction[] {
  return paid.map(({ day, amount, name, mcc, type, account, currency, description }, at) => {
    const money = parseAmount(amount, currency ?? "DKK");
    if (money === null) throw new RangeError(`${amount} is no amount`);
    return {
      id: at + 1,
      txid: `tx-${at + 1}`,
      day,
      rawType: type ?? "CARD_PURCHASE",
      description: description ?? name,
      amountMinor: money.minor,
      currency: currency ?? "DKK",
      originalAmountMinor: null,
      originalCurrency: null,
      merchantName: mcc === undefined ? null : name,
      merchantCid: null,
      merchantCountry: null,
      mcc: mcc ?? null,
      accountId: account ?? "main",
      cardId: null,
      iban: null,
    };
  });
}

/** From one month to another, both inclusive, on one day of the month. */
export function monthly(from: string, to: string, day: string, paid: Omit<Paid, "day">): Paid[] {
  const rows: Paid[] = [];
  for (let month = from; month <= to; month = nextMonth(month)) rows.push({ ...paid, day: `${month}-${day}` });
  return rows;
}

function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, "0")}`;
}

const convert = () => null;
const accounts: readonly KnownAccount[] = [
  { id: "main", name: "Lønkonto", iban: "DK5000400440116243", isRemoved: false },
];

/** Services as a run of recognition stores them, then the snapshot. */
export function snapshotOf(
  history: readonly LedgerTransaction[],
  more: Partial<Parameters<typeof buildSnapshot>[0]> = {},
): BudgetSnapshot {
  const user = {
    id: 1,
    subject: "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
    country: "DK",
    currency: "DKK",
    timeZone: "Europe/Copenhagen",
    hiddenProductIds: [],
    percents: usualPercents,
    importCompletedOn: asOf,
    algorithmVersion: 1,
  };
  const recognised = assess(user, history, nothingRemembered, {
    today: asOf,
    baseUrl: "https://bank.example",
    convert,
    arrived: null,
  });
  const services = recognised.services.flatMap(({ id, txids, document }) =>
    document === null ? [] : [{ id, txids, document: JSON.parse(document) as Service }],
  );
  return buildSnapshot({
    history,
    services,
    accounts,
    brand: { id: "north-dk", country: "DK", currency: "DKK" },
    asOf,
    baseUrl: "https://bank.example",
    convert,
    ...more,
  });
}

export const facts: BudgetFacts = {
  id: "0f3a8b5e-7f43-4a86-9b0c-3a1f5f6c2d10",
  createdTime: "2026-06-15T09:30:00",
  language: "en",
  country: "DK",
  currency: "DKK",
  revision: 0,
  showsIncome: true,
  showsRiskIndicators: true,
  targetPercent: 90,
  irregularPercent: 80,
  baseUrl: "https://bank.example",
};

export function logOf(events: readonly BudgetEvent[]): LoggedEvent[] {
  return events.map((event, at) => ({ sequence: at + 1, at: "2026-06-15T08:00:00.000Z", actor: null, event }));
}

export const userData: UserData = {
  personal: { children: [], hasChildren: false, maritalStatus: "SINGLE", dateOfBirth: "1990-04-01" },
  residence: { ownership: "RENT", type: "APARTMENT", occupancyDate: "2020-01-01", hasVacationHome: false },
  employment: {
    status: "EMPLOYED",
    type: "SALARIED",
    date: "2019-01-01",
    unemploymentFund: false,
    unemploymentInsuranceMonths: 0,
  },
  education: { type: "VOCATIONAL" },
  transport: { vehicles: [], hasVehicle: false, hasVehile: false },
  expenses: { share: 100 },
};
