/** The OpenAPI 3.1 document, generated from the routes themselves. */
import swagger from "@fastify/swagger";
import type { RouteOptions } from "fastify";
import type { OpenAPIV3_1 } from "openapi-types";
import { type ErrorCode, errorCatalogue } from "../../errors.ts";
import { correlationIdLengthMax } from "../correlation.ts";
import type { App } from "../context.ts";
import { problemMediaType, ProblemSchema, statusOf } from "../problem.ts";
import recordedAnswers from "./recorded-answers.json" with { type: "json" };
import { nameSchemas } from "./schemas.ts";
import { notificationsWebhook } from "./webhooks.ts";

export type ApiDocument = OpenAPIV3_1.Document;

/** Codes by operation and status. */
type Refusals = Map<string | undefined, Partial<Record<string, ErrorCode[]>>>;

/** The version of the interface, which every partner path carries too. */
const interfaceVersion = "2.0.0";
const correlationHeader = "X-Correlation-ID";

const bodyOptional = "x-body-optional";
/** The codes that a problem with that status may have, as data. */
export const errorCodes = "x-error-codes";

/** Path parameters that the interface calls UUIDs. Only said: a text that is none names nothing and is 404, not 400. */
const uuidParameters: ReadonlySet<string> = new Set(["budgetId", "actionId", "expenseId", "documentId"]);

/** In the order of the reference page; a route with another tag fails the generation. */
const tags = [
  { name: "Operation", description: "For whoever runs the installation: liveness, readiness, figures." },
  { name: "Documentation", description: "This interface, as data and as a page." },
  { name: "Assets", description: "Images that answers refer to." },
  { name: "User handling", description: "Users, their logins, their end." },
  { name: "Transactions", description: "Encrypted batches in, and what was loaded of them." },
  { name: "Recurring payments", description: "What was recognised: services and the next payments expected." },
  { name: "Crowdsourcing", description: "Payments that a user calls subscriptions." },
  { name: "Alerts", description: "What a user should be told once." },
  { name: "Notifications", description: "What a partner's receiver is sent." },
  { name: "Budgets", description: "Household budgets, their questions and their outcome." },
  { name: "Reports", description: "Documents about one user." },
  { name: "Accounts", description: "Which accounts may be seen, and their balances." },
  { name: "PSD2", description: "Connecting a bank in the browser." },
];

/** Headers, by JSON schema, that belong to a code. */
const ownHeaders: Partial<Record<ErrorCode, Readonly<Record<string, object>>>> = {
  TOKEN_INVALID: { "WWW-Authenticate": { type: "string", description: "The Bearer challenge (RFC 6750)." } },
  BUSY: { "Retry-After": { type: "integer", description: "Seconds; with BUSY only." } },
  TOO_MANY_REQUESTS: { "Retry-After": { type: "integer", description: "Seconds until the next minute begins." } },
};

/** To be called before the routes are added. */
export async function documentRoutes(app: App): Promise<void> {
  // The generator drops keys that it does not know from an answer: they are put back at the end.
  const refusals: Refusals = new Map();
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Tideline Partner Backend API",
        version: interfaceVersion,
        description:
          "Partners push encrypted batches of bank transactions and read their users' recurring payments. " +
          "In requests, a null in an optional field counts as absent. " +
          "Errors are problem documents (RFC 9457), except that a refused batch is answered with a TransactionsErrorResponse.",
        // Tideline runs at many places; callers know whose it is.
        contact: { name: "The operator of this installation" },
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      tags,
      servers: [{ url: "/" }],
      components: {
        securitySchemes: {
          Bearer: {
            type: "http",
            scheme: "bearer",
            bearerFormat: "JWT",
            description: "The token of POST users/logins; the bare token is read too.",
          },
          Receiver: {
            type: "http",
            scheme: "bearer",
            description: "The partner's own: given to us, or fetched from its token address.",
          },
        },
      },
    },
    transform: ({ schema, url, route }) => ({
      // The generator says of every body that it is required, and keeps keys of this form on the operation.
      schema: {
        ...schema,
        response: withRefusals(schema?.response, route, refusals),
        ...(route.config?.bodyOptional ? { [bodyOptional]: true } : {}),
      },
      url,
    }),
    transformObject: (document) =>
      "openapiObject" in document ? finish(document.openapiObject as ApiDocument, refusals) : {},
  });
}

export function documentOf(app: App): ApiDocument {
  return app.swagger() as ApiDocument;
}

/** Adds what the route's scopes refuse, by what the schema says of them, to what the route itself answers. */
function withRefusals(response: unknown, route: RouteOptions, refusals: Refusals): Record<string, unknown> {
  const answers: Record<string, unknown> = { ...(response as object) };
  const byStatus = Object.groupBy(refusalsOf(route), statusOf);
  refusals.set(route.schema?.operationId, byStatus);
  for (const [status, codes] of Object.entries(byStatus)) answers[status] ??= problemAnswer(codes ?? []);
  return answers;
}

function refusalsOf({ schema, config, url }: RouteOptions): ErrorCode[] {
  const codes: ErrorCode[] = [...(config?.refusals ?? []), "REQUEST_INVALID", "INTERNAL"];
  if (url.startsWith("/partner/"))
    codes.push(
      "PARTNER_UNKNOWN",
      "PARTNER_UNGUARDED",
      "ADDRESS_NOT_ALLOWED",
      "CLIENT_CERTIFICATE_NOT_ALLOWED",
      "TOO_MANY_REQUESTS",
      "BUSY",
    );
  if (schema?.security) codes.push("TOKEN_INVALID", "TOKEN_FOREIGN");
  if (schema?.body) codes.push("BODY_TOO_LARGE", "MEDIA_TYPE_UNSUPPORTED");
  if (config?.produces !== undefined) codes.push("NOT_ACCEPTABLE");
  return [...new Set(codes)];
}

