/** A generated payment in the Berlin Group's words (XS2A 1.3, "Transaction Details"). Pure. */
import type { Day } from "../../time/calendar.ts";
import { formatAmount, parseAmount } from "../../money.ts";
import type { SandboxAccount, SandboxPayment } from "./people.ts";
import { present } from "../../present.ts";

/** Bank transaction codes (ISO 20022) of the types in which partners send. */
const codes: Readonly<Record<string, string>> = {
  CARD_PURCHASE: "PMNT-CCRD-POSD",
  CASH_WITHDRAWAL: "PMNT-CCRD-CWDL",
  CASH_DEPOSIT: "PMNT-CNTR-CDPT",
  DIRECT_DEBIT: "PMNT-RDDT-ESDD",
  ACCOUNT_TRANSFER: "PMNT-ICDT-DMCT",
};

export function toBooking({ tx }: SandboxPayment): object {
  const { txid, txTime, type, amount, currency, originalAmount, originalCurrency, merchant, description } = tx;
  const name = merchant?.name;
  return {
    transactionId: txid,
    bookingDate: txTime.slice(0, 10),
    transactionAmount: amountOf(amount, currency),
    remittanceInformationUnstructured: description,
    ...(name === undefined ? {} : amount < 0 ? { creditorName: name } : { debtorName: name }),
    ...(codes[type] === undefined ? {} : { bankTransactionCode: codes[type] }),
    ...(merchant?.mcc === undefined ? {} : { merchantCategoryCode: String(merchant.mcc).padStart(4, "0") }),
    ...(originalAmount === undefined || originalCurrency === undefined
      ? {}
      : {
          currencyExchange: [
            { sourceCurrency: originalCurrency, instructedAmount: amountOf(originalAmount, originalCurrency) },
          ],
        }),
  };
}

export function toBalance({ balance, currency }: SandboxAccount, today: Day): object {
  return { balanceType: "closingBooked", balanceAmount: amountOf(balance, currency), referenceDate: today };
}

function amountOf(amount: number, currency: string): { currency: string; amount: string } {
  return { currency, amount: formatAmount(present(parseAmount(amount, currency), "a generated amount")) };
}
