/**
 * Why a payment was recognised, in one short paragraph of English for operators. Made from the evidence that decided,
 * and from nothing else.
 */
import { formatAmount } from "../../money.ts";
import type { PaymentFrequency } from "../../interface/payment-frequency.ts";
import type { PriorReason } from "../search/prior.ts";
import type { Evidence, RecognisedService } from "../recognise.ts";
import type { PostingHabit } from "../search/schedule.ts";
import { firstOf, lastOf } from "../../present.ts";

const everyWords: Readonly<Record<PaymentFrequency, string>> = {
  DAILY: "every day",
  WEEKLY: "every week",
  BIWEEKLY: "every two weeks",
  MONTHLY: "every month",
  BIMONTHLY: "every two months",
  QUARTERLY: "every quarter",
  HALFYEARLY: "every half year",
  YEARLY: "every year",
  UNKNOWN: "at no fixed interval",
};
const moved: Readonly<Record<PostingHabit, string>> = {
  AS_DUE: "closed days do not move it",
  NEXT_WEEKDAY: "from a weekend it moves to the next weekday",
  NEXT_BANKING_DAY: "from a closed day it moves to the next banking day",
  PREVIOUS_WEEKDAY: "from a weekend it moves to the weekday before",
  PREVIOUS_BANKING_DAY: "from a closed day it moves to the banking day before",
};
const knownBeforehand: Readonly<Record<Exclude<PriorReason["reason"], "BASE">, string>> = {
  AGREEMENT: "a contract's number in the lines",
  COUNTER: "a year in the lines that is counted on",
  DUES: "a word in the lines for what is owed again and again",
  CATALOGUE: "the product is in the catalogue",
  GATEWAY: "it is paid through a gateway",
  MERCHANT_CATEGORY: "the merchant's category",
  PAYMENT_KIND: "the kind of payment",
  WALLET: "a wallet through which people pay each other",
};

export function explain(service: RecognisedService): string {
  return [
    which(service),
    when(service),
    price(service),
    tolerated(service.evidence),
    known(service.evidence),
    verdict(service),
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

function which({ title, payments, paymentFrequency, evidence }: RecognisedService): string {
  const first = firstOf(payments).day;
  const span =
    payments.length === 1
      ? `one payment on ${first}`
      : `${payments.length} payments from ${first} to ${lastOf(payments).day}`;
  const before = evidence.aliases.length === 0 ? "" : `, earlier under the name ${evidence.aliases.join(", ")}`;
  const every = evidence.periodDays === null ? everyWords[paymentFrequency] : `every ${evidence.periodDays} days`;
  return `${title}: ${span}, ${every}${before}.`;
}

function when({ evidence, nextExpectedDay, status }: RecognisedService): string {
  const due = evidence.dueDayOfMonth === null ? "" : `Due on ${dayOfMonth(evidence.dueDayOfMonth)}; `;
  const habit = evidence.habit === null ? "" : `${moved[evidence.habit]}; `;
  const next =
    status === "ACTIVE" ? `next expected on ${nextExpectedDay}` : `last expected on ${nextExpectedDay}, nothing came`;
  return capitalised(`${due}${habit}${next}.`);
}

function dayOfMonth(day: number): string {
  return day >= 31 ? "the month's last day" : `day ${day} of the month`;
}

function price({ evidence, expectedAmountMinor, currency }: RecognisedService): string {
  const amount = `${formatAmount({ minor: expectedAmountMinor, currency })} ${currency}`;
  return evidence.isFixedPrice
    ? `The price is fixed, at present ${amount}.`
    : `The amount follows use, about ${amount}.`;
}

/** Mean distance from the due date that is worth mentioning. */
const spreadDaysNotedMin = 0.5;

function tolerated({ misses, spreadDays }: Evidence): string {
  const notes = [
    ...(misses === 0
      ? []
      : [misses === 1 ? "one due date without a payment" : `${misses} due dates without a payment`]),
    ...(spreadDays === null || spreadDays < spreadDaysNotedMin
      ? []
      : [`${spreadDays.toFixed(1)} days' mean distance from the due date`]),
  ];
  return notes.length === 0 ? "" : `Tolerated: ${notes.join(", ")}.`;
}

function known({ prior }: Evidence): string {
  const named = prior.flatMap(({ reason, logOdds }) =>
    reason === "BASE" || logOdds === 0 ? [] : [{ text: knownBeforehand[reason], logOdds }],
  );
  const said = [
    ...sentence(
      "In favour",
      named.filter(({ logOdds }) => logOdds > 0),
    ),
    ...sentence(
      "Against",
      named.filter(({ logOdds }) => logOdds < 0),
    ),
  ];
  return said.join(" ");
}

function sentence(label: string, reasons: readonly { text: string }[]): string[] {
  return reasons.length === 0 ? [] : [`${label}: ${reasons.map(({ text }) => text).join(", ")}.`];
}

function verdict({ confidence, visibility }: RecognisedService): string {
  const percent = Math.min(99, Math.round(confidence * 100));
  return visibility === "VISIBLE" ? `Confidence ${percent} %.` : `Confidence ${percent} %, so the user is asked.`;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
