/**
 * One statement or notification as it is read: whose account it is of, its payments with their ids, and whether its
 * balances agree with its entries.
 *
 * An id is made of the account and of the bank's reference (AcctSvcrRef), so that a payment which overlapping
 * statements, or a statement and a notification, both tell is one. Without a reference it is made of what the payment
 * says, and of its place among equals.
 */
import { hash } from "node:crypto";
import { identifierLengthMax } from "../../config/limits.ts";
import { isDay } from "../../src/time/calendar.ts";
import type { IbanRules } from "../../src/partners/settings/iban-rules.ts";
import type { AccountName } from "../bytes/read-rows.ts";
import { readAccount, type StatedAccount } from "./account.ts";
import { all, type DocumentKind, type Element, textAt } from "./elements.ts";
import { NumberTable } from "./number-table.ts";
import { numberOfBytes } from "./number-of-bytes.ts";
import { isBooked, type Payment, readEntry, scaledAmount } from "./entry.ts";

/** What the bank says was on the account when a day ended. */
export type StatedBalance = {
  owner: AccountName;
  accountId: string;
  /** Decimal text with its sign. */
  balance: string;
  currency: string;
  day: string;
};

/** What a receipt tells of a statement; nothing of it is anybody's data. */
export type StatementSeen = {
  /** Among those of the file, from 0, and its line. */
  place: number;
  line: number;
  kind: DocumentKind;
  owner: AccountName;
  /** Null: it has no number, or none that is one. */
  sequence: number | null;
  entries: number;
  /** Entries that are not booked yet, or never will be: nothing was made of them. */
  notBooked: number;
  balances: "agree" | "differ" | "not told";
};

/** A record, still unchecked, as tables make them. */
export type StatedRecord = {
  line: number;
  bankId: string;
  account: { id: string; name: string; iban: string };
  card: { id: string; pan4: string } | null;
  tx: Readonly<Record<string, unknown>>;
  /** The id of the entry that it is, or is a part of. */
  entryId: string;
};

const openingCodes: ReadonlySet<string> = new Set(["OPBD", "PRCD"]);
const closingCode = "CLBD";
/** Below, one more amount leaves the sum exact. */
const exactMax = 2 ** 52;

export class Statement {
  readonly #head: Element;
  readonly #account: StatedAccount;
  readonly #seen: StatementSeen;
  #sum = 0n;
  #isSummable = true;
  /** Beside it, of entries that were read where they stand: in numbers while these are exact. */
  #numberSum = 0;
  /** What stood under a reference first, and how often one thing came. */
  readonly #references = new NumberTable();
  readonly #equals = new NumberTable();

