/** What tests of the console share: a browser window on it, and the judgement of a page. */
import { access, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import type { Report } from "./report.ts";

const executables = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

type Violation = { id: string; nodes: { html: string }[] };

/** Null: this machine has none. */
export async function findChromium(): Promise<string | null> {
  for (const file of executables) {
    const there = await access(file).then(
      () => true,
      () => false,
    );
    if (there) return file;
  }
  console.log(`SKIPPED: there is no chromium in ${executables.join(", ")}.`);
  return null;
}

export async function readAxe(): Promise<string> {
  return await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
}

export type Window = {
  page: Page;
  context: BrowserContext;
  /** Errors on the browser's own console. */
  said: string[];
};

/** A window of its own, on the console's first page. */
export async function openWindow(
  browser: Browser,
  base: string,
  options: { width?: number; dark?: boolean; scripts?: boolean } = {},
): Promise<Window> {
  const { width = 1400, dark = false, scripts = true } = options;
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    javaScriptEnabled: scripts,
    colorScheme: dark ? "dark" : "light",
    viewport: { width, height: 900 },
  });
  const page = await context.newPage();
  const said: string[] = [];
  // What the provider's own pages say is theirs.
  const isOurs = (url: string) => url === "" || url.startsWith(base);
  page.on("console", (message) => {
    if (message.type() === "error" && isOurs(message.location().url)) said.push(message.text());
  });
  page.on("pageerror", (error) => said.push(error.message));
  await page.goto(`${base}/console`);
  return { page, said, context };
}

export async function signInByToken(page: Page, token: string): Promise<void> {
  await page.fill("#token", token);
  await page.locator("main form button").click();
  await page.waitForURL("**/console");
}

/** Clicks what leads to another page and waits for it: a click alone may be answered before the old page is gone. */
export async function follow(page: Page, what: Locator): Promise<void> {
  await Promise.all([page.waitForEvent("domcontentloaded"), what.click()]);
}

/** What axe says, and that nothing is wider than the screen. @param pictures folder of screenshots; undefined: none */
export async function judge(
  { report, axe, pictures }: { report: Report; axe: string; pictures: string | undefined },
  page: Page,
  name: string,
): Promise<void> {
  if (pictures !== undefined) await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true });
  await page.evaluate(axe);
  const { violations } = await page.evaluate<{ violations: Violation[] }>("axe.run()");
  report.check(
    `${name}: axe finds nothing`,
    violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`).join("; "),
    "",
  );
  const overflow = await page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  report.check(`${name}: nothing is wider than the screen`, overflow, 0);
}
