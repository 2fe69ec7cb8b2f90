/**
 * Connecting a bank in a real browser (chromium): approve, give up, refuse, a failing bank; without scripts, by
 * keyboard alone, in every language and on a narrow screen; axe looks at each page. Then the fetched payments are read
 * through the API.
 *
 *   node test/outside/psd2.ts [--pictures FOLDER]
 */
import { createServer } from "node:http";
import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "playwright-core";
import { onboardPartner, type Partner } from "./partner.ts";
import { Report } from "./report.ts";
import { prepareService } from "./service.ts";

type Violation = { id: string; impact?: string | null; nodes: { html: string }[] };
type Opened = { page: Page; close(): Promise<void> };

const languages = { da: "da-DK", sv: "sv-SE", nb: "nb-NO", en: "en-GB" } as const;
const executables = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const { values } = parseArgs({ options: { pictures: { type: "string" } } });
const report = new Report();

/** More than are shown without a search. */
const manyBanks = [
  ["nordlys", "Nordlys Sparebank", "NO"],
  ["fjell", "Fjell & Fjære Bank", "NO"],
  ["aeroe", "Ærø Andelskasse", "DK"],
  ["vester", "Vestersøens Bank", "DK"],
  ["havn", "Havnens Sparekasse", "DK"],
  ["skog", "Skogens Bank", "SE"],
  ["sjoe", "Sjöstadens Sparbank", "SE"],
  ["rhein", "Rheinische Volksbank", "DE"],
] as const;

const executablePath = await firstThatExists(executables);
if (executablePath === null) {
  console.log(`SKIPPED: there is no chromium in ${executables.join(", ")}.`);
} else {
  await run(executablePath);
  process.exitCode = report.print();
}

async function run(executable: string): Promise<void> {
  const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  const ended = createServer(
    (_request, response) =>
      void response
        .setHeader("content-type", "text/html")
        .end("<!doctype html><title>Bank</title><h1>Back at the bank</h1>"),
  );
  await new Promise<void>((listening) => ended.listen(0, "127.0.0.1", listening));
  const doneUrl = `http://localhost:${(ended.address() as AddressInfo).port}/done?order=7`;
  if (values.pictures !== undefined) await mkdir(values.pictures, { recursive: true });
  const service = await prepareService("psd2", ["--no-demo"]);
  const browser = await chromium.launch({ executablePath: executable, args: ["--no-sandbox"] });
  try {
    await service.start();
    const partner = await onboardPartner(service, "pages", {
      id: "pages-dk",
      country: "DK",
      currency: "DKK",
      timeZone: "Europe/Copenhagen",
      locale: "da-DK",
    });
    await service.tideline("partner", "set", "pages", "psd2.redirectPrefixes=http://localhost", "psd2.sandbox=true");
    for (const [language, locale] of Object.entries(languages)) {
      await createUser(partner, language, locale);
      await walkAll(browser, axe, partner, { language, locale, doneUrl });
    }
    await fetched(partner);
    for (const [id, name, country] of manyBanks)
      await service.tideline("psd2", "bank", "add", id, "--name", name, "--country", country, ...addressesOf(id));
    await amongMany(browser, axe, partner);
  } finally {
    await browser.close();
    await service.stop();
    await service.remove();
    ended.close();
  }
}

function addressesOf(id: string): string[] {
  const at = (option: string, place: string) => [option, `https://${id}.example/${place}`];
  return [
    ...at("--xs2a-url", "psd2"),
    ...at("--authorize-url", "authorize"),
    ...at("--token-url", "token"),
    "--client-id",
    "client",
  ];
}

