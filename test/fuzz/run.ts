/**
 * The fuzz suite: npm run fuzz -- [--short] [--count N] [--requests N] [--seed S] [--from I] [--only a,b] [--out FILE]
 * What it breaks, and how it judges, stands in README.md beside this file. Stops at the first thing that must not be, with the
 * seed and the bytes; ends with 1 then.
 */
import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { createRandom, type Random } from "../faults/random.ts";
import { batchKinds, type OneAnswer, tryBatch } from "./batches.ts";
import { CallFuzz } from "./calls.ts";
import { FileFuzz } from "./files.ts";
import { PacketFuzz } from "./packets.ts";
import { PageFuzz } from "./pages.ts";
import { StatementFuzz } from "./statements.ts";
import { Table } from "./table.ts";
import { type Health, openTarget, pushHistories, readHealth, settle, type Target } from "./target.ts";
import { timedMutations } from "./tokens.ts";
import { Violation } from "./violation.ts";

const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    count: { type: "string" },
    requests: { type: "string" },
    seed: { type: "string" },
    from: { type: "string", default: "0" },
    only: { type: "string" },
    out: { type: "string" },
  },
});

const counts = values.short
  ? { batches: 900, files: 12, statements: 24, packets: 1200, requests: 1200, pages: 60 }
  : { batches: 20_000, files: 150, statements: 1500, packets: 20_000, requests: 20_000, pages: 1500 };
if (values.count !== undefined) counts.batches = counts.statements = Number(values.count);
if (values.requests !== undefined) counts.requests = counts.pages = Number(values.requests);
const from = Number(values.from);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
const only = values.only?.split(",");
const isWanted = (phase: string) => only === undefined || only.some((part) => phase.includes(part));

/** Under way at once: enough that threads interleave, few enough that nobody is answered "busy". */
const lanes = 6;
/** After so many broken ones a good batch must be taken at once. */
const pulseEvery = 50;
const mebibyte = 1024 * 1024;
/** Beyond what a warm service holds: answers, sessions and buffers of some requests, no trace of each. */
const growthBytesMax = 384 * mebibyte;
const warmShare = 0.15;
/** Medians of hundreds of calls; the padding check itself differs by microseconds. */
const oracleRatioMax = 1.5;
const oracleSamplesMin = 200;

const folder = await mkdtemp(path.join(tmpdir(), "tideline-fuzz-"));
const threads = path.join(folder, "threads");
const seen: { warm: Health | null; rssBytesMax: number } = { warm: null, rssBytesMax: 0 };
console.log(`seed ${seed}`);
const target = await openTarget(threads);
/** Cases by phase, of phases that ended well. */
const passed: Record<string, number> = {};
/** The case that is wrong; without one, it is what a whole phase left behind. */
let at: { phase: string; index?: number } = { phase: "start" };
try {
  await pushHistories(target, createRandom(seed).fork("histories"));
  await settle(target);
  const first = await readHealth(target, threads);
  await fuzzBatches(target);
  await fuzzFiles(target);
  await fuzzStatements(target);
  await fuzzPackets(target);
  await fuzzCalls(target);
  await fuzzPages(target);
  tellHealth(first, await expectHealth(target));
  console.log("\nNothing that must not be.");
  await record(null);
} catch (error) {
  process.exitCode = 1;
  await record(error instanceof Error ? error.message : String(error));
  const kept = path.join(
    tmpdir(),
    ["tideline-fuzz", seed, at.phase, ...(at.index === undefined ? [] : [at.index])].join("-"),
  );
  await writeFile(kept, error instanceof Violation ? error.bytes : "");
  console.log(
    `\nVIOLATION in ${[at.phase, at.index].join(" ")}: ${error instanceof Violation ? error.message : ((error as Error).stack ?? String(error))}`,
  );
  console.log(
    `The bytes are in ${kept}. Again: npm run fuzz -- --seed ${seed}${values.short ? " --short" : ""} --only ${at.phase}${at.index === undefined ? "" : ` --from ${at.index} --count 1 --requests 1`}`,
  );
} finally {
  await target.close();
  await rm(folder, { recursive: true, force: true });
}
process.exit();

/** A line for each run, so that several add up. */
async function record(violation: string | null): Promise<void> {
  if (values.out === undefined) return;
  const line = { at: new Date().toISOString(), seed, from, passed, violation };
  await appendFile(values.out, `${JSON.stringify(line)}\n`);
}

