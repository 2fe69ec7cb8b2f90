/** Loaded by AVA in each process of a planned run, before the process' own file: loads those that share it. */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import ava from "ava";
import type { Plan } from "./plan.ts";

const own = path.relative(".", fileURLToPath(ava.meta.file)).replaceAll(path.sep, "/");
const plan = JSON.parse(readFileSync(process.env.JOINED_TESTS_PLAN ?? "", "utf8")) as Plan;
const files = plan.find(([first]) => first === own) ?? [];

/** As AVA tells it: test/ledger/accounts.test.ts is ledger › accounts. */
const nameOf = (file: string): string =>
  file
    .replace(/^test\//, "")
    .replace(/\.test\.ts$/, "")
    .replaceAll("/", " › ");

if (files.length > 1) {
  const standIn = new URL("ava.ts", import.meta.url).href;
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "ava" && context.parentURL !== standIn
        ? { url: standIn, shortCircuit: true }
        : next(specifier, context),
  });
  const { declareAll, load } = await import("./ava.ts");
  for (const file of files) await load(nameOf(file), () => import(pathToFileURL(path.resolve(file)).href));
  declareAll();
  // What the tests import of AVA themselves is AVA's.
  hooks.deregister();
}
