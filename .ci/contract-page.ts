/** The reference page in a real browser, wide and narrow, light and dark: axe finds nothing serious, nothing is wider than the screen. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const executable = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
if (executable === undefined) {
  console.log("SKIPPED: there is no chromium");
  process.exit();
}
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await chromium.launch({ executablePath: executable, args: ["--no-sandbox"] });
for (const width of [1280, 360]) {
  for (const colorScheme of ["light", "dark"] as const) {
    // The page's own policy forbids scripts; axe is one.
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, ignoreHTTPSErrors: true, bypassCSP: true });
    const page = await context.newPage();
    const answer = await page.goto(`${process.env.TIDELINE_URL}/reference`);
    assert.equal(answer?.status(), 200);
    await page.evaluate(axe);
    const { violations } = await page.evaluate<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>("axe.run()");
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`), [], `${width} ${colorScheme}`);
    assert.equal(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0, `wider than ${width}`);
    await context.close();
  }
}
await browser.close();
console.log("the reference page holds at 1280 and 360 px, light and dark");