/** Each case has numbers of its own, so that it can be tried again alone. */
async function inLanes(
  phase: string,
  count: number,
  attempt: (random: Random, index: number) => Promise<void>,
  atOnce = lanes,
): Promise<void> {
  at = { phase };
  let next = from;
  const failed = new AbortController();
  let isWarm = false;
  const lane = async () => {
    while (next < from + count && !failed.signal.aborted) {
      const index = next;
      next += 1;
      const random = createRandom(seed).fork(`${phase} ${index}`);
      try {
        await attempt(random, index);
        if (index % pulseEvery === 0) await target.pulse(random.fork("pulse"));
      } catch (error) {
        if (!failed.signal.aborted) at = { phase, index };
        failed.abort();
        throw error;
      }
      if (index % 500 === 499) await expectHealth(target);
      if (isWarm || next <= from + count * warmShare) continue;
      // Anew in each phase: it wakes parts of the service that slept before.
      isWarm = true;
      seen.warm = await expectHealth(target);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  passed[phase] = count;
}

async function fuzzBatches(on: Target): Promise<void> {
  if (!isWanted("batches")) return;
  const table = new Table();
  const one: OneAnswer = { decryption: null };
  await inLanes("batches", counts.batches, async (random) => {
    const { kind, answer, ms } = await tryBatch(on, random, batchKinds, one);
    table.note(kind, answer, ms);
  });
  await settle(on);
  console.log(`\n${table.print("broken batches, HTTPS")}`);
  judgeTimes(table);
}

function judgeTimes(table: Table): void {
  const [padding, tag] = [table.medianMs(timedMutations.padding), table.medianMs(timedMutations.tag)];
  console.log(
    `refused with a wrong padding in ${padding.toFixed(2)} ms, with a wrong tag in ${tag.toFixed(2)} ms (medians)`,
  );
  const samples = Math.min(table.countOf(timedMutations.padding), table.countOf(timedMutations.tag));
  if (samples >= oracleSamplesMin && Math.max(padding / tag, tag / padding) > oracleRatioMax)
    throw new Violation("the time tells a wrong padding from a wrong tag");
}

async function fuzzFiles(on: Target): Promise<void> {
  if (!isWanted("files")) return;
  const table = new Table();
  const files = new FileFuzz(on);
  try {
    await inLanes(
      "files",
      counts.files,
      async (random) => {
        const { kind, batches, ms } = await files.put(random);
        table.note(kind, "delivered", ms, batches);
      },
      1,
    );
    await settle(on);
  } finally {
    files.close();
  }
  console.log(`\n${table.print("broken batches, SFTP")}`);
}

async function fuzzStatements(on: Target): Promise<void> {
  if (!isWanted("statements")) return;
  const table = new Table();
  const files = await StatementFuzz.open(on);
  try {
    const took = new Map<string, number>();
    await inLanes(
      "statements",
      counts.statements,
      async (random, index) => {
        const { kind, ms } = await files.put(random, index);
        took.set(kind, Math.max(took.get(kind) ?? 0, ms));
      },
      1,
    );
    await settle(on);
    for (const { kind, answer } of await files.judge()) table.note(kind, answer, took.get(kind) ?? 0);
  } finally {
    await files.close();
  }
  console.log(`\n${table.print("statements, SFTP")}`);
}

async function fuzzPackets(on: Target): Promise<void> {
  if (!isWanted("packets")) return;
  const table = new Table();
  const packets = await PacketFuzz.open(on);
  await inLanes("packets", Math.ceil(counts.packets / packets.perCase), async (random) => {
    for (const { kind, answer, ms } of await packets.attempt(random)) table.note(kind, answer, ms);
  });
  await packets.expectUntouched();
  await settle(on);
  console.log(`\n${table.print("SFTP packets")}`);
}

async function fuzzCalls(on: Target): Promise<void> {
  if (!isWanted("requests")) return;
  const table = new Table();
  const calls = await CallFuzz.open(on);
  await inLanes("requests", counts.requests, async (random) => {
    const { kind, answer, ms } = await calls.attempt(random);
    table.note(kind, answer, ms);
  });
  await calls.expectOtherUnchanged();
  await settle(on);
  console.log(`\n${table.print("requests")}`);
}

async function fuzzPages(on: Target): Promise<void> {
  if (!isWanted("pages")) return;
  const table = new Table();
  const pages = await PageFuzz.open(on);
  await inLanes("pages", counts.pages, async (random) => {
    for (const { kind, answer, ms } of await pages.attempt(random)) table.note(kind, answer, ms);
  });
  await pages.expectOtherUntouched(createRandom(seed).fork("pages"));
  await settle(on);
  console.log(`\n${table.print("pages")}`);
}

/** @throws Violation when it restarted, replaced a thread, logged an error, or holds more and more */
async function expectHealth(on: Target): Promise<Health> {
  const health = await readHealth(on, threads);
  seen.rssBytesMax = Math.max(seen.rssBytesMax, health.rssBytes);
  if (!on.world.member("everything").isRunning || health.processes !== 1)
    throw new Violation("the service ended or was started again");
  if (health.doorThreads > (seen.warm ?? health).doorThreads)
    throw new Violation("a thread of the door broke and was replaced");
  if (health.errors.length > 0)
    throw new Violation(`the log tells of ${health.errors.length} errors`, health.errors.join("\n"));
  if (health.rssBytes > (seen.warm ?? health).rssBytes + growthBytesMax)
    throw new Violation(`memory grew from ${describe(seen.warm)} to ${describe(health)}`);
  return health;
}

function tellHealth(first: Health, last: Health): void {
  console.log(
    `\nmemory ${describe(first)} at first, ${describe(seen.warm)} when warm, at most ${Math.round(seen.rssBytesMax / mebibyte)} MiB, ${describe(last)} at last; threads of the door ${last.doorThreads}, none replaced; errors in the log 0`,
  );
}

function describe(health: Health | null): string {
  return `${Math.round((health?.rssBytes ?? 0) / mebibyte)} MiB`;
}
