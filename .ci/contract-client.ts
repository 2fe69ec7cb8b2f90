/**
 * What a partner's developer writes on types that openapi-typescript made of the document: onboard a user, push, mark the
 * import as complete, read, decide, budget, leave. Compiled and run beside the generated `api.d.ts` (see .ci/contract); the
 * first argument is the address to call, which may be a proxy's.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { CompactEncrypt, importJWK, importPKCS8, SignJWT } from "jose";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.d.ts";

type Answered = { response: Response; error?: unknown };

const [baseUrl = "", idsFile = ""] = process.argv.slice(2);
const folder = process.env.TIDELINE_PARTNER_FOLDER ?? "";
const { partnerId, brand } = JSON.parse(await readFile(path.join(folder, "partner.json"), "utf8")) as { partnerId: string; brand: string };
const loginKey = await importPKCS8(await readFile(path.join(folder, "login.pem"), "utf8"), "RS256");
const bankUserId = `customer-${randomUUID()}`;
const recognisedWithinMs = 60_000;
let calls = 0;

const client = createClient<paths>({ baseUrl });
client.use({
  onRequest({ request }) {
    calls++;
    request.headers.set("X-Correlation-ID", `walk-${calls}`);
  },
  onResponse({ response }) {
    assert.equal(response.headers.get("X-Correlation-ID"), `walk-${calls}`);
    // What Prism found though it let the answer pass.
    assert.equal(response.headers.get("sl-violations"), null);
  },
});

const inPartner = { params: { path: { partnerId } } };
const at = <Ids extends object>(ids: Ids) => ({ params: { path: { partnerId, ...ids } } });

/** @throws with what was answered instead */
function expect<Outcome extends Answered>(status: number, outcome: Outcome): Outcome {
  assert.equal(outcome.response.status, status, `${outcome.response.url}: ${JSON.stringify(outcome.error)}`);
  return outcome;
}

async function onboard(): Promise<void> {
  const body = { bankUserId, brand, locale: "da-DK" };
  expect(201, await client.POST("/partner/{partnerId}/2.0.0/users", { ...inPartner, body }));
  expect(409, await client.POST("/partner/{partnerId}/2.0.0/users", { ...inPartner, body }));
}

async function logIn(): Promise<string> {
  const payload = await new SignJWT({ brand }).setProtectedHeader({ alg: "RS256" }).setSubject(bankUserId).setIssuedAt().setExpirationTime("5m").setJti(randomUUID()).sign(loginKey);
  const { data } = expect(200, await client.POST("/partner/{partnerId}/2.0.0/users/logins", { ...inPartner, body: { payload } }));
  assert.ok(data);
  return data.token;
}

async function push(records: object[]): Promise<void> {
  const { data } = expect(200, await client.GET("/partner/{partnerId}/2.0.0/.well-known/jwks.json", inPartner));
  const key = data?.keys[0];
  assert.ok(key);
  const plaintext = Buffer.from(JSON.stringify(records));
  const txs = await new CompactEncrypt(plaintext).setProtectedHeader({ alg: "RSA-OAEP", enc: "A256GCM", kid: key.kid }).encrypt(await importJWK(key, "RSA-OAEP"));
  expect(201, await client.POST("/partner/{partnerId}/2.0.0/transactions", { ...inPartner, body: { reqId: randomUUID(), txs } }));
}

/** A year of payments up to last month, and some that nobody knows. */
function history(): object[] {
  const account = { id: `account-${bankUserId}`, name: "Daily", iban: "DK5000400440116243" };
  const tx = (txid: string, day: string, amount: number, name: string, type = "CARD_PURCHASE") => ({
    uid: bankUserId, type: "TX", account, tx: { txid: `${bankUserId}-${txid}`, description: name, txTime: `${day}T00:00:00`, type, amount, currency: "DKK", merchant: { name } },
  });
  const today = new Date();
  return Array.from({ length: 12 }, (_none, ago) => new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - ago, 1)).toISOString().slice(0, 7)).flatMap((month) => [
    tx(`netflix-${month}`, `${month}-01`, -114, "NETFLIX.COM"), tx(`rent-${month}`, `${month}-01`, -8200, "HUSLEJE BOLIGSELSKABET", "DIRECT_DEBIT"),
    tx(`salary-${month}`, `${month}-01`, 28_000, "LØN", "SALARY"), tx(`mystery-${month}`, `${month}-01`, -(300 + Number(month.slice(-2)) * 41), "QZ Plimf", "OTHER"),
  ]);
}

