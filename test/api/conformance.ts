/** Holds an answer against the OpenAPI document: a declared status, its headers, and a body of the declared form. */
import type { ExecutionContext } from "ava";
import type { TSchema } from "typebox";
import { Errors } from "typebox/value";
import type { ApiDocument } from "../../src/api/openapi/document.ts";
import { openApiDocument } from "../../src/api/server.ts";
import { resolve } from "./operations.ts";
import type { Answer } from "./answer.ts";

let document: Promise<ApiDocument> | undefined;

/** Answers to what the document does not list, such as wrong methods, are not looked at. */
export async function assertConforms(
  t: ExecutionContext,
  method: string,
  target: string,
  answer: Answer,
): Promise<void> {
  document ??= openApiDocument();
  const whole = await document;
  const [path = ""] = target.split("?");
  const item = Object.entries(whole.paths ?? {}).find(([template]) => toPattern(template).test(path))?.[1];
  const operation = item && Object.entries(item).find(([name]) => name === method.toLowerCase())?.[1];
  if (operation === undefined || typeof operation !== "object" || !("responses" in operation)) return;
  const declared = operation.responses?.[answer.status];
  if (!declared || "$ref" in declared)
    return t.fail(`${method} ${path} answers ${answer.status}, which is not declared`);
  for (const name of Object.keys(declared.headers ?? {})) {
    // What is switched off does not come back by waiting.
    if (name === "Retry-After" && (answer.json as { code?: unknown })?.code === "CROWDSOURCING_DISABLED") continue;
    if (name === "WWW-Authenticate" || name === "X-Correlation-ID" || [202, 304, 503].includes(answer.status)) {
      t.truthy(answer.headers[name.toLowerCase()], `${method} ${path} ${answer.status}: header ${name}`);
    }
  }
  if (method === "HEAD") return;
  // No body is a text of no length, where a type is told for it.
  if (declared.content === undefined || (answer.text === "" && "text/plain" in declared.content))
    return void t.is(answer.text, "", `${method} ${path} ${answer.status} has no body`);
  const [mediaType = ""] = (answer.headers["content-type"] ?? "").split(";");
  const media = declared.content[mediaType];
  if (!media) return t.fail(`${method} ${path} ${answer.status}: ${mediaType} is not declared`);
  if (answer.json !== undefined) t.deepEqual(Errors(resolve(media.schema, whole) as TSchema, answer.json), []);
}

function toPattern(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(".", "\\.").replaceAll(/\{[^}]+\}/g, "[^/]+")}$`);
}