function problemAnswer(codes: readonly ErrorCode[]): object {
  return {
    description: codes.map((code) => `${code}: ${errorCatalogue[code].sentence}`).join(" "),
    content: { [problemMediaType]: { schema: ProblemSchema } },
    headers: Object.assign({}, ...codes.map((code) => ownHeaders[code] ?? {})),
  };
}

/** What the generator cannot say route by route: headers on every answer, and schemas named once. */
function finish(document: ApiDocument, refusals: Refusals): ApiDocument {
  for (const path of Object.values(document.paths ?? {})) {
    for (const method of ["get", "put", "post", "delete"] as const) {
      const operation = path?.[method];
      if (!operation) continue;
      addHeaders(operation);
      nameUuids(operation);
      allowNoBody(operation);
      nameVersions(operation);
      typeEmptyAnswers(operation);
      nameCodes(operation, refusals);
      // Said outright: no token is needed, rather than forgotten.
      operation.security ??= [];
      assertTagged(operation);
    }
  }
  const named = nameSchemas({ paths: document.paths, notifications: notificationsWebhook });
  const { paths, notifications } = named.document;
  // Behind the naming of schemas, which would take a product with a title for one.
  for (const path of Object.values(paths as OpenAPIV3_1.PathsObject)) {
    for (const method of ["get", "put", "post", "delete"] as const) showRecorded(path?.[method]);
  }
  return {
    ...document,
    paths: paths as OpenAPIV3_1.PathsObject,
    webhooks: { notifications: notifications as OpenAPIV3_1.PathItemObject },
    components: { ...document.components, schemas: named.schemas },
  };
}

function addHeaders(operation: OpenAPIV3_1.OperationObject): void {
  const description = `Any string without control characters, as UTF-8; generated when absent, and refused with 400 beyond ${correlationIdLengthMax} characters.`;
  operation.parameters = [
    ...(operation.parameters ?? []),
    {
      name: correlationHeader,
      in: "header",
      description,
      schema: { type: "string", maxLength: correlationIdLengthMax },
    },
  ];
  for (const answer of Object.values(operation.responses ?? {})) {
    if ("$ref" in answer) continue;
    // What the generator writes for a schema that says nothing of itself.
    if (answer.description === "Default Response") answer.description = "Success.";
    answer.headers = {
      ...answer.headers,
      [correlationHeader]: { description: "The value given, as it came, or generated.", schema: { type: "string" } },
    };
  }
}

function nameUuids({ parameters = [] }: OpenAPIV3_1.OperationObject): void {
  for (const parameter of parameters) {
    if ("name" in parameter && uuidParameters.has(parameter.name))
      parameter.schema = { type: "string", format: "uuid" };
  }
}

function allowNoBody(operation: OpenAPIV3_1.OperationObject & { [bodyOptional]?: true }): void {
  const { requestBody } = operation;
  if (operation[bodyOptional] && requestBody && !("$ref" in requestBody)) requestBody.required = false;
  delete operation[bodyOptional];
}

/** What may be answered with 304 tells its version, and takes it back as a condition. */
function nameVersions(operation: OpenAPIV3_1.OperationObject): void {
  const [whole, notModified] = [operation.responses?.["200"], operation.responses?.["304"]];
  if (notModified === undefined || whole === undefined || "$ref" in whole) return;
  whole.headers = {
    ...whole.headers,
    ETag: { description: "The version of this answer.", schema: { type: "string" } },
  };
  const description = "Versions that the caller has: 304 without a body when the one in force is among them.";
  operation.parameters = [
    ...(operation.parameters ?? []),
    { name: "If-None-Match", in: "header", description, schema: { type: "string" } },
  ];
}

/**
 * An answer without a body, beside one with: as text of no length it has a type, and generated clients tell a caller
 * which of both may come. Of one that says nothing some make `unknown`, which swallows the other's type.
 */
function typeEmptyAnswers({ responses = {} }: OpenAPIV3_1.OperationObject): void {
  const accepted = responses["202"];
  if (responses["200"] === undefined || accepted === undefined || "$ref" in accepted) return;
  accepted.content ??= { "text/plain": { schema: { type: "string", title: "NotReady", enum: [""] } } };
}

function nameCodes({ operationId, responses = {} }: OpenAPIV3_1.OperationObject, refusals: Refusals): void {
  for (const [status, codes] of Object.entries(refusals.get(operationId) ?? {})) {
    const answer = responses[status];
    // A refused batch is answered with a document of its own, whose schema lists its codes.
    if (answer && !("$ref" in answer) && problemMediaType in (answer.content ?? {}))
      Object.assign(answer, { [errorCodes]: codes });
  }
}

/** What the demo answered, see test/outside/recorded-answers.ts. Lists are cut short there, so sums tell of more. */
function showRecorded(operation: OpenAPIV3_1.OperationObject | undefined): void {
  const answers: Readonly<Record<string, unknown>> = recordedAnswers;
  const recorded = answers[operation?.operationId ?? ""];
  const answer = operation?.responses?.["200"];
  const media = answer === undefined || "$ref" in answer ? undefined : answer.content?.["application/json"];
  if (media !== undefined && recorded !== undefined) media.example = recorded;
}

function assertTagged({ operationId, tags: own = [] }: OpenAPIV3_1.OperationObject): void {
  if (own.length !== 1 || !tags.some(({ name }) => name === own[0]))
    throw new Error(`${operationId} needs one of the document's tags`);
}
