/** Every operation of the OpenAPI document, so that a test over all of them covers the ones that are added later. */
import type { OpenAPIV3_1 } from "openapi-types";
import type { ApiDocument } from "../../src/api/openapi/document.ts";
import { openApiDocument } from "../../src/api/server.ts";

export type Operation = {
  id: string;
  method: string;
  /** As documented, with its parameters in braces. */
  path: string;
  /** Names of the path's parameters other than the partner's. */
  parameters: string[];
  needsToken: boolean;
  operation: OpenAPIV3_1.OperationObject;
  /** The JSON body's schema without references; undefined: it has no body. */
  bodySchema: unknown;
  bodyExample: unknown;
};

export async function operationsOf(): Promise<Operation[]> {
  const document = await openApiDocument();
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item ?? {}).map(([method, operation]) =>
      describe(document, path, method, operation as OpenAPIV3_1.OperationObject),
    ),
  );
}

function describe(
  document: ApiDocument,
  path: string,
  method: string,
  operation: OpenAPIV3_1.OperationObject,
): Operation {
  const body =
    operation.requestBody && !("$ref" in operation.requestBody)
      ? operation.requestBody.content["application/json"]?.schema
      : undefined;
  const bodySchema = body === undefined ? undefined : resolve(body, document);
  return {
    id: operation.operationId ?? "",
    method: method.toUpperCase(),
    path,
    operation,
    bodySchema,
    parameters: [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? "").filter((name) => name !== "partnerId"),
    needsToken: (operation.security ?? []).length > 0,
    bodyExample: (bodySchema as { examples?: unknown[] } | undefined)?.examples?.[0],
  };
}

/** The schema with every reference replaced by what it names. */
export function resolve(node: unknown, whole: ApiDocument): unknown {
  if (Array.isArray(node)) return node.map((item) => resolve(item, whole));
  if (typeof node !== "object" || node === null) return node;
  if ("$ref" in node) return resolve(whole.components?.schemas?.[String(node.$ref).split("/").at(-1) ?? ""], whole);
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolve(value, whole)]));
}
