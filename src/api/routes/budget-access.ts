/** What the budget routes have in common: whose budget a path names, and how a change is answered. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "@fastify/type-provider-typebox";
import type { FoldedBudget, Question } from "../../budgets/budget.ts";
import { type BudgetInHand, changeBudget, type Decide } from "../../budgets/change.ts";
import { budgetDocument } from "../../budgets/documents.ts";
import type { BudgetEvent } from "../../budgets/events.ts";
import type { Owner } from "../../budgets/store.ts";
import { toldOf } from "../../budgets/told.ts";
import { tellInTrail } from "../audit.ts";
import type { ApiContext } from "../context.ts";
import { originOf } from "../correlation.ts";
import { actorOf, partnerOf, userOf } from "../identify.ts";
import { type FieldProblem, Refusal } from "../problem.ts";
import { sendJson } from "../reply.ts";

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const BudgetParametersSchema = Type.Object({ partnerId: Type.String(), budgetId: Type.String() });

export function ownerOf(request: FastifyRequest): Owner {
  return { userId: userOf(request).id, partnerId: partnerOf(request).id };
}

/** The interface calls them UUIDs: a text that is none names nothing. @throws Refusal */
export function budgetIdOf({ budgetId }: { budgetId: string }): string {
  if (!uuidPattern.test(budgetId)) throw new Refusal("BUDGET_UNKNOWN");
  return budgetId.toLowerCase();
}

/** Null: not a UUID, so nothing of ours. */
export function uuidOrNull(text: string): string | null {
  return uuidPattern.test(text) ? text.toLowerCase() : null;
}

export function invalid(...errors: FieldProblem[]): Refusal {
  return new Refusal("REQUEST_INVALID", { errors });
}

/** @throws Refusal BUDGET_UNKNOWN, and whatever `decide` throws: then nothing was done. */
export async function change(
  context: ApiContext,
  request: FastifyRequest<{ Params: { budgetId: string } }>,
  decide: Decide,
): Promise<FoldedBudget> {
  const changed = await changeBudget(
    context.database,
    { ...ownerOf(request), actor: actorOf(request), origin: originOf(request) },
    budgetIdOf(request.params),
    context.baseUrl(),
    decide,
  );
  if (changed === null) throw new Refusal("BUDGET_UNKNOWN");
  return changed;
}

/** Has the call's line in the audit trail say what is changed. @param question that the event is about */
export function traced<Event extends BudgetEvent | null>(
  request: FastifyRequest,
  budget: BudgetInHand,
  event: Event,
  question: Question | null = null,
): Event {
  const told = event === null ? null : toldOf(event, question, budget);
  if (told !== null) tellInTrail(request, told);
  return event;
}

export function sendBudget(reply: FastifyReply, budget: FoldedBudget): FastifyReply {
  return sendJson(reply, JSON.stringify(budgetDocument(budget)));
}

/** Where a body may be left out: what a call without one means. */
export function withoutBody(meaning: object): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    request.body ??= { ...meaning };
  };
}
