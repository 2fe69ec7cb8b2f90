/**
 * Specmatic's generated calls, the valid and the invalid ones, against a running service: an example for each operation
 * names what is there, the tool invents the rest. Run beside the generated client (see .ci/contract):
 *
 *   node contract-specmatic.ts FOLDER OPENAPI.JSON IDS.JSON
 *
 * FOLDER holds the tool under node_modules; IDS.JSON is what the client left.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, open, readFile, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { CompactEncrypt, importJWK, importPKCS8, SignJWT } from "jose";
import { explained } from "./contract-explained.ts";

type Ids = Record<"token" | "partnerId" | "brand" | "serviceId" | "transactionId" | "documentId" | "budgetId" | "expenseId" | "actionId" | "categoryId", string>;
type Schema = { $ref?: string; type?: string; items?: Schema; examples?: Record<string, unknown>[] };
type Operation = { operationId: string; parameters: { name: string }[]; responses: Record<string, { content?: Record<string, { schema: Schema }> }> };
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } };
type Example = { name: string; method: string; path: string; status: number; token?: string; query?: Record<string, string>; headers?: Record<string, string>; body?: unknown };

const [folder = "", documentFile = "", idsFile = ""] = process.argv.slice(2);
const baseUrl = process.env.TIDELINE_URL ?? "";
const partnerFolder = process.env.TIDELINE_PARTNER_FOLDER ?? "";
/** Of the combinations of optional fields, which double with each. */
const combinationsMax = 20;
/** A machine with nothing else to do takes a tenth of it. */
const runMsMax = 900_000;
/** Fewer would mean that the tool did not read the examples. */
const callsMin = 300;
const ids = JSON.parse(await readFile(idsFile, "utf8")) as Ids;
const document = JSON.parse(await readFile(documentFile, "utf8")) as Document;
const at = `/partner/${ids.partnerId}/2.0.0`;
const loginKey = await importPKCS8(await readFile(path.join(partnerFolder, "login.pem"), "utf8"), "RS256");

async function loginJwt(sub: string): Promise<string> {
  return await new SignJWT({ brand: ids.brand }).setProtectedHeader({ alg: "RS256" }).setSubject(sub).setIssuedAt().setExpirationTime("10m").sign(loginKey);
}

