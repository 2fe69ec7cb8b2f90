/**
 * Loaded before everything else where logs are tapped: every log line of every process and thread, at the lowest level,
 * is written into a folder too, be the log silent or read by a test. test/outside/scan-logs.ts looks at what is there.
 */
import { registerHooks } from "node:module";

const tapped = new URL(`pino.ts${new URL(import.meta.url).search}`, import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    // The tap itself needs the real one.
    return specifier === "pino" && context.parentURL !== tapped
      ? { url: tapped, shortCircuit: true }
      : next(specifier, context);
  },
});
