/** The accounts behind a budget, and what hints at others. Pure. */
import { addDays, addMonths, type Day, daysBetween } from "../../time/calendar.ts";
import type { LedgerTransaction } from "../../ledger/history.ts";
import { bankIdOf } from "../../ledger/account-id.ts";
import type { BudgetAccount } from "../budget.ts";
import type { Categorised } from "../../categories/categorised.ts";
import { monthOf } from "../window.ts";
import type { AccountSignals } from "./snapshot.ts";
import { present } from "../../present.ts";

/** As the ledger has it. */
export type KnownAccount = { id: string; name: string; iban: string | null; isRemoved: boolean };

/** Two rows of one transfer are posted within this. */
const transferDaysMax = 3;
const signalMonths = 3;
/** ISO 13616: country, two check digits, 11–30 letters and digits. */
const ibanPattern = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}\b/;

type Row = { row: LedgerTransaction; categorised: Categorised };

/** @param brandId whose accounts they are where no other bank is */
export function accountsOf(accounts: readonly KnownAccount[], rows: readonly Row[], brandId: string): BudgetAccount[] {
  const days = new Map(accounts.map(({ id }) => [id, spanOf(rows, id)]));
  const known = accounts
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, name, iban, isRemoved }): BudgetAccount => {
      const { firstDay, lastDay } = present(days.get(id), "an account's span");
      return {
        providerId: bankIdOf(id) ?? brandId,
        name,
        iban,
        bban: bbanOf(iban),
        selectedStatus: isRemoved ? "DESELECTED" : "SELECTED",
        firstDay,
        lastDay,
      };
    });
  const mentioned = mentionedIbans(
    rows,
    new Set(accounts.flatMap(({ iban }) => (iban === null ? [] : [iban.replaceAll(" ", "")]))),
  );
  return [
    ...known,
    ...mentioned.map((iban): BudgetAccount => ({
      providerId: "",
      name: iban,
      iban,
      bban: bbanOf(iban),
      selectedStatus: "UNDECIDED",
      firstDay: null,
      lastDay: null,
    })),
  ];
}

/** What follows country and check digits. */
function bbanOf(iban: string | null): string | null {
  return iban === null || iban.length < 5 ? null : iban.replaceAll(" ", "").slice(4);
}

function spanOf(rows: readonly Row[], accountId: string): { firstDay: Day | null; lastDay: Day | null } {
  const days = rows
    .filter(({ row }) => row.accountId === accountId)
    .map(({ row }) => row.day)
    .sort();
  return { firstDay: days[0] ?? null, lastDay: days.at(-1) ?? null };
}

/** Own accounts that only the text of a transfer names. */
function mentionedIbans(rows: readonly Row[], known: ReadonlySet<string>): string[] {
  const found = rows
    .filter(isOwnTransfer)
    .flatMap(({ row }) => ibanPattern.exec(row.description)?.[0].replaceAll(" ", "") ?? []);
  return [...new Set(found)].filter((iban) => !known.has(iban)).sort();
}

export function signalsOf(rows: readonly Row[], asOf: Day): AccountSignals {
  const from = addMonths(`${monthOf(asOf)}-01`, -signalMonths);
  const recent = rows.filter(({ row }) => row.day >= addDays(from, -transferDaysMax));
  const arrivals = recent.filter((one) => isOwnTransfer(one) && one.row.amountMinor > 0);
  const leaving = recent.filter((one) => isOwnTransfer(one) && one.row.amountMinor < 0 && one.row.day >= from);
  return {
    ownTransfersElsewhere: leaving.filter(({ row }) => !arrivals.some((other) => arrives(row, other.row))).length,
    cardBillsWithoutPurchases: recent.filter(
      ({ row, categorised }) => row.day >= from && row.amountMinor < 0 && categorised.categoryId === "DEBT_CREDIT_CARD",
    ).length,
  };
}

function isOwnTransfer({ categorised }: Row): boolean {
  return categorised.exclusion === "OWN_TRANSFER";
}

function arrives(left: LedgerTransaction, came: LedgerTransaction): boolean {
  return (
    came.amountMinor === -left.amountMinor &&
    came.currency === left.currency &&
    came.accountId !== left.accountId &&
    Math.abs(daysBetween(left.day, came.day)) <= transferDaysMax
  );
}
