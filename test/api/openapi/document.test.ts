/** The OpenAPI document explains every operation, and each of its examples of a body is valid. */
import test from "ava";
import type { OpenAPIV3_1 } from "openapi-types";
import type { TSchema } from "typebox";
import { Errors } from "typebox/value";
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
