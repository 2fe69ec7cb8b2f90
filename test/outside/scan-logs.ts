/**
 * Looks through every log that was tapped (TIDELINE_TEST_LOGS), and the receipts and metrics kept beside them, for
 * personal data and secrets:
 *   node test/outside/scan-logs.ts FOLDER…
 */
import { createReadStream } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { findingsIn } from "../log-tap/findings.ts";
import { textsOf } from "../log-tap/texts.ts";

/** A suite writes far more: fewer mean that nothing was tapped. */
const linesMin = 1000;
const shownMax = 50;

const root = fileURLToPath(new URL("../..", import.meta.url));
// Receipts tell in the catalogue's own words what to do; its algorithms are named in tests too.
const catalogue = await readFile(path.join(root, "src/errors.ts"), "utf8");
const texts = [
  ...new Set([...(await textsOf(path.join(root, "test"))), ...(await textsOf(path.join(root, "fixtures")))]),
].filter((text) => !catalogue.includes(text));
const counts = new Map<string, number>();
let lines = 0;
let files = 0;
const kept = { receipts: 0, metrics: 0 };
for (const folder of process.argv.slice(2)) {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    files += 1;
    for await (const line of createInterface({ input: createReadStream(path.join(entry.parentPath, entry.name)) })) {
      lines += 1;
      if (entry.name.startsWith("receipts-")) kept.receipts += 1;
      if (entry.name.startsWith("metrics-")) kept.metrics += 1;
      for (const { kind, event, field } of findingsIn(line, texts)) {
        const place = `${kind} in ${field} of ${event || "a line"}`;
        counts.set(place, (counts.get(place) ?? 0) + 1);
      }
    }
  }
}
for (const [place, count] of [...counts].slice(0, shownMax)) console.log(`FOUND ${place}: ${count} times`);
console.log(
  `${lines} lines of ${files} logs, among them ${kept.receipts} receipts and ${kept.metrics} lines of metrics, ${texts.length} texts and every known form looked for: ${counts.size} places that hold what none may`,
);
if (lines < linesMin) console.log(`that is fewer than ${linesMin} lines: nothing was tapped`);
process.exitCode = counts.size > 0 || lines < linesMin ? 1 : 0;