async function post(target: string, body: unknown, token?: string): Promise<Record<string, string>> {
  const headers = { "content-type": "application/json", ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
  const answer = await fetch(`${baseUrl}${at}${target}`, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await answer.text();
  assert.ok(answer.ok, `${target}: ${answer.status} ${text}`);
  return text === "" ? {} : JSON.parse(text);
}

/** A user of whom nothing was ever pushed. */
async function newcomer(): Promise<{ bankUserId: string; token: string }> {
  const bankUserId = `newcomer-${randomUUID()}`;
  await post("/users", { bankUserId, brand: ids.brand, locale: "da-DK" });
  const { token = "" } = await post("/users/logins", { payload: await loginJwt(bankUserId) });
  return { bankUserId, token };
}

async function batch(uid: string): Promise<{ reqId: string; txs: string }> {
  const { keys: [key] } = (await (await fetch(`${baseUrl}${at}/.well-known/jwks.json`)).json()) as { keys: { kid: string; kty: string }[] };
  assert.ok(key);
  const plaintext = Buffer.from(JSON.stringify([{ uid, type: "IMPORT_COMPLETED" }]));
  const txs = await new CompactEncrypt(plaintext).setProtectedHeader({ alg: "RSA-OAEP", enc: "A256GCM", kid: key.kid }).encrypt(await importJWK(key, "RSA-OAEP"));
  return { reqId: randomUUID(), txs };
}

/** What the document gives as an example of a body. */
function exampleOf(schema: string): Record<string, unknown> {
  const [example] = document.components.schemas[schema]?.examples ?? [];
  assert.ok(example, schema);
  return example;
}

/** One call an operation that succeeds, those that are not ready, and refusals that need a situation. Users whose state an invented call ends are their own. */
async function examples(): Promise<Example[]> {
  const [leaver, keeper, early] = [await newcomer(), await newcomer(), await newcomer()];
  const { id: earlyBudget } = await post("/budgets", {}, early.token);
  const { id: otherBudget } = await post("/budgets", {}, keeper.token);
  const budget = `/budgets/${ids.budgetId}`;
  const unknown = randomUUID();
  const household = exampleOf("BudgetUserDataRequest");
  const wrongBatch = { reqId: randomUUID(), txs: "e30.e30.e30.e30.e30" };
  const of = (method: string, target: string, status: number, more: Partial<Example> = {}): Example => ({ name: "", method, path: `${at}${target}`, status, token: ids.token, ...more });
  const unsigned = (method: string, target: string, status: number, body?: unknown): Example => {
    const { token: _, ...call } = of(method, target, status, { body });
    return call;
  };
  const general = ["/health/live", "/health/ready", "/metrics", "/openapi.json", "/reference", "/assets/products/netflix.svg"];
  return [
    ...general.map((target): Example => ({ name: "", method: "GET", path: target, status: 200 })),
    unsigned("POST", "/users", 201, { bankUserId: `made-${randomUUID()}`, brand: ids.brand, locale: "da-DK" }),
    unsigned("POST", "/users", 409, { bankUserId: keeper.bankUserId, brand: ids.brand, locale: "da-DK" }),
    of("DELETE", "/users", 202, { token: leaver.token }),
    unsigned("POST", "/users/logins", 200, { payload: await loginJwt(keeper.bankUserId) }),
    unsigned("POST", "/users/logins", 403, exampleOf("LoginRequest")),
    unsigned("POST", "/users/logins", 404, { payload: await loginJwt("nobody") }),
    unsigned("GET", "/.well-known/jwks.json", 200),
    unsigned("POST", "/transactions", 201, await batch(keeper.bankUserId)),
    unsigned("POST", "/transactions", 400, wrongBatch),
    of("GET", "/transactions", 200, { query: { from: "2020-01-01", to: "2099-12-31", limit: "10" } }),
    of("GET", "/services", 200, { query: { visibility: "VISIBLE" } }),
    of("GET", "/services", 202, { token: early.token }),
    of("GET", `/services/${ids.serviceId}`, 200),
    of("GET", `/services/${unknown}`, 404),
    of("PUT", `/services/${ids.serviceId}/hidden`, 200, { body: { hidden: false } }),
    of("PUT", `/services/${unknown}/hidden`, 404, { body: { hidden: false } }),
    of("GET", "/upcoming-payments", 200),
    of("GET", "/income", 200),
    of("GET", "/income", 202, { token: early.token }),
    of("POST", "/crowdsourcing", 201, { body: { id: ids.transactionId, paymentFrequency: "MONTHLY" } }),
    of("POST", "/crowdsourcing", 404, { body: { id: "nothing", paymentFrequency: "MONTHLY" } }),
    of("PUT", "/alerts/seen", 200, { body: [unknown] }),
    of("POST", "/budgets", 200, { body: { userData: household } }),
    of("GET", budget, 200),
    of("GET", `/budgets/${earlyBudget}`, 202, { token: early.token }),
    of("GET", `/budgets/${unknown}`, 404),
    of("GET", `${budget}/details`, 200),
    of("GET", `/budgets/${earlyBudget}/details`, 202, { token: early.token }),
    of("GET", `/budgets/${unknown}/details`, 404),
    of("GET", `${budget}/expenses/${ids.expenseId}`, 200),
    of("GET", `${budget}/expenses/${unknown}`, 404),
    of("GET", `${budget}/user-data`, 200),
    of("GET", `/budgets/${unknown}/user-data`, 404),
    of("POST", `${budget}/user-data`, 200, { body: household }),
    of("POST", `/budgets/${unknown}/user-data`, 404, { body: household }),
    of("POST", `${budget}/comment`, 200, { body: exampleOf("BudgetCommentRequest") }),
    of("POST", `/budgets/${unknown}/comment`, 404, { body: exampleOf("BudgetCommentRequest") }),
    of("POST", `${budget}/completions`, 200, { body: { status: "ACCEPTED" } }),
    of("POST", `/budgets/${unknown}/completions`, 404, { body: { status: "ACCEPTED" } }),
    of("POST", `${budget}/categories/${ids.categoryId}/adjustments`, 200, { body: exampleOf("BudgetAdjustCategoryRequest") }),
    of("POST", `${budget}/categories/NO_SUCH/adjustments`, 404, { body: exampleOf("BudgetAdjustCategoryRequest") }),
    of("DELETE", `${budget}/categories/${ids.categoryId}/adjustments`, 200),
    of("DELETE", `${budget}/categories/NO_SUCH/adjustments`, 404),
    of("GET", `${budget}/questions/next`, 200),
    of("GET", `/budgets/${unknown}/questions/next`, 404),
    of("POST", `${budget}/questions/${ids.actionId}`, 200, { body: exampleOf("BudgetActionRequest") }),
    of("POST", `${budget}/questions/${unknown}`, 404, { body: exampleOf("BudgetActionRequest") }),
    of("DELETE", `${budget}/questions/${ids.actionId}`, 200, { body: { notApplicable: false } }),
    of("DELETE", `${budget}/questions/${unknown}`, 404, { body: { notApplicable: false } }),
    of("POST", `${budget}/questions/${ids.actionId}/skips`, 201),
    of("POST", `${budget}/questions/${unknown}/skips`, 404),
    of("POST", `${budget}/coapplicants`, 200, { body: { type: "SEPARATE_FINANCES", budgetId: otherBudget } }),
    of("POST", `${budget}/coapplicants`, 400, { body: { type: "SEPARATE_FINANCES" } }),
    of("POST", `${budget}/coapplicants`, 404, { body: { type: "SEPARATE_FINANCES", budgetId: unknown } }),
    of("POST", `${budget}/report`, 200, { body: exampleOf("BudgetReport") }),
    of("POST", `/budgets/${unknown}/report`, 404, { body: exampleOf("BudgetReport") }),
    of("POST", "/reports", 200, { body: exampleOf("ReportRequest") }),
    of("GET", `/reports/${ids.documentId}`, 200),
    of("GET", `/reports/${unknown}`, 404),
    of("PUT", "/accounts", 200, { token: keeper.token, body: ["account-1"] }),
    of("PUT", "/accounts-balances", 200, { token: keeper.token, body: exampleOf("AccountsBalancesRequest") }),
    of("POST", "/psd2/initiate", 200, { body: {} }),
    of("GET", "/budget-categories", 200),
  ];
}

/** Says of an answer's body that any of its schema will do; a schema without a name gets one in this copy of the document. */
function anyOf(schema: Schema, operationId: string): unknown {
  if (schema.$ref) return `(${nameOf(schema.$ref)})`;
  if (schema.type === "string") return "(string)";
  if (schema.type === "array") return schema.items?.$ref ? `(${nameOf(schema.items.$ref)}*)` : [];
  document.components.schemas[`Answer_${operationId}`] = { ...schema };
  for (const key of Object.keys(schema)) Reflect.deleteProperty(schema, key);
  schema.$ref = `#/components/schemas/Answer_${operationId}`;
  return `(Answer_${operationId})`;
}

function nameOf(reference: string): string {
  return reference.split("/").at(-1) ?? "";
}

function operationOf(method: string, target: string): Operation {
  const matches = Object.entries(document.paths).filter(([template, item]) => method.toLowerCase() in item && new RegExp(`^${template.replaceAll(".", "\\.").replaceAll(/\{[^}]+\}/g, "[^/]+")}$`).test(target));
  const exact = matches.find(([template]) => !template.endsWith("}")) ?? matches[0];
  const operation = exact?.[1][method.toLowerCase()];
  assert.ok(operation, `${method} ${target}`);
  return operation;
}

function written({ method, path: target, status, token, query, headers = {}, body }: Example): object {
  const operation = operationOf(method, target);
  const [media] = Object.values(operation.responses[status]?.content ?? {});
  const request = { method, path: target, headers: { ...headers, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) } };
  return { "http-request": { ...request, ...(query ? { query } : {}), ...(body === undefined ? {} : { body }) }, "http-response": { status, ...(media ? { body: anyOf(media.schema, operation.operationId) } : {}) } };
}

/** The tool reads the escapes of a pattern letter by letter: what it makes of one is refused, and rightly. Lengths stay. */
function withoutEscapes(node: unknown): void {
  if (typeof node !== "object" || node === null) return;
  if ("pattern" in node && typeof node.pattern === "string" && node.pattern.includes("\\u")) delete node.pattern;
  Object.values(node).forEach(withoutEscapes);
}

async function prepare(): Promise<void> {
  withoutEscapes(document);
  // Optional on every operation, it would make three calls of each; Prism holds it on every answer.
  for (const item of Object.values(document.paths)) for (const operation of Object.values(item)) operation.parameters = operation.parameters.filter(({ name }) => name !== "X-Correlation-ID");
  await rm(path.join(folder, "specmatic"), { recursive: true, force: true });
  await mkdir(path.join(folder, "specmatic/openapi_examples"), { recursive: true });
  const configuration = { version: 2, contracts: [{ provides: ["openapi.json"] }], test: { resiliencyTests: { enable: "all" }, maxTestRequestCombinations: combinationsMax, strictMode: true } };
  await writeFile(path.join(folder, "specmatic/specmatic.json"), JSON.stringify(configuration));
  for (const [index, example] of (await examples()).entries()) {
    await writeFile(path.join(folder, `specmatic/openapi_examples/${String(index).padStart(3, "0")}.json`), JSON.stringify(written(example)));
  }
  await writeFile(path.join(folder, "specmatic/openapi.json"), JSON.stringify(document));
}
async function runToEnd(command: string, parameters: readonly string[]): Promise<number | null> {
  const log = await open(path.join(folder, "specmatic/log"), "a");
  const child = spawn(command, parameters, { cwd: path.join(folder, "specmatic"), stdio: ["ignore", log.fd, log.fd], timeout: runMsMax });
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  await log.close();
  assert.equal(signal, null, `${command} was not done after ${runMsMax / 1000} s`);
  return code;
}

async function run(): Promise<void> {
  const trust = ["-storetype", "PKCS12", "-keystore", "trust.p12", "-storepass", "changeit"];
  assert.equal(await runToEnd("keytool", ["-importcert", "-noprompt", "-alias", "service", "-file", path.join(partnerFolder, "ca.pem"), ...trust]), 0);
  const jar = path.join(folder, "node_modules/specmatic/specmatic.jar");
  const java = ["-Djavax.net.ssl.trustStore=trust.p12", "-Djavax.net.ssl.trustStorePassword=changeit", "-jar", jar];
  // What it returns tells of failures too; which of them count is judged below.
  await runToEnd("java", [...java, "test", "openapi.json", "--strict", `--testBaseURL=${baseUrl}`, "--junitReportDir=junit", "--timeout=60"]);
}

type Outcome = { name: string; failure: string | null };

function unescape(text: string): string {
  return text.replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code))).replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&apos;", "'").replaceAll("&amp;", "&");
}

