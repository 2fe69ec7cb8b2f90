/**
 * A booked entry as the payments it stands for: itself, or each of its details where these come to its amount. Which
 * elements say what differs between the versions 2 to 13 of both messages; where two may, both are looked at. Source:
 * ISO 20022 message definition reports, camt.053 and camt.054.
 */
import { descriptionLengthMax, identifierLengthMax, nameLengthMax } from "../../config/limits.ts";
import { typeOfCodes } from "./codes.ts";
import { all, type Element, find, textAt } from "./elements.ts";

/** One payment, with every text as it stands in the file. */
export type Payment = {
  line: number;
  /** AcctSvcrRef of the detail, else of the entry; "" for none. */
  reference: string;
  isDetail: boolean;
  bookedOn: string;
  valuedOn: string;
  /** Scaled by decimalsOf; null: no amount, or none with a sign. */
  amount: bigint | null;
  /** As JSON would have it, with its sign. */
  amountText: string;
  currency: string;
  endToEndId: string;
  text: string;
  type: string;
  originalAmountText: string;
  originalCurrency: string;
  counterparty: { name: string; id: string; city: string; postCode: string; country: string } | null;
  mcc: string;
  card: string;
};

export type Entry = { reference: string; payments: Payment[] };

/** Digits behind the point that ISO 20022 amounts may have. */
const fractionDigitsMax = 5;

/** A decimal text in its smallest unit here; null: it is none. */
export function scaledAmount(text: string): bigint | null {
  const [, whole = "", fraction = ""] = /^\+?(\d{1,18})(?:\.(\d*))?$/.exec(text) ?? [];
  if (whole === "" || fraction.length > fractionDigitsMax) return null;
  return BigInt(whole + fraction.padEnd(fractionDigitsMax, "0"));
}

export function isBooked(entry: Element): boolean {
  // Until version 7 a text, then a code below it.
  return (textAt(entry, "Sts", "Cd") || textAt(entry, "Sts")) === "BOOK";
}

export function readEntry(entry: Element): Entry {
  const details = all(entry, "NtryDtls").flatMap((one) => all(one, "TxDtls"));
  const reference = textAt(entry, "AcctSvcrRef");
  const whole = readPayment(entry, details.length === 1 ? (details[0] as Element) : null, false);
  if (details.length < 2) return { reference, payments: [whole] };
  const parts = details.map((detail) => readPayment(entry, detail, true));
  return { reference, payments: comesTo(parts, whole) ? parts : [whole] };
}

/** Whether the details are the entry, in its own currency. */
function comesTo(parts: readonly Payment[], whole: Payment): boolean {
  let sum = 0n;
  for (const { amount, currency } of parts) {
    if (amount === null || currency !== whole.currency) return false;
    sum += amount;
  }
  return sum === whole.amount;
}

/** Of the entry with its only detail, whose amount may be another currency's, or of one detail among several. */
function readPayment(entry: Element, detail: Element | null, isPart: boolean): Payment {
  const isOut = (isPart && textAt(detail, "CdtDbtInd")) || textAt(entry, "CdtDbtInd");
  const { text: amountText, currency } = isPart ? amountOfDetail(detail) : amountOf(find(entry, "Amt"));
  const scaled = scaledAmount(amountText);
  const sign = isOut === "DBIT" ? -1n : isOut === "CRDT" ? 1n : null;
  const isReversal = (textAt(detail, "RvslInd") || textAt(entry, "RvslInd")) === "true";
  const codes = find(detail, "BkTxCd", "Domn") ? find(detail, "BkTxCd") : find(entry, "BkTxCd");
  const original = originalOf(entry, detail, currency);
  return {
    line: (isPart ? detail : entry)?.line ?? entry.line,
    reference: textAt(detail, "Refs", "AcctSvcrRef") || textAt(entry, "AcctSvcrRef"),
    isDetail: isPart,
    bookedOn: dateOf(find(entry, "BookgDt")) || dateOf(find(entry, "ValDt")),
    valuedOn: dateOf(find(entry, "ValDt")),
    amount: scaled === null || sign === null ? null : scaled * sign,
    amountText: sign === null ? "" : `${sign < 0n ? "-" : ""}${amountText}`,
    currency,
    endToEndId: known(textAt(detail, "Refs", "EndToEndId")),
    text: textOf(entry, detail),
    type: typeOfCodes(codes, {
      isOut: isOut === "DBIT",
      purpose: textAt(detail, "Purp", "Cd"),
      hasCard: find(detail, "CardTx") !== null || find(entry, "CardTx") !== null,
    }),
    originalAmountText: original === null ? "" : `${isOut === "DBIT" ? "-" : ""}${original.text}`,
    originalCurrency: original?.currency ?? "",
    // Money that comes back was paid to whom it comes from; the roles stay those of the payment.
    counterparty: counterpartyOf(detail, (isOut === "DBIT") !== isReversal),
    mcc: mccOf(find(detail, "CardTx")) || mccOf(find(entry, "CardTx")),
    card: cardOf(find(detail, "CardTx")) || cardOf(find(entry, "CardTx")),
  };
}

