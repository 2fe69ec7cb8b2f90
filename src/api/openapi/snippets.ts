/** How an operation is called, in three languages, with its body's example: for the reference page. Pure. */
import type { OpenAPIV3_1 } from "openapi-types";

export type Called = { method: string; path: string; operation: OpenAPIV3_1.OperationObject };
export type Snippet = { language: "curl" | "TypeScript" | "Python"; text: string };

const prefix = "/partner/{partnerId}/2.0.0";
/** Those that the client does otherwise than by a session's method of the same name. */
const ownWay: Readonly<Record<string, string>> = {
  createUser: `await bank.createUser({ bankUserId: "customer-4711", locale: "da-DK" });`,
  logIn: `const session = await bank.logIn("customer-4711");`,
  listEncryptionKeys: `const key = await bank.encryptionKey();`,
  pushTransactions: `await bank.push(records, { complete: true });`,
};

/** None for what a receiver takes: that is called by the service. */
export function snippetsOf(called: Called, example: unknown): Snippet[] {
  if (!called.path.startsWith("/")) return [];
  if (!called.path.startsWith(prefix)) return plainSnippets(called.path);
  return [
    { language: "curl", text: curl(called, example) },
    { language: "TypeScript", text: typeScript(called, example) },
    { language: "Python", text: python(called, example) },
  ];
}

/** What belongs to no partner is read by anybody, and by no client. */
function plainSnippets(path: string): Snippet[] {
  const inTemplate = path.replaceAll("{", "${");
  return [
    {
      language: "curl",
      text: `curl -sS --fail-with-body --cacert ca.pem "$service${path.replaceAll(/\{(\w+)\}/g, "$$$1")}"`,
    },
    { language: "TypeScript", text: `const answer = await fetch(\`\${service}${inTemplate}\`);` },
    { language: "Python", text: `answer = urllib.request.urlopen(f"{service}${path}", context=TLS)` },
  ];
}

/** Parameters stand as variables of the shell. */
function curl({ method, path, operation }: Called, example: unknown): string {
  const address = path.replace(prefix, "$api").replaceAll(/\{(\w+)\}/g, "$$$1");
  return [
    `curl -sS --fail-with-body --cacert ca.pem -X ${method} "${address}"`,
    ...(isOfUser(operation) ? [`  -H "Authorization: Bearer $token"`] : []),
    ...(example === undefined
      ? []
      : [`  -H 'Content-Type: application/json'`, `  -d '${JSON.stringify(example).replaceAll("'", `'\\''`)}'`]),
    ...(isFile(operation) ? ["  -o report.pdf"] : []),
  ].join(" \\\n");
}

function typeScript({ path, operation }: Called, example: unknown): string {
  const { operationId = "" } = operation;
  const own = ownWay[operationId];
  if (own !== undefined) return own;
  const names = parametersIn(path);
  const body = example === undefined ? [] : [`body: ${JSON.stringify(example)}`];
  const given = [...names, ...body];
  return `const answer = await session.${operationId}(${given.length > 0 ? `{ ${given.join(", ")} }` : ""});`;
}

/** By push.py of the guide, whose `call` answers status, headers and text. */
function python({ method, path, operation }: Called, example: unknown): string {
  const names = parametersIn(path);
  const below = path.replace(prefix, "");
  const parts = [
    `"${method}"`,
    names.length > 0 ? `f"${below}"` : `"${below}"`,
    ...(example === undefined ? [] : [`json.loads(${JSON.stringify(JSON.stringify(example))})`]),
    ...(isOfUser(operation) ? ["token=token"] : []),
  ];
  return `status, headers, text = call(${parts.join(", ")})`;
}

function parametersIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).filter((name) => name !== "partnerId");
}

function isOfUser({ security }: OpenAPIV3_1.OperationObject): boolean {
  return (security?.length ?? 0) > 0;
}

function isFile({ responses = {} }: OpenAPIV3_1.OperationObject): boolean {
  const answer = responses["200"];
  return answer !== undefined && !("$ref" in answer) && "application/pdf" in (answer.content ?? {});
}
