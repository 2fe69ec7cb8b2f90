/**
 * The document's schemas as generators of clients read them best: each that has a title named once, every enum with its
 * type, what may be null by a list of types, each property with its words and each body with its example.
 */
import type { OpenAPIV3_1 } from "openapi-types";
import { examples } from "./examples.ts";
import { words } from "./words/words.ts";

type Schemas = Record<string, OpenAPIV3_1.SchemaObject | OpenAPIV3_1.ReferenceObject>;
type Node = Record<string, unknown>;

/** What the interface calls by several names, and is one: each of them leads to the last. */
const aliases: Readonly<Record<string, string>> = {
  ServicePaymentFrequency: "PaymentFrequency",
  IncomeFrequency: "PaymentFrequency",
};

/** Replaces every schema that has a title by a reference, and collects the schema under its title. */
export function nameSchemas<Document extends Node>(document: Document): { document: Node; schemas: Schemas } {
  const schemas: Schemas = {};
  const named = walk(document, schemas) as Node;
  for (const [alias, name] of Object.entries(aliases)) if (alias in schemas) schemas[alias] = referenceTo(name);
  return {
    document: named,
    schemas: Object.fromEntries(
      Object.entries(schemas)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, schema]) => [name, explained(name, schema)]),
    ),
  };
}

function walk(node: unknown, schemas: Schemas): unknown {
  if (Array.isArray(node)) return node.map((item) => walk(item, schemas));
  if (typeof node !== "object" || node === null) return node;
  const copy = typed(Object.fromEntries(Object.entries(node).map(([key, value]) => [key, walk(value, schemas)])));
  return isTitled(copy) ? nameOne(copy, schemas) : copy;
}

/** A property may be called title, too: then its schema stands there. */
function isTitled(node: Node): node is Node & { title: string } {
  return typeof node.title === "string" && (typeof node.type === "string" || "anyOf" in node);
}

function nameOne({ title, ...schema }: Node & { title: string }, schemas: Schemas): OpenAPIV3_1.ReferenceObject {
  const known = schemas[title];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
    throw new Error(`two schemas are called ${title}`);
  schemas[title] = schema as OpenAPIV3_1.SchemaObject;
  return referenceTo(title);
}

function referenceTo(name: string): OpenAPIV3_1.ReferenceObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** Of a list of texts the type is plain; of a simple type or null, both are types. */
function typed(node: Node): Node {
  if (Array.isArray(node.enum) && node.type === undefined && node.enum.every((one) => typeof one === "string"))
    return { type: "string", ...node };
  const { anyOf, ...rest } = node;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return node;
  const [schema, absent] = anyOf as [Node, Node];
  return absent.type === "null" && typeof schema.type === "string" && schema.type !== "object" && !("enum" in schema)
    ? { ...schema, ...rest, type: [schema.type, "null"] }
    : node;
}

function explained(
  name: string,
  schema: OpenAPIV3_1.SchemaObject | OpenAPIV3_1.ReferenceObject,
): OpenAPIV3_1.SchemaObject | OpenAPIV3_1.ReferenceObject {
  if ("$ref" in schema) return schema;
  const example = examples[name];
  const [about, fields = {}] = words[name] ?? [];
  const properties = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([field, property]) => [field, withWords(property, fields[field])]),
  );
  return {
    ...(about === undefined ? {} : { description: about }),
    ...schema,
    ...(schema.properties === undefined ? {} : { properties }),
    ...(example === undefined ? {} : { examples: [example] }),
  } as OpenAPIV3_1.SchemaObject;
}

/** What the schema itself says wins; beside a reference words may stand since OpenAPI 3.1. */
function withWords(property: object, words: string | undefined): object {
  return words === undefined || "description" in property ? property : { ...property, description: words };
}
