/** From a request that answers a question to the answer that is kept. Pure; says every place that is wrong. */
import { parseAmount } from "../money.ts";
import type { PaymentFrequency } from "../interface/payment-frequency.ts";
import type { Item, Question } from "./budget.ts";
import { findCategory, isLeaf } from "../categories/tree.ts";
import type { BudgetSnapshot, Part, PartTransaction } from "./engine/snapshot.ts";
import type { Answer, AnswerAbout, AnsweredCategory } from "./events.ts";
import { payeeSubject, subjectOf } from "./fold/categorised-parts.ts";
import { sum } from "./window.ts";
import type { BudgetActionRequest } from "../interface/budgets.ts";
import { lastOf } from "../present.ts";

export type Problem = { pointer: string; message: string };
export type Resolved = { answer: Answer } | { problems: Problem[] };

export function resolveAnswer(request: BudgetActionRequest, question: Question, snapshot: BudgetSnapshot): Resolved {
  const problems = [...categoryProblems(request, question), ...amountProblems(request)];
  const target = targetOf(request, question, snapshot, problems);
  if (problems.length > 0 || target === null) return { problems };
  const answer = answerOf(request, question, target, snapshot.currency);
  const mismatch = splitProblem(answer, target, question);
  return mismatch === null ? { answer } : { problems: [mismatch] };
}

function categoryProblems({ categories }: BudgetActionRequest, question: Question): Problem[] {
  const kind = question.category === null ? "EXPENSE" : findCategory(question.category)?.kind;
  return categories.flatMap(({ id }, at): Problem[] => {
    const pointer = `/categories/${at}/id`;
    const category = findCategory(id);
    if (category === null) return [{ pointer, message: "is no category" }];
    if (!isLeaf(id)) return [{ pointer, message: "is a group; name one of its categories" }];
    if (category.kind !== kind) return [{ pointer, message: kind === "EXPENSE" ? "is no expense" : "is no income" }];
    return categories.findIndex((other) => other.id === id) < at ? [{ pointer, message: "is named twice" }] : [];
  });
}

/** Of several categories all have an amount, or none. */
function amountProblems({ categories }: BudgetActionRequest): Problem[] {
  const without = categories.flatMap(({ amount }, at) => (amount == null ? [at] : []));
  const isMixed = categories.length > 1 && without.length > 0 && without.length < categories.length;
  return isMixed
    ? without.map((at) => ({
        pointer: `/categories/${at}/amount`,
        message: "is required, because other categories have one",
      }))
    : [];
}

/**
 * What is answered about: null where the user types an amount for something unseen, "unknown" was told as a problem.
 */
type Target = { part: Part; transaction: PartTransaction | null } | "typed";

function targetOf(
  request: BudgetActionRequest,
  question: Question,
  snapshot: BudgetSnapshot,
  problems: Problem[],
): Target | null {
  switch (request.type) {
    case "USER_PROVIDED":
      problems.push(...typedProblems(request));
      return ownTarget(question, snapshot) ?? "typed";
    case "SERVICE":
      return checked(
        serviceTarget(request, snapshot),
        question,
        problems,
        "/serviceId",
        "names no running service of the budget",
      );
    case "TRANSACTION":
      if (!isKnown(frequencyOf(request)))
        problems.push({ pointer: "/paymentFrequency", message: "is required for a transaction, and not UNKNOWN" });
      return checked(
        transactionTarget(request, snapshot),
        question,
        problems,
        "/transactionId",
        "names no transaction of the budget",
      );
    case "RAW":
      return checked(
        transactionTarget(request, snapshot),
        question,
        problems,
        "/transactionId",
        "names no transaction of the budget",
      );
    default: {
      const target =
        request.transactionId == null ? ownTarget(question, snapshot) : transactionTarget(request, snapshot);
      return checked(target, question, problems, "/transactionId", "names no transaction of the budget");
    }
  }
}

function typedProblems(request: BudgetActionRequest): Problem[] {
  const hasAmount = request.amount != null || request.categories.every(({ amount }) => amount != null);
  return [
    ...(hasAmount ? [] : [{ pointer: "/amount", message: "is required" }]),
    ...(isKnown(frequencyOf(request))
      ? []
      : [{ pointer: "/paymentFrequency", message: "is required, and not UNKNOWN" }]),
  ];
}

/** The request's, else the first category's. */
function frequencyOf({ paymentFrequency, categories }: BudgetActionRequest): PaymentFrequency | null {
  return paymentFrequency ?? categories.find((category) => category.paymentFrequency != null)?.paymentFrequency ?? null;
}

