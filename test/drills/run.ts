/**
 * Drills: what an operator fears, done on purpose on this machine with real servers and real clients, and counted.
 *
 *   npm run drill -- NAME [--flags]      npm run drill            lists them
 *
 * Each prints its figures and fails where one of them is not what docs/operations.md promises. What a machine lacks is
 * told as SKIPPED, with the reason.
 */
import { Skipped } from "./tools.ts";

type Drill = { summary: string; run: (parameters: string[]) => Promise<void> };

const drills: Readonly<Record<string, () => Promise<Drill>>> = {
  container: () => import("./container.ts"),
  promotion: () => import("./promotion.ts"),
  lagging: () => import("./lagging.ts"),
  sentinel: () => import("./sentinel.ts"),
  pooler: () => import("./pooler.ts"),
  s3: () => import("./s3.ts"),
  upgrade: () => import("./upgrade.ts"),
  kills: () => import("./kills.ts"),
  waiting: () => import("./waiting.ts"),
  exports: () => import("./exports.ts"),
  replica: () => import("./replica.ts"),
};

const [name, ...parameters] = process.argv.slice(2);
const chosen = drills[name ?? ""];
if (chosen === undefined) {
  for (const [one, load] of Object.entries(drills)) console.log(`${one.padEnd(12)} ${(await load()).summary}`);
  process.exitCode = name === undefined ? 0 : 2;
} else {
  try {
    await (await chosen()).run(parameters);
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    console.log(`SKIPPED: ${error.message}`);
  }
}