async function untilRecognised(): Promise<components["schemas"]["ServiceResponse"]> {
  const deadline = performance.now() + recognisedWithinMs;
  for (;;) {
    const { data, response } = await client.GET("/partner/{partnerId}/2.0.0/services", inPartner);
    if (response.status === 200) return data as components["schemas"]["ServiceResponse"];
    expect(202, { response });
    assert.ok(Number(response.headers.get("Retry-After")) > 0 && performance.now() < deadline);
    await wait(500);
  }
}

async function recurring(): Promise<{ serviceId: string; transactionId: string }> {
  expect(202, await client.GET("/partner/{partnerId}/2.0.0/services", inPartner));
  await push(history());
  await push([{ uid: bankUserId, type: "IMPORT_COMPLETED" }]);
  const { services } = await untilRecognised();
  const netflix = services.find(({ product }) => product.title === "Netflix");
  assert.ok(netflix);
  assert.deepEqual([netflix.amount, netflix.paymentFrequency, netflix.status, netflix.payments.length], [114, "MONTHLY", "ACTIVE", 12]);
  const serviceId = netflix.id;
  expect(200, await client.GET("/partner/{partnerId}/2.0.0/services/{serviceId}", at({ serviceId })));
  const { data: upcoming } = expect(200, await client.GET("/partner/{partnerId}/2.0.0/upcoming-payments", inPartner));
  assert.ok(upcoming?.some((payment) => payment.serviceId === serviceId && payment.expectedPaymentCost === 114));
  const { data: transactions } = expect(200, await client.GET("/partner/{partnerId}/2.0.0/transactions", { params: { path: { partnerId }, query: { limit: 100 } } }));
  const mystery = transactions?.find(({ merchantName }) => merchantName === "QZ Plimf");
  assert.ok(mystery);
  return { serviceId, transactionId: mystery.id };
}

async function decide(serviceId: string, transactionId: string): Promise<void> {
  for (const hidden of [true, false]) expect(200, await client.PUT("/partner/{partnerId}/2.0.0/services/{serviceId}/hidden", { ...at({ serviceId }), body: { hidden } }));
  expect(201, await client.POST("/partner/{partnerId}/2.0.0/crowdsourcing", { ...inPartner, body: { id: transactionId, paymentFrequency: "MONTHLY" } }));
  const { data } = expect(200, await client.GET("/partner/{partnerId}/2.0.0/services", { params: { path: { partnerId }, query: { visibility: "VISIBLE" } } }));
  assert.ok(data && "alerts" in data && data.alerts);
  expect(200, await client.PUT("/partner/{partnerId}/2.0.0/alerts/seen", { ...inPartner, body: data.alerts.map(({ id }) => id) }));
  const observedTime = new Date().toISOString();
  const accountId = `account-${bankUserId}`;
  expect(200, await client.PUT("/partner/{partnerId}/2.0.0/accounts-balances", { ...inPartner, body: { accounts: [{ accountId, observedTime, balance: 1200.5 }] } }));
  expect(200, await client.PUT("/partner/{partnerId}/2.0.0/accounts", { ...inPartner, body: [accountId] }));
  expect(200, await client.GET("/partner/{partnerId}/2.0.0/budget-categories", inPartner));
  expect(200, await client.POST("/partner/{partnerId}/2.0.0/psd2/initiate", { ...inPartner, body: {} }));
}

async function budget(): Promise<{ budgetId: string; expenseId: string; actionId: string }> {
  const { data: created } = expect(200, await client.POST("/partner/{partnerId}/2.0.0/budgets", { ...inPartner, body: {} }));
  assert.ok(created);
  const budgetId = created.id;
  const here = at({ budgetId });
  const { data } = expect(200, await client.GET("/partner/{partnerId}/2.0.0/budgets/{budgetId}", here));
  assert.ok(data && "categories" in data);
  const expenseId = data.categories.flatMap((group) => group.categories).flatMap((leaf) => leaf.expenses)[0]?.id;
  assert.ok(expenseId);
  expect(200, await client.GET("/partner/{partnerId}/2.0.0/budgets/{budgetId}/details", here));
  expect(200, await client.GET("/partner/{partnerId}/2.0.0/budgets/{budgetId}/expenses/{expenseId}", at({ budgetId, expenseId })));
  expect(404, await client.GET("/partner/{partnerId}/2.0.0/budgets/{budgetId}/user-data", here));
  await fillIn(budgetId);
  const { data: question } = expect(200, await client.GET("/partner/{partnerId}/2.0.0/budgets/{budgetId}/questions/next", here));
  assert.ok(question);
  const asked = at({ budgetId, actionId: question.id });
  expect(201, await client.POST("/partner/{partnerId}/2.0.0/budgets/{budgetId}/questions/{actionId}/skips", asked));
  expect(200, await client.DELETE("/partner/{partnerId}/2.0.0/budgets/{budgetId}/questions/{actionId}", { ...asked, body: { notApplicable: false } }));
  return { budgetId, expenseId, actionId: question.id };
}

