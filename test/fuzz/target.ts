/**
 * The service that is fuzzed, as its operator runs it, with two banks: one sends what is broken, the other must not be
 * seen.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Book } from "../faults/book.ts";
import { countUnfinished } from "../faults/found.ts";
import { contentOf, makeRecords, sealRequest, type SentRecord } from "../faults/generated.ts";
import type { Random } from "../faults/random.ts";
import { check } from "../faults/round.ts";
import { type Bank, createUsers, put, push, SftpLane } from "../faults/sending.ts";
import { openWorld, type World } from "../faults/world.ts";
import { type Caller, openCaller } from "./http.ts";
import { isBusy } from "./judge.ts";
import { Violation } from "./violation.ts";

export type Target = {
  world: World;
  caller: Caller;
  bank: Bank;
  /** Users, accounts and texts of the other bank; no answer may hold one. */
  other: { bank: Bank; secrets: readonly string[] };
  /** A batch that nothing is wrong with: it must be taken. */
  pulse(random: Random): Promise<number>;
  close(): Promise<void>;
};

const userCount = 5;
const historyRecords = 120;
const subscriptionMonths = 8;
/** What only the other bank's users pay. */
const heron = "HERON SECRET RADIO";
const busyRetriesMax = 20;
/** A load and everything after it, on a machine that has other work. */
const settledWithinMs = 120_000;

export async function openTarget(threads: string): Promise<Target> {
  // Loaded into what is started from here: see thread-watch.ts.
  Object.assign(process.env, {
    FUZZ_THREADS: threads,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --import=${new URL("thread-watch.ts", import.meta.url).href}`,
  });
  const world = await openWorld("single");
  return await furnish(world).catch(async (error: unknown) => {
    await world.remove();
    throw error;
  });
}

async function furnish(world: World): Promise<Target> {
  if (!world.neighbour) throw new Error("the other bank is missing");
  const over = new AbortController().signal;
  const bankOf = ({ partner, key }: Pick<Bank, "partner" | "key">, prefix: string): Bank => ({
    partner,
    key,
    book: new Book(),
    prefix,
    over,
    users: Array.from({ length: userCount }, (_, number) => `${prefix}-user-${number}`),
  });
  const [bank, other] = [bankOf(world.victim, "fuzz"), bankOf(world.neighbour, "heron")];
  // A flood is what this is; the limits have tests of their own.
  await world.tideline("partner", "set", bank.partner.id, "https.requestsPerMinute=1000000");
  for (const one of [bank, other]) await createUsers(one);
  const caller = await openCaller(bank.partner);
  return {
    world,
    caller,
    bank,
    other: { bank: other, secrets: [heron, "heron-user"] },
    pulse: (random) => pulse(caller, bank, random),
    async close() {
      caller.close();
      await world.remove();
    },
  };
}

async function pulse(caller: Caller, bank: Bank, random: Random): Promise<number> {
  const records = makeRecords(random, bank.users, random.between(1, 20));
  const { requestId, txs } = sealRequest(
    bank.key,
    records.map((one) => one.json),
  );
  bank.book.offer(records);
  const body = Buffer.from(JSON.stringify({ reqId: requestId, txs }));
  const push = () =>
    caller.call({
      method: "POST",
      path: `/partner/${bank.partner.id}/2.0.0/transactions`,
      headers: { "content-type": "application/json" },
      body,
    });
  let answer = await push();
  // "Busy, come again" is what a machine with other work may say; it must not go on saying so.
  for (let again = 0; isBusy(answer) && again < busyRetriesMax; again += 1) {
    await wait(1000);
    answer = await push();
  }
  if (answer.status !== 201)
    throw new Violation(`a good batch was answered with ${answer.status}: ${answer.body.toString()}`, body);
  bank.book.owe(records, {
    door: "https",
    reference: requestId,
    expected: { records: records.length, markers: 0, refused: 0 },
  });
  return answer.ms;
}

/** Every thirty days until yesterday: something to be recognised, with an id to ask for. */
function subscription(uid: string, description: string): SentRecord[] {
  return Array.from({ length: subscriptionMonths }, (_, month) => {
    const day = new Date(Date.now() - (1 + 30 * month) * 86_400_000).toISOString().slice(0, 10);
    const txid = `${uid} ${description} ${day}`;
    const tx = { txid, description, txTime: `${day}T12:00:00`, type: "CARD_PURCHASE", amount: -119, currency: "DKK" };
    return {
      uid,
      txid,
      content: contentOf({ amount: "-119", currency: "DKK", description, day, account: null, merchant: null }),
      json: JSON.stringify({ uid, type: "TX", tx }),
    };
  });
}

/** Histories of both banks, through both doors, with everything that reads can show afterwards. */
export async function pushHistories({ bank, other }: Pick<Target, "bank" | "other">, random: Random): Promise<void> {
  for (const one of [bank, other.bank]) {
    await push(
      one,
      one.users.flatMap((uid) => subscription(uid, one === bank ? "NETFLIX.COM" : heron)),
    );
    await push(one, makeRecords(random, one.users, historyRecords), one.users);
    const lane = new SftpLane(one.partner);
    await put(
      one,
      {
        name: `${one.prefix}-history.jwe`,
        format: "jwe",
        records: makeRecords(random, one.users, historyRecords),
        renamed: false,
      },
      lane,
    );
    lane.close();
  }
}

/** Waits until all that was taken is loaded, then compares the ledger with what was sent. @throws Violation */
export async function settle({ world, bank, other }: Target): Promise<void> {
  const url = await world.databaseUrl();
  const deadline = performance.now() + settledWithinMs;
  while ((await countUnfinished(url)) > 0) {
    if (performance.now() > deadline)
      throw new Violation(`something is still not loaded after ${settledWithinMs / 1000} s`);
    await wait(100);
  }
  for (const one of [bank, other.bank]) {
    const { lost, doubled, foreign, receiptsWrong, examples } = await check(world, one);
    if (lost + doubled + foreign + receiptsWrong > 0)
      throw new Violation(
        `${lost} records lost, ${doubled} doubled, ${foreign} foreign, ${receiptsWrong} accounts wrong: ${examples[0]}`,
        examples.join("\n"),
      );
  }
}

/** That the rates it came with have aged is true, and nothing that a broken batch did. */
const ratesAge = '"event":"rates.old"';

export type Health = { rssBytes: number; processes: number; doorThreads: number; errors: string[] };

/** What its operator would see: memory, restarts, threads that were replaced, errors in the log. */
export async function readHealth({ world }: Pick<Target, "world">, threads: string): Promise<Health> {
  const pid = world.member("everything").pid;
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const started = (await readFile(threads, "utf8")).split("\n").filter((line) => line.startsWith(`${pid} `));
  const log = await readFile(path.join(world.folder, "everything.log"), "utf8");
  return {
    rssBytes: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024,
    processes: started.filter((line) => line.endsWith(" process")).length,
    doorThreads: started.filter((line) => line.endsWith(" door")).length,
    errors: log
      .split("\n")
      .filter((line) => line.includes('"level":"error"') || line.includes('"level":50'))
      .filter((line) => !line.includes(ratesAge)),
  };
}
