/**
 * How long another partner waits under each attack on the service's time and room: the fairness table.
 *
 *   node test/attacks/pressure.ts                      every one on a service of its own, half a minute each
 *   node test/attacks/pressure.ts --short              all on one service, some seconds each
 *   node test/attacks/pressure.ts --seconds N          so long each
 *   node test/attacks/pressure.ts --before FOLDER      each first on the service of another checkout, to compare
 *   node test/attacks/pressure.ts NAME …               the named ones
 *
 * "none" among them is the floor: the same work on the same machine, with nobody who attacks. Exit code 1: something
 * waited for too long, on this checkout's service.
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { describe, press, pressedService, type Pressed, tableOf, tooLong } from "./pressure/judged.ts";
import { type Pressure, pressures } from "./pressure/attacks.ts";
import { openWorld } from "./world.ts";

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: "boolean", default: false },
    seconds: { type: "string", default: "30" },
    before: { type: "string" },
  },
});
const isShort = values.short;
const seconds = isShort ? { quiet: 1, under: 4 } : { quiet: 10, under: Number(values.seconds) };

const rows: { before: Pressed | null; now: Pressed }[] = [];
let shared: Awaited<ReturnType<typeof openWorld>> | null = null;
try {
  for (const pressure of pressures.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    const before = values.before === undefined ? null : await pressAlone(pressure, values.before).catch(tellBroken);
    const now = isShort
      ? await press((shared ??= await openWorld(pressedService)).world, pressure, seconds)
      : await pressAlone(pressure);
    rows.push({ before, now });
    if (before) console.log(`before ${describe(before)}`);
    console.log(line(now));
  }
} finally {
  await shared?.close();
}

const load = loadavg().map((one) => one.toFixed(1));
console.log(
  `\nOthers' waits at the 99th percentile, ${seconds.under} s each; load of the machine ${load.join(", ")}:\n`,
);
for (const { now } of rows) console.log(line(now));
console.log(`\n${tableOf(rows)}`);
process.exitCode = rows.every(({ now }) => tooLong(now).length === 0) ? 0 : 1;

async function pressAlone(pressure: Pressure, checkout?: string): Promise<Pressed> {
  const { world, close } = await openWorld(pressedService, checkout);
  try {
    return await press(world, pressure, seconds);
  } finally {
    await close();
  }
}

/** An older service may not know what an attack needs, or not survive it. */
function tellBroken(error: unknown): null {
  console.log(`before: ${error instanceof Error ? error.message : String(error)}`);
  return null;
}

function line(row: Pressed): string {
  return `${tooLong(row).length === 0 ? "  " : "! "}${row.name.padEnd(20)} ${describe(row)}`;
}
