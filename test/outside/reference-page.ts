/**
 * The reference page in a real browser, under its own policy, beside a service with a partner:
 *
 *   node test/outside/with-partner.ts node test/outside/reference-page.ts [FOLDER for pictures]
 *
 * Without scripts the page is whole; with them its forms create a customer, log in, read, change and are refused, and
 * nothing that was typed or answered becomes markup. Wide and narrow, light and dark, axe finds nothing serious.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { importPKCS8, SignJWT } from "jose";
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core";

const executable = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
if (executable === undefined) {
  console.log("SKIPPED: there is no chromium");
  process.exit();
}
const { TIDELINE_URL: url = "", TIDELINE_PARTNER_FOLDER: folder = "" } = process.env;
const [pictures] = process.argv.slice(2);
const partner = JSON.parse(await readFile(path.join(folder, "partner.json"), "utf8")) as {
  partnerId: string;
  brand: string;
};
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const browser = await chromium.launch({ executablePath: executable, args: ["--no-sandbox"] });
try {
  await readWithoutScripts(browser);
  await tryOut(browser);
  for (const width of [1000, 360]) for (const colorScheme of ["light", "dark"] as const) await look(width, colorScheme);
} finally {
  await browser.close();
}
console.log("the reference page can be read, tried and looked at");

async function open(options: BrowserContextOptions): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    // A refused call is told there, too, and is what some of these calls are for.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("blob:")) complaints.push(request.url());
  });
  assert.equal((await page.goto(`${url}/reference`))?.status(), 200);
  return { page, complaints };
}

async function readWithoutScripts(on: Browser): Promise<void> {
  assert.ok(on.isConnected());
  const { page, complaints } = await open({ javaScriptEnabled: false });
  assert.ok(
    await page.getByRole("heading", { name: "GET /partner/{partnerId}/2.0.0/services", exact: true }).isVisible(),
  );
  assert.equal(await page.locator("form, button, input").count(), 0);
  assert.deepEqual(complaints, []);
  await page.context().close();
}

/** As a developer does it who has the guide's keys. */
async function tryOut(on: Browser): Promise<void> {
  assert.ok(on.isConnected());
  const { page, complaints } = await open({});
  const customer = "try-out-1";
  await page.getByLabel("Partner").fill(partner.partnerId);

  const missing = await send(page, "GET /partner/{partnerId}/2.0.0/services", {});
  assert.match(missing, /^401 /);
  assert.match(missing, /What it means: TOKEN_INVALID/);
  assert.equal(await page.locator("#TOKEN_INVALID").count(), 1);

  const body = JSON.stringify({ bankUserId: customer, brand: partner.brand, locale: "da-DK" });
  assert.match(await send(page, "POST /partner/{partnerId}/2.0.0/users", { Body: body }), /^201 /);
  const payload = JSON.stringify({ payload: await loginPayload(customer) });
  assert.match(await send(page, "POST /partner/{partnerId}/2.0.0/users/logins", { Body: payload }), /"token": "/);
  // The token of that answer is in the field by now.
  const services = await send(page, "GET /partner/{partnerId}/2.0.0/services", { visibility: "VISIBLE" });
  assert.match(services, /^202 .*retry-after: /s);
  assert.match(await send(page, "GET /partner/{partnerId}/2.0.0/transactions", { limit: "2" }), /^200 .*\[\]/s);
  assert.match(
    await send(page, "GET /partner/{partnerId}/2.0.0/transactions", { limit: "none" }),
    /^400 .*REQUEST_INVALID.*limit/s,
  );
  const none = "00000000-0000-4000-8000-000000000000";
  const hidden = { serviceId: none, Body: '{"hidden":true}' };
  assert.match(await send(page, "PUT /partner/{partnerId}/2.0.0/services/{serviceId}/hidden", hidden), /^404 /);
  assert.match(await send(page, "GET /partner/{partnerId}/2.0.0/services/{serviceId}", {}), /serviceId is empty/);

  const markup = "<img src=x onerror=alert(1)><script>alert(2)</script>";
  const told = await send(page, "POST /partner/{partnerId}/2.0.0/budgets/{budgetId}/comment", {
    budgetId: markup,
    Body: "{",
  });
  assert.match(told, /^400 /);
  assert.match(await send(page, "GET /assets/products/{imageId}.svg", { imageId: markup }), /^400 /);
  assert.equal(await page.locator("img").count(), 0);
  assert.match(await send(page, "GET /health/live", {}), /^200 /);
  assert.match(await send(page, "GET /partner/{partnerId}/2.0.0/budget-categories", {}), /^200 .*GROCERIES/s);
  // The browser itself stops what the policy does not allow.
  const stopped = await page.evaluate(
    `fetch("https://example.com/").then(() => "sent", () => "stopped").then((outcome) => {
      try { document.body.innerHTML = "<p>x</p>"; return outcome + ", set"; } catch { return outcome + ", kept"; }
    })`,
  );
  assert.equal(stopped, "stopped, kept");
  assert.deepEqual(
    complaints.filter((one) => !/example\.com|TrustedHTML/.test(one)),
    [],
  );
  if (pictures !== undefined) {
    await formOf(page, "GET /partner/{partnerId}/2.0.0/services").screenshot({ path: `${pictures}/try-out.png` });
    await page.locator("#try-out").scrollIntoViewIfNeeded();
    await page.screenshot({ path: `${pictures}/panel.png` });
  }
  await page.context().close();
}

async function loginPayload(customer: string): Promise<string> {
  const key = await importPKCS8(await readFile(path.join(folder, "login.pem"), "utf8"), "RS256");
  return await new SignJWT({ brand: partner.brand })
    .setProtectedHeader({ alg: "RS256" })
    .setSubject(customer)
    .setIssuedAt()
    .setExpirationTime("5m")
    .setJti(crypto.randomUUID())
    .sign(key);
}

/** What follows the heading of the operation, up to the next one. */
function formOf(page: Page, operation: string): Locator {
  return page.locator(`xpath=//h3[.="${operation}"]/following-sibling::details[@class="try"][1]`);
}

/** @returns the status line, headers and text that the page shows */
async function send(page: Page, operation: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const form = formOf(page, operation);
  if ((await form.getAttribute("open")) === null) await form.locator("summary").click();
  for (const [name, value] of Object.entries(fields)) {
    const input = form.getByLabel(new RegExp(`^${name} `));
    if ((await input.evaluate((element) => element.tagName)) === "SELECT") await input.selectOption(value);
    else await input.fill(value);
  }
  const answer = form.getByRole("status");
  await answer.evaluate((element) => element.replaceChildren());
  await form.getByRole("button").click();
  await answer.locator("p").first().waitFor();
  return await answer.innerText();
}

async function look(width: number, colorScheme: "light" | "dark"): Promise<void> {
  // The page's own policy forbids scripts of others; axe is one.
  const { page } = await open({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true });
  await page.getByLabel("Partner").fill(partner.partnerId);
  await send(page, "GET /partner/{partnerId}/2.0.0/budget-categories", {});
  await page.evaluate(`for (const one of document.querySelectorAll("details.try")) one.open = true;`);
  await page.evaluate(axe);
  const { violations } = await page.evaluate<{
    violations: { id: string; impact: string; nodes: { html: string }[] }[];
  }>("axe.run()");
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  assert.deepEqual(
    serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`),
    [],
    `${width} ${colorScheme}`,
  );
  const wider = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  assert.equal(wider, 0, `wider than ${width}`);
  if (pictures !== undefined) {
    await formOf(page, "GET /partner/{partnerId}/2.0.0/budget-categories").scrollIntoViewIfNeeded();
    await page.screenshot({ path: path.join(pictures, `${width}-${colorScheme}.png`) });
  }
  await page.context().close();
}