function isKnown(frequency: PaymentFrequency | null): boolean {
  return frequency !== null && frequency !== "UNKNOWN";
}

/** What a question about a payee is about. */
function ownTarget({ item }: Question, { parts }: BudgetSnapshot): Exclude<Target, "typed"> | null {
  const part = item && parts.find((one) => subjectOf(one) === item.subject);
  return part ? { part, transaction: null } : null;
}

function serviceTarget({ serviceId }: BudgetActionRequest, { parts }: BudgetSnapshot): Exclude<Target, "typed"> | null {
  const part = parts.find(({ service }) => service !== null && service.id === serviceId?.toLowerCase());
  return part ? { part, transaction: null } : null;
}

/** By our id or by the sender's. */
function transactionTarget(
  { transactionId }: BudgetActionRequest,
  { parts }: BudgetSnapshot,
): Exclude<Target, "typed"> | null {
  if (transactionId == null) return null;
  for (const part of parts) {
    const transaction = part.transactions.find(
      ({ txid, document }) => txid === transactionId || document.id === transactionId.toLowerCase(),
    );
    if (transaction) return { part, transaction };
  }
  return null;
}

/** An answer to a question about a payee is about that payee, and an expense is answered by what was paid. */
function checked(
  target: Exclude<Target, "typed"> | null,
  question: Question,
  problems: Problem[],
  pointer: string,
  message: string,
): Target | null {
  const side = question.category === null ? "EXPENSE" : findCategory(question.category)?.kind;
  if (target === null) problems.push({ pointer, message });
  else if (question.item !== null && !isAbout(question, target.part))
    problems.push({ pointer, message: "is not what the question is about" });
  else if (target.part.side !== side)
    problems.push({ pointer, message: side === "EXPENSE" ? "is no expense" : "is no income" });
  return target;
}

function isAbout({ item, subject }: Question, part: Part): boolean {
  return subjectOf(part) === item?.subject || payeeSubject(part) === subject;
}

function answerOf(request: BudgetActionRequest, question: Question, target: Target, currency: string): Answer {
  const minorOf = (amount: number | null | undefined): number | null =>
    amount == null ? null : (parseAmount(amount, currency)?.minor ?? null);
  const isSplit = request.categories.length > 1;
  const categories = request.categories.map(({ id, amount }): AnsweredCategory => ({
    id,
    amountMinor: isSplit ? minorOf(amount) : null,
  }));
  const isTyped = request.type === "USER_PROVIDED";
  const typedMinor = minorOf(request.amount) ?? sum(request.categories.map(({ amount }) => minorOf(amount) ?? 0));
  const transaction = target === "typed" ? null : target.transaction;
  const title = request.title?.trim() ?? "";
  return {
    type: request.type === "DERIVE" ? "DERIVED_FROM_TRANSACTIONS" : request.type,
    categories,
    subject: target === "typed" ? null : (question.subject ?? subjectOf(target.part)),
    txid: request.type === "TRANSACTION" ? (transaction?.txid ?? null) : null,
    amountMinor: isTyped
      ? typedMinor
      : request.type === "TRANSACTION" && transaction !== null
        ? Math.abs(transaction.minor)
        : null,
    frequency: isTyped || request.type === "TRANSACTION" ? frequencyOf(request) : null,
    title: title === "" ? null : title,
    ...(question.item === null ? {} : { about: aboutOf(question.item) }),
  };
}

function aboutOf({ title, paymentCostMonthlyMinor, categories }: Item): AnswerAbout {
  return { payee: title, amountMinor: paymentCostMonthlyMinor, from: categories };
}

/** The parts of a split may differ from the payment by one unit each, because each was rounded. */
function splitProblem({ categories, amountMinor }: Answer, target: Target, { item }: Question): Problem | null {
  if (categories.some((category) => category.amountMinor === null)) return null;
  const given = sum(categories.map((category) => category.amountMinor ?? 0));
  const payment = amountMinor ?? item?.paymentCostMinor ?? (target === "typed" ? given : paymentOf(target));
  if (given === 0) return { pointer: "/categories", message: "come to nothing" };
  return Math.abs(given - payment) <= categories.length
    ? null
    : { pointer: "/categories", message: "do not come to the payment's amount" };
}

function paymentOf({ part, transaction }: Exclude<Target, "typed">): number {
  return Math.abs(
    transaction?.minor ?? (part.service === null ? lastOf(part.transactions).minor : part.paymentCostMinor),
  );
}
