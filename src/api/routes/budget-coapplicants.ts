/** Who applies together: endpoint 17 of the interface. */
import { Type } from "@fastify/type-provider-typebox";
import type { FastifyRequest } from "fastify";
import { findApplicant, linkApplicants, unlink } from "../../budgets/coapplicants.ts";
import type { Decide } from "../../budgets/change.ts";
import { recordAudit } from "../../partners/audit.ts";
import type { ApiContext, App } from "../context.ts";
import { brandOf, partnerOf } from "../identify.ts";
import { Refusal } from "../problem.ts";
import { noBody } from "../reply.ts";
import { budgetIdOf, BudgetParametersSchema, change, invalid } from "./budget-access.ts";

const BudgetCoapplicantRequestSchema = Type.Object(
  {
    type: Type.Enum(["SHARED_FINANCES", "SEPARATE_FINANCES"], { title: "BudgetApplicantType" }),
    budgetId: Type.Optional(
      Type.String({ format: "uuid", description: "The other applicant's budget; only for SEPARATE_FINANCES." }),
    ),
  },
  { title: "BudgetCoapplicantRequest" },
);

export async function budgetCoapplicantsRoutes(scope: App, context: ApiContext): Promise<void> {
  scope.post(
    "/budgets/:budgetId/coapplicants",
    {
      schema: {
        operationId: "setCoapplicant",
        summary: "Say who applies together",
        description:
          "SHARED_FINANCES: this budget speaks for both. SEPARATE_FINANCES: another budget of the partner speaks for the other, from when its own user has named this one as well; either call is answered 200. No figure changes. Replaces what this user said before, and nothing that the other did.",
        tags: ["Budgets"],
        params: BudgetParametersSchema,
        body: BudgetCoapplicantRequestSchema,
        response: { 200: noBody("Confirmed.") },
      },
      config: { refusals: ["BUDGET_UNKNOWN"] },
    },
    async (request, reply) => {
      const budgetId = budgetIdOf(request.params);
      const { type } = request.body;
      const other = type === "SEPARATE_FINANCES" ? otherBudgetOf(budgetId, request.body.budgetId) : null;
      await change(context, request, other === null ? shared(budgetId) : separate(request, budgetId, other));
      context.events.emit("budget.coapplicant-linked", { correlationId: request.id, partnerId: partnerOf(request).id });
      return reply.code(200).send();
    },
  );
}

/** @throws Refusal REQUEST_INVALID */
function otherBudgetOf(budgetId: string, given: string | undefined): string {
  if (given === undefined) throw invalid({ pointer: "/budgetId", message: "is required for SEPARATE_FINANCES" });
  if (given.toLowerCase() === budgetId) throw invalid({ pointer: "/budgetId", message: "is this budget itself" });
  return given.toLowerCase();
}

function shared(budgetId: string): Decide {
  return async (_budget, transaction) => {
    await unlink(transaction, budgetId, null);
    return { type: "COAPPLICANT_SET", applicantType: "SHARED_FINANCES", budgetId: null };
  };
}

/** Who was linked with whom is on record for good. */
function separate(request: FastifyRequest, budgetId: string, other: string): Decide {
  const partnerId = partnerOf(request).id;
  return async ({ stored }, transaction) => {
    const applicant = await findApplicant(transaction, partnerId, other);
    if (applicant === null) throw new Refusal("BUDGET_UNKNOWN");
    const own = { budgetId, userId: stored.owner.userId };
    await linkApplicants(
      transaction,
      partnerId,
      own,
      { budgetId: other, ...applicant },
      brandOf(request).coapplicantsRequireMirror,
    );
    const details = {
      correlationId: request.id,
      budgetId,
      otherBudgetId: other,
      userId: stored.owner.userId,
      otherUserId: applicant.userId,
    };
    await recordAudit(transaction, `partner:${partnerId}`, { partnerId, event: "budget.coapplicant-linked", details });
    return { type: "COAPPLICANT_SET", applicantType: "SEPARATE_FINANCES", budgetId: other };
  };
}
