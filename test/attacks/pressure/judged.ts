/** One way to press on the service, with a neighbour's waits before and while it lasts, and whether they are too long. */
import { setTimeout as wait } from "node:timers/promises";
import type { Attack, World } from "../attack.ts";
import { type Pressure, pressures } from "./attacks.ts";
import { type Kind, kinds, openNeighbour, quantile, shown } from "./neighbour.ts";

/** At the 99th percentile: what a person at the other end still takes for working. */
const waitMsMax = 2000;
/** A machine on which others work at the time is slow without anybody's doing. */
const quietTimesMax = 5;

/** The same on every machine, so that figures can be compared. */
export const pressedService = { environment: { TIDELINE_DOOR_THREADS: "2", TIDELINE_LOAD_THREADS: "2" } };

export type Pressed = {
  name: string;
  /** At the 99th percentile. */
  quietMs: Record<Kind, number>;
  waitsMs: Record<Kind, number>;
  counts: Record<Kind, number>;
  megabytes: number;
  seen: string;
};

export async function press(
  world: World,
  pressure: Pressure,
  seconds: { quiet: number; under: number },
): Promise<Pressed> {
  const partner = await world.partner("neighbour");
  const neighbour = await openNeighbour(world, partner, world.victim);
  await neighbour.start();
  await neighbour.forget();
  await wait(seconds.quiet * 1000);
  const quiet = await neighbour.forget();
  const end = await pressure.begin(world, partner);
  await neighbour.forget();
  await wait(seconds.under * 1000);
  const megabytes = Math.round((await world.service.memoryBytes()) / 2 ** 20);
  const waits = await neighbour.stop();
  const of = (take: (kind: Kind) => number) =>
    Object.fromEntries(kinds.map((kind) => [kind, take(kind)])) as Record<Kind, number>;
  return {
    name: pressure.name,
    quietMs: of((kind) => quantile(quiet[kind], 0.99)),
    waitsMs: of((kind) => quantile(waits[kind], 0.99)),
    counts: of((kind) => waits[kind].length),
    megabytes,
    seen: await end(),
  };
}

/** What waited for too long. */
export function tooLong({ quietMs, waitsMs }: Pressed): Kind[] {
  return kinds.filter((kind) => waitsMs[kind] > Math.max(waitMsMax, quietTimesMax * (quietMs[kind] || 0)));
}

export function describe({ quietMs, waitsMs, counts, megabytes, seen }: Pressed): string {
  const told = kinds.map(
    (kind) => `${kind} ${shown(quietMs[kind]).padStart(7)} → ${shown(waitsMs[kind]).padStart(7)} of ${counts[kind]}`,
  );
  return `${told.join("   ")}   ${megabytes} MiB   ${seen}`;
}

/** @param name of one of the pressures */
export function attackBy(name: string): Attack {
  const pressure = pressures.find((one) => one.name === name);
  if (!pressure) throw new Error(`there is no pressure called ${name}`);
  return {
    name,
    service: pressedService,
    async succeeds(world) {
      const pressed = await press(world, pressure, { quiet: 3, under: 7 });
      return { succeeded: tooLong(pressed).length > 0, seen: describe(pressed) };
    },
  };
}

/** As docs/security.md has it. */
export function tableOf(rows: readonly { before: Pressed | null; now: Pressed }[]): string {
  const isCompared = rows.some(({ before }) => before !== null);
  const cell = (pressed: Pressed | null, kind: Kind) =>
    pressed === null || pressed.counts[kind] === 0 ? "–" : shown(pressed.waitsMs[kind]);
  const megabytes = (pressed: Pressed | null) => (pressed === null ? "–" : `${pressed.megabytes} MiB`);
  const both = (take: (pressed: Pressed | null) => string, { before, now }: (typeof rows)[number]) =>
    isCompared ? `${take(before)} → ${take(now)}` : take(now);
  const lines = rows.map((row) => [
    row.now.name,
    ...kinds.map((kind) => both((one) => cell(one, kind), row)),
    both(megabytes, row),
  ]);
  const head = ["attack", "push", "GET", "small file to loaded", "memory"];
  return [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
