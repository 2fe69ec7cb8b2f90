/**
 * Run once after an installation: reads what a service and its threads read, so that Node keeps it compiled (compiled.mjs)
 * and a first start need not. What is left out or changes later is compiled by whoever reads it first. Plain JavaScript,
 * run by the Node that comes along.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { keepCompiled } from "./compiled.mjs";

keepCompiled();

/** What is read later than at the start of the process or thread that needs it. */
const files = [
  "src/cli/command-line.ts",
  "src/cli/service/up.ts",
  "src/main.ts",
  "src/demo/provision.ts",
  "src/demo/replay.ts",
  "src/demo/summary.ts",
  "workers/door.ts",
  "workers/main.ts",
  "workers/ingest/ingest.ts",
  "workers/ingest/group.ts",
  "workers/recognise.ts",
  "workers/budgets.ts",
];

const root = new URL("../../", import.meta.url);
// In a package all of it is plain scripts.
const folder = existsSync(new URL("src/cli/command-line.ts", root)) ? root : new URL("dist/", root);
const asShipped = (file) => (folder === root ? file : file.replace(/\.ts$/, ".js"));
const migrations = readdirSync(new URL("migrations/", folder)).filter((name) => /^\d+_.*\.[tj]s$/.test(name));

for (const file of files.map(asShipped)) await import(new URL(file, folder).href);
for (const name of migrations) await import(new URL(`migrations/${name}`, folder).href);
await import("openpgp");
await readSender();
// Whatever a library has begun by being read: nothing of it is waited for.
process.exit(0);

/**
 * The demo's sender is a process of its own that runs under V8's own settings, and finds compiled only what was compiled
 * under them. Told of nobody to make up, it ends when it is left alone.
 */
async function readSender() {
  const sender = fork(new URL(asShipped("src/demo/send.ts"), folder));
  sender.send({ stop: true }, () => sender.disconnect());
  await once(sender, "exit");
}
