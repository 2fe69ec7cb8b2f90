/** Budgets: endpoints 15, 16, 18 to 22 and 29 of the interface. */
import { randomUUID } from "node:crypto";
import { type Static, Type } from "@fastify/type-provider-typebox";
import type { FastifyReply, FastifyRequest } from "fastify";
import { appendFirst, insertNewBudget } from "../../budgets/create.ts";
import { readExpense, readGivenUserData, retryAfterSeconds } from "../../budgets/read.ts";
import { BudgetDebtsRequestSchema } from "../../interface/budget-extensions.ts";
import type { EnteredDebt } from "../../budgets/events.ts";
import { parseAmount } from "../../money.ts";
import { BudgetDetailsSchema, BudgetSchema, ExpenseSchema, storableText } from "../../interface/budgets.ts";
import {
  readUserData,
  type UserData,
  type UserDataRequest,
  UserDataRequestSchema,
  UserDataSchema,
} from "../../interface/user-data.ts";
import { inTransaction } from "../../database/database.ts";
import type { ApiContext, App } from "../context.ts";
import { originOf } from "../correlation.ts";
import { actorOf, brandOf, callerOf, ofLiveUser, partnerOf } from "../identify.ts";
import { Refusal } from "../problem.ts";
import { noBody, sendJson, sendNotReady } from "../reply.ts";
import { NotModifiedSchema, readStored, sendStored } from "../documents/stored.ts";
import {
  budgetIdOf,
  BudgetParametersSchema,
  change,
  invalid,
  ownerOf,
  sendBudget,
  uuidOrNull,
  withoutBody,
} from "./budget-access.ts";

const commentLengthMax = 65_535;
/** A comment of that length whose every character is written as an escape of a surrogate pair. */
const commentBodyBytesMax = 1024 * 1024;

const tags = ["Budgets"];
const BudgetRequestSchema = Type.Object({ userData: Type.Optional(UserDataRequestSchema) }, { title: "BudgetRequest" });
const BudgetCreateResponseSchema = Type.Object(
  { id: Type.String({ format: "uuid" }) },
  { title: "BudgetCreateResponse" },
);
const BudgetCommentRequestSchema = Type.Object(
  { comment: Type.String({ minLength: 1, maxLength: commentLengthMax, pattern: storableText }) },
  { title: "BudgetCommentRequest" },
);
const BudgetCompletionsRequestSchema = Type.Object(
  { status: Type.Enum(["ACCEPTED", "DENIED"], { title: "BudgetCompletionStatus" }) },
  { title: "BudgetCompletionsRequest" },
);
const ExpenseParametersSchema = Type.Object({
  partnerId: Type.String(),
  budgetId: Type.String(),
  expenseId: Type.String(),
});
const NotInitialisedSchema = noBody(
  "Not initialised: the user's import is not complete, or nothing has been made of it yet.",
  {
    "Retry-After": { type: "integer", description: "Seconds." },
    Location: { type: "string", description: "This resource." },
  },
);

export async function budgetsRoutes(scope: App, context: ApiContext): Promise<void> {
  await creation(scope, context);
  await reads(scope, context);
  await userData(scope, context);
  await words(scope, context);
  await debts(scope, context);
}

async function creation(scope: App, context: ApiContext): Promise<void> {
  scope.post(
    "/budgets",
    {
      preValidation: withoutBody({}),
      schema: {
        operationId: "createBudget",
        summary: "Create a budget",
        description: "A user may have many; each call makes a new one.",
        tags,
        body: BudgetRequestSchema,
        response: { 200: BudgetCreateResponseSchema },
      },
      config: { produces: "application/json", bodyOptional: true },
    },
    async (request, reply) => {
      const owner = ownerOf(request);
      const id = randomUUID();
      const given =
        request.body.userData === undefined ? null : readGiven(request, request.body.userData, context, "/userData");
      const createdTime = localTime(
        context.clock.now(),
        brandOf(request).timeZone,
        context.clock.today(brandOf(request).timeZone),
      );
      await inTransaction(context.database, async (transaction) => {
        await insertNewBudget(transaction, owner, id, createdTime);
        if (given !== null)
          await appendFirst(
            transaction,
            { ...owner, actor: actorOf(request), origin: originOf(request) },
            id,
            context.baseUrl(),
            { type: "USER_DATA_SET", userData: given },
          );
      });
      context.events.emit("budget.created", { correlationId: request.id, partnerId: owner.partnerId });
      // What cannot be made now is made by the next round; the budget is there either way.
      await context.refreshBudgets(owner.userId).catch(() => undefined);
      return sendJson(reply, JSON.stringify({ id }));
    },
  );
}