/** Without scripts: the own country's banks are open, the others folded, and a search finds what it is asked for. */
async function amongMany(browser: Browser, axe: string, partner: Partner): Promise<void> {
  for (const width of [1000, 360]) {
    const looking = await openPage(browser, "da-DK", true, width);
    await looking.page.goto(await initiate(partner, "da", undefined));
    await looking.page.locator("form[action$=confirm] button").click();
    await look(looking.page, axe, `many-${width}`);
    await looking.close();
  }
  const { page, close } = await openPage(browser, "da-DK", false, 360);
  await page.goto(await initiate(partner, "da", undefined));
  await page.locator("form[action$=confirm] button").click();
  const shown = await page.locator("label.choice:visible").allInnerTexts();
  report.check(
    "many: the own country's are shown",
    shown.join(),
    "Havnens Sparekasse,Vestersøens Bank,Ærø Andelskasse",
  );
  await page.locator("#search").fill("sjostaden spar");
  await page.locator("form[role=search] button").click();
  report.check(
    "many: a search without accents finds the one",
    (await page.locator("label.choice:visible").allInnerTexts()).join(),
    "Sjöstadens Sparbank",
  );
  report.check("many: and it is chosen", await page.locator("input[name=bank]:checked").inputValue(), "sjoe");
  await page.locator("#search").fill("<b>nobody");
  await page.locator("form[role=search] button").click();
  report.check("many: nothing is found, and said", await page.locator("[role=status]").count(), 1);
  await close();
}

type Walk = { language: string; locale: string; doneUrl: string };

async function walkAll(browser: Browser, axe: string, partner: Partner, walk: Walk): Promise<void> {
  const { language, doneUrl } = walk;
  const open = (javaScriptEnabled: boolean, width = 1000) => openPage(browser, walk.locale, javaScriptEnabled, width);

  const approving = await open(true, language === "sv" ? 360 : 1000);
  await approving.page.goto(await initiate(partner, language, doneUrl));
  await look(approving.page, axe, `${language}-0-confirm`);
  await approving.page.locator("form[action$=confirm] button").click();
  await look(approving.page, axe, `${language}-1-choose`);
  await approving.page.reload();
  await approving.page.locator("main form button").first().click();
  await look(approving.page, axe, `${language}-2-sign-in`);
  await approving.page.locator("main form button").first().click();
  await look(approving.page, axe, `${language}-3-accounts`);
  await approving.page.locator("button[value=approve]").click();
  report.check(`${language}: approved, back with SUCCESS`, approving.page.url(), `${doneUrl}&psd2Status=SUCCESS`);
  await approving.close();

  const silent = await open(false);
  await silent.page.goto(await initiate(partner, language, undefined));
  await silent.page.locator("form[action$=confirm] button").click();
  await silent.page.locator("main form button").first().click();
  await silent.page.locator("main form button").first().click();
  await silent.page.locator("button[value=approve]").click();
  report.check(
    `${language}: without scripts and address, an end page`,
    new URL(silent.page.url()).pathname,
    "/psd2/callback",
  );
  await silent.close();

  const keyboard = await open(true);
  await keyboard.page.goto(await initiate(partner, language, doneUrl));
  await byKeyboard(keyboard.page);
  report.check(
    `${language}: by keyboard alone, back with SUCCESS`,
    keyboard.page.url(),
    `${doneUrl}&psd2Status=SUCCESS`,
  );
  await keyboard.close();

  const giving = await open(true);
  await giving.page.goto(await initiate(partner, language, doneUrl));
  await giving.page.locator("form[action$=abort] button").click();
  report.check(`${language}: given up, back with ABORTED`, giving.page.url(), `${doneUrl}&psd2Status=ABORTED`);
  await giving.page.goto((await initiate(partner, language, doneUrl)).replace(/key=.*/, "key=of-nobody"));
  await look(giving.page, axe, `${language}-4-not-valid`);
  await giving.page.goto(await initiate(partner, language, undefined));
  await giving.page.locator("form[action$=abort] button").click();
  await look(giving.page, axe, `${language}-5-end`);
  await giving.close();
  await inAnotherBrowser(open, axe, partner, walk);

  for (const [decision, status] of [
    ["refuse", "ABORTED"],
    ["fail", "UNKNOWN"],
  ] as const) {
    const deciding = await open(true);
    await deciding.page.goto(await initiate(partner, language, doneUrl));
    await deciding.page.locator("form[action$=confirm] button").click();
    await deciding.page.locator("main form button").first().click();
    await deciding.page.locator(`button[value=${decision}]`).click();
    report.check(
      `${language}: ${decision} at the bank, back with ${status}`,
      deciding.page.url(),
      `${doneUrl}&psd2Status=${status}`,
    );
    await deciding.close();
  }
}

