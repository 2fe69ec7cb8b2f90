/** Documents made for a user: endpoint 14 of the interface, and the read that fetches them. */
import { Type } from "@fastify/type-provider-typebox";
import { yearMax, yearMin } from "../../../config/limits.ts";
import { isDay } from "../../time/calendar.ts";
import { findReport, requestReport } from "../../reports/store.ts";
import type { ApiContext, App } from "../context.ts";
import { sendFile } from "../file.ts";
import { partnerOf, userOf } from "../identify.ts";
import { Refusal } from "../problem.ts";
import { noBody, sendNotReady } from "../reply.ts";

/** Making one takes a second or less; the next look finds it where nothing waits before it. */
const retrySeconds = 2;
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const ReportRequestSchema = Type.Object(
  {
    type: Type.Enum(["NEXT_OF_KIN"], { title: "ReportType" }),
    effectiveDate: Type.Optional(
      Type.String({ format: "date", description: "Printed on the report; it changes no figure." }),
    ),
  },
  { title: "ReportRequest" },
);
const ReportResponseSchema = Type.Object({ documentId: Type.String({ format: "uuid" }) }, { title: "ReportResponse" });
const waitingHeaders = {
  "Retry-After": { type: "integer", description: "Seconds." },
  Location: { type: "string", description: "This read." },
};

export async function reportsRoutes(scope: App, context: ApiContext): Promise<void> {
  scope.post(
    "/reports",
    {
      schema: {
        operationId: "requestReport",
        summary: "Ask for a report",
        description:
          "It is made of the transactions present. Asking again before it is begun answers the same documentId.",
        tags: ["Reports"],
        body: ReportRequestSchema,
        response: { 200: ReportResponseSchema },
      },
      config: { produces: "application/json" },
    },
    async (request, reply) => {
      const { type, effectiveDate = null } = request.body;
      if (effectiveDate !== null && !isLikely(effectiveDate))
        throw new Refusal("REQUEST_INVALID", { errors: [{ pointer: "/effectiveDate", message: "is no day" }] });
      const documentId = await requestReport(context.database, {
        userId: userOf(request).id,
        partnerId: partnerOf(request).id,
        type,
        effectiveDate,
      });
      return reply.code(200).send({ documentId });
    },
  );
  scope.get(
    "/reports/:documentId",
    {
      schema: {
        operationId: "readReport",
        summary: "Fetch a report",
        description: "202 until it is made. It is kept for 30 days.",
        tags: ["Reports"],
        params: Type.Object({ partnerId: Type.String(), documentId: Type.String() }),
        response: {
          200: {
            description: "The document.",
            content: { "application/pdf": { schema: { type: "string", format: "binary" } } },
          },
          202: noBody("Not ready.", waitingHeaders),
        },
      },
      config: { refusals: ["REPORT_UNKNOWN", "REPORT_FAILED"], produces: "application/pdf" },
    },
    async (request, reply) => {
      const { documentId } = request.params;
      const report = uuidPattern.test(documentId)
        ? await findReport(context.database, userOf(request).id, documentId)
        : null;
      if (report === null) throw new Refusal("REPORT_UNKNOWN");
      if (report.state === "failed") throw new Refusal("REPORT_FAILED");
      if (report.state !== "ready") return sendNotReady(reply, retrySeconds, request.url);
      return sendFile(reply, {
        name: `next-of-kin-${documentId.toLowerCase()}.pdf`,
        mediaType: "application/pdf",
        bytes: report.document,
      });
    },
  );
}

/** A day that exists, in the years in which transactions can lie. */
function isLikely(day: string): boolean {
  const year = Number(day.slice(0, 4));
  return isDay(day) && year >= yearMin && year <= yearMax;
}
