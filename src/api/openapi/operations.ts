/** The document's operations in their order, and what is shown as their bodies. Pure. */
import type { OpenAPIV3_1 } from "openapi-types";
import type { ApiDocument } from "./document.ts";

/** A path of ours begins with a slash; one of a receiver, with the name of its address. */
export type Operation = { method: string; path: string; tag: string; operation: OpenAPIV3_1.OperationObject };

export function operationsOf({ paths = {}, webhooks = {} }: ApiDocument): Operation[] {
  const items = [
    ...Object.entries(paths),
    ...Object.entries(webhooks).map(([name, item]) => [`{notification_url}/${name}`, item] as const),
  ];
  return items.flatMap(([path, item]) =>
    (["get", "post", "put", "delete"] as const).flatMap((method) => {
      const operation = item && "$ref" in item ? undefined : (item as OpenAPIV3_1.PathItemObject | undefined)?.[method];
      return operation ? [{ method: method.toUpperCase(), path, tag: operation.tags?.[0] ?? "", operation }] : [];
    }),
  );
}

export function requestExampleOf({ requestBody }: OpenAPIV3_1.OperationObject, document: ApiDocument): unknown {
  return requestBody && !("$ref" in requestBody) ? exampleOf(requestBody.content, document) : undefined;
}

/** Of the body's schema, or of its elements'. */
export function exampleOf(
  content: Record<string, OpenAPIV3_1.MediaTypeObject> | undefined,
  document: ApiDocument,
): unknown {
  const schema = content?.["application/json"]?.schema;
  if (schema === undefined) return undefined;
  if ("items" in schema) {
    const element = resolved(schema.items, document).examples?.[0];
    return element === undefined ? undefined : [element];
  }
  return resolved(schema, document).examples?.[0];
}

function resolved(
  schema: OpenAPIV3_1.SchemaObject | OpenAPIV3_1.ReferenceObject,
  document: ApiDocument,
): OpenAPIV3_1.SchemaObject {
  if (!("$ref" in schema)) return schema;
  return (document.components?.schemas?.[schema.$ref.split("/").at(-1) ?? ""] ?? {}) as OpenAPIV3_1.SchemaObject;
}
