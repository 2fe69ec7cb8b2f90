/**
 * What the texts of rows were read as, beside the rows: taking the lines of a history apart costs about as much as
 * everything that is found in it, and gives the same each night. As all of a past it is of one version of the algorithm;
 * products were looked for among those of one version of their edits, and are looked for again where that is another one.
 */
import { catalogueVersion, foundBefore, productById, productIfAsked } from "../../payments/catalogue.ts";
import { type ReadRow, readingOf } from "../../payments/history.ts";
import { type FoundMerchant, knownMerchant } from "../../payments/merchant.ts";
import type { PaymentKind, Reading } from "../../payments/payment.ts";
import { itemAt } from "../../present.ts";
import type { Numbered } from "./numbered.ts";
import type { Packer, Unpacker } from "./packing.ts";

const kinds: readonly PaymentKind[] = ["CARD", "DIRECT_DEBIT", "TRANSFER", "FEE", "INTEREST", "CASH", "OTHER"];

/** Of a product: nobody asked, there is none; else 2 more than the number of its id. */
const notAsked = 0;
const noProduct = 1;
const firstProduct = 2;

/** Numbers of texts, that of the gateway 1 higher and 0 for none. */
type Packed = { text: number; key: number; gateway: number; product: number; kind: number };

/** @param rows none: nothing is kept. Texts get numbers here; those of rows have theirs. @param country where products were looked for */
export function packReadings(packer: Packer, rows: readonly ReadRow[], texts: Numbered, country: string): void {
  const numbers = new Map<string, Map<PaymentKind, number>>();
  const packed: Packed[] = [];
  const ofRows = rows.map((row) => {
    const reading = readingOf(row);
    const { text } = reading.merchant;
    let ofText = numbers.get(text);
    if (ofText === undefined) numbers.set(text, (ofText = new Map()));
    let number = ofText.get(reading.kind);
    if (number === undefined) {
      ofText.set(reading.kind, (number = packed.length));
      packed.push(packedReading(reading, texts, country));
    }
    return number;
  });
  packer.column([catalogueVersion(), texts.numberAgain(country)]);
  packer.column(packed.map(({ text }) => text));
  packer.column(packed.map(({ key }) => key));
  packer.column(packed.map(({ gateway }) => gateway));
  packer.column(packed.map(({ product }) => product));
  packer.column(packed.map(({ kind }) => kind));
  packer.column(ofRows);
}

function packedReading({ merchant, kind }: Reading, texts: Numbered, country: string): Packed {
  const product = productIfAsked(merchant, country);
  return {
    text: texts.numberAgain(merchant.text),
    key: texts.numberOf(merchant.key),
    gateway: merchant.gateway === null ? 0 : texts.numberOf(merchant.gateway) + 1,
    product:
      product === undefined ? notAsked : product === null ? noProduct : texts.numberOf(product.id) + firstProduct,
    kind: kinds.indexOf(kind),
  };
}

/** Lines of one payee differ, and what is found by its name does not: it is worked out once for all of them. */
type Asked = { gateway: number; product: number; found: FoundMerchant };

/** By row; null where none was kept. @throws RangeError when the bytes are no readings */
export function unpackReadings(unpacker: Unpacker, texts: readonly string[]): readonly Reading[] | null {
  const [version, country] = unpacker.column();
  const ofTexts = unpacker.column();
  const keys = unpacker.column();
  const gateways = unpacker.column();
  const products = unpacker.column();
  const ofKinds = unpacker.column();
  const ofRows = unpacker.column();
  if (ofRows.length === 0) return null;
  const place = itemAt(texts, country as number);
  const isCurrent = version === catalogueVersion();
  const readings: Reading[] = [];
  const asked = new Map<number, Asked>();
  for (let at = 0; at < keys.length; at++) {
    const gateway = gateways[at] as number;
    const merchant = knownMerchant({
      text: itemAt(texts, ofTexts[at] as number),
      key: itemAt(texts, keys[at] as number),
      gateway: gateway === 0 ? null : itemAt(texts, gateway - 1),
    });
    const product = products[at] as number;
    if (isCurrent && product !== notAsked) {
      const known = asked.get(keys[at] as number);
      if (known !== undefined && known.gateway === gateway && known.product === product) merchant.found = known.found;
      else {
        const found = product === noProduct ? null : productById(itemAt(texts, product - firstProduct));
        asked.set(keys[at] as number, { gateway, product, found: foundBefore(merchant, place, found) });
      }
    }
    readings.push({ merchant, kind: itemAt(kinds, ofKinds[at] as number) });
  }
  return Array.from(ofRows, (number) => itemAt(readings, number));
}
