/**
 * Numbers that belong to a payee's name, as in "Rema 1000". On one line nothing tells them from a shop's or an order's
 * number, and names are cleaned of both; over a user's lines a name's number never varies. Pure.
 */
import { readMerchants } from "../../categories/lexicon.ts";
import { once } from "../../categories/memory.ts";
import { productById } from "../../payments/catalogue.ts";
import { merchantIn } from "../../payments/history.ts";
import { type Merchant, normaliseText } from "../../payments/merchant.ts";
import { toNumber } from "../../money.ts";
import { itemAt } from "../../present.ts";
import type { HistoryTransaction } from "../../payments/payment.ts";
import type { RecognisedService } from "./recognised.ts";

/** So many lines have it, and at least this share of those that have the name. */
const linesMin = 3;
const linesShareMin = 0.5;
/** Longer numbers are references, and ones that begin with a nought are shops'. Short ones are never taken off. */
const nameNumber = /^[1-9]\d{2,3}$/;
/** The latest lines tell. */
const paymentsMax = 36;
/** Behind so many names of one user the same number is a card's or an account's. */
const namesMax = 2;

/** @param history all of the user's rows. @returns the services, in their order, by their names with numbers. */
export function withNameNumbers(
  services: readonly RecognisedService[],
  history: readonly HistoryTransaction[],
): RecognisedService[] {
  const names = new NamesByNumber(history);
  return services.map((service) => {
    if (service.productId !== null && productById(service.productId)?.title === service.title) return service;
    const title = numberedTitle(service, names);
    return title === service.title ? service : { ...service, title };
  });
}

/** plain: normalised. */
type Word = { text: string; plain: string; from: number; to: number };

function wordsIn(text: string): Word[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({
    text: word,
    plain: normaliseText(word),
    from: index,
    to: index + word.length,
  }));
}

function textOf(row: HistoryTransaction): string {
  return merchantIn(row).text;
}

/** Looked at only where a number might belong to a name. */
class NamesByNumber {
  readonly #history: readonly HistoryTransaction[];
  readonly #known = new Map<string, boolean>();
  /** Of all rows, by their texts; null: no number was asked for yet. */
  #merchants: ReadonlyMap<string, Merchant> | null = null;

  constructor(history: readonly HistoryTransaction[]) {
    this.#history = history;
  }

  isOfMany(number: string): boolean {
    let isOfMany = this.#known.get(number);
    if (isOfMany === undefined) this.#known.set(number, (isOfMany = this.#hasMany(number)));
    return isOfMany;
  }

  #hasMany(number: string): boolean {
    const alone = new RegExp(`(?<!\\d)${number}(?!\\d)`);
    const names = new Set<string>();
    this.#merchants ??= merchantsIn(this.#history);
    for (const { key, text } of this.#merchants.values()) {
      if (!text.includes(number) || !alone.test(text)) continue;
      const space = key.indexOf(" ");
      if (names.add(space < 0 ? key : key.slice(0, space)).size > namesMax) return true;
    }
    return false;
  }
}

function merchantsIn(history: readonly HistoryTransaction[]): Map<string, Merchant> {
  const merchants = new Map<string, Merchant>();
  for (const row of history) {
    const merchant = merchantIn(row);
    merchants.set(merchant.text, merchant);
  }
  return merchants;
}

function numberedTitle({ title, payments }: RecognisedService, names: NamesByNumber): string {
  // Nearly all names stand in lines without such a number, and those are not taken apart.
  if (!haveNumber(payments)) return title;
  const words = wordsIn(title);
  if (words.some(({ text }) => /^\d+$/.test(text))) return title; // the name has its number
  const lines = linesOf(payments);
  const name = words.map(({ plain }) => plain);
  for (let at = 0; at <= name.length; at++) {
    const number = numberAt(name, at, lines);
    if (number === null || names.isOfMany(number)) continue;
    const place = at === 0 ? 0 : itemAt(words, at - 1).to;
    return at === 0 ? `${number} ${title}` : `${title.slice(0, place)} ${number}${title.slice(place)}`;
  }
  return title;
}

