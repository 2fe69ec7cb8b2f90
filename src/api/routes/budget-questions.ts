/** A budget's questions and adjusted amounts: endpoints 23 to 28 of the interface. */
import { Type } from "@fastify/type-provider-typebox";
import { resolveAnswer } from "../../budgets/answer.ts";
import type { Question } from "../../budgets/budget.ts";
import { findCategory } from "../../categories/tree.ts";
import type { BudgetInHand } from "../../budgets/change.ts";
import { decide } from "../../budgets/fold/decisions.ts";
import { readNextQuestion } from "../../budgets/read.ts";
import {
  BudgetActionRequestSchema,
  BudgetActionResponseSchema,
  BudgetAdjustCategoryRequestSchema,
  BudgetSchema,
} from "../../interface/budgets.ts";
import { parseAmount } from "../../money.ts";
import type { ApiContext, App } from "../context.ts";
import { Refusal } from "../problem.ts";
import { noBody, sendJson } from "../reply.ts";
import {
  budgetIdOf,
  BudgetParametersSchema,
  change,
  invalid,
  ownerOf,
  sendBudget,
  traced,
  uuidOrNull,
  withoutBody,
} from "./budget-access.ts";

const tags = ["Budgets"];
const CategoryParametersSchema = Type.Object({
  partnerId: Type.String(),
  budgetId: Type.String(),
  categoryId: Type.String(),
});
const ActionParametersSchema = Type.Object({
  partnerId: Type.String(),
  budgetId: Type.String(),
  actionId: Type.String(),
});
const BudgetSkipRequestSchema = Type.Object(
  { notApplicable: Type.Boolean({ description: "True closes the question for good, false opens it again." }) },
  { title: "BudgetSkipRequest" },
);

export async function budgetQuestionsRoutes(scope: App, context: ApiContext): Promise<void> {
  await adjustments(scope, context);
  await questions(scope, context);
  await undoAndSkip(scope, context);
}

async function adjustments(scope: App, context: ApiContext): Promise<void> {
  const path = "/budgets/:budgetId/categories/:categoryId/adjustments";
  scope.post(
    path,
    {
      schema: {
        operationId: "adjustBudgetCategory",
        summary: "Give a category's amount",
        description: "Of a group, or of one of its categories, expenses and income alike; the group's wins.",
        tags,
        params: CategoryParametersSchema,
        body: BudgetAdjustCategoryRequestSchema,
        response: { 200: BudgetSchema },
      },
      config: { produces: "application/json", refusals: ["BUDGET_UNKNOWN", "CATEGORY_UNKNOWN"] },
    },
    async (request, reply) => {
      const { amount, frequency } = request.body;
      if (frequency === "UNKNOWN") throw invalid({ pointer: "/frequency", message: "must be known" });
      const changed = await change(context, request, (budget) => {
        const money = parseAmount(amount, budget.stored.facts.currency);
        if (money === null) throw invalid({ pointer: "/amount", message: "is no amount" });
        const categoryId = knownCategory(request.params);
        return traced(request, budget, { type: "ADJUSTED", categoryId, amountMinor: money.minor, frequency });
      });
      return sendBudget(reply, changed);
    },
  );
  scope.delete(
    path,
    {
      schema: {
        operationId: "removeBudgetAdjustment",
        summary: "Take the given amount back",
        description: "The category's amount is again what the transactions say.",
        tags,
        params: CategoryParametersSchema,
        response: { 200: BudgetSchema },
      },
      config: { produces: "application/json", refusals: ["BUDGET_UNKNOWN", "CATEGORY_UNKNOWN", "ADJUSTMENT_UNKNOWN"] },
    },
    async (request, reply) => {
      const changed = await change(context, request, (budget) => {
        const categoryId = knownCategory(request.params);
        if (!decide(budget.log).adjustments.has(categoryId)) throw new Refusal("ADJUSTMENT_UNKNOWN");
        return traced(request, budget, { type: "ADJUSTMENT_REMOVED", categoryId });
      });
      return sendBudget(reply, changed);
    },
  );
}

function knownCategory({ categoryId }: { categoryId: string }): string {
  if (findCategory(categoryId) === null) throw new Refusal("CATEGORY_UNKNOWN");
  return categoryId;
}