/** `yyyy-MM-dd'T'HH:mm:ss`: the business day, and the time of day in the brand's zone. */
function localTime(now: Date, timeZone: string, today: string): string {
  return `${today}T${new Intl.DateTimeFormat("sv-SE", { timeZone, hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(now)}`;
}

async function reads(scope: App, context: ApiContext): Promise<void> {
  scope.get(
    "/budgets/:budgetId",
    {
      schema: {
        operationId: "getBudget",
        summary: "Read a budget",
        description: "Its expenses are without their transactions.",
        tags,
        params: BudgetParametersSchema,
        response: { 200: BudgetSchema, 202: NotInitialisedSchema, 304: NotModifiedSchema },
      },
      config: { produces: "application/json", refusals: ["BUDGET_UNKNOWN"], findsUser: true },
    },
    async (request, reply) => await answerRead(context, request, reply, "document"),
  );
  scope.get(
    "/budgets/:budgetId/details",
    {
      schema: {
        operationId: "getBudgetDetails",
        summary: "Read a budget with its transactions",
        description: "As the budget, each expense with the transactions that it is made of.",
        tags,
        params: BudgetParametersSchema,
        response: { 200: BudgetDetailsSchema, 202: NotInitialisedSchema, 304: NotModifiedSchema },
      },
      config: { produces: "application/json", refusals: ["BUDGET_UNKNOWN"], findsUser: true },
    },
    async (request, reply) => await answerRead(context, request, reply, "details"),
  );
  scope.get(
    "/budgets/:budgetId/expenses/:expenseId",
    {
      schema: {
        operationId: "getBudgetExpense",
        summary: "Read one expense with its transactions",
        description: "One group of the budget's expenses.",
        tags,
        params: ExpenseParametersSchema,
        response: { 200: ExpenseSchema },
      },
      config: { produces: "application/json", refusals: ["BUDGET_UNKNOWN", "EXPENSE_UNKNOWN"] },
    },
    async (request, reply) => {
      const budgetId = budgetIdOf(request.params);
      const found = await readExpense(
        context.database,
        ownerOf(request),
        budgetId,
        uuidOrNull(request.params.expenseId) ?? "",
      );
      if (found === null) throw new Refusal("BUDGET_UNKNOWN");
      if (found.document === null) throw new Refusal("EXPENSE_UNKNOWN");
      return sendJson(reply, found.document);
    },
  );
}

async function answerRead(
  context: ApiContext,
  request: FastifyRequest<{ Params: { budgetId: string } }>,
  reply: FastifyReply,
  form: "document" | "details",
): Promise<FastifyReply> {
  const [caller, budgetId] = [callerOf(request), uuidOrNull(request.params.budgetId)];
  const name = form === "document" ? "budget" : "budget details";
  const read = (known: readonly string[]) => context.served.read({ caller, name, budgetId, known });
  const { userId, document } = ofLiveUser(
    await readStored(context.documents, request, `budget ${form} ${budgetId}`, read),
  );
  if (document !== null) return sendStored(reply, document);
  const seconds =
    budgetId === null
      ? null
      : await retryAfterSeconds(context.database, { userId, partnerId: caller.partnerId }, budgetId);
  if (seconds === null) throw new Refusal("BUDGET_UNKNOWN");
  const location = `/partner/${caller.partnerId}/2.0.0/budgets/${budgetId}${form === "details" ? "/details" : ""}`;
  return sendNotReady(reply, seconds, location);
}

