/** A budget as a file for the adviser: endpoint 30 of the interface. */
import { Type } from "@fastify/type-provider-typebox";
import { storableText } from "../../interface/budgets.ts";
import { recordAudit } from "../../partners/audit.ts";
import type { BudgetReportOutcome } from "../../reports/task.ts";
import type { ApiContext, App } from "../context.ts";
import { sendFile } from "../file.ts";
import { preferred } from "../negotiation.ts";
import { Refusal } from "../problem.ts";
import { busy } from "../refusals.ts";
import { budgetIdOf, BudgetParametersSchema, ownerOf, withoutBody } from "./budget-access.ts";

/** Source: interface document, BudgetReport. */
const reportIdLengthMax = 50;
const customerNameLengthMax = 100;
const mediaTypes = ["application/pdf", "application/octet-stream"] as const;
/** The reports that wait before it are made in about so long. */
const busyRetrySeconds = 10;

const BudgetReportSchema = Type.Object(
  {
    reportId: Type.Optional(
      Type.String({
        maxLength: reportIdLengthMax,
        pattern: storableText,
        description: "Printed on every page, and part of the file's name.",
      }),
    ),
    customerName: Type.Optional(
      Type.String({
        maxLength: customerNameLengthMax,
        pattern: storableText,
        description: "Extension of this service, not in the interface document. Printed beside the customer's number.",
      }),
    ),
    edition: Type.Optional(
      Type.Enum(["ADVISER", "CUSTOMER"], {
        title: "BudgetReportEdition",
        description:
          "Extension of this service, not in the interface document. CUSTOMER: one page in plain language; ADVISER, the default, everything.",
      }),
    ),
  },
  { title: "BudgetReport" },
);
const file = { schema: { type: "string", format: "binary" } };

export async function budgetReportRoutes(scope: App, context: ApiContext): Promise<void> {
  scope.post(
    "/budgets/:budgetId/report",
    {
      preValidation: withoutBody({}),
      schema: {
        operationId: "makeBudgetReport",
        summary: "Make a budget's report",
        description:
          "Basis for a creditworthiness assessment. The same bytes as long as nothing about the budget changes.",
        tags: ["Budgets"],
        params: BudgetParametersSchema,
        body: BudgetReportSchema,
        response: {
          200: {
            description: "The report, a PDF whatever it is called.",
            content: { "application/pdf": file, "application/octet-stream": file },
          },
        },
      },
      config: { produces: mediaTypes, bodyOptional: true, refusals: ["BUDGET_UNKNOWN", "BUDGET_NOT_INITIALISED"] },
    },
    async (request, reply) => {
      const startedAt = performance.now();
      const [owner, budgetId] = [ownerOf(request), budgetIdOf(request.params)];
      const reportId = request.body.reportId?.trim() || null;
      const made = madeOf(
        await context.makeBudgetReport({
          owner,
          budgetId,
          reportId,
          customerName: request.body.customerName?.trim() || null,
          edition: request.body.edition ?? "ADVISER",
          baseUrl: context.baseUrl(),
        }),
      );
      const { bytes, sha256, pages } = made;
      await recordAudit(context.database, `partner:${owner.partnerId}`, {
        partnerId: owner.partnerId,
        event: "budget.report-made",
        details: { budgetId, reportId, sha256, pages },
      });
      context.events.emit("budget.report-made", {
        correlationId: request.id,
        partnerId: owner.partnerId,
        pages,
        sizeBytes: bytes.length,
        durationMs: performance.now() - startedAt,
      });
      return sendFile(reply, {
        name: `budget-${reportId ?? budgetId}.pdf`,
        mediaType: preferred(request.headers.accept, mediaTypes) ?? mediaTypes[0],
        bytes,
      });
    },
  );
}

function madeOf(outcome: BudgetReportOutcome | "BUSY"): Extract<BudgetReportOutcome, { state: "MADE" }> {
  if (outcome === "BUSY") throw busy(busyRetrySeconds);
  if (outcome.state === "MADE") return outcome;
  throw new Refusal(outcome.state === "UNKNOWN" ? "BUDGET_UNKNOWN" : "BUDGET_NOT_INITIALISED");
}