async function questions(scope: App, context: ApiContext): Promise<void> {
  scope.get(
    "/budgets/:budgetId/questions/next",
    {
      schema: {
        operationId: "getNextQuestion",
        summary: "Read the next question",
        description: "Those that were skipped come last.",
        tags,
        params: BudgetParametersSchema,
        response: { 200: BudgetActionResponseSchema },
      },
      config: { produces: "application/json", refusals: ["BUDGET_UNKNOWN", "NO_OPEN_QUESTION"] },
    },
    async (request, reply) => {
      const found = await readNextQuestion(context.database, ownerOf(request), budgetIdOf(request.params));
      if (found === null) throw new Refusal("BUDGET_UNKNOWN");
      if (found.document === null) throw new Refusal("NO_OPEN_QUESTION");
      return sendJson(reply, found.document);
    },
  );
  scope.post(
    "/budgets/:budgetId/questions/:actionId",
    {
      schema: {
        operationId: "answerQuestion",
        summary: "Answer a question",
        description:
          "Moves a payee's payments, past and future, to a category of this budget, or adds what is missing. Answering again replaces the answer.",
        tags,
        params: ActionParametersSchema,
        body: BudgetActionRequestSchema,
        response: { 200: noBody("Answered.") },
      },
      config: { refusals: ["BUDGET_UNKNOWN", "QUESTION_UNKNOWN"] },
    },
    async (request, reply) => {
      await change(context, request, (budget) => {
        const question = questionOf(budget, request.params);
        if (question === null || budget.snapshot === null) throw new Refusal("QUESTION_UNKNOWN");
        const resolved = resolveAnswer(request.body, question, budget.snapshot);
        if ("problems" in resolved) throw invalid(...resolved.problems);
        const { answer } = resolved;
        return traced(request, budget, { type: "ANSWERED", actionId: question.id, answer }, question);
      });
      return reply.code(200).send();
    },
  );
}

async function undoAndSkip(scope: App, context: ApiContext): Promise<void> {
  scope.delete(
    "/budgets/:budgetId/questions/:actionId",
    {
      preValidation: withoutBody({ notApplicable: false }),
      schema: {
        operationId: "undoAnswer",
        summary: "Undo an answer",
        description: "In any order; without an answer nothing is undone. Without a body the question is open again.",
        tags,
        params: ActionParametersSchema,
        body: BudgetSkipRequestSchema,
        response: { 200: noBody("Undone.") },
      },
      config: { bodyOptional: true, refusals: ["BUDGET_UNKNOWN", "QUESTION_UNKNOWN"] },
    },
    async (request, reply) => {
      const { notApplicable } = request.body;
      await change(context, request, (budget) => {
        const standing = decide(budget.log);
        const actionId = uuidOrNull(request.params.actionId) ?? "";
        const isAnswered = standing.answers.has(actionId);
        const isClosed = standing.notApplicable.has(actionId);
        const question = questionOf(budget, request.params);
        if (!isAnswered && !isClosed && question === null) throw new Refusal("QUESTION_UNKNOWN");
        if (!isAnswered && isClosed === notApplicable) return null;
        return traced(request, budget, { type: "REVOKED", actionId, notApplicable }, question);
      });
      return reply.code(200).send();
    },
  );
  scope.post(
    "/budgets/:budgetId/questions/:actionId/skips",
    {
      schema: {
        operationId: "skipQuestion",
        summary: "Put a question off",
        description: "It is asked again when there is no other.",
        tags,
        params: ActionParametersSchema,
        response: { 201: noBody("Skipped.") },
      },
      config: { refusals: ["BUDGET_UNKNOWN", "QUESTION_UNKNOWN"] },
    },
    async (request, reply) => {
      await change(context, request, (budget) => {
        const question = questionOf(budget, request.params);
        if (question === null) throw new Refusal("QUESTION_UNKNOWN");
        if (decide(budget.log).skips.has(question.id)) return null;
        return traced(request, budget, { type: "SKIPPED", actionId: question.id }, question);
      });
      return reply.code(201).send();
    },
  );
}

/**
 * The question as it is, or was before it was answered or closed; null: the budget never had it, or knows nothing of it
 * any more.
 */
function questionOf({ log, foldOf }: BudgetInHand, { actionId }: { actionId: string }): Question | null {
  const id = uuidOrNull(actionId);
  const unanswered = log.filter(
    ({ event }) => !("actionId" in event) || event.actionId !== id || event.type === "SKIPPED",
  );
  return foldOf(unanswered).questions.find((question) => question.id === id) ?? null;
}
