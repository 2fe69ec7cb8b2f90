/**
 * Services that recognition alone would remove, such as two payments that ended, but that somebody decided about: the
 * user confirmed them, or their cancellation is written down. They stay, and end when nothing comes any more. Pure.
 */
import { isSamePrice } from "../search/chain.ts";
import { expectNext, likeliestFrequency } from "./expectation.ts";
import { chronologically, prepare } from "../../payments/history.ts";
import type { HistoryTransaction, Payment } from "../../payments/payment.ts";
import { groupByPayee, type Payee } from "../../payments/payee.ts";
import { fromSporadic, type RecognisedService } from "./recognised.ts";
import { confidenceOfFirst } from "../search/sporadic.ts";
import type { RecognitionContext } from "../recognise.ts";
import type { StoredService } from "../remembered.ts";

/** A decision to hide needs no service to hold; it waits until the service is found again. */
function isDecided({ hidden, cancellation }: StoredService): boolean {
  return hidden === false || cancellation !== null;
}

/** @returns the decided ones of which `services` have no payment, made of the payments that are still there. */
export function keepDecided(
  stored: readonly StoredService[],
  services: readonly RecognisedService[],
  history: readonly HistoryTransaction[],
  context: RecognitionContext,
): RecognisedService[] {
  const decided = stored.filter(isDecided);
  // Of nearly all users nobody decided anything.
  if (decided.length === 0) return [];
  const taken = new Set(services.flatMap(({ payments }) => payments.map(({ txid }) => txid)));
  const lost = decided.filter(({ txids }) => !txids.some((txid) => taken.has(txid)));
  if (lost.length === 0) return [];
  const payees = groupByPayee(prepare(history, context.asOf), context.country);
  return lost.flatMap((service) => {
    const kept = keep(service, payees, taken, context);
    kept?.payments.forEach(({ txid }) => taken.add(txid));
    return kept ?? [];
  });
}

/** With what was paid to its latest payee at its latest price since. Null: none of its payments is there any more. */
function keep(
  { txids, paymentFrequency }: StoredService,
  payees: readonly Payee[],
  taken: ReadonlySet<string>,
  context: RecognitionContext,
): RecognisedService | null {
  const own = new Set(txids);
  const isOwn = ({ transaction }: Payment): boolean => own.has(transaction.txid);
  const latest = payees
    .flatMap(({ payments }) => payments.filter(isOwn))
    .sort(chronologically)
    .at(-1);
  const payee = payees.find(({ payments }) => latest !== undefined && payments.includes(latest));
  if (latest === undefined || payee === undefined) return null;
  const later = payee.payments.filter(
    (payment) => payment.at > latest.at && isSamePrice(payment, latest) && !taken.has(payment.transaction.txid),
  );
  const payments = [
    ...payees.flatMap((one) => one.payments.filter(isOwn)),
    ...later.filter((payment) => !isOwn(payment)),
  ].sort(chronologically);
  const days = payments.map(({ transaction }) => transaction.day);
  const { frequency, prediction, rule } = expectNext(days, paymentFrequency ?? likeliestFrequency(days), context);
  const service = fromSporadic({ payee, payments, frequency, prediction, confidence: confidenceOfFirst });
  return { ...service, evidence: { ...service.evidence, ...rule } };
}
