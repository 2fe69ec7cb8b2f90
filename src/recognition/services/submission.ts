/**
 * "This transaction is a subscription": what becomes of a user's word. It confirms the service to which the payment
 * belongs, makes one where none was found, or is answered with what speaks against it. Pure.
 * Source: interface document, "Crowdsourcing and alerts"; services.md, "Alerts".
 */
import { chronologically, prepare } from "../../payments/history.ts";
import type { HistoryTransaction, Payment } from "../../payments/payment.ts";
import type { PaymentFrequency } from "../../interface/payment-frequency.ts";
import { merchantCategory } from "../../payments/catalogue.ts";
import { isSamePrice } from "../search/chain.ts";
import { expectNext, likeliestFrequency, withFrequency } from "./expectation.ts";
import { merchantOf } from "../../payments/merchant.ts";
import { groupByPayee, type Payee } from "../../payments/payee.ts";
import { fromSporadic, type RecognisedService } from "./recognised.ts";
import { confidenceOfFirst } from "../search/sporadic.ts";
import type { RecognitionContext } from "../recognise.ts";
import { itemAt } from "../../present.ts";

export type Outcome = "SUCCESS" | "NOT_SUBSCRIPTION" | "TECHNICAL_LIMITATION";

/** A submission as stored. outcome null: not judged yet; once given it stays. */
export type Submission = {
  id: string;
  txid: string;
  paymentFrequency: PaymentFrequency | null;
  outcome: Outcome | null;
  submittedAt: Date;
  seen: boolean;
};

export type Verdict = {
  submission: Submission;
  outcome: Outcome;
  /** Judged just now: the user's word is new, and wins over what was decided before. */
  isNew: boolean;
  /** The payee's key, for the operator's list; null where it may name a person, or there is none. */
  payeeKey: string | null;
};

export type AppliedSubmissions = { services: RecognisedService[]; verdicts: Verdict[] };

/**
 * Applies every submission, oldest first, over what was found: a later one may belong to a service that an earlier one
 * made.
 */
export function applySubmissions(
  submissions: readonly Submission[],
  found: readonly RecognisedService[],
  history: readonly HistoryTransaction[],
  context: RecognitionContext,
): AppliedSubmissions {
  const applied: AppliedSubmissions = { services: [...found], verdicts: [] };
  if (submissions.length === 0) return applied;
  const payees = groupByPayee(prepare(history, context.asOf), context.country);
  const rows = new Map(history.map((row) => [row.txid, row]));
  for (const submission of submissions)
    applySubmission(submission, rows.get(submission.txid), payees, applied, context);
  return applied;
}

function applySubmission(
  submission: Submission,
  row: HistoryTransaction | undefined,
  payees: readonly Payee[],
  applied: AppliedSubmissions,
  context: RecognitionContext,
): void {
  const { txid } = submission;
  const known = applied.services.findIndex(({ payments }) => payments.some((payment) => payment.txid === txid));
  const named = known < 0 ? namedPayment(txid, payees) : null;
  const { outcome, payeeKey } =
    known < 0
      ? judge(row, named, applied.services)
      : { outcome: "SUCCESS" as const, payeeKey: itemAt(applied.services, known).evidence.payeeKey };
  applied.verdicts.push({
    submission,
    outcome: submission.outcome ?? outcome,
    isNew: submission.outcome === null,
    payeeKey,
  });
  if ((submission.outcome ?? outcome) !== "SUCCESS") return;
  if (known >= 0) applied.services[known] = told(itemAt(applied.services, known), submission.paymentFrequency, context);
  else if (named !== null)
    applied.services.push(newService(named, submission.paymentFrequency, applied.services, context));
}

/** Dates that show a cadence say it better than anyone; elsewhere the user's word holds. */
function told(
  service: RecognisedService,
  frequency: PaymentFrequency | null,
  context: RecognitionContext,
): RecognisedService {
  const isShown = service.visibility === "VISIBLE" && service.paymentFrequency !== "UNKNOWN";
  return frequency === null || isShown ? service : withFrequency(service, frequency, context);
}

