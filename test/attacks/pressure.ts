/**
 * How long another partner waits under each attack on the service's time and room: the fairness table.
 *
 *   node test/attacks/pressure.ts            every one, half a minute each
 *   node test/attacks/pressure.ts --short    seven seconds each
 *   node test/attacks/pressure.ts NAME …     the named ones
 *
 * Exit code 1: under one of them a push, a read or a small file waited for longer than it may.
 */
import { setTimeout as wait } from "node:timers/promises";
import { openNeighbour, type Kind, kinds, quantile, shown } from "./pressure/neighbour.ts";
import { pressures } from "./pressure/attacks.ts";
import { openWorld } from "./world.ts";

/** At the 99th percentile: what a person at the other end still takes for working. */
const waitMsMax = 2000;

const [isShort, wanted] = [
  process.argv.includes("--short"),
  process.argv.slice(2).filter((one) => !one.startsWith("-")),
];
const seconds = isShort ? 7 : 30;

type Row = { name: string; waits: Record<Kind, number>; counts: Record<Kind, number>; megabytes: number; seen: string };
const rows: Row[] = [];
for (const pressure of pressures.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
  const { world, close } = await openWorld({ environment: { TIDELINE_DOOR_THREADS: "2", TIDELINE_LOAD_THREADS: "2" } });
  try {
    const partner = await world.partner("neighbour");
    const neighbour = await openNeighbour(world, partner, world.victim);
    await neighbour.start();
    const end = await pressure.begin(world, partner);
    await neighbour.forget();
    await wait(seconds * 1000);
    const megabytes = Math.round((await world.service.memoryBytes()) / 2 ** 20);
    const waits = await neighbour.stop();
    const of = (take: (values: readonly number[]) => number) =>
      Object.fromEntries(kinds.map((kind) => [kind, take(waits[kind])])) as Record<Kind, number>;
    const row = {
      name: pressure.name,
      waits: of((values) => quantile(values, 0.99)),
      counts: of((values) => values.length),
      megabytes,
      seen: await end(),
    };
    rows.push(row);
    console.log(line(row));
  } finally {
    await close();
  }
}

console.log(`\nOthers' waits at the 99th percentile under each, ${seconds} s:\n`);
for (const row of rows) console.log(line(row));
process.exitCode = rows.every(({ waits }) => kinds.every((kind) => waits[kind] <= waitMsMax)) ? 0 : 1;

function line({ name, waits, counts, megabytes, seen }: Row): string {
  const told = kinds.map((kind) => `${kind} ${shown(waits[kind]).padStart(7)} of ${String(counts[kind]).padStart(4)}`);
  return `${name.padEnd(22)} ${told.join("   ")}   ${String(megabytes).padStart(5)} MiB   ${seen}`;
}
