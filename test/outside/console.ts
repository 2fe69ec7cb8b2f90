/**
 * The console in a real browser (chromium) on a started service: signing in by the token of the first start, the night
 * with its troubles, finding a file, acting on it; without scripts, by keyboard, wide and narrow, light and dark; axe
 * looks at each page, and none says anything on the browser's console.
 *
 *   node test/outside/console.ts [--pictures FOLDER]
 *   TIDELINE_CONSOLE_PORT=api node test/outside/console.ts        the same on the API's listener
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { setTimeout as wait } from "node:timers/promises";
import { CompactEncrypt, importJWK } from "jose";
import pg from "pg";
import { type Browser, chromium } from "playwright-core";
import { findChromium, follow, judge, openWindow, readAxe, signInByToken } from "./console-browser.ts";
import { cancelService, type Flow, keepCatalogue } from "./console-flows.ts";
import { household } from "./household-budget.ts";
import { onboardPartner, type Partner } from "./partner.ts";
import { Report } from "./report.ts";
import { prepareService, type Service } from "./service.ts";

const firstPageBytesMax = 200_000;
const loadedWithinMs = 60_000;
const { values } = parseArgs({ options: { pictures: { type: "string" } } });
const report = new Report();

const executablePath = await findChromium();
if (executablePath !== null) {
  await run(executablePath);
  process.exitCode = report.print();
}

async function run(executable: string): Promise<void> {
  const axe = await readAxe();
  if (values.pictures !== undefined) await mkdir(values.pictures, { recursive: true });
  const service = await prepareService("console", ["--no-demo"]);
  const browser = await chromium.launch({ executablePath: executable, args: ["--no-sandbox"] });
  try {
    await service.start();
    const partner = await onboardPartner(service, "north", {
      id: "north-dk",
      country: "DK",
      currency: "DKK",
      timeZone: "Europe/Copenhagen",
      locale: "da-DK",
    });
    await sendNight(service, partner);
    await addByHand(service);
    const file = path.join(service.dataDir, "console-token");
    report.check("the token's file is its owner's alone", ((await stat(file)).mode & 0o777).toString(8), "600");
    const token = (await readFile(file, "utf8")).trim();
    const world = { browser, axe, base: `https://localhost:${service.consolePort}`, token };
    await look(world);
    await act(world);
    await tend(service, world);
    await byKeyboard(world);
    await typedMeanwhile(world);
    await asOthers(service, world);
  } finally {
    await browser.close();
    await service.stop();
    await service.remove();
  }
}

type World = { browser: Browser; axe: string; base: string; token: string };

/** A good batch, one with a record that breaks the interface, and a file that nobody can read. */
async function sendNight(service: Service, partner: Partner): Promise<void> {
  for (const bankUserId of ["anna", "bodil"]) {
    const { status } = await partner.call("POST", "/users", {
      body: { bankUserId, brand: partner.brand.id, locale: "da-DK" },
    });
    report.check(`${bankUserId} is created`, status, 201);
  }
  const bad = { ...record("t-2"), tx: { ...record("t-2").tx, currency: "kroner" } };
  const files = {
    "months.jsonl": `${await batch(partner, ...monthly("VESTERHAVETS SVOMMEKLUB", -249, 3), ...monthly("NETFLIX.COM", -99, 12))}\n`,
    "good.jsonl": `${await batch(partner, record("t-1"))}\n`,
    "partly.jsonl": `${await batch(partner, record("t-3"))}\n${await batch(partner, bad)}\n`,
    "damaged.jwe": `eyJhbGciOiJSU0EtT0FFUCJ9.AAAA.${"A".repeat(16)}.AAAA.${"A".repeat(22)}`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(partner.folder, name), text);
  await put(partner, Object.keys(files));
  const isOpen = async () =>
    (
      JSON.parse(await service.tideline("status", "--state", "refused", "--json")) as { states: { state: string }[] }
    ).states
      .map(({ state }) => state)
      .some((state) => state === "accepted" || state === "loading");
  const deadline = performance.now() + loadedWithinMs;
  while ((await isOpen()) && performance.now() < deadline) await wait(500);
}

