/**
 * What the next of kin are told: the recurring payments of one user, by what is to be done about them, and the income
 * that payers may ask back. Pure. Source of the content: the product's definition of the NEXT_OF_KIN report.
 */
import type { Logo } from "../document/blocks.ts";
import { addMonths, type Day } from "../../time/calendar.ts";
import { type Money, parseAmount } from "../../money.ts";
import type { LedgerTransaction } from "../../ledger/history.ts";
import { paymentKind } from "../../payments/history.ts";
import type { PaymentFrequency } from "../../interface/payment-frequency.ts";
import type { Service } from "../../interface/services.ts";
import { maskIban, maskNumber } from "../mask.ts";
import { firstOf } from "../../present.ts";

export type PaymentMethod = "CARD" | "DIRECT_DEBIT" | "INVOICE" | "TRANSFER" | "CASH" | "OTHER";
export type Ending =
  | "POSSIBLE"
  | "EXPLAIN_WHY_NOT"
  | "STORE"
  | "UNDER_CANCELLATION"
  | "CANCELLED"
  | "ENDED"
  | "COMPANY";
export type Mark = "HIDDEN" | "UNDECIDED" | "GATEWAY" | "STORE";

export type Agreement = {
  title: string;
  /** As the bank writes the payee; null where it is the title. */
  company: string | null;
  frequency: PaymentFrequency;
  /** What was last paid: of prices that vary, none that is expected. */
  amount: Money;
  yearly: Money;
  lastDay: Day;
  /** Null when none is expected. */
  nextDay: Day | null;
  method: PaymentMethod;
  /** The card, or else the account, masked; null when the bank told neither. */
  paidFrom: string | null;
  ending: Ending;
  /** Where the store lists the user's subscriptions. */
  storeUrl: string | null;
  marks: readonly Mark[];
};

/** Pensions and benefits of one payer and kind. */
export type RepayableIncome = {
  payer: string;
  /** Leaf of the category tree. */
  categoryId: string;
  /** Null when it came once, or irregularly. */
  frequency: PaymentFrequency | null;
  lastDay: Day;
  lastAmount: Money;
  /** In the twelve months to the day of the data. */
  total: Money;
};

export type Estate = {
  documentId: string;
  customer: string;
  brand: string;
  /** Null: the brand's name stands for it. */
  logo: Logo | null;
  currency: string;
  /** Business day of the figures. */
  asOf: Day;
  /** As asked for; it changes no figure. */
  effectiveDate: Day | null;
  transactions: { count: number; from: Day; to: Day } | null;
  /** Masked, with their names. */
  accounts: readonly string[];
  subscriptions: readonly Agreement[];
  fixed: readonly Agreement[];
  stopped: readonly Agreement[];
  income: readonly RepayableIncome[];
  algorithmVersion: number;
};

export type Holdings = {
  accounts: readonly { id: string; name: string; iban: string }[];
  cards: readonly { id: string; pan4: string; network: string | null }[];
};

/** What of a service the report tells. */
export type ServiceOfEstate = Pick<
  Service,
  | "amount"
  | "currency"
  | "paymentFrequency"
  | "accountId"
  | "cardId"
  | "product"
  | "status"
  | "payments"
  | "yearlyCost"
  | "visibility"
  | "nextExpectedTransactionDate"
  | "store"
  | "cancellationOption"
  | "iban"
>;

/** A year of payments, as "the last twelve months". */
const stoppedMonths = 12;

/**
 * Running agreements by their yearly cost, stopped ones by their last payment.
 * @param owed txids of payments whose category is a fixed cost, a debt or savings: a mortgage is no subscription,
 * whatever its payee is taken for
 */
export function agreementsOf(
  services: readonly ServiceOfEstate[],
  history: readonly LedgerTransaction[],
  owed: ReadonlySet<string>,
  holdings: Holdings,
  asOf: Day,
): Pick<Estate, "subscriptions" | "fixed" | "stopped"> {
  const rows = new Map(history.map((row) => [row.txid, row]));
  const since = addMonths(asOf, -stoppedMonths);
  const described = services.map((service) => {
    const isFixed =
      service.product.type === "OTHER_RECURRING" || owed.has(firstOf(service.payments).sourceTransactionId);
    return { service, isFixed, agreement: agreementOf(service, isFixed, rows, holdings) };
  });
  const running = described.filter(({ service }) => isRunning(service));
  const byCostOf = (listed: typeof running) => listed.map(({ agreement }) => agreement).sort(byCost);
  return {
    subscriptions: byCostOf(running.filter(({ isFixed }) => !isFixed)),
    fixed: byCostOf(running.filter(({ isFixed }) => isFixed)),
    stopped: described
      .filter(({ service, agreement }) => !isRunning(service) && agreement.lastDay > since)
      .map(({ agreement }) => agreement)
      .sort(byLastDay),
  };
}