/** One claims the page; the other is sent back to it, and the bank's answer does nothing there. */
async function inAnotherBrowser(
  open: (javaScriptEnabled: boolean) => Promise<Opened>,
  axe: string,
  partner: Partner,
  { language, doneUrl }: Walk,
): Promise<void> {
  const [first, other] = [await open(true), await open(true)];
  const url = await initiate(partner, language, doneUrl);
  await first.page.goto(url);
  await first.page.locator("form[action$=confirm] button").click();
  const refused = await other.page.goto(url);
  report.check(`${language}: another browser may not open the page`, refused?.status() ?? 0, 403);
  await look(other.page, axe, `${language}-6-elsewhere`);
  await first.page.locator("main form button").first().click();
  await other.page.goto(first.page.url());
  await other.page.locator("main form button").first().click();
  await other.page.locator("button[value=approve]").click();
  report.check(
    `${language}: agreed at the bank in another browser, nothing is connected there`,
    new URL(other.page.url()).pathname,
    "/psd2/callback",
  );
  await first.page.goto(url);
  await first.page.locator("form[action$=abort] button").click();
  report.check(`${language}: the first browser still goes on`, first.page.url(), `${doneUrl}&psd2Status=ABORTED`);
  await first.close();
  await other.close();
}

/** Tab until a button has the focus, then Enter; four pages. */
async function byKeyboard(page: Page): Promise<void> {
  for (let pages = 0; pages < 4; pages += 1) {
    for (let tabs = 0; tabs < 20; tabs += 1) {
      await page.keyboard.press("Tab");
      if (await page.evaluate("document.activeElement?.tagName === 'BUTTON'")) break;
    }
    await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
  }
}

async function look(page: Page, axe: string, name: string): Promise<void> {
  if (values.pictures !== undefined)
    await page.screenshot({ path: path.join(values.pictures, `${name}.png`), fullPage: true });
  await page.evaluate(axe);
  const { violations } = await page.evaluate<{ violations: Violation[] }>("axe.run()");
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  report.check(
    `${name}: axe finds nothing serious`,
    serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`).join("; "),
    "",
  );
  const overflow = await page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  report.check(`${name}: nothing is wider than the screen`, overflow, 0);
}

async function openPage(browser: Browser, locale: string, javaScriptEnabled: boolean, width: number): Promise<Opened> {
  const context = await browser.newContext({
    locale,
    javaScriptEnabled,
    ignoreHTTPSErrors: true,
    viewport: { width, height: 800 },
  });
  return { page: await context.newPage(), close: () => context.close() };
}

async function createUser(partner: Partner, bankUserId: string, locale: string): Promise<void> {
  const { status } = await partner.call("POST", "/users", { body: { bankUserId, brand: partner.brand.id, locale } });
  report.check(`user ${bankUserId} is created`, status, 201);
}

async function initiate(partner: Partner, bankUserId: string, redirectUrl: string | undefined): Promise<string> {
  const answer = await partner.call("POST", "/psd2/initiate", {
    token: await partner.login(bankUserId),
    body: redirectUrl === undefined ? {} : { redirectUrl },
  });
  return (JSON.parse(answer.text) as { url: string }).url;
}

/** What was connected becomes services, like anything that a partner sends. */
async function fetched(partner: Partner): Promise<void> {
  const token = await partner.login("da");
  let status = 0;
  let services: unknown[] = [];
  for (let seconds = 0; seconds < 60 && status !== 200; seconds += 1) {
    const answer = await partner.call("GET", "/services", { token });
    status = answer.status;
    if (status === 200) services = (JSON.parse(answer.text) as { services: unknown[] }).services;
    else await wait(1000);
  }
  report.check("services can be read", status, 200);
  report.check(
    "the connected accounts' payments became services",
    services.length > 0 ? "some" : "none at all",
    "some",
  );
}

async function firstThatExists(files: readonly string[]): Promise<string | null> {
  for (const file of files)
    if (
      await readFile(file).then(
        () => true,
        () => false,
      )
    )
      return file;
  return null;
}
