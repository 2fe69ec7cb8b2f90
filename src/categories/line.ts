/** One transaction as the rules see it: who was paid, how, and which countries' words apply. */
import { dayNumber } from "../time/calendar.ts";
import { type Product, findProduct, productById } from "../payments/catalogue.ts";
import { kindOf } from "../payments/history.ts";
import type { PaymentKind } from "../payments/payment.ts";
import { type Merchant, merchantOf } from "../payments/merchant.ts";
import { typeOf } from "../payments/transaction-type.ts";
import type { BudgetTransaction, RecognisedSeries } from "./budget-history.ts";
import { hasMark } from "./keywords.ts";

export type Line = {
  row: BudgetTransaction;
  merchant: Merchant;
  payeeKey: string;
  kind: PaymentKind;
  /** Days since 1970-01-01. */
  at: number;
  text: string;
  /** The user's, then the merchant's where it is another one. */
  countries: readonly string[];
  series: RecognisedSeries | null;
  product: Product | null;
  /** Sent over an application for payments between people, or a transfer that names nobody but a person. */
  isBetweenPeople: boolean;
};

const betweenPeople =
  /\b(?:MOBILE ?PAY|VIPPS|SWISH|TIKKIE|BLIK NA TELEFON|NA TELEFON|PAYM|WERO|SIIRTO|KWITT|PRZELEW NA TELEFON)\b/i;
const company =
  /(?:^|[^\p{L}])(?:A\/S|APS|I\/S|K\/S|AB|HB|KB|AS|ASA|OY|OYJ|RY|TMI|LTD|LIMITED|PLC|LLP|INC|GMBH|AG|KG|UG|EV|E\.V|BV|B\.V|NV|VOF|SP\.? ?Z ?O\.?O|SPOLKA|SA|S\.R\.O|A\.S|SE|ETS|DAC)(?=$|[^\p{L}])/iu;
/** Two to four words of letters, and nothing else. */
const person = /^\p{Lu}[\p{L}'’.-]*(?: \p{L}[\p{L}'’.-]*){1,3}$/u;
const transferWords =
  /^(?:OVERF[ØO]RSEL|OVF\.?|TIL|FRA|[ÖØO]VERF[ÖØO]RING|OVERF[ØO]RING|TILISIIRTO|TRANSFER|PAYMENT|BETALING|[ÜU]BERWEISUNG|DAUERAUFTRAG|PRZELEW|P[ŘR]EVOD|OVERBOEKING|TO|FROM)(?: (?:TIL|TILL|FRA|FR[ÅA]N|TO|FROM|AN|NAAR|VAN))? /i;

export function lineOf(row: BudgetTransaction, country: string, series: RecognisedSeries | null): Line {
  const merchant = merchantOf(row.merchantName, row.description);
  const found = findProduct(merchant, country);
  const kind = kindOf(row.rawType);
  const text =
    row.merchantName === null || row.merchantName === row.description
      ? row.description
      : `${row.description} ${row.merchantName}`;
  const recognised = series?.productId == null ? null : productById(series.productId);
  const isBetweenPeople =
    kind === "TRANSFER" && row.mcc === null && (betweenPeople.test(row.description) || isPerson(row));
  return {
    row,
    merchant,
    kind,
    text,
    series,
    isBetweenPeople,
    payeeKey: keyOf(merchant, isBetweenPeople ? null : found, kind),
    at: dayNumber(row.day),
    countries:
      row.merchantCountry === null || row.merchantCountry === country ? [country] : [country, row.merchantCountry],
    product: recognised ?? found,
  };
}

/**
 * The catalogue's product, else the cleaned name of the payee, else how the money moved. A refund's own word is no
 * name.
 */
function keyOf(merchant: Merchant, product: Product | null, kind: PaymentKind): string {
  if (product !== null && !product.isGateway && !product.isUnknownStoreSubscription) return product.id;
  if (merchant.key === "") return kind;
  const [first = "", ...rest] = merchant.key.split(" ");
  return rest.length > 0 && hasMark(first, "refund") ? rest.join(" ") : merchant.key;
}

function isPerson({ rawType, description, merchantName }: BudgetTransaction): boolean {
  if (typeOf(rawType) !== "ACCOUNT_TRANSFER" || merchantName !== null) return false;
  const name = description.trim().replace(transferWords, "");
  return person.test(name) && !company.test(name);
}
