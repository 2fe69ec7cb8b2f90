/** Messages that arrived against the changes that a bank was acknowledged. */
import type { Received } from "../../src/demo/receiver.ts";
import type { Partner } from "../outside/partner.ts";
import { createUsers } from "./sending.ts";

/** A budget's changes of status, in the order in which they were acknowledged. */
export type Told = { userId: string; budgetId: string; statuses: string[] };

/** With the token of its user. */
export type OpenTold = Told & { token: string };

type Message = { id: string; userId: string; budgetId: string; status: string };

/**
 * What is wrong: messages that never came, came in another order, or tell what was not done. Repeats of the same id are
 * allowed.
 */
export function problemsOfMessages(told: readonly Told[], received: readonly Received[]): string[] {
  const arrived = received.filter(({ answered }) => answered === "accept" || answered === "slow");
  const taken = arrived.filter(({ id }, index) => arrived.findIndex((one) => one.id === id) === index).map(read);
  const known = new Set(told.map(({ budgetId }) => budgetId));
  const foreign = taken
    .filter(({ budgetId }) => !known.has(budgetId))
    .map(({ userId }) => `foreign: a message to ${userId}`);
  return [
    ...told.flatMap((one) =>
      problemOf(
        one,
        taken.filter(({ budgetId }) => budgetId === one.budgetId),
      ),
    ),
    ...foreign,
  ];
}

function problemOf({ userId, statuses }: Told, messages: readonly Message[]): string[] {
  const [wanted, found] = [statuses.join(" "), messages.map(({ status }) => status).join(" ")];
  if (messages.some((message) => message.userId !== userId))
    return [`foreign: a message of ${userId}'s budget went to another`];
  if (messages.length < statuses.length)
    return [`lost: ${userId} was told ${messages.length} of ${statuses.length} changes`];
  if (messages.length > statuses.length)
    return [`foreign: ${userId} was told ${messages.length} changes, there were ${statuses.length}`];
  return found === wanted ? [] : [`order: ${userId} was told ${found}, it was ${wanted}`];
}

function read({ id, userId, body }: Received): Message {
  const { notification } = JSON.parse(body) as {
    notification: { payload: { params: { budgetId?: string; status?: string } }[] };
  };
  const { budgetId = "", status = "" } = notification.payload[0]?.params ?? {};
  return { id, userId, budgetId, status };
}

/** Users with a budget each; what is done to it is told. */
export async function openBudgets(partner: Partner, users: readonly string[]): Promise<OpenTold[]> {
  await createUsers({ partner, users });
  const opened: OpenTold[] = [];
  for (const userId of users) {
    const token = await partner.login(userId);
    const answer = await partner.call("POST", "/budgets", { body: {}, token });
    if (answer.status !== 200) throw new Error(`creating a budget was answered with ${answer.status}: ${answer.text}`);
    opened.push({ userId, token, budgetId: (JSON.parse(answer.text) as { id: string }).id, statuses: [] });
  }
  return opened;
}

/** Accepted, denied, accepted: each answered call is a change that has to be told. */
export async function decide(partner: Partner, told: OpenTold, changes: number): Promise<void> {
  for (let change = 0; change < changes; change += 1) {
    const status = told.statuses.length % 2 === 0 ? "ACCEPTED" : "DENIED";
    const answer = await partner.call("POST", `/budgets/${told.budgetId}/completions`, {
      body: { status },
      token: told.token,
    });
    if (answer.status !== 200) throw new Error(`a decision was answered with ${answer.status}: ${answer.text}`);
    told.statuses.push(status);
  }
}
