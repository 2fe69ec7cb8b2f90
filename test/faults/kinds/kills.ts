/** `kill -9` at every named step, at random moments, and of single roles. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { killHard } from "../../outside/processes.ts";
import type { FaultKind, Round } from "../round.ts";
import { armedEnvironment, edges, type Step, stepNames, steps } from "../steps.ts";
import { ordinaryTraffic, Traffic } from "../traffic.ts";
import { embeddedServer } from "../world.ts";

/** A step that is not reached in time was not tried; a machine with much else to do starts a service in half a minute. */
const reachedWithinMs = 120_000;
/** Start, first traffic and loads lie within it. */
const afterStartMsMax = 5000;
/** Records of a file of three chunks. */
const largeFile = 41_000;

export const killKinds: FaultKind[] = [
  ...stepNames.map((step): FaultKind => ({
    name: `kill -9 at ${step}`,
    world: "single",
    rounds: { short: 1, long: 4 },
    strike: (round) => killAtStep(round, step),
  })),
  {
    name: "kill -9 at random moments",
    world: "single",
    rounds: { short: 1, long: 6 },
    strike: (round) => killAtMoments(round, false),
  },
  {
    name: "kill -9 with PostgreSQL",
    world: "single",
    rounds: { short: 1, long: 3 },
    strike: (round) => killAtMoments(round, true),
  },
  ...["api", "sftp", "worker", "scheduler"].map((role): FaultKind => ({
    name: `kill -9 of ${role} alone`,
    world: "fleet",
    rounds: { short: 1, long: 2 },
    strike: (round) => killRole(round, role),
  })),
];

/** Kills again and again while the same traffic goes on, so that what one death left meets the next one. */
async function killAtStep(round: Round, step: Step): Promise<void> {
  const { world, random } = round;
  const member = world.member("everything");
  const report = path.join(world.folder, "struck");
  const traffic = startTraffic(round, random.share() < 0.3);
  const strikes = round.short ? 1 : round.strikes;
  for (let strike = 0; strike < strikes; strike += 1) {
    await member.kill();
    const before = await countLines(report);
    const passes = random.between(1, steps[step].passesMax);
    member.launch(armedEnvironment({ step, edge: random.pick(edges), passes, report }));
    if (!(await member.endedWithin(reachedWithinMs)))
      round.fail(`${step} was not passed ${passes} times within ${reachedWithinMs / 1000} s`);
    else if ((await countLines(report)) > before) round.struck();
    else round.fail(`the process ended before ${step} was reached`);
    await member.kill();
  }
  await world.startAll();
  await traffic.finish();
}

/** Also while it starts. */
async function killAtMoments(round: Round, withDatabase: boolean): Promise<void> {
  const { world, random } = round;
  const member = world.member("everything");
  const traffic = startTraffic(round, random.share() < 0.5);
  const strikes = round.short ? 2 : round.strikes;
  for (let strike = 0; strike < strikes; strike += 1) {
    if (!member.isRunning) member.launch();
    await wait(random.between(0, afterStartMsMax));
    if (withDatabase) killHard(await embeddedServer(member.settings.dataDir));
    await member.kill();
    round.struck();
  }
  await world.startAll();
  await traffic.finish();
}

/** One process of a fleet; the others go on. */
async function killRole(round: Round, role: string): Promise<void> {
  const { world, random } = round;
  const members = world.members.filter((one) => one.settings.name.startsWith(role));
  const traffic = startTraffic(round, role === "worker");
  const strikes = round.short ? 1 : round.strikes;
  for (let strike = 0; strike < strikes; strike += 1) {
    await wait(random.between(0, 1500));
    const member = random.pick(members);
    await member.kill();
    round.struck();
    await member.start();
  }
  await traffic.finish();
}

function startTraffic({ bank, random }: Round, withLargeFile: boolean): Traffic {
  const traffic = new Traffic(bank, random.fork("traffic"), {
    ...ordinaryTraffic,
    largeFile: withLargeFile ? largeFile : 0,
  });
  traffic.start();
  return traffic;
}

async function countLines(file: string): Promise<number> {
  return (await readFile(file, "utf8").catch(() => "")).split("\n").length;
}
