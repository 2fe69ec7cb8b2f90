/** Recurring payments: endpoints 7 to 10 of the interface, and recurring income beside them. */
import { Type } from "@fastify/type-provider-typebox";
import { IncomeResponseSchema } from "../../interface/income.ts";
import { ServiceResponseSchema, ServiceSchema, UpcomingPaymentSchema } from "../../interface/services.ts";
import type { ApiContext, App } from "../context.ts";
import { callerOf, ofLiveUser, partnerOf, userOf } from "../identify.ts";
import { Refusal } from "../problem.ts";
import { readService } from "../read-models.ts";
import { decideHidden } from "../../recognition/store.ts";
import { noBody, sendJson, sendNotReady } from "../reply.ts";
import { NotModifiedSchema, readStored, sendStored } from "../documents/stored.ts";

/** Recognition follows a finished load within seconds. */
const notReadyRetrySeconds = 5;
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const ServicesQuerySchema = Type.Object({
  visibility: Type.Optional(
    Type.Enum(["VISIBLE", "HIDDEN"], {
      default: "VISIBLE",
      description: "VISIBLE includes the undecided ones, HIDDEN lists only what the user hid.",
    }),
  ),
});
const ServiceParametersSchema = Type.Object({ partnerId: Type.String(), serviceId: Type.String() });
const ServiceUpdateHiddenRequestSchema = Type.Object(
  { hidden: Type.Boolean() },
  { title: "ServiceUpdateHiddenRequest" },
);
const NotReadySchema = noBody(
  "Not ready: the import is not complete, or its first recognition has not run. Never again after the first 200.",
  {
    "Retry-After": { type: "integer", description: "Seconds." },
    Location: { type: "string", description: "This resource." },
  },
);

export async function servicesRoutes(scope: App, context: ApiContext): Promise<void> {
  scope.get(
    "/services",
    {
      schema: {
        operationId: "listServices",
        summary: "List recurring payments",
        description: "Everything that was recognised, hidden ones apart, with the alerts that nobody has seen.",
        tags: ["Recurring payments"],
        querystring: ServicesQuerySchema,
        response: { 200: ServiceResponseSchema, 202: NotReadySchema, 304: NotModifiedSchema },
      },
      config: { produces: "application/json", refusals: ["REQUEST_INVALID"], findsUser: true },
    },
    async (request, reply) => {
      const { visibility } = request.query;
      const asked = visibility ?? "VISIBLE";
      const name = asked === "HIDDEN" ? "services hidden" : "services";
      const read = (known: readonly string[]) => context.served.read({ caller: callerOf(request), name, known });
      const { document } = ofLiveUser(await readStored(context.documents, request, name, read));
      if (document !== null) return sendStored(reply, document);
      const location = `/partner/${partnerOf(request).id}/2.0.0/services${visibility ? `?visibility=${visibility}` : ""}`;
      return sendNotReady(reply, notReadyRetrySeconds, location);
    },
  );
  scope.get(
    "/income",
    {
      schema: {
        operationId: "listIncome",
        summary: "List recurring income",
        description:
          "Extension of this service. Every series of payments from one payer that was recognised, with what is told of recurring payments beyond the interface; 404 where the brand shows no income.",
        tags: ["Recurring payments"],
        response: { 200: IncomeResponseSchema, 202: NotReadySchema, 304: NotModifiedSchema },
      },
      config: { produces: "application/json", refusals: ["INCOME_DISABLED"], findsUser: true },
    },
    async (request, reply) => {
      const read = (known: readonly string[]) =>
        context.served.read({ caller: callerOf(request), name: "income", known });
      const { document, isShown } = ofLiveUser(await readStored(context.documents, request, "income", read));
      if (!isShown) throw new Refusal("INCOME_DISABLED");
      if (document !== null) return sendStored(reply, document);
      return sendNotReady(reply, notReadyRetrySeconds, `/partner/${partnerOf(request).id}/2.0.0/income`);
    },
  );
  scope.get(
    "/services/:serviceId",
    {
      schema: {
        operationId: "getService",
        summary: "Read one recurring payment",
        description: "The obligation with its payments, whatever its visibility.",
        tags: ["Recurring payments"],
        params: ServiceParametersSchema,
        response: { 200: ServiceSchema },
      },
      config: { produces: "application/json", refusals: ["SERVICE_UNKNOWN"] },
    },
    async (request, reply) => {
      const serviceId = serviceIdOf(request.params);
      const document = await context.reads.read((database) => readService(database, userOf(request).id, serviceId));
      if (document === null) throw new Refusal("SERVICE_UNKNOWN");
      return sendJson(reply, document);
    },
  );
  scope.put(
    "/services/:serviceId/hidden",
    {
      schema: {
        operationId: "setServiceHidden",
        summary: "Hide or show a recurring payment",
        description:
          "The user's decision outlives later recognition. Showing also confirms an undecided one. Reads tell the new state at once.",
        tags: ["Recurring payments"],
        params: ServiceParametersSchema,
        body: ServiceUpdateHiddenRequestSchema,
        response: { 200: noBody("Updated.") },
      },
      config: { refusals: ["SERVICE_UNKNOWN"] },
    },
    async (request, reply) => {
      const serviceId = serviceIdOf(request.params);
      const user = userOf(request);
      const decided = await decideHidden(context.database, user.id, serviceId, request.body.hidden);
      if (!decided) throw new Refusal("SERVICE_UNKNOWN");
      await context.refreshUser(user.id);
      return reply.code(200).send();
    },
  );
  scope.get(
    "/upcoming-payments",
    {
      schema: {
        operationId: "listUpcomingPayments",
        summary: "List the next expected payments",
        description: "One for each active recurring payment, by date; sporadic payments are left out.",
        tags: ["Recurring payments"],
        response: {
          200: Type.Array(UpcomingPaymentSchema, { description: "The next expected payments." }),
          304: NotModifiedSchema,
        },
      },
      config: { produces: "application/json", findsUser: true },
    },
    async (request, reply) => {
      const read = (known: readonly string[]) =>
        context.served.read({ caller: callerOf(request), name: "upcoming", known });
      const { document } = ofLiveUser(await readStored(context.documents, request, "upcoming", read));
      return document === null ? sendJson(reply, "[]") : sendStored(reply, document);
    },
  );
}

/** The interface calls it a string: one that is no id of ours names nothing. */
function serviceIdOf({ serviceId }: { serviceId: string }): string {
  if (!uuidPattern.test(serviceId)) throw new Refusal("SERVICE_UNKNOWN");
  return serviceId;
}