function isRunning({ status }: ServiceOfEstate): boolean {
  return status === "ACTIVE" || status === "UNDER_CANCELLATION";
}

function agreementOf(
  service: ServiceOfEstate,
  isFixed: boolean,
  rows: ReadonlyMap<string, LedgerTransaction>,
  holdings: Holdings,
): Agreement {
  // Payments come latest first.
  const latest = firstOf(service.payments);
  const row = rows.get(latest.sourceTransactionId);
  const company = row?.merchantName ?? row?.description ?? "";
  return {
    title: service.product.title,
    company: company === "" || company.toLowerCase() === service.product.title.toLowerCase() ? null : company,
    frequency: service.paymentFrequency,
    amount: moneyOf(latest.amount, latest.currency),
    yearly: moneyOf(service.yearlyCost, service.currency),
    lastDay: latest.date,
    nextDay: isRunning(service) && service.paymentFrequency !== "UNKNOWN" ? service.nextExpectedTransactionDate : null,
    method: methodOf(row?.rawType ?? ""),
    paidFrom: paidFrom(service, row, holdings),
    ending: endingOf(service, isFixed),
    storeUrl: service.store?.url ?? null,
    marks: marksOf(service),
  };
}

/** Amounts of the interface are JSON numbers made from minor units, so they go back exactly. */
function moneyOf(value: number, currency: string): Money {
  const money = parseAmount(value, currency);
  if (money === null) throw new RangeError("a service's amount is beyond what minor units can count");
  return money;
}

function methodOf(rawType: string): PaymentMethod {
  if (/INVOICE|BILL/i.test(rawType)) return "INVOICE";
  const kind = paymentKind(rawType);
  return kind === "FEE" || kind === "INTEREST" ? "OTHER" : kind;
}

function paidFrom(service: ServiceOfEstate, row: LedgerTransaction | undefined, holdings: Holdings): string | null {
  const card = holdings.cards.find(({ id }) => id === service.cardId);
  if (card !== undefined && card.pan4 !== "") return maskNumber(card.pan4);
  const iban = service.iban ?? row?.iban ?? null;
  if (iban !== null && iban !== "") return maskIban(iban);
  return service.accountId === null ? null : maskNumber(service.accountId);
}

function endingOf(service: ServiceOfEstate, isFixed: boolean): Ending {
  if (service.status === "INACTIVE") return "ENDED";
  if (service.status !== "ACTIVE") return service.status;
  if (isFixed) return "COMPANY";
  const option = service.cancellationOption ?? "HIDE";
  if (option !== "HIDE") return option;
  // What the user was not offered to cancel: hidden, or not certain.
  return service.store === undefined ? "COMPANY" : "STORE";
}

function marksOf({ visibility, product }: ServiceOfEstate): Mark[] {
  const marks: Mark[] = [];
  if (visibility !== "VISIBLE") marks.push(visibility);
  if (product.isUnknownStoreSubscription) marks.push("STORE");
  else if (product.isGateway) marks.push("GATEWAY");
  return marks;
}

/** "Lønkonto DK•• •••• 6243", "Visa •••• 1234". */
export function describeHoldings({ accounts, cards }: Holdings): string[] {
  const named = (name: string, number: string) => (name === "" ? number : `${name}  ${number}`);
  return [
    ...accounts.map(({ id, name, iban }) => named(name, iban === "" ? maskNumber(id) : maskIban(iban))),
    ...cards.filter(({ pan4 }) => pan4 !== "").map(({ pan4, network }) => named(network ?? "", maskNumber(pan4))),
  ];
}

function byCost(a: Agreement, b: Agreement): number {
  return b.yearly.minor - a.yearly.minor || compare(a.title, b.title);
}

function byLastDay(a: Agreement, b: Agreement): number {
  return compare(b.lastDay, a.lastDay) || compare(a.title, b.title);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
