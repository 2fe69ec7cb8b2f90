/** The OpenAPI document explains every operation, and each of its examples of a body is valid. */
import test from "ava";
import type { OpenAPIV3_1 } from "openapi-types";
import type { TSchema } from "typebox";
import { Errors } from "typebox/value";
import recordedAnswers from "../../../src/api/openapi/recorded-answers.json" with { type: "json" };
import { words } from "../../../src/api/openapi/words/words.ts";
import { openApiDocument } from "../../../src/api/server.ts";
import { operationsOf, resolve } from "../operations.ts";

test("every body that callers write has an example, and every example is valid", async (t) => {
  const document = await openApiDocument();
  const operations = await operationsOf();
  t.true(operations.length >= 40);
  for (const { operation, bodyExample } of operations) {
    if (operation.requestBody)
      t.not(bodyExample, undefined, `${operation.operationId} has no example in src/api/openapi/examples.ts`);
  }
  const withExamples = Object.entries(document.components?.schemas ?? {}).filter(([, schema]) => "examples" in schema);
  t.true(withExamples.length >= 25);
  for (const [name, schema] of withExamples) {
    for (const example of (schema as { examples: unknown[] }).examples)
      t.deepEqual(Errors(resolve(schema, document) as TSchema, example), [], name);
  }
});

test("every operation says what it is, who may call it and what goes wrong", async (t) => {
  const seen = new Set<string>();
  for (const { operation, path } of await operationsOf()) {
    const { operationId = "", summary, description, security, responses = {}, parameters = [] } = operation;
    t.truthy(operationId && summary && description, path);
    t.false(seen.has(operationId));
    seen.add(operationId);
    t.true(Array.isArray(security), `${operationId} says whether it needs a token`);
    const statuses = Object.keys(responses);
    t.true(
      statuses.some((status) => status.startsWith("2")) && statuses.some((status) => status.startsWith("4")),
      operationId,
    );
    if (operation.requestBody)
      t.true(
        ["400", "413", "415"].every((status) => statuses.includes(status)),
        `${operationId} tells of bodies that it refuses`,
      );
    if (security?.length)
      t.true(
        ["401", "403", "429"].every((status) => statuses.includes(status)),
        `${operationId} tells of tokens that it refuses`,
      );
    const named = new Set(
      (parameters as OpenAPIV3_1.ParameterObject[]).filter(({ in: place }) => place === "path").map(({ name }) => name),
    );
    t.deepEqual(
      [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name).filter((name) => !named.has(name ?? "")),
      [],
      path,
    );
  }
});

test("every schema and each of its fields is explained, and no words are left over", async (t) => {
  const schemas = (await openApiDocument()).components?.schemas ?? {};
  const unexplained: string[] = [];
  for (const [name, schema] of Object.entries(schemas)) {
    if ("$ref" in schema) continue;
    if (!schema.description) unexplained.push(name);
    for (const [field, property] of Object.entries(schema.properties ?? {}))
      if (!property.description) unexplained.push(`${name}.${field}`);
  }
  t.deepEqual(unexplained, []);
  const leftOver = Object.entries(words).flatMap(([name, [, fields]]) => {
    const schema = schemas[name];
    if (schema === undefined || "$ref" in schema) return name in schemas ? [] : [name];
    return Object.keys(fields).flatMap((field) => (field in (schema.properties ?? {}) ? [] : [`${name}.${field}`]));
  });
  t.deepEqual(leftOver, []);
});

test("every enum has its type, and lists that several fields share have a name", async (t) => {
  const untyped: string[] = [];
  const unnamed: string[] = [];
  const look = (node: unknown, place: string): void => {
    if (typeof node !== "object" || node === null) return;
    if ("enum" in node && Array.isArray(node.enum)) {
      if (!("type" in node)) untyped.push(place);
      if (node.enum.length > 1 && !/^\/components\/schemas\/\w+$/.test(place)) unnamed.push(place);
    }
    for (const [key, value] of Object.entries(node)) if (key !== "examples") look(value, `${place}/${key}`);
  };
  look(await openApiDocument(), "");
  t.deepEqual(untyped, []);
  t.deepEqual(unnamed, ["/paths//partner/{partnerId}/2.0.0/services/get/parameters/0/schema"]);
});

