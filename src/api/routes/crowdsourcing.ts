/** What users tell us of their payments: endpoints 11 and 31 of the interface. */
import { Type } from "@fastify/type-provider-typebox";
import { identifierLengthMax } from "../../../config/limits.ts";
import { PaymentFrequencySchema } from "../../interface/services.ts";
import { findTxid, markSeen, submit } from "../../recognition/alerts.ts";
import type { ApiContext, App } from "../context.ts";
import { brandOf, userOf } from "../identify.ts";
import { Refusal } from "../problem.ts";
import { noBody } from "../reply.ts";

/** A user has some tens of alerts at most; the body's limit of 64 KiB would hold about 1,600 ids. */
const alertIdsMax = 1000;

const CrowdsourcingRequestSchema = Type.Object(
  {
    // The database's texts hold no NUL.
    id: Type.String({
      minLength: 1,
      maxLength: identifierLengthMax,
      pattern: "^[^\\u0000]+$",
      description: "A transaction id: as listed, or the sender's own txid.",
    }),
    paymentFrequency: Type.Optional(PaymentFrequencySchema),
  },
  { title: "CrowdsourcingRequest" },
);
const AlertSeenRequestSchema = Type.Unsafe<string[]>({
  type: "array",
  title: "AlertSeenRequest",
  maxItems: alertIdsMax,
  items: {
    type: "string",
    pattern: "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
    description: "An alert's id.",
  },
});

export async function crowdsourcingRoutes(scope: App, context: ApiContext): Promise<void> {
  scope.post(
    "/crowdsourcing",
    {
      // Before the body is read: where the feature is off, nothing else is worth saying. Without Retry-After: a client
      // that keeps to it would call every hour for what no waiting changes.
      onRequest: async (request) => {
        if (!brandOf(request).crowdsourcing) throw new Refusal("CROWDSOURCING_DISABLED");
      },
      schema: {
        operationId: "submitCrowdsourcing",
        summary: "Call a transaction a subscription",
        description:
          "When it is answered, services tell the outcome, as an alert and as the service it confirms or makes. Sending it again changes nothing.",
        tags: ["Crowdsourcing"],
        body: CrowdsourcingRequestSchema,
        response: { 201: noBody("Submitted.") },
      },
      config: { refusals: ["CROWDSOURCING_DISABLED", "TRANSACTION_UNKNOWN"] },
    },
    async (request, reply) => {
      const user = userOf(request);
      const today = context.clock.today(brandOf(request).timeZone);
      const txid = await findTxid(context.database, user.id, request.body.id, today);
      if (txid === null) throw new Refusal("TRANSACTION_UNKNOWN");
      if (await submit(context.database, user.id, txid, request.body.paymentFrequency ?? null))
        await context.refreshUser(user.id);
      return reply.code(201).send();
    },
  );
  scope.put(
    "/alerts/seen",
    {
      schema: {
        operationId: "setAlertsSeen",
        summary: "Mark alerts as seen",
        description: "They no longer show. Ids that are unknown are ignored.",
        tags: ["Alerts"],
        body: AlertSeenRequestSchema,
        response: { 200: noBody("Updated.") },
      },
    },
    async (request, reply) => {
      const user = userOf(request);
      if (await markSeen(context.database, user.id, request.body)) await context.refreshUser(user.id);
      return reply.code(200).send();
    },
  );
}
