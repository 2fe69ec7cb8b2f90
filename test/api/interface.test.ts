/** The OpenAPI document says what the interface document's tables say; more fields and more answers are allowed. */
import test from "ava";
import type { OpenAPIV3_1 } from "openapi-types";
import { openApiDocument } from "../../src/api/server.ts";
import { answered, endpoints, limits, sent, values, within, written } from "./interface-tables.ts";

type Property = {
  type?: unknown;
  enum?: unknown[];
  const?: unknown;
  items?: Property;
  $ref?: string;
  anyOf?: Property[];
  properties?: Record<string, Property>;
  required?: string[];
};

const document = await openApiDocument();
const schemas = document.components?.schemas as Record<string, Property>;
const prefix = "/partner/{partnerId}/2.0.0";

/** `null` for no content, `Name`, or `[Name]` for an array of it. */
function bodyOf(content: Record<string, OpenAPIV3_1.MediaTypeObject> | undefined): string | null {
  const schema = Object.values(content ?? {})[0]?.schema as Property | undefined;
  const nameOf = (node: Property | undefined) => node?.$ref?.split("/").at(-1);
  // Its only value is the text of no length.
  if (schema === undefined || nameOf(schema) === "NotReady") return null;
  return nameOf(schema) ?? `[${nameOf(schema.items) ?? JSON.stringify(schema.type)}]`;
}

/** Of a schema, what lies at a path of property names: through references, lists, and the first alternative. */
function schemaAt(place: string): Property {
  const [name = "", ...steps] = place.split(".");
  return steps.reduce((node, step) => plain(plain(node).properties?.[step] ?? {}), plain(schemas[name] ?? {}));
}

function plain(node: Property): Property {
  if (node.$ref !== undefined) return plain(schemas[node.$ref.split("/").at(-1) ?? ""] ?? {});
  const inner = node.items ?? node.anyOf?.[0];
  return inner && node.properties === undefined ? plain(inner) : node;
}

for (const [number, call, body, answers] of endpoints) {
  test(`endpoint ${number}, ${call}, takes and answers what the interface says`, (t) => {
    const [method = "", path = "", open] = call.split(" ");
    const operation = (document.paths?.[prefix + path] as Record<string, OpenAPIV3_1.OperationObject> | undefined)?.[
      method.toLowerCase()
    ];
    t.deepEqual(operation?.security, open ? [] : [{ Bearer: [] }]);
    const request = operation?.requestBody as OpenAPIV3_1.RequestBodyObject | undefined;
    t.is(request === undefined ? null : bodyOf(request.content), body?.replace("?", "") ?? null);
    if (body?.endsWith("?")) t.false(request?.required);
    for (const answer of answers.split(" ")) {
      const [status = "", schema] = answer.split(":");
      const declared = operation?.responses?.[status] as OpenAPIV3_1.ResponseObject | undefined;
      t.truthy(declared, status);
      if (schema !== undefined) t.is(bodyOf(declared?.content), schema, status);
      if (schema === undefined && status.startsWith("2") && number !== 30)
        t.is(bodyOf(declared?.content), null, status);
    }
    const parameters = (operation?.parameters ?? []) as OpenAPIV3_1.ParameterObject[];
    t.like(
      parameters.find(({ name }) => name === "X-Correlation-ID"),
      { in: "header", schema: { type: "string" } },
    );
    for (const name of ["budgetId", "actionId", "expenseId"].filter((each) => path.includes(`{${each}}`))) {
      t.like(
        parameters.find((each) => each.name === name),
        { in: "path", required: true, schema: { type: "string", format: "uuid" } },
      );
    }
  });
}

test("what is not ready says when to ask again and where", (t) => {
  for (const path of ["/services", "/budgets/{budgetId}", "/budgets/{budgetId}/details"]) {
    const operation = document.paths?.[prefix + path]?.get;
    const answer = operation?.responses?.["202"] as OpenAPIV3_1.ResponseObject | undefined;
    t.like(answer?.headers?.["Retry-After"], { schema: { type: "integer" } }, path);
    t.truthy(answer?.headers?.["Location"], path);
  }
  t.like(
    document.paths?.[`${prefix}/services`]?.get?.parameters?.find(
      (each) => "name" in each && each.name === "visibility",
    ),
    { in: "query", required: false, schema: { enum: ["VISIBLE", "HIDDEN"], default: "VISIBLE" } },
  );
});

const fieldsOf = (list: string) =>
  list.split(" ").map((field) => ({ name: field.replace("?", ""), isRequired: !field.endsWith("?") }));

for (const [name, list] of Object.entries({ ...answered, ...sent })) {
  test(`${name} has every field of the interface, those that it requires always`, (t) => {
    const { properties = {}, required = [] } = schemas[name] ?? {};
    for (const field of fieldsOf(list)) {
      t.true(field.name in properties, field.name);
      if (field.isRequired) t.true(required.includes(field.name), field.name);
    }
  });
}

for (const [name, list] of Object.entries(written)) {
  test(`${name} takes every field of the interface and requires no other`, (t) => {
    const { properties = {}, required = [] } = schemas[name] ?? {};
    const fields = fieldsOf(list);
    for (const field of fields) t.true(field.name in properties, field.name);
    t.deepEqual(
      required.filter((one) => !fields.some((field) => field.isRequired && field.name === one)),
      [],
    );
  });
}

for (const [place, list] of Object.entries(within)) {
  test(`${place} has the fields of the interface`, (t) => {
    const { properties = {}, required = [] } = schemaAt(place);
    const fields = fieldsOf(list);
    t.deepEqual(Object.keys(properties).sort(), fields.map(({ name }) => name).sort());
    for (const { name } of fields.filter(({ isRequired }) => isRequired)) t.true(required.includes(name), name);
  });
}

for (const [place, list] of Object.entries(values)) {
  test(`${place} has the values of the interface`, (t) => {
    const schema = schemaAt(place);
    const found = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
    t.deepEqual(found.map(String).sort(), list.split(" ").sort());
  });
}

test("limits and forms are those of the interface", (t) => {
  for (const [name, property, keyword, value] of limits) {
    const outer = schemas[name]?.properties?.[property];
    const told = outer !== undefined && keyword in outer ? outer : schemaAt(`${name}.${property}`);
    t.is((told as Record<string, unknown>)[keyword], value, `${name}.${property} ${keyword}`);
  }
});