async function fillIn(budgetId: string): Promise<void> {
  const here = at({ budgetId });
  const household: components["schemas"]["BudgetUserDataRequest"] = {
    personal: { children: [], hasChildren: false, maritalStatus: "SINGLE", dateOfBirth: "1990-02-03" },
    residence: { ownership: "RENT", type: "APARTMENT", occupancyDate: "2018-05-01", hasVacationHome: false },
    employment: { status: "EMPLOYED", type: "SALARIED", date: "2016-01-01", unemploymentFund: false, unemploymentInsuranceMonths: 0 },
    education: { type: "BACHELOR" }, expenses: { share: 100 }, transport: { vehicles: [], hasVehicle: false },
  };
  expect(200, await client.POST("/partner/{partnerId}/2.0.0/budgets/{budgetId}/user-data", { ...here, body: household }));
  expect(200, await client.GET("/partner/{partnerId}/2.0.0/budgets/{budgetId}/user-data", here));
  expect(200, await client.POST("/partner/{partnerId}/2.0.0/budgets/{budgetId}/comment", { ...here, body: { comment: "Moves in August." } }));
  const rent = at({ budgetId, categoryId: "HOUSING_RENT" });
  const adjustments = "/partner/{partnerId}/2.0.0/budgets/{budgetId}/categories/{categoryId}/adjustments";
  expect(200, await client.POST(adjustments, { ...rent, body: { amount: 9000, frequency: "MONTHLY" } }));
  expect(200, await client.DELETE(adjustments, rent));
  expect(200, await client.POST("/partner/{partnerId}/2.0.0/budgets/{budgetId}/coapplicants", { ...here, body: { type: "SHARED_FINANCES" } }));
}

async function documents(budgetId: string): Promise<string> {
  const made = expect(200, await client.POST("/partner/{partnerId}/2.0.0/budgets/{budgetId}/report", { ...at({ budgetId }), body: {}, parseAs: "arrayBuffer" }));
  assert.ok(made.data && made.data.byteLength > 1000);
  expect(200, await client.POST("/partner/{partnerId}/2.0.0/budgets/{budgetId}/completions", { ...at({ budgetId }), body: { status: "ACCEPTED" } }));
  const { data } = expect(200, await client.POST("/partner/{partnerId}/2.0.0/reports", { ...inPartner, body: { type: "NEXT_OF_KIN" } }));
  assert.ok(data);
  const { documentId } = data;
  for (;;) {
    const read = await client.GET("/partner/{partnerId}/2.0.0/reports/{documentId}", { ...at({ documentId }), parseAs: "arrayBuffer" });
    if (read.response.status !== 202) {
      expect(200, read);
      return documentId;
    }
    await wait(500);
  }
}

async function leave(): Promise<void> {
  expect(202, await client.DELETE("/partner/{partnerId}/2.0.0/users", inPartner));
  expect(401, await client.GET("/partner/{partnerId}/2.0.0/upcoming-payments", inPartner));
}

await onboard();
const token = await logIn();
client.use({
  onRequest({ request }) {
    request.headers.set("Authorization", `Bearer ${token}`);
  },
});
const { serviceId, transactionId } = await recurring();
await decide(serviceId, transactionId);
const made = await budget();
const documentId = await documents(made.budgetId);
// The tool that invents calls goes on with what is there; without a file to write it to, the user leaves.
if (idsFile === "") await leave();
else await writeFile(idsFile, JSON.stringify({ token, partnerId, brand, serviceId, transactionId, documentId, ...made, categoryId: "HOUSING_RENT" }));
console.log(`walked the journey in ${calls} calls, every answer as the document says`);