async function userData(scope: App, context: ApiContext): Promise<void> {
  scope.get(
    "/budgets/:budgetId/user-data",
    {
      schema: {
        operationId: "getBudgetUserData",
        summary: "Read what the household says of itself",
        description: "404 while the household has said nothing.",
        tags,
        params: BudgetParametersSchema,
        response: { 200: UserDataSchema },
      },
      config: { produces: "application/json", refusals: ["BUDGET_UNKNOWN", "USER_DATA_UNKNOWN"] },
    },
    async (request, reply) => {
      const found = await readGivenUserData(context.database, ownerOf(request), budgetIdOf(request.params));
      if (found === null) throw new Refusal("BUDGET_UNKNOWN");
      if (found.userData === null) throw new Refusal("USER_DATA_UNKNOWN");
      return sendJson(reply, JSON.stringify(found.userData));
    },
  );
  scope.post(
    "/budgets/:budgetId/user-data",
    {
      schema: {
        operationId: "setBudgetUserData",
        summary: "Say what the household is like",
        description: "Replaces what was said before.",
        tags,
        params: BudgetParametersSchema,
        body: UserDataRequestSchema,
        response: { 200: BudgetSchema },
      },
      config: { produces: "application/json", refusals: ["BUDGET_UNKNOWN"] },
    },
    async (request, reply) => {
      const given = readGiven(request, request.body, context, "");
      return sendBudget(reply, await change(context, request, () => ({ type: "USER_DATA_SET", userData: given })));
    },
  );
}

/** @throws Refusal REQUEST_INVALID for what the schema cannot say. */
function readGiven(request: FastifyRequest, given: UserDataRequest, context: ApiContext, pointer: string): UserData {
  const read = readUserData(given);
  if (read.personal.dateOfBirth > context.clock.today(brandOf(request).timeZone))
    throw invalid({ pointer: `${pointer}/personal/dateOfBirth`, message: "lies in the future" });
  return read;
}

async function debts(scope: App, context: ApiContext): Promise<void> {
  scope.put(
    "/budgets/:budgetId/debts",
    {
      schema: {
        operationId: "setBudgetDebts",
        summary: "Give the remaining debts",
        description:
          "Extension of this service, not in the interface document. Remaining debt, rate and term, which no account tells: the budget's details then say debt to income and what stressed payments would leave. Logged; an empty list takes it back.",
        tags,
        params: BudgetParametersSchema,
        body: BudgetDebtsRequestSchema,
        response: { 200: BudgetSchema },
      },
      config: { produces: "application/json", refusals: ["BUDGET_UNKNOWN"] },
    },
    async (request, reply) => {
      const changed = await change(context, request, ({ stored }) => ({
        type: "DEBTS_SET",
        debts: request.body.debts.map((debt, at) => readDebt(debt, stored.facts.currency, at)),
        ...(request.body.calculationRate === undefined
          ? {}
          : { calculationRateHundredths: Math.round(request.body.calculationRate * 100) }),
      }));
      return sendBudget(reply, changed);
    },
  );
}

/** @throws Refusal REQUEST_INVALID for what the schema cannot say. */
function readDebt(
  { title, remainingAmount, interestRate, termMonths }: Static<typeof BudgetDebtsRequestSchema>["debts"][number],
  currency: string,
  at: number,
): EnteredDebt {
  const money = parseAmount(remainingAmount, currency);
  if (money === null) throw invalid({ pointer: `/debts/${at}/remainingAmount`, message: "is no amount" });
  return { title, remainingMinor: money.minor, rateHundredths: Math.round(interestRate * 100), termMonths };
}

async function words(scope: App, context: ApiContext): Promise<void> {
  scope.post(
    "/budgets/:budgetId/comment",
    {
      bodyLimit: commentBodyBytesMax,
      schema: {
        operationId: "setBudgetComment",
        summary: "Write the comment",
        description: "Replaces the one that is there.",
        tags,
        params: BudgetParametersSchema,
        body: BudgetCommentRequestSchema,
        response: { 200: noBody("Written.") },
      },
      config: { refusals: ["BUDGET_UNKNOWN"] },
    },
    async (request, reply) => {
      await change(context, request, () => ({ type: "COMMENTED", comment: request.body.comment }));
      return reply.code(200).send();
    },
  );
  scope.post(
    "/budgets/:budgetId/completions",
    {
      schema: {
        operationId: "completeBudget",
        summary: "Accept or deny",
        description:
          "Keeps the budget as it is for good: new transactions no longer change it. Later calls change the outcome; edits are kept as revisions.",
        tags,
        params: BudgetParametersSchema,
        body: BudgetCompletionsRequestSchema,
        response: { 200: noBody("Completed.") },
      },
      config: { refusals: ["BUDGET_UNKNOWN"] },
    },
    async (request, reply) => {
      const { status } = request.body;
      await change(context, request, () => ({ type: "COMPLETED", status }));
      context.events.emit("budget.completed", { correlationId: request.id, partnerId: partnerOf(request).id, status });
      return reply.code(200).send();
    },
  );
}
