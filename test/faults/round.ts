/** One round: faults of one kind strike while two doors are in use; then everything must heal, and is checked. */
import { setTimeout as wait } from "node:timers/promises";
import { Book } from "./book.ts";
import { judge, type Verdict } from "./checker.ts";
import { countCompleted, countUnaccounted, countUnfinished, findReceipts, findRequests, findRows } from "./found.ts";
import type { Random } from "./random.ts";
import type { RoundResult } from "./results.ts";
import { type Bank, createUsers, push } from "./sending.ts";
import type { World, WorldName } from "./world.ts";

/** What a kind's code works with. */
export type Round = {
  world: World;
  /** The victim with users of this round alone. */
  bank: Bank;
  random: Random;
  /** Of the short form. */
  short: boolean;
  /** How often a kind that strikes again and again does so, in the long form. */
  strikes: number;
  /** Among the rounds of its kind, from 0. */
  number: number;
  /** Notes that a fault has struck, now. */
  struck(times?: number): void;
  /** Notes something that should not have been. */
  fail(what: string): void;
  /** Another bank, whose book must be kept as well. */
  alsoCheck(bank: Bank): void;
};

export type FaultKind = {
  /** As the table calls it. */
  name: string;
  world: WorldName;
  rounds: { short: number; long: number };
  /** Where so much is sent that it takes longer; the two minutes otherwise. */
  healsWithinMs?: number;
  /** Null, or why it cannot be tried on this machine. */
  impossible?: () => Promise<string | null>;
  /** Returns when the last fault is over and everything is sent. */
  strike(round: Round): Promise<void>;
};

export const usersPerRound = 5;
const lookEveryMs = 100;
/** edges.md: a lost queue is healed within two minutes; everything else must not take longer. */
const healsWithinMsDefault = 120_000;
/** What is late then is waited for nevertheless, so that it does not count as lost as well. */
const lateWithinMs = 600_000;

export async function runRound(
  kind: FaultKind,
  world: World,
  { id, ...how }: { id: string } & Pick<Round, "random" | "short" | "strikes" | "number">,
): Promise<RoundResult & { examples: string[] }> {
  const over = new AbortController();
  const bank = openBank(world, id, over.signal);
  const banks = [bank];
  const failures: string[] = [];
  let [count, lastStrikeAt] = [0, performance.now()];
  const round: Round = {
    world,
    bank,
    ...how,
    struck(times = 1) {
      count += times;
      lastStrikeAt = performance.now();
    },
    fail: (what) => void failures.push(what),
    alsoCheck: (other) => void banks.push(other),
  };
  await createUsers(bank);
  await kind.strike(round).finally(() => over.abort());
  await world.startAll();
  await push(bank, [], bank.users);
  const healsWithinMs = kind.healsWithinMs ?? healsWithinMsDefault;
  if (!(await untilHealed(world, bank, lastStrikeAt + healsWithinMs))) {
    failures.push(`not healed within ${healsWithinMs / 1000} s`);
    await untilHealed(world, bank, lastStrikeAt + healsWithinMs + lateWithinMs);
  }
  const healedMs = Math.round(performance.now() - lastStrikeAt);
  const { examples, ...verdict } = sum(await Promise.all(banks.map((one) => check(world, one))));
  return { kind: kind.name, count, ...verdict, healedMs, failures, examples: [...failures, ...examples] };
}

/** Ids of rounds differ between runs, since a world may outlive a round and a results file outlives a world. */
function openBank({ victim }: Pick<World, "victim">, id: string, over: AbortSignal): Bank {
  const users = Array.from({ length: usersPerRound }, (_, number) => `${id}-user-${number}`);
  return { ...victim, book: new Book(), users, prefix: id, over };
}

async function untilHealed(world: World, bank: Bank, deadline: number): Promise<boolean> {
  const url = await world.databaseUrl();
  while (performance.now() < deadline) {
    const unfinished = await countUnfinished(url).catch(() => null);
    if (unfinished === 0 && (await countCompleted(url, bank.partner.id, bank.users)) === bank.users.length) return true;
    await wait(lookEveryMs);
  }
  return false;
}

export async function check(world: World, bank: Bank): Promise<Verdict> {
  const url = await world.databaseUrl();
  const { partner, book, prefix } = bank;
  const verdict = judge(
    book,
    await findRows(url, partner.id, book),
    await findRequests(url, partner.id, book),
    await findReceipts(partner, prefix),
  );
  const unaccounted = await countUnaccounted(url, partner.id);
  if (unaccounted === 0) return verdict;
  return {
    ...verdict,
    receiptsWrong: verdict.receiptsWrong + 1,
    examples: [...verdict.examples, `${unaccounted} rows more than deliveries say were new`],
  };
}

function sum(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce((all, one) => ({
    lost: all.lost + one.lost,
    doubled: all.doubled + one.doubled,
    foreign: all.foreign + one.foreign,
    receiptsWrong: all.receiptsWrong + one.receiptsWrong,
    examples: [...all.examples, ...one.examples],
  }));
}
