/** Login, services and a budget through a client that kubb made of the document. */
import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { type Client, client as plainClient, setConfig } from "@kubb/plugin-client/clients/fetch";
import { baseUrl, customerWithHistory, partnerId, recognisedWithinMs, wordFor } from "./generated-partner.ts";
import { createBudget } from "./made/kubb/clients/createBudget";
import { getBudget } from "./made/kubb/clients/getBudget";
import { listServices } from "./made/kubb/clients/listServices";
import { logIn } from "./made/kubb/clients/logIn";
import type { Budget } from "./made/kubb/types/Budget";
import type { Service } from "./made/kubb/types/Service";

// Its own client reads every answer as JSON, the empty one of 202 too.
const call = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const answer = await call(input, init);
  return answer.status === 202 ? new Response(null, { status: 202, headers: answer.headers }) : answer;
};
const client: Client = plainClient;
const headers = { "content-type": "application/json" };
setConfig({ baseURL: baseUrl, headers });
const login = await logIn({ partnerId, data: { payload: await wordFor(await customerWithHistory()) } }, { client });
setConfig({ baseURL: baseUrl, headers: { ...headers, authorization: `Bearer ${login.data.token}` } });

async function services(): Promise<Service[]> {
  for (let waitedMs = 0; waitedMs < recognisedWithinMs; waitedMs += 500) {
    const { data, status } = await listServices({ partnerId }, { client });
    if (status === 200 && typeof data === "object") return data.services;
    await wait(500);
  }
  throw new Error("services are not ready");
}

async function budget(): Promise<Budget> {
  const { data: created } = await createBudget({ partnerId, data: {} }, { client });
  for (let waitedMs = 0; waitedMs < recognisedWithinMs; waitedMs += 500) {
    const { data, status } = await getBudget({ partnerId, budgetId: created.id }, { client });
    if (status === 200 && typeof data === "object") return data;
    await wait(500);
  }
  throw new Error("the budget is not ready");
}

const [service] = await services();
assert.equal(service?.product.title, "Netflix");
assert.equal(service?.amount, 114);
assert.equal(service?.paymentFrequency, "MONTHLY");
assert.equal((await budget()).totalMonthlyAmount, 114);
console.log("kubb: login, services and a budget");
