/** Login, services and a budget through a client that orval made of the document. */
import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { baseUrl, customerWithHistory, partnerId, recognisedWithinMs, wordFor } from "./generated-partner.ts";
import { type Budget, createBudget, getBudget, listServices, logIn, type Service } from "./made/orval/api";

// Its clients call paths; where the service is, says whoever uses them.
const call = globalThis.fetch;
globalThis.fetch = (input, init) => call(typeof input === "string" ? new URL(input, baseUrl) : input, init);

const login = await logIn(partnerId, { payload: await wordFor(await customerWithHistory()) });
if (login.status !== 200) throw new Error(`login: ${login.status}`);
const options = { headers: { authorization: `Bearer ${login.data.token}` } };

async function services(): Promise<Service[]> {
  for (let waitedMs = 0; waitedMs < recognisedWithinMs; waitedMs += 500) {
    const answer = await listServices(partnerId, undefined, options);
    if (answer.status === 200) return answer.data.services;
    assert.equal(answer.status, 202);
    await wait(500);
  }
  throw new Error("services are not ready");
}

async function budget(): Promise<Budget> {
  const created = await createBudget(partnerId, {}, options);
  if (created.status !== 200) throw new Error(`budget: ${created.status}`);
  for (let waitedMs = 0; waitedMs < recognisedWithinMs; waitedMs += 500) {
    const answer = await getBudget(partnerId, created.data.id, options);
    if (answer.status === 200) return answer.data;
    assert.equal(answer.status, 202);
    await wait(500);
  }
  throw new Error("the budget is not ready");
}

const [service] = await services();
assert.equal(service?.product.title, "Netflix");
assert.equal(service?.amount, 114);
assert.equal(service?.paymentFrequency, "MONTHLY");
assert.equal((await budget()).totalMonthlyAmount, 114);
console.log("orval: login, services and a budget");
