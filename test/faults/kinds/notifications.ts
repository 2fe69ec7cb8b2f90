/**
 * The partner's receiver of notifications slow, down or failing: each message arrives at least once, and each user's in
 * order.
 */
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Behaviour, openSimulator, type Received, type Simulator } from "../../../src/demo/receiver.ts";
import type { Partner } from "../../outside/partner.ts";
import type { Random } from "../random.ts";
import type { FaultKind, Round } from "../round.ts";
import { decide, openBudgets, type OpenTold, problemsOfMessages, type Told } from "../told.ts";

/** What a message of a failing receiver is answered until its turn is over; `null`: the receiver is not even there. */
type Failing = { name: string; answer: Behaviour | null; failuresMax: number };

const failings: readonly Failing[] = [
  { name: "slow", answer: "slow", failuresMax: 0 },
  { name: "down", answer: null, failuresMax: 0 },
  { name: "refuses its tokens", answer: 401, failuresMax: 2 },
  { name: "asks for fewer", answer: 429, failuresMax: 2 },
  { name: "fails inside", answer: 500, failuresMax: 1 },
  { name: "closes within its answer", answer: "cut", failuresMax: 1 },
];

/**
 * strikesMax: the deliverer's breaker opens at the fifth failure in a row, for minutes when it does so again; the short
 * form does not wait for that.
 */
const sizes = { short: { users: 5, changes: 2, strikesMax: 4 }, long: { users: 21, changes: 5, strikesMax: Infinity } };
const slowMs = 1500;
/** More failures in a row open the deliverer's breaker again and again, which then pauses for minutes. */
const takenAtOnceShare = 0.6;
const downMs = 6000;
/** Back-off up to ten seconds a failure and the breaker's half minutes, for as many messages as a user has. */
const arrivesWithinMs = 480_000;
const lookEveryMs = 100;
/** The neighbour's receiver takes everything at once; a round of the deliverer and a token come before it. */
const neighbourWithinMs = 20_000;
/** One who tells twice does it soon after. */
const afterwardsMs = 2000;

export const notificationKinds: FaultKind[] = failings.map((failing) => ({
  name: `receiver ${failing.name}`,
  world: "told",
  rounds: { short: 1, long: 1 },
  healsWithinMs: 600_000,
  strike: (round) => failToReceive(round, failing),
}));

async function failToReceive(round: Round, failing: Failing): Promise<void> {
  const { world, bank, short } = round;
  if (!world.neighbour) throw new Error("this world has no neighbour");
  const { users: count, changes } = short ? sizes.short : sizes.long;
  const users = Array.from({ length: count }, (_, number) => `${bank.prefix}-told-${number}`);
  const [victim, neighbour] = [
    await Receiving.open(round, bank.partner, failing),
    await Receiving.open(round, world.neighbour.partner, null),
  ];
  try {
    const quick = await openBudgets(world.neighbour.partner, [`${bank.prefix}-told`]);
    const told = await openBudgets(bank.partner, users);
    victim.fail();
    const beside = besideIt(round, quick, neighbour);
    await Promise.all(told.map((one) => decide(bank.partner, one, changes)));
    await untilArrived(told, victim);
    await beside;
    await wait(afterwardsMs);
    round.struck(victim.struck);
    for (const problem of [
      ...problemsOfMessages(told, victim.received),
      ...problemsOfMessages(quick, neighbour.received),
    ])
      round.fail(problem);
  } finally {
    await victim.close();
    await neighbour.close();
  }
}

/** A receiver of one partner, registered by its operator's command, that may stop and fail. */
class Receiving {
  readonly received: Received[] = [];
  struck = 0;
  readonly #failing: Failing | null;
  readonly #strikesMax: number;
  readonly #random: Random;
  readonly #left = new Map<string, number>();
  #isFailing = false;
  #simulator: Simulator | null = null;
  #ending: Promise<void> = Promise.resolve();

  private constructor(failing: Failing | null, strikesMax: number, random: Random) {
    this.#failing = failing;
    this.#strikesMax = strikesMax;
    this.#random = random;
  }

  static async open({ world, random, short }: Round, { id }: Partner, failing: Failing | null): Promise<Receiving> {
    const receiving = new Receiving(
      failing,
      sizes[short ? "short" : "long"].strikesMax,
      random.fork(`receiver of ${id}`),
    );
    const { url, tokenUrl } = await receiving.#listen(0);
    const secret = path.join(world.folder, `${id}-client-secret`);
    await writeFile(secret, randomUUID(), { mode: 0o600 });
    await world.tideline(
      "notifications",
      "receiver",
      "set",
      id,
      "--url",
      url,
      "--token-url",
      tokenUrl,
      "--client-id",
      "tideline",
      "--client-secret-file",
      secret,
      "--allow-private-addresses",
    );
    return receiving;
  }

  async #listen(port: number): Promise<Simulator> {
    this.#simulator = await openSimulator({
      port,
      staticToken: null,
      slowMs,
      behave: ({ id }) => this.#behave(id),
      report: (one) => void this.received.push(one),
    });
    return this.#simulator;
  }

  /** From now on. */
  fail(): void {
    this.#isFailing = true;
    if (this.#failing?.answer === null) this.#ending = this.#goDown();
  }

  async #goDown(): Promise<void> {
    const port = Number(new URL(this.#simulator?.url ?? "").port);
    await this.#simulator?.close();
    await wait(downMs);
    await this.#listen(port);
  }

  /** Each message fails so often as the seed has it, then it is taken. */
  #behave(id: string): Behaviour {
    const failing = this.#failing;
    if (!this.#isFailing || failing === null) return "accept";
    // Each message after an outage was held up by it.
    if (failing.answer === null || failing.answer === "slow") {
      this.struck += 1;
      return failing.answer ?? "accept";
    }
    if (this.struck >= this.#strikesMax) return "accept";
    // The first one always fails: a round of few messages must not pass without a strike.
    const isTakenAtOnce = () => this.#left.size > 0 && this.#random.share() < takenAtOnceShare;
    const left = this.#left.get(id) ?? (isTakenAtOnce() ? 0 : this.#random.between(1, failing.failuresMax));
    this.#left.set(id, left - 1);
    if (left <= 0) return "accept";
    this.struck += 1;
    if (failing.answer === 401) this.#simulator?.expireTokens();
    return failing.answer;
  }

  async close(): Promise<void> {
    await this.#ending;
    await this.#simulator?.close();
  }
}

/** While one receiver fails, what another partner's user is told arrives at once. */
async function besideIt(round: Round, told: readonly OpenTold[], receiving: Receiving): Promise<void> {
  const partner = round.world.neighbour?.partner;
  const [one] = told;
  if (!partner || !one) throw new Error("nobody beside it");
  for (let change = 0; change < (round.short ? 2 : 5); change += 1) {
    const before = receiving.received.length;
    await decide(partner, one, 1);
    const deadline = performance.now() + neighbourWithinMs;
    while (receiving.received.length === before && performance.now() < deadline) await wait(lookEveryMs);
    if (receiving.received.length === before)
      round.fail(`the neighbour was not told within ${neighbourWithinMs / 1000} s`);
  }
}

/** Or until the time is over: what is missing then is told as a problem. */
async function untilArrived(told: readonly Told[], receiving: Receiving): Promise<void> {
  const deadline = performance.now() + arrivesWithinMs;
  while (
    performance.now() < deadline &&
    problemsOfMessages(told, receiving.received).some((problem) => problem.startsWith("lost"))
  )
    await wait(lookEveryMs);
}
