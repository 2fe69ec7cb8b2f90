/**
 * The OpenAPI document as one readable page: plain HTML, made here, nothing loaded from anywhere. A script of its own,
 * try-out.js, adds forms that call the service.
 */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { OpenAPIV3_1 } from "openapi-types";
import { errorCatalogue } from "../../errors.ts";
import { type ApiDocument, errorCodes } from "./document.ts";
import { exampleOf, operationsOf, type Operation, requestExampleOf } from "./operations.ts";
import { snippetsOf } from "./snippets.ts";

/** What partners come for stands first. */
const lastTags: ReadonlySet<string> = new Set(["Assets", "Operation", "Documentation"]);

const style = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 20%, transparent); background: light-dark(#fff, #15181d); color: light-dark(#1b1d21, #e6e8eb); }
a { color: light-dark(#0b57c2, #8ab8ff); }
body { font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; max-width: 60rem; margin: 0 auto; padding: 1.5rem; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
h3 { font: 600 1rem/1.4 ui-monospace, monospace; margin: 2rem 0 .25rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); }
td:first-child { min-width: 8rem; }
code, pre { font-family: ui-monospace, monospace; }
pre { overflow-x: auto; font-size: .85rem; margin: .25rem 0; padding: .6rem .8rem; border: 1px solid var(--line); border-radius: .3rem; }
pre.whole { user-select: all; }
details { margin: .25rem 0; }
summary { cursor: pointer; }
:target { background: color-mix(in srgb, gold 25%, transparent); }
nav a { display: inline-block; margin-right: 1rem; }
label { display: block; margin: .5rem 0; }
label small { margin-right: .5rem; }
input, select, textarea { font: .9rem/1.4 ui-monospace, monospace; display: block; box-sizing: border-box; width: 100%; padding: .3rem; }
button { font: inherit; padding: .3rem 1rem; margin: .5rem 0; cursor: pointer; }
.try { border-left: .2rem solid var(--line); padding-left: .8rem; }
@media (max-width: 40rem) {
  table, tbody, tr, td { display: block; }
  tr { padding: .3rem 0; border-bottom: 1px solid var(--line); }
  td { padding: .1rem 0; border: 0; overflow-wrap: anywhere; }
}`;

const script = readFileSync(new URL("try-out.js", import.meta.url), "utf8");
const sourceOf = (text: string) => `'sha256-${hash("sha256", text, "base64")}'`;

/**
 * This style and this script and no others, calls to nobody but this service, no form that a browser sends by itself,
 * and no text that becomes markup.
 */
export const referencePolicy = [
  "default-src 'none'",
  `style-src ${sourceOf(style)}`,
  `script-src ${sourceOf(script)}`,
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** @returns a whole HTML document; every text from the document is escaped. */
export function renderReference(document: ApiDocument): string {
  const operations = operationsOf(document);
  const names = (document.tags ?? []).map(({ name }) => name);
  const tags = [...names.filter((name) => !lastTags.has(name)), ...names.filter((name) => lastTags.has(name))];
  const schemas = Object.entries(document.components?.schemas ?? {});
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(document.info.title)}</title><style>${style}</style></head>
<body><header><h1>${escape(document.info.title)} ${escape(document.info.version)}</h1>
<p>${escape(document.info.description ?? "")} As data: <a href="/openapi.json">openapi.json</a>.</p>
<p>In the calls below, <code>$service</code> is the service's address, <code>$api</code> the same with <code>/partner/{partnerId}/2.0.0</code>, <code>token</code> is what a login answered;
TypeScript is by <code>tideline/client</code>, Python by <code>push.py</code> of docs/partner.md. A click on a call selects all of it.</p>
<nav>${tags.map((tag) => `<a href="#${anchor(tag)}">${escape(tag)}</a>`).join("")}<a href="#schemas">Schemas</a><a href="#errors">Errors</a></nav></header><main>
${tags
  .map(
    (tag) =>
      `<h2 id="${anchor(tag)}">${escape(tag)}</h2>${operations
        .filter((each) => each.tag === tag)
        .map((each) => renderOperation(each, document))
        .join("")}`,
  )
  .join("\n")}
<h2 id="schemas">Schemas</h2>${schemas.map(([name, schema]) => renderSchema(name, schema as OpenAPIV3_1.SchemaObject)).join("")}
<h2 id="errors">Errors</h2>${renderErrors()}
</main><script>${script}</script></body></html>`;
}

function renderOperation({ method, path, operation }: Operation, document: ApiDocument): string {
  const parameters = (operation.parameters ?? []).flatMap((each) =>
    "$ref" in each || each.in === "path" ? [] : [each],
  );
  const body = operation.requestBody && !("$ref" in operation.requestBody) ? operation.requestBody : null;
  const rows = [
    ...parameters.map((each) =>
      row(`${each.in} <code>${escape(each.name)}</code>`, describe(each.schema), each.description),
    ),
    ...(body ? [row("body", mediaOf(body.content), undefined)] : []),
    ...Object.entries(operation.responses ?? {}).flatMap(([status, answer]) =>
      "$ref" in answer
        ? []
        : [
            row(
              `<b>${status}</b>`,
              mediaOf(answer.content),
              `${codesOf(answer).length > 0 ? "" : answer.description} ${headersOf(answer.headers)}`,
              codesOf(answer),
            ),
          ],
    ),
  ];
  return `<h3>${method} ${escape(path)}</h3><p>${escape(operation.summary ?? "")}.${operation.security?.length ? " Bearer." : ""} ${escape(operation.description ?? "")}</p>${renderCalls({ method, path, operation }, document)}${renderPlace({ method, path, operation }, document)}<table>${rows.join("")}</table>`;
}

function renderCalls(called: Omit<Operation, "tag">, document: ApiDocument): string {
  const { responses = {} } = called.operation;
  const request = requestExampleOf(called.operation, document);
  const success = responses["200"];
  const content = success && !("$ref" in success) ? success.content : undefined;
  const recorded: unknown = content?.["application/json"]?.example;
  const answer = recorded ?? exampleOf(content, document);
  const calls = snippetsOf(called, request).map(
    ({ language, text }) =>
      `<details><summary>${language}</summary><pre class="whole" tabindex="0">${escape(text)}</pre></details>`,
  );
  const shown =
    answer === undefined
      ? ""
      : `<details><summary>Answer${recorded === undefined ? "" : ", recorded from the demo; lists are cut after two"}</summary><pre tabindex="0">${escape(JSON.stringify(answer, null, 2))}</pre></details>`;
  return calls.join("") + shown;
}

/** Where the script puts a form; nothing without it. A receiver's operations are no calls of ours. */
function renderPlace({ method, path, operation }: Omit<Operation, "tag">, document: ApiDocument): string {
  if (!path.startsWith("/")) return "";
  const { requestBody, parameters = [], operationId } = operation;
  const example = requestExampleOf(operation, document);
  const call = {
    name: operationId,
    method,
    path,
    bearer: (operation.security?.length ?? 0) > 0,
    parameters: parameters.flatMap((each) => ("$ref" in each ? [] : [triedParameter(each)])),
    body: requestBody === undefined ? null : example === undefined ? "" : JSON.stringify(example, null, 2),
  };
  return `<div data-call="${escape(JSON.stringify(call))}"></div>`;
}

function triedParameter({ name, in: place, required = false, schema }: OpenAPIV3_1.ParameterObject): object {
  const values = schema !== undefined && "enum" in schema ? schema.enum : undefined;
  return { name, place, required, ...(values === undefined ? {} : { values }) };
}

function codesOf(answer: object): string[] {
  return errorCodes in answer ? (answer[errorCodes] as string[]) : [];
}

/** Each code beside the status that it comes with, in its own words. */
function renderCodes(codes: readonly string[]): string {
  const entries = codes.map((code) => {
    const entry = errorCatalogue[code as keyof typeof errorCatalogue];
    return `<a href="#${code}"><code>${code}</code></a> ${escape(entry.sentence)}`;
  });
  return entries.join("<br>");
}

function headersOf(headers: OpenAPIV3_1.ResponseObject["headers"]): string {
  const names = Object.keys(headers ?? {});
  return names.length > 0 ? `Headers: ${names.join(", ")}.` : "";
}

function renderSchema(name: string, schema: OpenAPIV3_1.SchemaObject): string {
  const required = new Set(schema.required);
  const rows = Object.entries(schema.properties ?? {}).map(([key, value]) =>
    row(`<code>${escape(key)}</code>${required.has(key) ? "" : "?"}`, describe(value), value.description),
  );
  const form = rows.length > 0 ? `<table>${rows.join("")}</table>` : `<p>${describe(schema)}</p>`;
  return `<h3 id="${anchor(name)}">${escape(name)}</h3><p>${escape(schema.description ?? "")}</p>${form}${renderExample(schema)}`;
}

function renderExample({ examples }: { examples?: readonly unknown[] }): string {
  return examples?.[0] === undefined ? "" : `<pre tabindex="0">${escape(JSON.stringify(examples[0], null, 2))}</pre>`;
}

function renderErrors(): string {
  const rows = Object.entries(errorCatalogue)
    .filter(([, entry]) => entry.status !== null)
    .map(
      ([code, entry]) =>
        `<tr id="${code}"><td><code>${code}</code></td><td>${entry.status}</td><td>${escape(entry.sentence)} ${escape(entry.remedy)}</td></tr>`,
    );
  return `<table>${rows.join("")}</table>`;
}

function row(name: string, kind: string, text: string | undefined, codes: readonly string[] = []): string {
  return `<tr><td>${name}</td><td>${kind}</td><td>${renderCodes(codes)}${codes.length > 0 ? "<br>" : ""}${escape(text ?? "")}</td></tr>`;
}

function mediaOf(content: Record<string, OpenAPIV3_1.MediaTypeObject> | undefined): string {
  return Object.entries(content ?? {})
    .map(([type, media]) => `<code>${escape(type)}</code> ${describe(media.schema)}`)
    .join(", ");
}

/** A schema in a few words, with links to the named ones. Already HTML. */
function describe(schema: object | undefined): string {
  if (schema === undefined) return "";
  if ("$ref" in schema) {
    const name = String(schema.$ref).split("/").at(-1) ?? "";
    return `<a href="#${anchor(name)}">${escape(name)}</a>`;
  }
  const {
    type,
    format,
    items,
    enum: values,
    anyOf,
    pattern,
    properties,
    required = [],
  } = schema as OpenAPIV3_1.SchemaObject & { items?: object };
  if (values) return values.map((value) => `<code>${escape(String(value))}</code>`).join(", ");
  if (anyOf) return anyOf.map(describe).join(" or ");
  if (properties && Object.keys(properties).length > 0) return describeFields(properties, required);
  if ([type].flat().includes("array"))
    return `array of ${describe(items)}${[type].flat().includes("null") ? " or null" : ""}`;
  return escape([[type].flat().join(" or "), format, pattern].filter(Boolean).join(" "));
}

function describeFields(properties: Record<string, object>, required: readonly string[]): string {
  const fields = Object.entries(properties).map(
    ([key, value]) => `<code>${escape(key)}</code>${required.includes(key) ? "" : "?"} ${describe(value)}`,
  );
  return `{ ${fields.join("; ")} }`;
}

function anchor(name: string): string {
  return encodeURIComponent(name.toLowerCase().replaceAll(" ", "-"));
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
