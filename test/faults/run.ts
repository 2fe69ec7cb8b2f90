/**
 * The fault harness: npm run faults -- [--short] [--kinds a,b] [--seed N] [--rounds N] [--strikes N] [--resume FILE]
 * [--out FILE]
 * What it breaks, and how it judges, stands in README.md beside this file. Ends with 1 when anything was lost, doubled,
 * told wrongly or not healed, or when a kind was never struck.
 */
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { clockKinds } from "./kinds/clock.ts";
import { databaseKinds } from "./kinds/database.ts";
import { deliveryKinds } from "./kinds/deliveries.ts";
import { descriptorKinds } from "./kinds/descriptors.ts";
import { diskKinds } from "./kinds/disks.ts";
import { killKinds } from "./kinds/kills.ts";
import { notificationKinds } from "./kinds/notifications.ts";
import { poisonKinds } from "./kinds/poison.ts";
import { powerKinds } from "./kinds/power.ts";
import { queueKinds } from "./kinds/queue.ts";
import { uploadKinds } from "./kinds/uploads.ts";
import { createRandom } from "./random.ts";
import { addUp, appendRound, isClean, readRounds, type RoundLine, tableOf } from "./results.ts";
import { type FaultKind, runRound } from "./round.ts";
import { openWorld, type World, worldImpossible, type WorldName } from "./world.ts";

const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    kinds: { type: "string" },
    seed: { type: "string" },
    rounds: { type: "string" },
    strikes: { type: "string", default: "5" },
    resume: { type: "string" },
    out: { type: "string" },
    list: { type: "boolean", default: false },
  },
});

const kinds: readonly FaultKind[] = [
  ...killKinds,
  ...uploadKinds,
  ...deliveryKinds,
  ...poisonKinds,
  ...clockKinds,
  ...diskKinds,
  ...descriptorKinds,
  ...databaseKinds,
  ...queueKinds,
  ...notificationKinds,
  ...powerKinds,
];
const short = values.short;
const strikes = Number(values.strikes);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
const file = values.resume ?? values.out ?? path.join(tmpdir(), `tideline-faults-${seed}.jsonl`);
const wanted = values.kinds?.split(",").map((name) => name.trim());
// A disk whose power is cut keeps a core for itself, so that beside it the other worlds would not heal in their time.
const chosen = kinds.filter(({ name, world }) =>
  wanted === undefined ? !short || !world.startsWith("power-") : wanted.some((part) => name.includes(part)),
);

if (values.list || chosen.length === 0) {
  console.log(kinds.map(({ name, world }) => `${name.padEnd(40)}${world}`).join("\n"));
  process.exit(values.list ? 0 : 2);
}

const nothing = { count: 0, lost: 0, doubled: 0, foreign: 0, receiptsWrong: 0, healedMs: null };
const done: RoundLine[] = values.resume === undefined ? [] : await readRounds(file);
const stopping = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stopping.abort());
const stop = new Promise<"stopped">((resolve) => stopping.signal.addEventListener("abort", () => resolve("stopped")));
console.log(`seed ${seed}, results in ${file}${done.length > 0 ? `, ${done.length} rounds of earlier runs` : ""}`);
const complete = await runAll();
const totals = addUp(done);
console.log(`\n${tableOf(totals)}`);
const unstruck = chosen.filter(
  ({ name }) => complete && !totals.some((one) => one.kind === name && (one.count > 0 || one.skipped !== null)),
);
for (const { name } of unstruck) console.log(`never struck: ${name}`);
if (!complete) console.log(`\nStopped. To go on: npm run faults -- --seed ${seed} --resume ${file}`);
// A round that was stopped may still be waiting for something.
process.exit(complete && totals.every(isClean) && unstruck.length === 0 ? 0 : 1);

/**
 * World by world, and kind by kind in each. In the short form the worlds stand side by side, since most of a world's
 * time is waiting for something to heal. @returns false when it was stopped
 */
async function runAll(): Promise<boolean> {
  const groups = Map.groupBy(chosen, ({ world }) => world);
  const running = [...groups].map(
    ([name, group]) =>
      () =>
        runWorld(name, group),
  );
  if (short) return (await Promise.all(running.map((run) => run()))).every(Boolean);
  for (const run of running) if (!(await run())) return false;
  return true;
}

async function runWorld(name: WorldName, group: readonly FaultKind[]): Promise<boolean> {
  const held: { world: Promise<World> | null } = { world: null };
  try {
    for (const kind of group) {
      const impossible = (await worldImpossible(name)) ?? (await kind.impossible?.()) ?? null;
      if (impossible !== null) await skip(kind, impossible);
      const rounds = impossible === null ? roundsOf(kind) : 0;
      for (let number = roundsDone(kind); number < rounds; number += 1) {
        const ended = await Promise.race([attempt(kind, (held.world ??= openWorld(name)), number), stop]);
        if (ended === "stopped") return false;
        done.push(ended);
        await appendRound(file, ended);
      }
    }
    return true;
  } finally {
    await held.world?.then(
      (world) => world.remove(),
      () => undefined,
    );
  }
}

function roundsOf(kind: FaultKind): number {
  return values.rounds === undefined ? kind.rounds[short ? "short" : "long"] : Number(values.rounds);
}

function roundsDone({ name }: FaultKind): number {
  return done.filter((one) => one.kind === name).length;
}

async function skip({ name }: FaultKind, why: string): Promise<void> {
  const line = { ...nothing, kind: name, skipped: why, failures: [], examples: [], at: new Date().toISOString(), seed };
  console.log(`SKIPPED  ${name}: ${why}`);
  done.push(line);
  await appendRound(file, line);
}

/** A round that breaks is a result, too. */
async function attempt(kind: FaultKind, opening: Promise<World>, number: number): Promise<RoundLine> {
  const startedAt = performance.now();
  const roundSeed = seed + number;
  const id = `r${Date.now().toString(36)}`;
  const running = opening.then((world) =>
    runRound(kind, world, { id, random: createRandom(roundSeed).fork(kind.name), short, strikes, number }),
  );
  const ended = await running.catch(async (error: unknown) => {
    await opening.then((world) => world.startAll()).catch(() => undefined);
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { ...nothing, kind: kind.name, failures: [why], examples: [why] };
  });
  if (!stopping.signal.aborted) tell(ended, number, roundSeed, performance.now() - startedAt);
  return { ...ended, at: new Date().toISOString(), seed: roundSeed };
}

function tell(
  { kind, count, lost, doubled, foreign, receiptsWrong, healedMs, examples }: Omit<RoundLine, "at" | "seed">,
  number: number,
  roundSeed: number,
  durationMs: number,
): void {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const figures = `${count} struck, ${lost} lost, ${doubled} doubled, ${foreign} foreign, ${receiptsWrong} receipts wrong`;
  console.log(
    `${new Date().toISOString().slice(11, 19)}  ${kind}, round ${number + 1} (seed ${roundSeed}): ${figures}, healed in ${seconds(healedMs ?? 0)}, took ${seconds(durationMs)}`,
  );
  for (const example of examples) console.log(`    ${example}`);
}
