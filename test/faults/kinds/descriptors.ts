/** A process that may open nothing more: files, connections and its own database's all at once. */
import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import type { FaultKind, Round } from "../round.ts";
import { ordinaryTraffic, Traffic } from "../traffic.ts";

const run = promisify(execFile);
const strikesPerRound = 5;
/** Left for whoever is quickest. */
const leftMax = 6;
const holdMsMax = 3000;

export const descriptorKinds: FaultKind[] = [
  {
    name: "out of descriptors",
    world: "single",
    rounds: { short: 1, long: 4 },
    impossible: async () =>
      process.platform === "linux"
        ? await run("prlimit", ["--version"]).then(
            () => null,
            () => "there is no prlimit",
          )
        : "needs Linux",
    strike: takeDescriptors,
  },
];

async function takeDescriptors(round: Round): Promise<void> {
  const { world, random, short } = round;
  const member = world.member("everything");
  const traffic = new Traffic(round.bank, random.fork("traffic"), ordinaryTraffic);
  traffic.start();
  for (let strike = 0; strike < (short ? 2 : strikesPerRound); strike += 1) {
    await wait(random.between(300, 2500));
    const open = (await readdir(`/proc/${member.pid}/fd`)).length;
    const before = await softLimitOf(member.pid);
    await limit(member.pid, open + random.between(0, leftMax));
    round.struck();
    await wait(random.between(200, holdMsMax));
    if (member.isRunning) await limit(member.pid, before);
  }
  await traffic.finish();
  if (!member.isRunning) round.fail("ended for want of descriptors");
}

async function softLimitOf(pid: number): Promise<number> {
  const { stdout } = await run("prlimit", ["--pid", String(pid), "--nofile", "--noheadings", "--output", "SOFT"]);
  return Number(stdout.trim());
}

async function limit(pid: number, soft: number): Promise<void> {
  await run("prlimit", ["--pid", String(pid), `--nofile=${soft}:`]);
}
