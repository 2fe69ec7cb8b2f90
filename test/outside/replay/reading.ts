/** What users read over the API once their import is complete. */
import { setTimeout as wait } from "node:timers/promises";
import type { Partner } from "../partner.ts";
import { spread } from "./watch.ts";

export type Reading = {
  usersReady: number;
  usersWithServices: number;
  services: number;
  upcoming: number;
  /** What was not as it must be, in words. */
  wrong: string[];
  readMs: ReturnType<typeof spread>;
};

type Service = {
  id: string;
  product: { title: string };
  paymentFrequency: string;
  status: string;
  visibility: string;
  amount: number;
  currency: string;
  nextExpectedTransactionDate: string;
  payments: unknown[];
};

const lanes = 8;
const readyWithinMs = 300_000;
const askEveryMs = 250;

export async function logInAll(partner: Partner, users: readonly string[]): Promise<Map<string, string>> {
  const tokens = new Map<string, string>();
  await inLanes(users, async (user) => void tokens.set(user, await partner.login(user)));
  return tokens;
}

/** @returns how many are answered 202 with both of its headers */
export async function countNotReady(partner: Partner, tokens: ReadonlyMap<string, string>): Promise<number> {
  let notReady = 0;
  await inLanes([...tokens.values()], async (token) => {
    const { status, headers } = await partner.call("GET", "/services", { token });
    if (
      status === 202 &&
      Number(headers["retry-after"]) > 0 &&
      headers.location === `/partner/${partner.id}/2.0.0/services`
    )
      notReady += 1;
  });
  return notReady;
}

/** Asks until every user is answered 200. @returns how many were when the time was up */
export async function untilReady(partner: Partner, tokens: ReadonlyMap<string, string>): Promise<number> {
  const waiting = new Map(tokens);
  const deadline = performance.now() + readyWithinMs;
  while (waiting.size > 0 && performance.now() < deadline) {
    await inLanes([...waiting], async ([user, token]) => {
      if ((await partner.call("GET", "/services", { token })).status === 200) waiting.delete(user);
    });
    if (waiting.size > 0) await wait(askEveryMs);
  }
  return tokens.size - waiting.size;
}

export async function readAll(partner: Partner, tokens: ReadonlyMap<string, string>): Promise<Reading> {
  const durations: number[] = [];
  const reading: Reading = {
    usersReady: 0,
    usersWithServices: 0,
    services: 0,
    upcoming: 0,
    wrong: [],
    readMs: spread([]),
  };
  const get = async (at: string, token: string) => {
    const startedAt = performance.now();
    const { status, text } = await partner.call("GET", at, { token });
    durations.push(performance.now() - startedAt);
    if (status !== 200) reading.wrong.push(`GET ${at} was answered with ${status}`);
    return status === 200 ? (JSON.parse(text) as unknown) : null;
  };
  await inLanes([...tokens.values()], async (token) => await readUser(reading, (at) => get(at, token)));
  return { ...reading, readMs: spread(durations) };
}

async function readUser(reading: Reading, get: (at: string) => Promise<unknown>): Promise<void> {
  const list = (await get("/services")) as { services: Service[] } | null;
  const upcoming = (await get("/upcoming-payments")) as { serviceId: string }[] | null;
  if (!list || !upcoming) return;
  reading.usersReady += 1;
  reading.services += list.services.length;
  reading.upcoming += upcoming.length;
  const [first] = list.services;
  if (!first) return;
  reading.usersWithServices += 1;
  if (JSON.stringify(await get(`/services/${first.id}`)) !== JSON.stringify(first))
    reading.wrong.push(`service ${first.id} reads otherwise than in the list`);
  const unknown = upcoming.filter((payment) => !list.services.some((service) => service.id === payment.serviceId));
  if (unknown.length > 0) reading.wrong.push(`${unknown.length} upcoming payments are of no service in the list`);
}

async function inLanes<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const lane = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
