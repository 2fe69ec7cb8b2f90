/**
 * The HTTPS API over a user with a year of payments, recognised and budgeted by the threads' own tasks in this thread.
 */
import type { ExecutionContext } from "ava";
import type { BudgetActionResponse, BudgetDetailsDocument, BudgetDocument } from "../../src/interface/budgets.ts";
import { handChecked } from "../budgets/hand-checked.ts";
import { userData } from "../budgets/household.ts";
import type { Answer } from "./answer.ts";
import { type Customer, openRecognised, type Paid, type RecognisedWorld } from "./recognised.ts";
import { partnerPath } from "./world.ts";

export const payments: readonly Paid[] = handChecked.map((row) => ({
  txid: row.txid,
  day: row.day,
  amount: row.amountMinor / 100,
  name: row.merchantName,
  description: row.description,
  type: row.rawType,
  ...(row.mcc === null ? {} : { mcc: row.mcc }),
}));

/** The id of a budget that nobody has. */
export const unknownId = "3f6a7c1e-58f1-4b0f-9a53-0d8c6f1f2a44";

const { hasVehile: _, ...transport } = userData.transport;
/** A household's data as a caller gives them: with the vehicle's flag under its right name alone. */
export const given = { ...userData, transport };

export type BudgetCaller = {
  id: string;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  read(): Promise<BudgetDocument>;
  details(): Promise<BudgetDetailsDocument>;
  next(): Promise<BudgetActionResponse | null>;
};

export type BudgetWorld = RecognisedWorld & {
  anna: Customer;
  budgetOf(customer: { token: string }, body?: unknown): Promise<BudgetCaller>;
};

/** anna's payments are those of the household worked out by hand. */
export async function openBudgets(t: ExecutionContext): Promise<BudgetWorld> {
  const world = await openRecognised(t);
  const anna = await world.customer("anna", "2026-06-14", payments);
  const budgetOf: BudgetWorld["budgetOf"] = async ({ token }, body) => {
    const created = await world.call("POST", `${partnerPath}/budgets`, {
      token,
      ...(body === undefined ? {} : { body }),
    });
    t.is(created.status, 200);
    return callerOf(t, world, token, (created.json as { id: string }).id);
  };
  return { ...world, anna, budgetOf };
}

export function callerOf(t: ExecutionContext, world: RecognisedWorld, token: string, id: string): BudgetCaller {
  const call: BudgetCaller["call"] = (method, path, body) =>
    world.call(method, `${partnerPath}/budgets/${id}${path}`, { token, ...(body === undefined ? {} : { body }) });
  const read = async (path: string): Promise<unknown> => {
    const answer = await call("GET", path);
    t.is(answer.status, 200, answer.text);
    return answer.json;
  };
  return {
    id,
    call,
    read: async () => (await read("")) as BudgetDocument,
    details: async () => (await read("/details")) as BudgetDetailsDocument,
    async next() {
      const answer = await call("GET", "/questions/next");
      if (answer.status === 404) return null;
      return answer.json as BudgetActionResponse;
    },
  };
}