test("what the interface names has its name, and what is sealed in a batch is told with its limits", async (t) => {
  const schemas = (await openApiDocument()).components?.schemas ?? {};
  const named =
    "Alert Budget BudgetAccounts BudgetAlert BudgetApplicantType BudgetDetails BudgetIncome BudgetRiskIndicators BudgetService BudgetSpending " +
    "BudgetTransactionalSource BudgetTransactionalType BudgetUserData Cancellation CancellationAbortReason CancellationOption Category CategoryNote " +
    "CrowdsourcingAlert Currency Expense Income IncomeFrequency JweParams MembershipAlert Notification NotificationParams NotificationTranslation " +
    "PaymentFrequency Product RawTransaction Service ServicePayment ServicePaymentFrequency ServiceResponse Store Transaction " +
    "TransactionsErrorResponse TransactionsRequest UpcomingPayment UserActionRequiredType";
  t.deepEqual(
    named.split(" ").filter((name) => !(name in schemas)),
    [],
  );
  t.deepEqual(schemas["ServicePaymentFrequency"], { $ref: "#/components/schemas/PaymentFrequency" });
  t.like(schemas["RawTx"], { properties: { txid: { maxLength: 255 }, description: { maxLength: 2000 } } });
  t.like(schemas["SealedBatch"], {
    properties: { plaintext: { maxItems: 750, items: { $ref: "#/components/schemas/RawTransaction" } } },
  });
});

test("an answer without a body beside one with has a type of its own", async (t) => {
  for (const { operation } of await operationsOf()) {
    const accepted = operation.responses?.["202"];
    if (accepted === undefined || operation.responses?.["200"] === undefined) continue;
    t.like(accepted, { content: { "text/plain": { schema: { $ref: "#/components/schemas/NotReady" } } } });
  }
});

test("answers recorded from the demo are of operations that there are, valid, and hold no field that is not explained", async (t) => {
  const document = await openApiDocument();
  const left = new Set(Object.keys(recordedAnswers));
  t.true(left.size >= 18);
  for (const { operation } of await operationsOf()) {
    const answer = operation.responses?.["200"];
    const media = answer && "content" in answer ? answer.content?.["application/json"] : undefined;
    if (media?.example === undefined) continue;
    left.delete(operation.operationId ?? "");
    const schema = resolve(media.schema, document);
    t.deepEqual(Errors(schema as TSchema, media.example), [], operation.operationId);
    t.deepEqual(unexplainedFields(schema, media.example, operation.operationId ?? ""), []);
  }
  t.deepEqual([...left], []);
});

test("whatever a customer's token reads as JSON has an answer that was recorded", async (t) => {
  const missing = (await operationsOf()).filter(({ operation, needsToken }) => {
    const answer = operation.responses?.["200"];
    const media = answer && "content" in answer ? answer.content?.["application/json"] : undefined;
    return needsToken && media !== undefined && media.example === undefined;
  });
  t.deepEqual(
    missing.map(({ id }) => id),
    [],
  );
});

test("a field that the document does not tell of, or that is gone, is found in a recorded answer", async (t) => {
  const document = await openApiDocument();
  const schema = resolve({ $ref: "#/components/schemas/ServiceResponse" }, document);
  const { listServices } = recordedAnswers;
  t.deepEqual(unexplainedFields(schema, { ...listServices, colour: 1 }, "a"), ["a.colour"]);
  const [service] = listServices.services;
  t.deepEqual(unexplainedFields(schema, { ...listServices, services: [{ ...service, colour: 1 }] }, "a"), [
    "a.services.0.colour",
  ]);
  const { services: _, ...less } = listServices;
  t.not(Errors(schema as TSchema, less).length, 0);
});

type Explained = { properties?: Record<string, unknown>; items?: unknown; anyOf?: readonly unknown[] };

/** Fields of an answer of which its schema says nothing; of several schemas the one that says most. */
function unexplainedFields(schema: unknown, value: unknown, at: string): string[] {
  const { properties, items, anyOf } = (schema ?? {}) as Explained;
  if (anyOf) {
    const found = anyOf.map((one) => unexplainedFields(one, value, at));
    return found.toSorted((a, b) => a.length - b.length)[0] ?? [];
  }
  if (Array.isArray(value)) return value.flatMap((one, place) => unexplainedFields(items, one, `${at}.${place}`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    properties?.[name] === undefined ? [`${at}.${name}`] : unexplainedFields(properties[name], one, `${at}.${name}`),
  );
}
