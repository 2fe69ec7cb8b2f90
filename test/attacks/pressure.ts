/**
 * How long another partner waits under each attack on the service's time and room: the fairness table.
 *
 *   node test/attacks/pressure.ts            every one on a service of its own, half a minute each
 *   node test/attacks/pressure.ts --short    all on one service, some seconds each
 *   node test/attacks/pressure.ts NAME …     the named ones
 *
 * Each figure is the 99th percentile before the attack and under it. Exit code 1: something waited for too long.
 */
import { describe, press, pressedService, type Pressed, tooLong } from "./pressure/judged.ts";
import { pressures } from "./pressure/attacks.ts";
import { openWorld } from "./world.ts";

const isShort = process.argv.includes("--short");
const wanted = process.argv.slice(2).filter((one) => !one.startsWith("-"));
const seconds = isShort ? { quiet: 1, under: 4 } : { quiet: 10, under: 30 };

const rows: Pressed[] = [];
let opened: Awaited<ReturnType<typeof openWorld>> | null = null;
try {
  for (const pressure of pressures.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    opened ??= await openWorld(pressedService);
    const row = await press(opened.world, pressure, seconds);
    rows.push(row);
    console.log(line(row));
    if (isShort) continue;
    await opened.close();
    opened = null;
  }
} finally {
  await opened?.close();
}

console.log(`\nOthers' waits at the 99th percentile before each and under it, ${seconds.under} s:\n`);
for (const row of rows) console.log(line(row));
process.exitCode = rows.every((row) => tooLong(row).length === 0) ? 0 : 1;

function line(row: Pressed): string {
  return `${tooLong(row).length === 0 ? "  " : "! "}${row.name.padEnd(20)} ${describe(row)}`;
}
