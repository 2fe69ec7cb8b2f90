/**
 * Bank transaction codes as the types of transactions that the rest of the product knows. Source: ISO 20022 external
 * code set, bank transaction codes (domain, family, sub-family) and purposes.
 */
import { codeLengthMax } from "../../config/limits.ts";
import { type Element, textAt } from "./elements.ts";

export type CodesContext = { isOut: boolean; purpose: string; hasCard: boolean };

/** What a sub-family says in every family. */
const ofSubFamily: Readonly<Record<string, string>> = {
  CHRG: "FEE",
  FEES: "FEE",
  COMM: "FEE",
  INTR: "INTEREST",
  TAXE: "TAX",
  CWDL: "CASH_WITHDRAWAL",
  XBCW: "CASH_WITHDRAWAL",
  BCWD: "CASH_WITHDRAWAL",
  CDPT: "CASH_DEPOSIT",
  BCDP: "CASH_DEPOSIT",
  STDO: "STANDING_ORDER",
  SALA: "SALARY",
};

const ofPurpose: Readonly<Record<string, string>> = { SALA: "SALARY", PENS: "PENSION", PAYR: "SALARY", BONU: "SALARY" };

const ofFamily: Readonly<Record<string, string>> = {
  "PMNT RDDT": "DIRECT_DEBIT",
  "PMNT IDDT": "DIRECT_DEBIT",
  "PMNT RCDT": "CREDIT_TRANSFER",
  "PMNT ICDT": "CREDIT_TRANSFER",
  "PMNT RRCT": "CREDIT_TRANSFER",
  "PMNT IRCT": "CREDIT_TRANSFER",
  "PMNT RCHQ": "CHEQUE",
  "PMNT ICHQ": "CHEQUE",
};

const ofDomain: Readonly<Record<string, string>> = { LDAS: "LOAN", SECU: "SECURITIES", FORX: "CURRENCY_EXCHANGE" };

/** Texts of a BkTxCd; "" where there is none. own: the bank's code. */
export type Codes = { domain: string; family: string; subFamily: string; own: string };

/** @param codes BkTxCd; null: the entry says nothing */
export function typeOfCodes(codes: Element | null, context: CodesContext): string {
  const domain = textAt(codes, "Domn", "Cd");
  const family = textAt(codes, "Domn", "Fmly", "Cd");
  const subFamily = textAt(codes, "Domn", "Fmly", "SubFmlyCd");
  return typeOf({ domain, family, subFamily, own: textAt(codes, "Prtry", "Cd") }, context);
}

export function typeOf(codes: Codes, { isOut, purpose, hasCard }: CodesContext): string {
  const { domain, family, subFamily } = codes;
  const told = ofSubFamily[subFamily];
  if (told !== undefined) return told;
  if (family === "CCRD" || family === "MCRD" || (hasCard && domain === ""))
    return isOut ? "CARD_PURCHASE" : "CARD_REFUND";
  // Between accounts at the bank itself.
  if (subFamily === "BOOK") return "ACCOUNT_TRANSFER";
  const known = ofFamily[`${domain} ${family}`];
  if (known === "CREDIT_TRANSFER") return ofPurpose[purpose] ?? known;
  return known ?? ofDomain[domain] ?? ownCode(codes);
}

/** The bank's own code, which recognition reads as it reads those of its tables. */
function ownCode({ domain, family, subFamily, own }: Codes): string {
  const code = own || [domain, family, subFamily].filter((part) => part !== "").join("-");
  return (code || "UNKNOWN").slice(0, codeLengthMax);
}
