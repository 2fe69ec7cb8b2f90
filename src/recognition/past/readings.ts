/**
 * What the texts of rows were read as, beside the rows: taking the lines of a history apart costs about as much as
 * everything that is found in it, and gives the same each night. As all of a past it is of one version of the algorithm;
 * products were looked for among those of one version of their edits, and are looked for again where that is another one.
 * Lines that are alike share here what they share when they are read, and who stands behind a bank's opening words is
 * kept with them: whether the words are still taken off is told anew each night (payments/opening-words.ts).
 */
import { catalogueVersion, foundBefore, productById, productIfAsked } from "../../payments/catalogue.ts";
import { type ReadRow, readingOf } from "../../payments/history.ts";
import { type Alike, alikeOf, type FoundMerchant, knownMerchant, type Merchant } from "../../payments/merchant.ts";
import type { PaymentKind, Reading } from "../../payments/payment.ts";
import { itemAt } from "../../present.ts";
import type { Numbered } from "./numbered.ts";
import { eachOf, type Packer, type Unpacker } from "./packing.ts";

const kinds: readonly PaymentKind[] = ["CARD", "DIRECT_DEBIT", "TRANSFER", "FEE", "INTEREST", "CASH", "OTHER"];

/** Of a product: nobody asked, there is none; else 2 more than the number of its id. */
const notAsked = 0;
const noProduct = 1;
const firstProduct = 2;

/** Of lines that are alike: numbers of texts, that of the gateway 1 higher and 0 for none. */
type PackedAlike = { key: number; gateway: number };

/** Numbers of texts, and of those that are alike. */
type Packed = { text: number; alike: number; product: number; kind: number };

/**
 * Who stands behind opening words; text: 0 where nobody is named there, else 1 higher. isOfAll: 1 where the product is the
 * same of all lines that are alike.
 */
type PackedBehind = PackedAlike & {
  alike: number;
  opening: number;
  text: number;
  product: number;
  isOfAll: number;
};

/** @param rows none: nothing is kept. Texts get numbers here; those of rows have theirs. @param country where products were looked for */
export function packReadings(packer: Packer, rows: readonly ReadRow[], texts: Numbered, country: string): void {
  const numbers = new Map<string, Map<PaymentKind, number>>();
  const packed: Packed[] = [];
  const alikes = new Map<Alike, number>();
  const ofRows = rows.map((row) => {
    const { merchant, kind } = readingOf(row);
    const { text, alike } = merchant;
    let ofText = numbers.get(text);
    if (ofText === undefined) numbers.set(text, (ofText = new Map()));
    let number = ofText.get(kind);
    if (number === undefined) {
      ofText.set(kind, (number = packed.length));
      let ofAlike = alikes.get(alike);
      if (ofAlike === undefined) alikes.set(alike, (ofAlike = alikes.size));
      const product = packedProduct(merchant, texts, country);
      packed.push({ text: texts.numberAgain(text), alike: ofAlike, product, kind: kinds.indexOf(kind) });
    }
    return number;
  });
  const ofAlikes = [...alikes.keys()].map((alike) => packedAlike(alike, texts));
  const behind = [...alikes].flatMap(([alike, number]) => packedBehind(alike, number, texts, country) ?? []);
  packer.column([catalogueVersion(), texts.numberAgain(country)]);
  packAlikes(packer, ofAlikes);
  packer.column(packed.map(({ text }) => text));
  packer.column(packed.map(({ alike }) => alike));
  packer.column(packed.map(({ product }) => product));
  packer.column(packed.map(({ kind }) => kind));
  packer.column(behind.map(({ alike }) => alike));
  packer.column(behind.map(({ opening }) => opening));
  packer.column(behind.map(({ text }) => text));
  packer.column(behind.map(({ product }) => product));
  packer.column(behind.map(({ isOfAll }) => isOfAll));
  packAlikes(packer, behind);
  packer.column(ofRows);
}

function packAlikes(packer: Packer, alikes: readonly PackedAlike[]): void {
  packer.column(alikes.map(({ key }) => key));
  packer.column(alikes.map(({ gateway }) => gateway));
}

function packedAlike({ key, gateway }: Pick<Alike, "key" | "gateway">, texts: Numbered): PackedAlike {
  return { key: texts.numberOf(key), gateway: gateway === null ? 0 : texts.numberOf(gateway) + 1 };
}

