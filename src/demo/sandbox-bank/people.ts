/** The sandbox bank's customers: generated households, the same for everyone and every day; nobody real. */
import { generateHousehold } from "../../../fixtures/household.ts";
import type { Day } from "../../time/calendar.ts";
import type { RawTransaction } from "../../interface/record.ts";
import { type Money, sum, parseAmount, toNumber } from "../../money.ts";
import type { SandboxPerson } from "./pages.ts";
import { firstOf, present } from "../../present.ts";

const people: readonly (SandboxPerson & { index: number })[] = [
  { id: "anna", name: "Anna Sandberg", index: 3 },
  { id: "mikkel", name: "Mikkel Østergård", index: 8 },
  { id: "saga", name: "Saga Lindström", index: 14 },
];
/** Of the sandbox alone: its people are nobody in a generated population. */
const seed = 20_260_101;
const months = 26;

/** A transaction on an account: the bank knows no card's of its own, and no marker. */
export type SandboxPayment = RawTransaction & Required<Pick<RawTransaction, "account" | "tx">>;

export type SandboxAccount = {
  id: string;
  name: string;
  iban: string;
  currency: string;
  balance: number;
  transactions: readonly SandboxPayment[];
};

export const sandboxPeople: readonly SandboxPerson[] = people.map(({ id, name }) => ({ id, name }));

const households = new Map<string, SandboxAccount[]>();

/** Null: no such person. Accounts with their payments, oldest first. */
export function accountsOf(personId: string, today: Day): SandboxAccount[] | null {
  const person = people.find(({ id }) => id === personId);
  if (person === undefined) return null;
  const key = `${personId} ${today}`;
  const known = households.get(key);
  if (known !== undefined) return known;
  households.clear();
  const accounts = gather(generateHousehold(seed, person.index, { months, until: today }).transactions);
  households.set(key, accounts);
  return accounts;
}

function gather(transactions: readonly RawTransaction[]): SandboxAccount[] {
  const byAccount = Map.groupBy(transactions.filter(isOnAccount), ({ account }) => account.id);
  return [...byAccount].map(([id, rows]) => {
    const { account, tx: first } = firstOf(rows);
    const { name, iban } = account;
    const { currency } = first;
    const total = sum(
      rows.flatMap(({ tx }) => (tx.currency === currency ? [minorOf(tx.amount, currency)] : [])),
      currency,
    );
    return { id, name, iban, currency, balance: toNumber(total), transactions: rows };
  });
}

function isOnAccount(one: RawTransaction): one is SandboxPayment {
  return one.account !== undefined && one.tx !== undefined;
}

function minorOf(amount: number, currency: string): Money {
  return present(parseAmount(amount, currency), "a generated amount");
}