  constructor(head: Element, place: number, kind: DocumentKind, rules: IbanRules) {
    this.#head = head;
    this.#account = readAccount(head.children.find(({ name }) => name === "Acct") ?? null, rules);
    this.#seen = {
      place,
      line: head.line,
      kind,
      owner: this.#account.owner,
      sequence: sequenceOf(head),
      entries: 0,
      notBooked: 0,
      balances: "not told",
    };
  }

  /** Nothing where it is not booked. */
  read(element: Element): StatedRecord[] {
    if (!isBooked(element)) {
      this.#seen.notBooked += 1;
      return [];
    }
    this.#seen.entries += 1;
    const { reference, payments } = readEntry(element);
    for (const { amount } of payments) {
      if (amount === null) this.#isSummable = false;
      else this.#sum += amount;
    }
    const hasDetails = payments.length > 1;
    return payments.map((payment, at) => {
      const txid = this.#idOf(payment, reference, hasDetails ? at + 1 : 0);
      const isEntry = reference === "" || (!hasDetails && payment.reference === reference);
      return this.#record(payment, txid, isEntry ? txid : `${this.#account.digest}-${reference}`);
    });
  }

  /** Whose it is, with what names the account in ids. */
  get account(): StatedAccount {
    return this.#account;
  }

  /**
   * A booked entry that was read where it stands. @param scaled its amount with its sign, as scaledAmount has it, below
   * 2^52
   */
  note(scaled: number): void {
    this.#seen.entries += 1;
    this.#numberSum += scaled;
    if (Math.abs(this.#numberSum) < exactMax) return;
    this.#sum += BigInt(this.#numberSum);
    this.#numberSum = 0;
  }

  /** What stood under a reference first, both by numberOf. */
  firstUnder(reference: number): number | undefined {
    return this.#references.get(reference);
  }

  noteFirst(reference: number, booking: number): void {
    this.#references.set(reference, booking);
  }

  /** How often an entry without reference came that says the same; by the number of its digest. */
  timesTold(digest: number): number {
    return this.#equals.get(digest) ?? 0;
  }

  noteTold(digest: number, times: number): void {
    this.#equals.set(digest, times);
  }

  /** When all of it was read. */
  end(): StatementSeen {
    const opening = this.#balance((code) => openingCodes.has(code));
    const closing = this.#balance((code) => code === closingCode);
    if (opening !== null && closing !== null && this.#isSummable)
      this.#seen.balances =
        opening.amount + this.#sum + BigInt(this.#numberSum) === closing.amount ? "agree" : "differ";
    return this.#seen;
  }

  /** Null: it tells none, or none with a day and a sign. */
  closing(): StatedBalance | null {
    const closing = this.#balance((code) => code === closingCode);
    if (closing === null || !isDay(closing.day)) return null;
    const { owner } = this.#account;
    const { text, currency, day } = closing;
    return { owner, accountId: owner.accountNumber, balance: text, currency, day };
  }

  #balance(isWanted: (code: string) => boolean) {
    for (const one of all(this.#head, "Bal")) {
      if (!isWanted(textAt(one, "Tp", "CdOrPrtry", "Cd"))) continue;
      const side = textAt(one, "CdtDbtInd");
      const amount = scaledAmount(textAt(one, "Amt"));
      if (amount === null || (side !== "CRDT" && side !== "DBIT")) return null;
      const isNegative = side === "DBIT";
      return {
        amount: isNegative ? -amount : amount,
        text: `${isNegative ? "-" : ""}${textAt(one, "Amt")}`,
        currency: one.children.find(({ name }) => name === "Amt")?.currency ?? "",
        day: (textAt(one, "Dt", "Dt") || textAt(one, "Dt", "DtTm")).slice(0, 10),
      };
    }
    return null;
  }

  /** @param part which of several details it is, from 1; 0 for an entry that is one payment */
  #idOf(payment: Payment, entryReference: string, part: number): string {
    const { digest } = this.#account;
    if (payment.reference === "") return this.#byContent(saidBy(payment));
    const isShared = part > 0 && payment.reference === entryReference;
    const reference = isShared ? `${payment.reference}/${part}` : payment.reference;
    const booking = `${payment.bookedOn} ${payment.amountText} ${payment.currency}`;
    const key = numberOf(reference);
    const content = numberOf(booking);
    const first = this.#references.get(key);
    if (first === undefined) this.#references.set(key, content);
    // A bank may book the payment and its fee under one reference.
    const id = first === undefined || first === content ? reference : `${reference}~${digestOf(booking)}`;
    return `${digest}-${id}`.slice(0, identifierLengthMax);
  }

  #byContent(said: string): string {
    const digest = digestOf(said);
    const key = numberOf(digest);
    const count = this.timesTold(key) + 1;
    this.noteTold(key, count);
    return idByContent(this.#account.digest, digest, count);
  }

  #record(payment: Payment, txid: string, entryId: string): StatedRecord {
    const { owner, iban, name } = this.#account;
    const { counterparty } = payment;
    return {
      line: payment.line,
      bankId: owner.bankId,
      account: { id: owner.accountNumber, name, iban },
      card: payment.card === "" ? null : { id: `${this.#account.digest}-${payment.card}`, pan4: payment.card },
      tx: {
        txid,
        txTime: payment.bookedOn,
        type: payment.type,
        description: payment.text,
        amount: toNumber(payment.amountText),
        currency: payment.currency === "" ? null : payment.currency,
        originalAmount: payment.originalAmountText === "" ? null : toNumber(payment.originalAmountText),
        originalCurrency: payment.originalCurrency === "" ? null : payment.originalCurrency,
        merchant:
          counterparty === null
            ? null
            : {
                name: counterparty.name,
                cid: counterparty.id || null,
                city: counterparty.city || null,
                postCode: counterparty.postCode || null,
                country: counterparty.country || null,
                mcc: payment.mcc === "" ? null : Number(payment.mcc),
              },
      },
      entryId,
    };
  }
}

/** Of what has no reference. @param count how often the same came, this time included */
export function idByContent(account: string, digest: string, count: number): string {
  return `${account}-${digest}${count === 1 ? "" : `~${count}`}`;
}

function sequenceOf(head: Element): number | null {
  const text = textAt(head, "ElctrncSeqNb") || textAt(head, "LglSeqNb");
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function saidBy({ bookedOn, valuedOn, amountText, currency, endToEndId, text }: Payment): string {
  return [bookedOn, valuedOn, amountText, currency, endToEndId, text].join("\0");
}

/** @param said the text, or its bytes */
export function digestOf(said: string | Uint8Array): string {
  return hash("sha256", said, "hex").slice(0, 32);
}

/** Of the texts by which entries of one statement are told apart; see numberOfBytes. */
function numberOf(text: string): number {
  const bytes = Buffer.from(text);
  return numberOfBytes(bytes, 0, bytes.length);
}

/** As JSON.parse reads the same digits. What is no number stays text, which the check refuses. */
function toNumber(text: string): number | string | null {
  if (text === "") return null;
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
