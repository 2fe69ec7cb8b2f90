/** What the client is generated from the OpenAPI document: its types, and a table of the operations. Pure. */
import type { OpenAPIV3_1 } from "openapi-types";
import { type ApiDocument, errorCodes } from "./document.ts";

type Schema = OpenAPIV3_1.SchemaObject | OpenAPIV3_1.ReferenceObject;
type Operation = {
  id: string;
  method: string;
  /** Below the partner's prefix. */
  path: string;
  operation: OpenAPIV3_1.OperationObject;
};

const partnerPrefix = "/partner/{partnerId}/2.0.0";
const head = (what: string) =>
  `/** ${what} Generated from the OpenAPI document by \`npm run openapi\`: not to be edited. */\n`;

/** The schemas as TypeScript, each under the interface's own name. */
export function clientSchemas(document: ApiDocument): string {
  const schemas = Object.entries(document.components?.schemas ?? {});
  const types = schemas.map(
    ([name, schema]) => `${comment(schema.description)}export type ${name} = ${typeOf(schema)};`,
  );
  const codes = [...new Set(operationsOf(document).flatMap(({ operation }) => codesOf(operation)))].toSorted();
  return [
    head("The interface's schemas."),
    ...types,
    `/** What a problem's code may be; a later service may have others. */\nexport type ProblemCode = ${union(codes)};\n`,
  ].join("\n");
}

/** What a client calls: how each operation is sent, and what a user's session offers. */
export function clientOperations(document: ApiDocument): string {
  const operations = operationsOf(document);
  const ofUsers = operations.filter(({ operation }) => operation.security?.length);
  const signatures = ofUsers.map(
    (one) =>
      `${comment(`${one.operation.summary}. ${one.operation.description ?? ""}`, "  ")}  ${one.id}(${parametersOf(one)}): Promise<${resultOf(one.operation)}>;`,
  );
  const names = Object.keys(document.components?.schemas ?? {}).filter((name) =>
    signatures.some((text) => new RegExp(`\\b${name}\\b`).test(text.replace(/\/\*\*.*?\*\//gs, ""))),
  );
  return [
    head("The interface's operations."),
    `import type { CallOptions } from "../call-options.ts";`,
    `import type { ${names.join(", ")} } from "./schemas.ts";`,
    "",
    "/** What is called in a user's name: by parameters of path and query, with `body` among them. */",
    "export type UserOperations = {",
    ...signatures,
    "};",
    "",
    "export const operations = {",
    ...operations.map((one) => `  ${one.id}: ${JSON.stringify(shapeOf(one))},`),
    "} as const;",
    "",
  ].join("\n");
}

function operationsOf({ paths = {} }: ApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    !path.startsWith(partnerPrefix)
      ? []
      : (["get", "put", "post", "delete"] as const).flatMap((method) => {
          const operation = item?.[method];
          if (!operation?.operationId) return [];
          return [
            {
              id: operation.operationId,
              method: method.toUpperCase(),
              path: path.slice(partnerPrefix.length),
              operation,
            },
          ];
        }),
  );
}

function shapeOf({ method, path, operation }: Operation) {
  return {
    method,
    path,
    query: named(operation, "query").map(({ name }) => name),
    answers: binary(operation) ? "bytes" : resultOf(operation) === "void" ? "nothing" : "json",
    waits: "200" in (operation.responses ?? {}) && "202" in (operation.responses ?? {}),
  };
}

/** All in one object; absent where there is none, optional where none is required. */
function parametersOf({ operation }: Operation): string {
  const fields = [
    ...named(operation, "path")
      .filter(({ name }) => name !== "partnerId")
      .map(({ name }) => `${name}: string`),
    ...named(operation, "query").map(({ name, schema }) => `${name}?: ${typeOf(schema as Schema)}`),
  ];
  const body = operation.requestBody && !("$ref" in operation.requestBody) ? operation.requestBody : null;
  if (body)
    fields.push(`body${body.required ? "" : "?"}: ${typeOf(body.content["application/json"]?.schema as Schema)}`);
  const optional = fields.every((field) => field.includes("?:")) ? "?" : "";
  return fields.length === 0
    ? "parameters?: {}, options?: CallOptions"
    : `parameters${optional}: { ${fields.join("; ")} }, options?: CallOptions`;
}

function named(operation: OpenAPIV3_1.OperationObject, place: string): OpenAPIV3_1.ParameterObject[] {
  return (operation.parameters ?? []).flatMap((one) => (!("$ref" in one) && one.in === place ? [one] : []));
}

function contentOf(operation: OpenAPIV3_1.OperationObject): Record<string, OpenAPIV3_1.MediaTypeObject> {
  const answer = operation.responses?.["200"];
  return answer && !("$ref" in answer) ? (answer.content ?? {}) : {};
}

function resultOf(operation: OpenAPIV3_1.OperationObject): string {
  const schema = contentOf(operation)["application/json"]?.schema;
  return binary(operation) ? "Uint8Array" : schema ? typeOf(schema as Schema) : "void";
}

function binary(operation: OpenAPIV3_1.OperationObject): boolean {
  return "application/pdf" in contentOf(operation);
}

function codesOf({ responses = {} }: OpenAPIV3_1.OperationObject): string[] {
  return Object.values(responses).flatMap((answer) => (errorCodes in answer ? (answer[errorCodes] as string[]) : []));
}

/** @throws Error for a schema of which it does not know what it means in TypeScript */
function typeOf(schema: Schema): string {
  if ("$ref" in schema) return schema.$ref.split("/").at(-1) ?? "";
  if (schema.enum) return union(schema.enum as string[]);
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" | ");
  return [schema.type]
    .flat()
    .map((type) => simpleTypeOf(type, schema))
    .join(" | ");
}

function simpleTypeOf(type: string | undefined, schema: OpenAPIV3_1.SchemaObject): string {
  if (type === "integer" || type === "number") return "number";
  if (type === "boolean" || type === "null") return type;
  if (type === "string") return "string";
  if (type === "array" && "items" in schema) return `${parenthesised(typeOf(schema.items))}[]`;
  if (type === "object") return objectType(schema);
  throw new Error(`no type for ${JSON.stringify(schema).slice(0, 200)}`);
}

function objectType(schema: OpenAPIV3_1.SchemaObject): string {
  const [pattern] = Object.values((schema as { patternProperties?: Record<string, Schema> }).patternProperties ?? {});
  const others = typeof schema.additionalProperties === "object" ? schema.additionalProperties : pattern;
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, property]) =>
      `${comment(property.description, "  ")}  ${name}${schema.required?.includes(name) ? "" : "?"}: ${typeOf(property)};`,
  );
  if (fields.length > 0) return `{\n${fields.join("\n")}\n}`;
  return `Record<string, ${others ? typeOf(others) : "unknown"}>`;
}

function parenthesised(type: string): string {
  return type.includes(" ") ? `(${type})` : type;
}

function union(values: readonly string[]): string {
  return values.map((value) => JSON.stringify(value)).join(" | ");
}

function comment(text: string | undefined, indent = ""): string {
  return text ? `${indent}/** ${text.replaceAll("*/", "*\\/").replaceAll("\n", " ").trim()} */\n` : "";
}