/** A number that may be a name's: at the beginning, or with spaces between it and a word, and no part of another one. */
const mayBeNames = /(?:^[^\p{L}\p{N}]*|[\p{L}\p{N}] +)[1-9]\d{2,3}(?![\p{L}\p{N}]|[.,:/-]\d| ?%)/u;
const threeDigits = /\d{3}/;

function haveNumber(payments: readonly HistoryTransaction[]): boolean {
  for (let at = Math.max(0, payments.length - paymentsMax); at < payments.length; at++) {
    const { merchantName, description } = itemAt(payments, at);
    if (threeDigits.test(description) && mayBeNames.test(description)) return true;
    if (merchantName !== null && mayBeNames.test(merchantName)) return true;
  }
  return false;
}

/** Lines of one text, which most payments to a payee have. */
type Line = { text: string; payments: HistoryTransaction[]; words: Word[] };

function linesOf(payments: readonly HistoryTransaction[]): Line[] {
  return [...Map.groupBy(payments.slice(-paymentsMax), textOf)].map(([text, own]) => ({
    text,
    payments: own,
    words: wordsIn(text),
  }));
}

/** The number that stands in the lines behind so many of the name's words; null where there is none, or it varies. */
function numberAt(name: readonly string[], at: number, lines: readonly Line[]): string | null {
  const seen = new Set<string>();
  const before = name.slice(0, Math.max(1, at));
  let [named, having] = [0, 0];
  for (const line of lines) {
    const found = numberBehind(before, at, line);
    if (found === null) continue;
    named += line.payments.length;
    if (found === "") continue;
    having += line.payments.length;
    if (seen.add(found).size > 1 || line.payments.some((payment) => isOfPayment(found, payment))) return null;
  }
  const [number] = seen;
  if (number === undefined || !nameNumber.test(number) || having < linesShareMin * named) return null;
  return having >= linesMin || isInDictionary(name.slice(0, at), number) ? number : null;
}

/**
 * Null: the line does not have the name; empty: no number stands there.
 * @param name as many of its words as stand before, the first one in any case
 */
function numberBehind(name: readonly string[], at: number, { text, words }: Line): string | null {
  let last = -1;
  for (const word of name) {
    do last++;
    while (last < words.length && itemAt(words, last).plain !== word);
    if (last === words.length) return null;
  }
  // In front of a name stand the bank's words: only a number that begins the line is the name's.
  if (at === 0 && last !== 1) return "";
  const [before, after] = at === 0 ? [words[0], words[last]] : [words[last], words[last + 1]];
  const number = at === 0 ? before : after;
  if (before === undefined || after === undefined || number === undefined || !/^\d+$/.test(number.text)) return "";
  const isApart = /^ *$/.test(text.slice(before.to, after.from));
  const isPart = /^(?:[.,:/-]\d| ?%)/.test(text.slice(number.to));
  return isApart && !isPart ? number.text : "";
}

/** The year for which something is paid, or the amount. */
function isOfPayment(number: string, { day, amountMinor, currency }: HistoryTransaction): boolean {
  const year = Number(day.slice(0, 4));
  const value = Number(number);
  return Math.abs(value - year) <= 1 || value === toNumber({ minor: Math.abs(amountMinor), currency });
}

/** Names of the dictionary that a number stands in, as "REMA 1000". */
const dictionary = once<ReadonlySet<string>>(
  () =>
    new Set(
      readMerchants()
        .out.map(({ text }) => normaliseText(text.replace(/^=/, "")))
        .filter((text) => /^[A-Z ]{3,} \d{3,4}$/.test(text)),
    ),
);

function isInDictionary(name: readonly string[], number: string): boolean {
  return dictionary().has(`${name.join(" ")} ${number}`);
}