function amountOf(element: Element | null): { text: string; currency: string } {
  return { text: element?.text.trim() ?? "", currency: element?.currency ?? "" };
}

/** Version 2 has none of its own, but the amount of the transaction. */
function amountOfDetail(detail: Element | null): { text: string; currency: string } {
  return amountOf(find(detail, "Amt") ?? find(detail, "AmtDtls", "TxAmt", "Amt"));
}

/** What was ordered, where that was in another currency. */
function originalOf(entry: Element, detail: Element | null, currency: string) {
  for (const within of [detail, entry]) {
    for (const kind of ["InstdAmt", "CntrValAmt"]) {
      const amount = amountOf(find(within, "AmtDtls", kind, "Amt"));
      if (amount.currency !== "" && amount.currency !== currency && scaledAmount(amount.text) !== null) return amount;
    }
  }
  return null;
}

/** A day, or a moment that begins with it. */
function dateOf(element: Element | null): string {
  return textAt(element, "Dt") || textAt(element, "DtTm");
}

/** What the standard has senders write where there is nothing. */
function known(text: string): string {
  return text === "NOTPROVIDED" ? "" : text;
}

/** What the customer reads: the remittance's own words, else the bank's. */
function textOf(entry: Element, detail: Element | null): string {
  const remittance = find(detail, "RmtInf");
  const unstructured = all(remittance, "Ustrd").map(({ text }) => text.trim());
  const references = all(remittance, "Strd").map((one) => textAt(one, "CdtrRefInf", "Ref"));
  const text =
    joined(unstructured) ||
    joined(all(remittance, "Strd").flatMap((one) => all(one, "AddtlRmtInf").map(({ text }) => text.trim()))) ||
    textAt(detail, "AddtlTxInf") ||
    textAt(entry, "AddtlNtryInf") ||
    joined(references);
  return text.slice(0, descriptionLengthMax);
}

/** Lines of 140 characters are one text. */
function joined(lines: readonly string[]): string {
  return lines.filter((line) => line !== "").join(" ");
}

function counterpartyOf(detail: Element | null, isCreditor: boolean): Payment["counterparty"] {
  const parties = find(detail, "RltdPties");
  const role = isCreditor ? "Cdtr" : "Dbtr";
  const ultimate = partyOf(find(parties, `Ultmt${role}`));
  const party = partyOf(find(parties, role));
  // A payment service stands between; whom it paid is named behind it.
  const named = [ultimate, party].find((one) => textAt(one, "Nm") !== "");
  const trading = textAt(parties, "TradgPty", "Nm") || textAt(parties, "TradgPty", "Pty", "Nm");
  const name = trading || textAt(named ?? null, "Nm") || textAt(find(detail, "CardTx", "POI", "Id"), "ShrtNm");
  if (name === "") return null;
  const address = find(named ?? null, "PstlAdr");
  return {
    name: name.slice(0, nameLengthMax),
    id: idOf(named ?? null).slice(0, identifierLengthMax),
    city: textAt(address, "TwnNm"),
    postCode: textAt(address, "PstCd"),
    country: textAt(address, "Ctry"),
  };
}

/** Until version 7 the party itself, then one level below. */
function partyOf(role: Element | null): Element | null {
  return find(role, "Pty") ?? role;
}

/** Of organisations, and creditors of direct debits, whose identifier stands as a private one; never of people. */
function idOf(party: Element | null): string {
  const organisation = textAt(party, "Id", "OrgId", "Othr", "Id");
  const scheme = find(party, "Id", "PrvtId", "Othr");
  return organisation || (textAt(scheme, "SchmeNm", "Prtry") === "SEPA" ? textAt(scheme, "Id") : "");
}

function mccOf(card: Element | null): string {
  const found = deep(card, "MrchntCtgyCd");
  return /^\d{4}$/.test(found) ? found : "";
}

/** The last four digits, whatever of the number the bank shows. */
function cardOf(card: Element | null): string {
  return /(\d{4})\s*$/.exec(deep(card, "PAN") || deep(card, "MskdPAN"))?.[1] ?? "";
}

function deep(element: Element | null, name: string): string {
  if (element === null) return "";
  if (element.name === name) return element.text.trim();
  for (const child of element.children) {
    const found = deep(child, name);
    if (found !== "") return found;
  }
  return "";
}
