/**
 * No attacker is needed: the disk with the vault is away for half a minute while files wait to be loaded. Are deliveries
 * that were acknowledged given up for it, and is anybody told?
 */
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createSealer } from "../../src/sealing/sealer.ts";
import type { Partner } from "../outside/partner.ts";
import type { Attack, World } from "./attack.ts";
import { ownUser, uploadAll } from "./pressure/bombs.ts";

const files = 40;
const awayMs = 25_000;
const loadedWithinMs = 30_000;

export const attack: Attack = {
  name: "vault-away",
  service: { alone: true },
  async succeeds(world) {
    const partner = await world.partner("nightly");
    // A rate, so that most files still wait when the vault goes.
    await world.set(partner.id, "load.recordsPerSecond=50");
    await uploadAll(partner, world.victim, await makeFiles(partner));
    const vault = path.join(world.service.dataDir, "vault");
    await rename(vault, `${vault}-elsewhere`);
    await mkdir(vault);
    await world.set(partner.id, "load.recordsPerSecond=100000");
    await wait(awayMs);
    const readiness = (await world.call(world.victim, "GET", "/health/ready")).status;
    await rm(vault, { recursive: true });
    await rename(`${vault}-elsewhere`, vault);
    const states = await settledStates(world, partner);
    const lost = files - (states.loaded ?? 0);
    const told = Object.entries(states).map(([state, count]) => `${count} ${state}`);
    return {
      succeeded: lost > 0 || readiness === 200,
      seen: `${told.join(", ")} of ${files}; readiness meanwhile ${readiness}`,
    };
  },
};

async function makeFiles(partner: Partner): Promise<string[]> {
  const [user, sealer] = [await ownUser(partner), await createSealer(await partner.batchKey())];
  const folder = await mkdtemp(path.join(partner.folder, "files-"));
  return await Promise.all(
    Array.from({ length: files }, async (_, n) => {
      const records = Array.from({ length: 10 }, (__, index) => ({
        uid: user,
        type: "TX",
        tx: {
          txid: `${n}-${index}`,
          txTime: "2026-10-01T10:00:00Z",
          type: "CARD",
          description: "GROCERIES",
          amount: -1,
          currency: "DKK",
        },
      }));
      const file = path.join(folder, `${n}.jsonl`);
      await writeFile(file, JSON.stringify({ reqId: randomUUID(), txs: await sealer.seal(JSON.stringify(records)) }));
      return file;
    }),
  );
}

/** When nothing waits any more, or nothing has changed for too long. */
async function settledStates(world: World, partner: Partner): Promise<Record<string, number>> {
  for (const until = performance.now() + loadedWithinMs; ; await wait(500)) {
    const { states } = JSON.parse(await world.service.tideline("status", "--partner", partner.id, "--json")) as {
      states: { state: string; deliveries: number }[];
    };
    const counts = Object.fromEntries(states.map(({ state, deliveries }) => [state, deliveries]));
    if ((counts.accepted ?? 0) + (counts.loading ?? 0) === 0 || performance.now() > until) return counts;
  }
}