/** A dead letter, as if the partner's receiver had been in vain for days, and a budget of one household. */
async function addByHand(service: Service): Promise<void> {
  const owner = new pg.Client({ connectionString: await service.databaseUrl() });
  await owner.connect();
  await owner.query(
    `insert into notifications (user_id, partner_id, type, subject, content, state, attempts, last_failure)
     select id, partner_id, 'BUDGET_READY', 'budget', '{}', 'dead', 40, 'HTTP 410' from users where bank_user_id = 'anna'`,
  );
  await owner.query(
    `insert into submissions (user_id, txid, outcome, payee_key)
     select id, 't-1', 'TECHNICAL_LIMITATION', 'KAJAKBUREAUET NORD' from users where bank_user_id = 'anna'`,
  );
  await owner.query(
    `with budget as (
       insert into budgets (id, partner_id, user_id, created_time, stale_since)
       select gen_random_uuid(), partner_id, id, '2026-11-20T10:00:00', null from users where bank_user_id = 'anna'
       returning id, partner_id, user_id
     )
     insert into budget_documents (budget_id, partner_id, user_id, document, details)
     select id, partner_id, user_id, $1, '{"expenses":[]}' from budget`,
    [JSON.stringify(household())],
  );
  await owner.end();
}

function record(txid: string) {
  const tx = {
    txid,
    txTime: "2026-11-20",
    type: "CARD_PURCHASE",
    description: "Coffee",
    amount: -32.5,
    currency: "DKK",
  };
  return { uid: "anna", type: "TX", tx };
}

/** A year of a user's payments, the latest some days ago. */
function monthly(description: string, amount: number, day: number): object[] {
  return Array.from({ length: 11 }, (_, ago) => {
    const now = new Date();
    const at = new Date(
      Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago - (now.getUTCDate() < day ? 1 : 0), day),
    );
    const txTime = at.toISOString().slice(0, 10);
    const tx = { txid: `${description}-${ago}`, txTime, type: "CARD_PURCHASE", description, amount, currency: "DKK" };
    return { uid: "bodil", type: "TX", tx };
  });
}

async function batch(partner: Partner, ...records: readonly object[]): Promise<string> {
  const key = await partner.batchKey();
  const txs = await new CompactEncrypt(Buffer.from(JSON.stringify(records)))
    .setProtectedHeader({ alg: "RSA-OAEP", enc: "A256GCM", kid: key.kid })
    .encrypt(await importJWK(key, "RSA-OAEP"));
  return JSON.stringify({ reqId: crypto.randomUUID(), txs });
}

/** As a bank's operations desk does, by OpenSSH's client. */
async function put({ id, folder, sftpPort }: Partner, names: readonly string[]): Promise<void> {
  const at = (name: string) => path.join(folder, name);
  const flags = ["-q", "-b", "-", "-i", at("sftp_key"), "-o", `UserKnownHostsFile=${at("known_hosts")}`];
  const child = execFile("sftp", [...flags, "-P", String(sftpPort), `${id}@127.0.0.1`]);
  child.stdin?.end(names.map((name) => `put ${at(name)} inbox/\n`).join(""));
  const [code] = (await once(child, "close")) as [number | null];
  report.check("the night's files are put", code, 0);
}

