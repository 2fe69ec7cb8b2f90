/** Login, services and a budget through a client that hey-api made of the document. */
import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { baseUrl, customerWithHistory, partnerId, recognisedWithinMs, wordFor } from "./generated-partner.ts";
import { client } from "./made/hey-api/client.gen";
import { createBudget, getBudget, listServices, logIn } from "./made/hey-api/sdk.gen";
import type { Budget, Service } from "./made/hey-api/types.gen";

client.setConfig({ baseUrl });
const path = { partnerId };
const login = await logIn({ path, body: { payload: await wordFor(await customerWithHistory()) }, throwOnError: true });
client.setConfig({ baseUrl, auth: login.data.token });

async function services(): Promise<Service[]> {
  for (let waitedMs = 0; waitedMs < recognisedWithinMs; waitedMs += 500) {
    const { data, response } = await listServices({ path, throwOnError: true });
    // The empty text of 202 is not taken for a list: without this line the next does not compile.
    if (typeof data === "object" && response.status === 200 && "services" in data) return data.services;
    await wait(500);
  }
  throw new Error("services are not ready");
}

async function budget(): Promise<Budget> {
  const { data: created } = await createBudget({ path, throwOnError: true });
  for (let waitedMs = 0; waitedMs < recognisedWithinMs; waitedMs += 500) {
    const { data, response } = await getBudget({ path: { ...path, budgetId: created.id }, throwOnError: true });
    if (typeof data === "object" && response.status === 200 && "categories" in data) return data;
    await wait(500);
  }
  throw new Error("the budget is not ready");
}

const [service] = await services();
assert.equal(service?.product.title, "Netflix");
assert.equal(service?.amount, 114);
assert.equal(service?.paymentFrequency, "MONTHLY");
assert.equal((await budget()).totalMonthlyAmount, 114);
console.log("hey-api: login, services and a budget");
