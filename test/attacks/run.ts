/**
 * Attacks on the running service. Each was done once, to a commit on which it succeeded; each must fail now.
 *
 *   npm run attacks                    every attack, with a table at the end
 *   npm run attacks -- NAME …          the named ones
 *   npm run attacks -- --list          their names
 *   npm run attacks -- --checkout FOLDER NAME …   on the service of another checkout, on which they should succeed
 *
 * An attack is a file NAME.attack.ts in this folder (its shape: attack.ts). It knows only what its attacker would know;
 * what its victims do, it does from another address of 127.0.0.0/8. The service is a whole process tree, started by
 * `npm start` on a folder of its own (world.ts). Exit code 1: one succeeded, or could not be told.
 */
import { readdir } from "node:fs/promises";
import { parseArgs } from "node:util";
import type { Attack } from "./attack.ts";
import { openWorld } from "./world.ts";

type Result = { name: string; outcome: "fails" | "SUCCEEDS" | "BROKE"; seconds: number; seen: string };

const ending = ".attack.ts";

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { list: { type: "boolean", default: false }, checkout: { type: "string" } },
});
const attacks = await findAttacks();
const missing = wanted.filter((name) => !attacks.some((attack) => attack.name === name));
if (missing.length > 0)
  throw new Error(`no attack is called ${missing.join(", ")}; there are ${attacks.map(({ name }) => name).join(", ")}`);

if (values.list) for (const { name } of attacks) console.log(name);

const chosen = values.list ? [] : attacks.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const results: Result[] = [];
for (const group of grouped(chosen)) {
  const { world, close } = await openWorld(group[0]?.service ?? {}, values.checkout);
  try {
    for (const attack of group) {
      const result = await attempt(attack, () => attack.succeeds(world));
      results.push(result);
      console.log(line(result));
    }
  } finally {
    await close();
  }
}

if (!values.list)
  console.log(`\n${results.length} attacks, ${results.filter(({ outcome }) => outcome === "fails").length} fail:\n`);
for (const result of results) console.log(line(result));
process.exitCode = results.every(({ outcome }) => outcome === "fails") ? 0 : 1;

async function findAttacks(): Promise<Attack[]> {
  const names = (await readdir(import.meta.dirname)).filter((name) => name.endsWith(ending)).sort();
  return await Promise.all(names.map(async (name) => ((await import(`./${name}`)) as { attack: Attack }).attack));
}

/** Those that may share a service. */
function grouped(all: readonly Attack[]): Attack[][] {
  const groups = new Map<string, Attack[]>();
  for (const attack of all) {
    const key = attack.service?.alone ? attack.name : JSON.stringify(attack.service ?? {});
    groups.set(key, [...(groups.get(key) ?? []), attack]);
  }
  return [...groups.values()];
}

async function attempt({ name }: Attack, run: () => ReturnType<Attack["succeeds"]>): Promise<Result> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  try {
    const { succeeded, seen } = await run();
    return { name, outcome: succeeded ? "SUCCEEDS" : "fails", seconds: seconds(), seen };
  } catch (error) {
    return {
      name,
      outcome: "BROKE",
      seconds: seconds(),
      seen: error instanceof Error ? (error.stack ?? "") : String(error),
    };
  }
}

function line({ name, outcome, seconds, seen }: Result): string {
  return `${outcome.padEnd(8)}  ${name.padEnd(32)}  ${seconds.toFixed(1).padStart(6)} s  ${seen}`;
}