async function look(world: World): Promise<void> {
  const judging = { report, axe: world.axe, pictures: values.pictures };
  for (const width of values.pictures === undefined ? [1600, 390] : [1600, 1000, 390])
    for (const dark of values.pictures === undefined ? [width === 390] : [false, true]) {
      const { page, said, context } = await openWindow(world.browser, world.base, { width, dark });
      const name = (page: string) => `${page}-${width}-${dark ? "dark" : "light"}`;
      await judge(judging, page, name("sign-in"));
      let bytes = 0;
      page.on(
        "response",
        (response) =>
          void response.body().then(
            (body) => (bytes += body.length),
            () => undefined,
          ),
      );
      await signInByToken(page, world.token);
      await page.locator("main h1").waitFor();
      await judge(judging, page, name("today"));
      report.check(`${name("today")}: under 200 kB in all`, String(bytes > 0 && bytes < firstPageBytesMax), "true");
      await follow(page, page.getByRole("link", { name: "Deliveries", exact: true }));
      await judge(judging, page, name("deliveries"));
      await follow(page, page.getByRole("link", { name: "partly.jsonl" }));
      await judge(judging, page, name("delivery"));
      await follow(page, page.getByRole("link", { name: "Withdraw" }));
      await judge(judging, page, name("withdraw"));
      await follow(page, page.getByRole("link", { name: "Flow", exact: true }));
      await judge(judging, page, name("flow"));
      await follow(page, page.getByRole("link", { name: "Users", exact: true }));
      await judge(judging, page, name("users"));
      await follow(page, page.getByRole("link", { name: /^All users together/ }));
      await judge(judging, page, name("population"));
      await page.goBack();
      await page.fill("#f-id", "anna");
      await follow(page, page.getByRole("button", { name: "Find" }));
      await judge(judging, page, name("user"));
      if ((await page.locator("#f-reason").count()) > 0) {
        await page.fill("#f-reason", "a call of the customer");
        await follow(page, page.getByRole("button", { name: "Show them" }));
      }
      await follow(page, page.locator("#budgets ~ div tbody th a"));
      await page.locator("summary").first().click();
      report.check(
        `${name("budget")}: its expenses unfold`,
        String(await page.getByText("Boligselskabet").isVisible()),
        "true",
      );
      await judge(judging, page, name("budget"));
      await follow(page, page.getByRole("link", { name: "anna" }));
      await follow(page, page.getByRole("link", { name: "Export everything about the user" }));
      await judge(judging, page, name("export"));
      await follow(page, page.getByRole("link", { name: "Partners", exact: true }));
      await judge(judging, page, name("partners"));
      await follow(page, page.getByRole("link", { name: "Which keys and certificates end when" }));
      await judge(judging, page, name("endings"));
      await page.goBack();
      await follow(page, page.getByRole("link", { name: "north", exact: true }));
      await judge(judging, page, name("partner"));
      await follow(page, page.getByRole("link", { name: "Fleet", exact: true }));
      report.check(
        `${name("fleet")}: the started process answers`,
        await page.locator("#processes ~ div tbody td").first().innerText(),
        "answers",
      );
      await judge(judging, page, name("fleet"));
      await follow(page, page.getByRole("link", { name: "Audit", exact: true }));
      await judge(judging, page, name("audit"));
      await follow(page, page.getByRole("button", { name: "Verify the chain" }));
      report.check(
        `${name("verified")}: the trail is whole`,
        await page.locator("h1", { hasText: "trail" }).innerText(),
        "The trail is as it was written",
      );
      await judge(judging, page, name("verified"));
      await page.goto(`${world.base}/console/account`);
      await judge(judging, page, name("account"));
      await page.goto(`${world.base}/console/deliveries/nothing`);
      await judge(judging, page, name("not-found"));
      const own = said.filter((text) => !/status of 404/.test(text));
      report.check(`${name("all")}: the browser's console stays empty`, own.join("; "), "");
      await context.close();
    }
}

/** Without scripts: find the file by part of its name, release it, withdraw it, sign out. */
async function act(world: World): Promise<void> {
  const { page, context } = await openWindow(world.browser, world.base, { scripts: false });
  await signInByToken(page, world.token);
  report.check(
    "the night's sentence",
    await page.locator("h1").innerText(),
    "Last night is in, and something was refused",
  );
  await follow(page, page.getByRole("link", { name: "Deliveries", exact: true }));
  await page.fill("#f-name", "artl");
  await follow(page, page.getByRole("button", { name: "Find" }));
  report.check("part of a name finds the file", String(await page.locator("tbody th").allInnerTexts()), "partly.jsonl");
  report.check("the address has the filter", new URL(page.url()).searchParams.get("name"), "artl");
  await follow(page, page.getByRole("link", { name: "partly.jsonl" }));
  report.check("what is wrong is told", await page.locator("#problems").count(), 1);
  await follow(page, page.getByRole("button", { name: "Release what is held" }));
  report.check("it is released", await page.locator("[role=status]").innerText(), "1 record is being read again.");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download the encrypted original" }).click(),
  ]);
  report.check("the original comes under its name", download.suggestedFilename(), "partly.jsonl");
  await page.goto(`${world.base}/console/deliveries?name=good.jsonl`);
  await follow(page, page.getByRole("link", { name: "good.jsonl" }));
  await follow(page, page.getByRole("link", { name: "Withdraw" }));
  report.check(
    "the preview counts",
    String(/1 transaction of 1 user/.test(await page.locator("main").innerText())),
    "true",
  );
  await follow(page, page.getByRole("button", { name: "Withdraw it" }));
  report.check(
    "it is withdrawn",
    await page.locator("[role=status]").innerText(),
    "It is withdrawn: 1 transaction left the ledger.",
  );
  report.check("who did it is told", String(/console:admin/.test(await page.locator("main").innerText())), "true");
  await page.goto(`${world.base}/console/users?id=anna`);
  await follow(page, page.getByRole("link", { name: "Export everything about the user" }));
  const [exported] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export it" }).click(),
  ]);
  const held = JSON.parse(await readFile(await exported.path(), "utf8")) as Record<string, { bank_user_id?: string }[]>;
  report.check("the export names the user", held.users?.[0]?.bank_user_id ?? "", "anna");
  report.check("and holds the budget", held.budgets?.length ?? 0, 1);
  await page.goto(`${world.base}/console/partners/north`);
  await follow(page, page.getByRole("button", { name: "Send the dead ones again" }));
  report.check(
    "a dead letter is sent again",
    await page.locator("[role=status]").innerText(),
    "1 message is sent again.",
  );
  await follow(page, page.getByRole("button", { name: "Sign out" }));
  await page.goto(`${world.base}/console`);
  report.check("signed out", new URL(page.url()).pathname, "/console/sign-in");
  await context.close();
}

