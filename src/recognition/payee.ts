/**
 * One user's payments grouped by payee. Names that banks truncate, space differently or extend by a city fall together;
 * so do all names of one catalogued product.
 */
import { type Product, findProduct } from "./catalogue.ts";
import { type Payment, type PaymentKind } from "./history.ts";
import { type Merchant, merchantOf } from "./merchant.ts";

export type Payee = {
  /** Stable name of the payee: the product's id, or the shortest cleaned name of the group. */
  key: string;
  title: string;
  product: Product | null;
  gateway: string | null;
  direction: "OUT" | "IN";
  /** By day, then txid. */
  payments: Payment[];
};

/** Cash is spent on anything: its rhythm is the person's, not a payee's. */
const KINDS_WITHOUT_PAYEE: ReadonlySet<PaymentKind> = new Set<PaymentKind>(["CASH"]);
/** A name this long that another one starts with is that name cut off. */
const TRUNCATED_LENGTH_MIN = 8;
/** A whole first word shared is enough when it is long enough to be a name. */
const FIRST_WORD_LENGTH_MIN = 4;

/** Groups in the order of their keys; payments keep their order. */
export function groupByPayee(payments: readonly Payment[], country: string): Payee[] {
  const groups = new Map<string, Payee>();
  for (const payment of payments) {
    if (KINDS_WITHOUT_PAYEE.has(payment.kind)) continue;
    const { transaction } = payment;
    const merchant = merchantOf(transaction.merchantName, transaction.description);
    const product = findProduct(merchant, country);
    const direction = transaction.amountMinor < 0 ? "OUT" : "IN";
    const key = payeeKey(merchant, product, payment);
    const group = groups.get(`${direction} ${key}`);
    if (group) group.payments.push(payment);
    else groups.set(`${direction} ${key}`, newPayee(key, merchant, product, direction, payment));
  }
  return joinVariants([...groups.values()]);
}

/** Behind a gateway the shop is the payee where its name is left; without any text, the kind of payment is all there is. */
function payeeKey(merchant: Merchant, product: Product | null, payment: Payment): string {
  const isShopBehindGateway = product?.isGateway === true && merchant.key !== merchant.gateway;
  if (product !== null && !isShopBehindGateway) return product.id;
  return merchant.key === "" ? payment.kind : merchant.key;
}

function newPayee(
  key: string,
  merchant: Merchant,
  product: Product | null,
  direction: "OUT" | "IN",
  payment: Payment,
): Payee {
  const ownTitle = merchant.title === "" ? payment.transaction.rawType : merchant.title;
  return {
    key,
    title: product === null || product.isGateway ? ownTitle : product.title,
    product,
    gateway: merchant.gateway,
    direction,
    payments: [payment],
  };
}

/** Joins payees whose names are one name written differently. Sorting without spaces puts such names side by side. */
function joinVariants(payees: readonly Payee[]): Payee[] {
  const sorted = payees
    .map((payee) => ({ payee, compact: payee.direction + payee.key.replaceAll(" ", "") }))
    .sort((a, b) => (a.compact < b.compact ? -1 : a.compact > b.compact ? 1 : a.payee.key < b.payee.key ? -1 : 1));
  const joined: Payee[] = [];
  let head: { payee: Payee; compact: string } | undefined;
  for (const candidate of sorted) {
    if (head && isVariant(head.payee, head.compact, candidate.payee, candidate.compact)) absorb(head.payee, candidate.payee);
    else joined.push((head = { payee: { ...candidate.payee }, compact: candidate.compact }).payee);
  }
  return joined;
}

function isVariant(head: Payee, headCompact: string, other: Payee, otherCompact: string): boolean {
  if (head.direction !== other.direction || head.product !== other.product || isCatalogued(head)) return false;
  if (!otherCompact.startsWith(headCompact)) return false;
  if (headCompact.length === otherCompact.length) return true;
  const headLength = headCompact.length - head.direction.length;
  const isWholeWords = other.key.startsWith(`${head.key} `);
  return headLength >= TRUNCATED_LENGTH_MIN || (isWholeWords && headLength >= FIRST_WORD_LENGTH_MIN);
}

function isCatalogued(payee: Payee): boolean {
  return payee.product !== null && !payee.product.isGateway;
}

function absorb(head: Payee, other: Payee): void {
  head.payments = mergeByDay(head.payments, other.payments);
  head.gateway ??= other.gateway;
}

function mergeByDay(a: readonly Payment[], b: readonly Payment[]): Payment[] {
  return [...a, ...b].sort((one, two) => one.at - two.at || (one.transaction.txid < two.transaction.txid ? -1 : 1));
}