async function outcomes(): Promise<Outcome[]> {
  const at = path.join(folder, "specmatic/junit");
  const [file] = (await readdir(at)).filter((name) => name.endsWith(".xml"));
  assert.ok(file, "Specmatic left no report");
  const xml = await readFile(path.join(at, file), "utf8");
  return xml.split("<testcase ").slice(1).map((text) => {
    const name = unescape(/display-name: (.*)/.exec(text)?.[1] ?? /^[^>]*?name="([^"]*)"/.exec(text)?.[1] ?? "");
    const failed = /<(failure|error)\b[^>]*>([\s\S]*?)<\/\1>/.exec(text);
    return { name, failure: failed ? unescape(failed[0]) : null };
  });
}

/** Every failure needs an explanation, every explanation a failure: what no longer happens must not stay excused. */
function judge(all: readonly Outcome[]): void {
  const failures = all.filter(({ failure }) => failure !== null);
  const excuses = failures.map(({ name, failure }) => explained.find((one) => one.call.test(name) && one.outcome.test(failure ?? "")));
  const unexplained = failures.filter((_one, at) => excuses[at] === undefined);
  for (const { name, failure } of unexplained) console.log(`UNEXPLAINED ${name}\n${failure}`);
  const idle = explained.filter((one) => !excuses.includes(one));
  for (const { call, reason } of idle) console.log(`EXPLAINED, BUT DOES NOT FAIL ${call}: ${reason}`);
  console.log(`Specmatic: ${all.length} calls, ${all.length - failures.length} as the document says, ${failures.length - unexplained.length} explained, ${unexplained.length} not`);
  assert.ok(all.length >= callsMin, "it made hardly any calls");
  assert.deepEqual([unexplained.length, idle.length], [0, 0]);
}

await prepare();
await run();
judge(await outcomes());
