/** Which of many banks are shown, and how: by country, the user's own first; or those that a search finds. Pure. */
import type { BankName } from "./banks.ts";

export type BankGroup = { country: string; banks: BankName[]; isOpen: boolean };
export type BankChoice = { groups: BankGroup[]; search: string; total: number; isLong: boolean };

/** So many fit on a telephone's screen or two: nobody needs to search them. */
export const fewBanksMax = 8;
export const searchLengthMax = 100;

/**
 * @param ownCountry of the user's brand, as banks have theirs
 * @param search words that begin words of the bank's name, whatever their case and accents; "" for all
 */
export function chooseFrom(banks: readonly BankName[], ownCountry: string | null, search: string): BankChoice {
  const words = wordsOf(search.slice(0, searchLengthMax));
  const found = banks.filter((bank) => isFound(bank, words));
  const countries = [...new Set(found.map(({ country }) => country))].toSorted(
    (a, b) =>
      Number(b === ownCountry) - Number(a === ownCountry) || Number(a === "") - Number(b === "") || (a < b ? -1 : 1),
  );
  const isLong = banks.length > fewBanksMax;
  return {
    groups: countries.map((country, place) => ({
      country,
      banks: found.filter((bank) => bank.country === country).toSorted(byName),
      isOpen: !isLong || words.length > 0 || place === 0,
    })),
    search: search.slice(0, searchLengthMax),
    total: banks.length,
    isLong,
  };
}

function isFound({ id, name, country }: BankName, searched: readonly string[]): boolean {
  const own = wordsOf(`${name} ${id} ${country}`);
  return searched.every((word) => own.some((one) => one.startsWith(word)));
}

/** Letters that have no plain one below their accent. */
const plainLetters: Readonly<Record<string, string>> = { ø: "o", æ: "ae", ß: "ss", ð: "d", þ: "th", ł: "l" };

function wordsOf(text: string): string[] {
  const plain = text
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[øæßðþł]/g, (letter) => plainLetters[letter] ?? letter);
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function byName(a: BankName, b: BankName): number {
  return a.name.localeCompare(b.name, "da") || (a.id < b.id ? -1 : 1);
}