/** Cases and the catalogue, each step by a click: without scripts a case is given up, with them one is confirmed. */
async function tend(service: Service, { browser, axe, base, token }: World): Promise<void> {
  for (const scripts of [false, true]) {
    const { page, said, context } = await openWindow(browser, base, {
      scripts,
      width: scripts ? 390 : 1400,
      dark: scripts,
    });
    await signInByToken(page, token);
    const called = scripts ? "with scripts" : "without scripts";
    // Axe is a script itself.
    const judges = async (name: string) => {
      if (scripts) await judge({ report, axe, pictures: values.pictures }, page, `${name}-390-dark`);
    };
    const flow: Flow = { service, report, page, base, called, judges };
    await cancelService(flow, scripts ? "confirmed" : "given up");
    await keepCatalogue(flow);
    report.check(
      `${called}: the browser's console stays empty`,
      said.filter((text) => !/status of 422/.test(text)).join("; "),
      "",
    );
    await context.close();
  }
}

/** Tab until the link has the focus, then Enter. */
async function byKeyboard(world: World): Promise<void> {
  const { page, context } = await openWindow(world.browser, world.base);
  // A browser on a busy machine gives the field its focus after the page.
  await page.waitForFunction("document.activeElement?.tagName === 'INPUT'");
  await page.keyboard.type(world.token);
  await Promise.all([page.waitForURL("**/console"), page.keyboard.press("Enter")]);
  await page.keyboard.press("Tab");
  report.check(
    "the first stop leads to the content",
    await page.evaluate<string>("document.activeElement?.className"),
    "skip",
  );
  for (let tabs = 0; tabs < 20; tabs += 1) {
    await page.keyboard.press("Tab");
    if ((await page.evaluate("document.activeElement?.textContent")) === "Deliveries") break;
  }
  await Promise.all([page.waitForURL("**/console/deliveries"), page.keyboard.press("Enter")]);
  report.check("by keyboard to the deliveries", await page.locator("h1").innerText(), "Deliveries");
  await page.locator("[data-live-state]", { hasText: "live" }).waitFor();
  await context.close();
}

/** The page is renewed under somebody's hands: what was typed into the filter is still there, and is what is found. */
async function typedMeanwhile({ browser, base, token }: World): Promise<void> {
  const { page, context } = await openWindow(browser, base);
  await signInByToken(page, token);
  const typed = Promise.withResolvers<void>();
  await page.route("**/console/deliveries", async (route) => {
    if (route.request().headers()["x-console-live"] !== undefined) await typed.promise;
    await route.continue();
  });
  const isAsked = page.waitForRequest((request) => request.headers()["x-console-live"] !== undefined);
  await follow(page, page.getByRole("link", { name: "Deliveries", exact: true }));
  await isAsked;
  await page.evaluate("document.querySelector('h1').dataset.before = 'yes'");
  await page.fill("#f-name", "artl");
  await page.selectOption("#f-state", "loaded");
  await page.locator("h1").click();
  typed.resolve();
  await page.locator("h1:not([data-before])").waitFor();
  report.check("what was typed outlives a renewal", await page.inputValue("#f-name"), "artl");
  report.check("what was chosen too", await page.inputValue("#f-state"), "loaded");
  await context.close();
}

/** Somebody with less, whose account then goes. */
async function asOthers(service: Service, world: World): Promise<void> {
  const said = await service.tideline("console", "token", "add", "vera", "--role", "viewer", "--json");
  const { token } = JSON.parse(said) as { token: string };
  const { page, context } = await openWindow(world.browser, world.base);
  await signInByToken(page, token);
  await page.goto(`${world.base}/console/deliveries?name=partly`);
  await follow(page, page.getByRole("link", { name: "partly.jsonl" }));
  report.check("a viewer has no button", await page.locator("main button").count(), 0);
  await service.tideline("console", "token", "remove", "vera");
  await page.reload();
  report.check("an account that goes is signed out", new URL(page.url()).pathname, "/console/sign-in");
  await context.close();
}
