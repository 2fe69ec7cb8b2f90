/**
 * Loaded before a test file (--import): has one module read as the mutant's text says. Nothing on disk changes, so that
 * runs go on beside each other. Processes and threads that a test starts load this too, from NODE_OPTIONS.
 */
import { registerHooks } from "node:module";
import type { MutatedModule } from "./ava-worker.ts";

const { TIDELINE_MUTANT } = process.env;
if (TIDELINE_MUTANT) {
  const mutant = JSON.parse(TIDELINE_MUTANT) as MutatedModule;
  registerHooks({
    load(url, context, nextLoad) {
      if (url.split(/[?#]/)[0] !== mutant.url) return nextLoad(url, context);
      return { format: "module-typescript", source: mutant.text, shortCircuit: true };
    },
  });
}
