/**
 * Somebody gets a name that a deleted user had, while something of that user is still under way: a push that waits its
 * turn behind a slow one, and a record that was refused before. Whose payments does the new user read?
 */
import { setTimeout as wait } from "node:timers/promises";
import type { Partner } from "../outside/partner.ts";
import type { Attack, World } from "./attack.ts";
import { payments, push } from "./bank.ts";
import { newUser } from "./psd2.ts";

/** A push of so many records takes some seconds at this rate. */
const [recordsPerSecond, recordsAhead] = [100, 600];
const settledWithinMs = 60_000;

export const attack: Attack = {
  name: "user-made-again",
  async succeeds(world) {
    const partner = await world.partner("north");
    await world.set(partner.id, `load.recordsPerSecond=${recordsPerSecond}`);
    await newUser(partner, "busy");
    const anna = await newUser(partner, "dora");
    await pushed(world, partner, payments("busy", numbered("busy", recordsAhead)));
    await pushed(world, partner, payments("dora", numbered("dora", 50)));

    await partner.call("DELETE", "/users", { token: anna });
    const again = await newUser(partner, "dora");
    await untilLoaded(world, partner);
    const rows = JSON.parse((await partner.call("GET", "/transactions", { token: again })).text) as unknown[];
    const seen = `${rows.length} of the 50 payments that were accepted for the deleted user`;
    return { succeeded: rows.length > 0, seen };
  },
};

function numbered(of: string, count: number) {
  const day = new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, "2026-06-15".length);
  return Array.from({ length: count }, (_, at) => ({
    txid: `${of} ${at}`,
    day,
    amount: -1 - at,
    description: `Shop ${at}`,
    type: "CARD_PURCHASE",
  }));
}

async function pushed(world: World, partner: Partner, records: readonly object[]): Promise<void> {
  const { status, text } = await push(world, world.victim, partner, records);
  if (status !== 201) throw new Error(`a push was answered with ${status}: ${text}`);
}

async function untilLoaded(world: World, partner: Partner): Promise<void> {
  for (const until = performance.now() + settledWithinMs; performance.now() < until; await wait(500)) {
    const status = await world.service.tideline("status", "--partner", partner.id, "--json");
    if (!/"state": ?"(accepted|loading)"/.test(status)) return;
  }
  throw new Error("the pushes were not loaded in time");
}