function packedProduct(merchant: Merchant, texts: Numbered, country: string): number {
  const product = productIfAsked(merchant, country);
  if (product === undefined) return notAsked;
  return product === null ? noProduct : texts.numberOf(product.id) + firstProduct;
}

/** Null: no opening words were taken off any of them. */
function packedBehind(alike: Alike, number: number, texts: Numbered, country: string): PackedBehind | null {
  if (alike.behind === null) return null;
  const { opening, merchant } = alike.behind;
  return {
    ...packedAlike(merchant, texts),
    alike: number,
    opening: texts.numberOf(opening),
    text: merchant.alike === alike ? 0 : texts.numberAgain(merchant.text) + 1,
    product: packedProduct(merchant, texts, country),
    isOfAll: merchant.found === null ? 1 : 0,
  };
}

/** By row; null where none was kept. @throws RangeError when the bytes are no readings */
export function unpackReadings(unpacker: Unpacker, texts: readonly string[]): readonly Reading[] | null {
  const [version, country] = unpacker.column();
  const alikes = unpackAlikes(unpacker, texts);
  const ofTexts = unpacker.column();
  const ofAlikes = unpacker.column();
  const products = unpacker.column();
  const ofKinds = unpacker.column();
  const finding = version === catalogueVersion() ? new Finding(itemAt(texts, country as number), texts) : null;
  unpackBehind(unpacker, texts, alikes, finding);
  const ofRows = unpacker.column();
  if (ofRows.length === 0) return null;
  const readings: Reading[] = [];
  for (let at = 0; at < ofTexts.length; at++) {
    const alike = itemAt(alikes, ofAlikes[at] as number);
    const merchant = knownMerchant(itemAt(texts, ofTexts[at] as number), alike);
    finding?.found(merchant, products[at] as number);
    readings.push({ merchant, kind: itemAt(kinds, ofKinds[at] as number) });
  }
  return eachOf(ofRows, (number) => itemAt(readings, number));
}

function unpackAlikes(unpacker: Unpacker, texts: readonly string[]): Alike[] {
  const keys = unpacker.column();
  const gateways = unpacker.column();
  return eachOf(keys, (key, at) => {
    const gateway = gateways[at] as number;
    return alikeOf(itemAt(texts, key), gateway === 0 ? null : itemAt(texts, gateway - 1));
  });
}

function unpackBehind(
  unpacker: Unpacker,
  texts: readonly string[],
  alikes: readonly Alike[],
  finding: Finding | null,
): void {
  const before = unpacker.column();
  const openings = unpacker.column();
  const ofTexts = unpacker.column();
  const products = unpacker.column();
  const areOfAll = unpacker.column();
  const behind = unpackAlikes(unpacker, texts);
  for (let at = 0; at < before.length; at++) {
    const alike = itemAt(alikes, before[at] as number);
    const opening = itemAt(texts, openings[at] as number);
    const text = ofTexts[at] as number;
    const merchant =
      text === 0 ? knownMerchant("", alike) : knownMerchant(itemAt(texts, text - 1), itemAt(behind, at), opening);
    if (text > 0) finding?.found(areOfAll[at] === 1 ? merchant.alike : merchant, products[at] as number);
    alike.behind = { opening, merchant };
  }
}

/** What is found by a payee's name is the same of all of its lines: it is worked out once for them. */
class Finding {
  readonly #country: string;
  readonly #texts: readonly string[];
  readonly #known = new Map<string, { gateway: string | null; product: number; found: FoundMerchant }>();

  constructor(country: string, texts: readonly string[]) {
    this.#country = country;
    this.#texts = texts;
  }

  /** Tells what was found before, where it was asked for. */
  found(holder: Merchant | Alike, product: number): void {
    if (product === notAsked) return;
    const { key, gateway } = holder;
    const known = this.#known.get(key);
    if (known !== undefined && known.gateway === gateway && known.product === product) holder.found = known.found;
    else {
      const one = product === noProduct ? null : productById(itemAt(this.#texts, product - firstProduct));
      this.#known.set(key, { gateway, product, found: foundBefore(holder, this.#country, one) });
    }
  }
}
