/**
 * Signs of risk beyond the interface's two: each is always told, with its rows or with what was looked for, and in words
 * that leave room for what these accounts cannot show. Pure.
 */
import type { AdditionalRiskIndicator, AdditionalRiskType, CreditView, Evidence, Item } from "../../budget.ts";
import { languages } from "../../../texts/languages.ts";
import type { Language } from "../../../texts/languages.ts";
import { isEmpty } from "./evidence.ts";
import { amountText, budgetTexts, counted, fill, listOf } from "../wording.ts";

export type AdditionalRiskContext = {
  language: Language;
  currency: string;
  items: readonly Item[];
  credit: CreditView;
};

/** From this part of the income on. */
const gamblingShare = 0.05;
const serviceShare = 0.4;
/** A habit, not one purchase. */
const payLaterPaymentsMin = 3;
const daysBelowZeroMin = 5;

export function additionalRisksOf(context: AdditionalRiskContext): AdditionalRiskIndicator[] {
  return [
    arrears(context),
    newCredit(context),
    payLater(context),
    gambling(context),
    accountEvents(context, "OVERDRAFT", [context.credit.overdraft]),
    accountEvents(context, "REJECTED_PAYMENTS", [context.credit.rejected, context.credit.returned]),
    debtService(context),
    negativeBalance(context),
  ];
}

function indicator(
  type: AdditionalRiskType,
  isMarked: boolean,
  { language }: AdditionalRiskContext,
  values: Parameters<typeof fill>[1],
  evidence: AdditionalRiskIndicator["evidence"] = [],
): AdditionalRiskIndicator {
  const texts = budgetTexts[language].additionalRisks[type];
  return {
    type,
    isMarked,
    title: texts.title,
    description: fill(isMarked ? texts.marked : texts.unmarked, values),
    evidence: isMarked ? evidence : [],
  };
}

/** Of signs that are told with their count: what was looked for, where there is nothing to count. */
function nothingFound(type: "PAY_LATER" | "GAMBLING", { language }: AdditionalRiskContext): AdditionalRiskIndicator {
  const { title, none } = budgetTexts[language].additionalRisks[type];
  return { type, isMarked: false, title, description: none, evidence: [] };
}

function arrears(context: AdditionalRiskContext): AdditionalRiskIndicator {
  const { items, language } = context;
  const owed = items.filter(({ overdue }) => overdue?.isArrears === true);
  const texts = budgetTexts[language];
  const day = dayIn(language);
  const payees = owed.map(({ title, overdue }) => `${title} (${day(overdue?.since ?? "")})`);
  const evidence = owed.flatMap(({ transactions }) => transactions.slice(-1));
  return indicator("ARREARS", owed.length > 0, context, { payees: listOf(payees, texts) }, evidence);
}

/** Never broken over two lines. */
function dayIn(language: Language): (day: string) => string {
  const format = new Intl.DateTimeFormat(languages[language].locale, { dateStyle: "medium", timeZone: "UTC" });
  return (day) => (day === "" ? "" : format.format(new Date(`${day}T00:00:00Z`)).replaceAll(" ", "\u00a0"));
}

function newCredit(context: AdditionalRiskContext): AdditionalRiskIndicator {
  const { credit, currency, language } = context;
  const begun = credit.loans.filter(({ isNew }) => isNew);
  const { payouts } = credit;
  const values = {
    payouts: counted(language, payouts.count + payouts.sinceCount),
    amount: amountText(payouts.minor + payouts.sinceMinor, currency, language),
    loans: counted(language, begun.length),
  };
  const rows = [...payouts.transactions, ...begun.flatMap(({ paid }) => paid.transactions.slice(0, 1))];
  return indicator("NEW_CREDIT", !isEmpty(payouts) || begun.length > 0, context, values, rows);
}

function payLater(context: AdditionalRiskContext): AdditionalRiskIndicator {
  const { payLater: paid } = context.credit;
  if (isEmpty(paid)) return nothingFound("PAY_LATER", context);
  return indicator(
    "PAY_LATER",
    paid.count + paid.sinceCount >= payLaterPaymentsMin,
    context,
    countedOf(context, [paid]),
    paid.transactions,
  );
}

function gambling(context: AdditionalRiskContext): AdditionalRiskIndicator {
  const { language, currency, credit } = context;
  const { stakes, winnings, netMinor, shareOfIncome } = credit.gambling;
  if (isEmpty(stakes) && isEmpty(winnings)) return nothingFound("GAMBLING", context);
  const values = {
    stakes: amountText(stakes.minor, currency, language),
    winnings: amountText(winnings.minor, currency, language),
    net: amountText(netMinor, currency, language),
  };
  const isMarked = netMinor > 0 && (shareOfIncome === null || shareOfIncome >= gamblingShare);
  return indicator("GAMBLING", isMarked, context, values, [...stakes.transactions, ...winnings.transactions]);
}

function accountEvents(
  context: AdditionalRiskContext,
  type: "OVERDRAFT" | "REJECTED_PAYMENTS",
  events: readonly Evidence[],
): AdditionalRiskIndicator {
  const isMarked = events.some((one) => !isEmpty(one));
  return indicator(
    type,
    isMarked,
    context,
    countedOf(context, events),
    events.flatMap(({ transactions }) => transactions),
  );
}

/** The running month included: the rows say which they are. */
function countedOf({ language, currency }: AdditionalRiskContext, events: readonly Evidence[]) {
  const count = events.reduce((total, one) => total + one.count + one.sinceCount, 0);
  const minor = events.reduce((total, one) => total + one.minor + one.sinceMinor, 0);
  return { count: counted(language, count), amount: amountText(minor, currency, language) };
}

function debtService(context: AdditionalRiskContext): AdditionalRiskIndicator {
  const { language, currency, credit } = context;
  const percent = new Intl.NumberFormat(languages[language].locale, { style: "percent", maximumFractionDigits: 0 });
  const values = {
    amount: amountText(credit.serviceMinor, currency, language),
    share: credit.serviceRatio === null ? "" : percent.format(credit.serviceRatio),
  };
  if (credit.serviceRatio === null) {
    const { title, unknown } = budgetTexts[language].additionalRisks.DEBT_SERVICE;
    return { type: "DEBT_SERVICE", isMarked: false, title, description: fill(unknown, values), evidence: [] };
  }
  return indicator("DEBT_SERVICE", credit.serviceRatio > serviceShare, context, values);
}

function negativeBalance(context: AdditionalRiskContext): AdditionalRiskIndicator {
  const { language, currency, credit } = context;
  const { title, unknown } = budgetTexts[language].additionalRisks.NEGATIVE_BALANCE;
  if (credit.balances.length === 0)
    return { type: "NEGATIVE_BALANCE", isMarked: false, title, description: unknown, evidence: [] };
  const days = Math.max(...credit.balances.map(({ daysBelowZero }) => daysBelowZero));
  const lowest = Math.min(...credit.balances.map(({ lowestMinor }) => lowestMinor));
  const values = { days: counted(language, days), lowest: amountText(lowest, currency, language) };
  return indicator("NEGATIVE_BALANCE", days >= daysBelowZeroMin, context, values);
}
