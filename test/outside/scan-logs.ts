/**
 * Looks through every log that was tapped (TIDELINE_TEST_LOGS) for personal data and secrets:
 *   node test/outside/scan-logs.ts FOLDER…
 */
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { findingsIn } from "../log-tap/findings.ts";
import { textsOf } from "../log-tap/texts.ts";

/** A suite writes far more: fewer mean that nothing was tapped. */
const linesMin = 1000;
const shownMax = 50;

const root = fileURLToPath(new URL("../..", import.meta.url));
const texts = [...new Set([...(await textsOf(path.join(root, "test"))), ...(await textsOf(path.join(root, "fixtures")))])];
const counts = new Map<string, number>();
let lines = 0;
let files = 0;
for (const folder of process.argv.slice(2)) {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    files += 1;
    for await (const line of createInterface({ input: createReadStream(path.join(entry.parentPath, entry.name)) })) {
      lines += 1;
      for (const { kind, event, field } of findingsIn(line, texts)) {
        const place = `${kind} in ${field} of ${event || "a line"}`;
        counts.set(place, (counts.get(place) ?? 0) + 1);
      }
    }
  }
}
for (const [place, count] of [...counts].slice(0, shownMax)) console.log(`FOUND ${place}: ${count} times`);
console.log(`${lines} lines of ${files} logs, ${texts.length} texts and every known form looked for: ${counts.size} places that hold what none may`);
if (lines < linesMin) console.log(`that is fewer than ${linesMin} lines: nothing was tapped`);
process.exitCode = counts.size > 0 || lines < linesMin ? 1 : 0;