type NamedPayment = { payment: Payment; payee: Payee };

/** Null: an amount of zero, cash, or no such row: nothing that is grouped by payee. */
function namedPayment(txid: string, payees: readonly Payee[]): NamedPayment | null {
  for (const payee of payees) {
    const payment = payee.payments.find(({ transaction }) => transaction.txid === txid);
    if (payment !== undefined) return { payment, payee };
  }
  return null;
}

/** So many other purchases at the payee, in no service and at other prices, and it is a shop that is gone to. */
const otherPurchasesMax = 4;

function judge(
  row: HistoryTransaction | undefined,
  named: NamedPayment | null,
  services: readonly RecognisedService[],
): Pick<Verdict, "outcome" | "payeeKey"> {
  if (row === undefined) return { outcome: "TECHNICAL_LIMITATION", payeeKey: null };
  if (row.amountMinor > 0 || mayBePerson(row)) return { outcome: "NOT_SUBSCRIPTION", payeeKey: null };
  if (named === null)
    return { outcome: row.amountMinor === 0 ? "TECHNICAL_LIMITATION" : "NOT_SUBSCRIPTION", payeeKey: null };
  const payeeKey = named.payee.key;
  if (row.mcc !== null && merchantCategory(row.mcc)?.recurring === "NEVER")
    return { outcome: "NOT_SUBSCRIPTION", payeeKey };
  const merchant = merchantOf(row.merchantName, row.description);
  if (!/[A-Z]/.test(merchant.key)) return { outcome: "TECHNICAL_LIMITATION", payeeKey: null };
  if (merchant.key === merchant.gateway) return { outcome: "TECHNICAL_LIMITATION", payeeKey };
  return { outcome: isShopGoneTo(named, services) ? "NOT_SUBSCRIPTION" : "SUCCESS", payeeKey };
}

/** Wallets through which people pay each other; businesses in them carry a merchant category. */
const wallets: ReadonlySet<string> = new Set(["MOBILEPAY", "SWISH", "VIPPS"]);

/** A transfer without a merchant, or a wallet's payment without a category. */
function mayBePerson({ rawType, merchantName, description, mcc }: HistoryTransaction): boolean {
  if (mcc !== null) return false;
  const isTransfer = /TRANSFER/i.test(rawType) && merchantName === null;
  return isTransfer || wallets.has(merchantOf(merchantName, description).gateway ?? "");
}

/** What is sold by subscription alone is subscribed to, however often it is paid. */
function isShopGoneTo({ payment, payee }: NamedPayment, services: readonly RecognisedService[]): boolean {
  if (payee.product !== null && !payee.product.isGateway && !payee.product.isUnknownStoreSubscription) return false;
  const taken = txidsOf(services);
  const others = payee.payments.filter((other) => !isSamePrice(other, payment) && !taken.has(other.transaction.txid));
  return others.length > otherPurchasesMax;
}

/** The named payment with the payee's others at its price that belong to no service. */
function newService(
  { payment, payee }: NamedPayment,
  given: PaymentFrequency | null,
  services: readonly RecognisedService[],
  context: RecognitionContext,
): RecognisedService {
  const taken = txidsOf(services);
  const payments = payee.payments
    .filter((other) => isSamePrice(other, payment) && !taken.has(other.transaction.txid))
    .sort(chronologically);
  const days = payments.map(({ transaction }) => transaction.day);
  const usual = payee.product?.isGateway ? undefined : payee.product?.frequencies[0];
  const { frequency, prediction, rule } = expectNext(days, given ?? usual ?? likeliestFrequency(days), context);
  const made = fromSporadic({ payee, payments, frequency, prediction, confidence: confidenceOfFirst });
  return { ...made, evidence: { ...made.evidence, ...rule } };
}

function txidsOf(services: readonly RecognisedService[]): ReadonlySet<string> {
  return new Set(services.flatMap(({ payments }) => payments.map(({ txid }) => txid)));
}
