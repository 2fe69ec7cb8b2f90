/**
 * The console as a new operator meets it, in a real browser on a started service, with a real identity provider: signing
 * in there, onboarding a partner, its first file, its one bad record, the service that appears, an old file; then what
 * takes two operators, erasing a user, and signing out everywhere. Each step is timed.
 *
 *   node test/outside/console-people.ts [--pictures FOLDER]
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs, promisify } from "node:util";
import { unzipSync } from "fflate";
import { CompactEncrypt, importJWK, type JWK } from "jose";
import pg from "pg";
import { type Browser, chromium, type Page } from "playwright-core";
import { clientId, clientSecret, startProvider } from "../console/identity-provider.ts";
import { findChromium, follow, judge, openWindow, readAxe, signInByToken } from "./console-browser.ts";
import { Report } from "./report.ts";
import { prepareService, type Service } from "./service.ts";

const { values } = parseArgs({ options: { pictures: { type: "string" } } });
const report = new Report();
const run = promisify(execFile);
const appearsWithinMs = 60_000;
const times: [step: string, seconds: number][] = [];

const executablePath = await findChromium();
if (executablePath !== null) {
  await runAll(executablePath);
  for (const [step, seconds] of times) console.log(`${seconds.toFixed(1).padStart(6)} s  ${step}`);
  process.exitCode = report.print();
}

type World = { service: Service; browser: Browser; base: string; axe: string; token: string; issuer: string };

async function runAll(executable: string): Promise<void> {
  if (values.pictures !== undefined) await mkdir(values.pictures, { recursive: true });
  const provider = await startProvider({
    ann: { preferred_username: "ann@bank.example", groups: ["leads"] },
    vic: { preferred_username: "vic", groups: ["canteen"] },
  });
  Object.assign(process.env, {
    TIDELINE_CONSOLE_OIDC_ISSUER: provider.issuer,
    TIDELINE_CONSOLE_OIDC_CLIENT_ID: clientId,
    TIDELINE_CONSOLE_OIDC_CLIENT_SECRET: clientSecret,
    TIDELINE_CONSOLE_OIDC_ROLES: "desk=operator,leads=admin",
  });
  const service = await prepareService("console-people", ["--no-demo"]);
  const browser = await chromium.launch({ executablePath: executable, args: ["--no-sandbox"] });
  try {
    await service.start();
    const base = `https://localhost:${service.consolePort}`;
    await provider.serve(base);
    const token = (await readFile(path.join(service.dataDir, "console-token"), "utf8")).trim();
    const world = { service, browser, base, axe: await readAxe(), token, issuer: provider.issuer };
    await refused(world);
    const { page, said, context } = await openWindow(browser, base, { scripts: true });
    await timed("sign in at the identity provider", () => enter(page, "ann"));
    report.check("back where one wanted to go", new URL(page.url()).pathname, "/console");
    await walk(world, page);
    await inTwo(world, page);
    await look(world);
    await eraseOne(world, page);
    await leave(world, page);
    // The form with a wrong key is answered as one.
    const own = said.filter((text) => !/status of 422/.test(text));
    report.check("the browser's console stays empty", own.join("; "), "");
    await context.close();
  } catch (error) {
    for (const one of browser.contexts().flatMap((each) => each.pages())) {
      console.log(`At ${one.url()}:\n${await one.locator("main").innerText()}`);
    }
    throw error;
  } finally {
    await browser.close();
    await service.stop();
    await service.remove();
    await provider.close();
  }
}

async function timed<Result>(step: string, work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    times.push([step, (performance.now() - startedAt) / 1000]);
  }
}

async function enter(page: Page, name: string): Promise<void> {
  await follow(page, page.getByRole("link", { name: /^Sign in with/ }));
  await page.fill("input[name=name]", name);
  await follow(page, page.getByRole("button", { name: "That is me" }));
  await page.waitForURL("**/console**");
}

async function refused({ browser, base }: World): Promise<void> {
  const { page, context } = await openWindow(browser, base, { scripts: false });
  await enter(page, "vic");
  report.check("without a role nobody gets in", await page.locator("h1").innerText(), "Not signed in");
  await context.close();
}

/** Onboard a partner, send a first file, find its bad record, release it, see the service, find an old file. */
async function walk({ service, base }: World, page: Page): Promise<void> {
  const at = (name: string) => path.join(service.folder, name);
  await run("openssl", ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", at("login.pem")]);
  const { stdout: loginKey } = await run("openssl", ["pkey", "-in", at("login.pem"), "-pubout"]);
  await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "operations", "-f", at("sftp_key")]);
  const sftpKey = await readFile(at("sftp_key.pub"), "utf8");
  const handover = await timed("onboard a partner, and download its handover", async () => {
    await follow(page, page.getByRole("link", { name: "Partners", exact: true }));
    await follow(page, page.getByRole("link", { name: "New partner …" }));
    const fields = { id: "west", name: "West Bank", brand: "west-dk", loginKey: "no key", sftpKey };
    for (const [name, text] of Object.entries(fields)) await page.fill(`#f-${name}`, text);
    await follow(page, page.getByRole("button", { name: "Make the partner" }));
    report.check("a wrong key is told", await page.getByRole("alert").locator("a").innerText(), "Public login key");
    report.check("and what was typed stays", await page.inputValue("#f-name"), "West Bank");
    await page.fill("#f-loginKey", loginKey);
    await page.fill("#f-fileName", "nightly");
    await page.fill("#f-pattern", "tx-{YYYY}{MM}{DD}.jsonl");
    await follow(page, page.getByRole("button", { name: "Make the partner" }));
    report.check(
      "then the first file is waited for",
      await page.locator("h1").innerText(),
      "Waiting for the first file",
    );
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download the handover" }).click(),
    ]);
    return unzipSync(await readFile(await download.path()));
  });
  const fileOf = (name: string) => Buffer.from(handover[`west/${name}`] ?? []).toString();
  report.check(
    "the handover's files",
    Object.keys(handover).join(" "),
    ["west/partner.json", "west/ca.pem", "west/jwe-public.jwk.json", "west/known_hosts"].join(" "),
  );
  await writeFile(at("known_hosts"), fileOf("known_hosts"));
  const key = JSON.parse(fileOf("jwe-public.jwk.json")) as JWK & { kid: string };
  const { sftpHost, sftpPort, sftpUser } = JSON.parse(fileOf("partner.json")) as Record<string, string>;
  const put = async (name: string, records: readonly object[]) => {
    await writeFile(at(name), `${await batch(key, records)}\n`);
    const flags = ["-q", "-b", "-", "-i", at("sftp_key"), "-o", `UserKnownHostsFile=${at("known_hosts")}`];
    const child = execFile("sftp", [...flags, "-P", String(sftpPort), `${sftpUser}@${sftpHost}`]);
    child.stdin?.end(`put ${at(name)} inbox/\n`);
    report.check(`${name} is put with what was handed over`, (await once(child, "close"))[0] as number | null, 0);
  };
  await makeUser(service, "anna");
  await timed("send a first file, and see it come", async () => {
    const months = Array.from({ length: 11 }, (_, month) => month + 1);
    const gym = months.map((month) => payment("anna", `gym-${month}`, `2026-${String(month).padStart(2, "0")}-03`));
    await put("tx-first.jsonl", [...gym, payment("berta", "b-1", "2026-11-03")]);
    await page.getByRole("heading", { name: "The first file is in" }).waitFor({ timeout: appearsWithinMs });
  });
  await timed("find its one bad record", async () => {
    await follow(page, page.getByRole("link", { name: "tx-first.jsonl" }));
    const problem = page.getByRole("row", {
      name: "uid is not a user of the partner 1 line 1, record 11",
      exact: true,
    });
    report.check("its problem is told by field, reason and place", await problem.count(), 1);
  });
  await makeUser(service, "berta");
  await timed("release it", async () => {
    await follow(page, page.getByRole("button", { name: "Release what is held" }));
    await page
      .locator(".badge", { hasText: /^loaded$/ })
      .first()
      .waitFor({ timeout: appearsWithinMs });
  });
  await timed("see the service appear", async () => {
    const deadline = performance.now() + appearsWithinMs;
    do {
      await page.goto(`${base}/console/users?id=anna`);
    } while ((await page.getByRole("heading", { name: "1 service" }).count()) === 0 && performance.now() < deadline);
    report.check("the service is recognised", await page.getByRole("heading", { name: "1 service" }).count(), 1);
  });
  await put("archive-rent-0714.jsonl", [payment("berta", "rent-1", "2026-07-14")]);
  await nineDaysAgo(service, "archive-rent-0714.jsonl");
  await timed("find a file of nine days ago by part of its name", async () => {
    await follow(page, page.getByRole("link", { name: "Deliveries", exact: true }));
    await page.fill("#f-name", "rent-07");
    await follow(page, page.getByRole("button", { name: "Find" }));
    report.check("it is found", String(await page.locator("tbody th").allInnerTexts()), "archive-rent-0714.jsonl");
  });
}

async function makeUser(service: Service, user: string): Promise<void> {
  const where = ["--partner", "west", "--brand", "west-dk", "--locale", "da-DK"];
  await service.tideline("user", "create", "--user", user, ...where);
}

function payment(uid: string, txid: string, txTime: string) {
  const text = { description: "FITNESS WORLD", type: "CARD_PURCHASE" };
  return { uid, type: "TX", tx: { txid, txTime, ...text, amount: -249, currency: "DKK" } };
}

async function batch(key: JWK & { kid: string }, records: readonly object[]): Promise<string> {
  const txs = await new CompactEncrypt(Buffer.from(JSON.stringify(records)))
    .setProtectedHeader({ alg: "RSA-OAEP", enc: "A256GCM", kid: key.kid })
    .encrypt(await importJWK(key, "RSA-OAEP"));
  return JSON.stringify({ reqId: crypto.randomUUID(), txs });
}

async function nineDaysAgo(service: Service, name: string): Promise<void> {
  const owner = new pg.Client({ connectionString: await service.databaseUrl() });
  await owner.connect();
  const moved = await owner.query(
    "update deliveries set accepted_at = accepted_at - interval '9 days', finished_at = finished_at - interval '9 days' where name = $1",
    [name],
  );
  await owner.end();
  report.check("one file is made nine days old", moved.rowCount, 1);
}

/** Withdrawing, where it takes two: ann of the provider asks, the first admin of the token confirms. */
async function inTwo({ browser, base, token, service }: World, page: Page): Promise<void> {
  await page.goto(`${base}/console/approvals`);
  await follow(page, page.getByRole("button", { name: "Ask for two operators: Withdraw a delivery" }));
  await page.goto(`${base}/console/deliveries?name=rent-07`);
  await follow(page, page.getByRole("link", { name: "archive-rent-0714.jsonl" }));
  await timed("ask a second operator, who confirms", async () => {
    await follow(page, page.getByRole("link", { name: "Withdraw" }));
    await follow(page, page.getByRole("button", { name: "Withdraw it" }));
    await page.fill("#f-reason", "it was sent by mistake");
    await follow(page, page.getByRole("button", { name: "Ask for it" }));
    report.check("it waits", await page.locator("h1").innerText(), "1 request waits for a second operator");
    report.check("nobody confirms his own", await page.getByRole("button", { name: /^Confirm/ }).count(), 0);
    const told = JSON.parse(await service.tideline("approvals", "--json")) as { approvals: { requestedBy: string }[] };
    report.check("the command line knows", told.approvals[0]?.requestedBy ?? "", "console:ann@bank.example");
    const second = await openWindow(browser, base, { scripts: false });
    await signInByToken(second.page, token);
    await follow(second.page, second.page.getByRole("link", { name: "Approvals" }));
    await follow(second.page, second.page.getByRole("button", { name: /^Confirm and do it/ }));
    report.check("it is done", await second.page.locator("h1").innerText(), "Confirmed and done");
    await second.context.close();
  });
  const fields = { action: "erase", reason: "a wish of the customer" };
  await page.goto(`${base}/console/approvals`);
  await follow(page, page.getByRole("button", { name: "Ask for two operators: Erase a user" }));
  await page.goto(`${base}/console/users?id=berta`);
  await follow(page, page.getByRole("link", { name: "Erase the user" }));
  await page.fill("#f-typed", "berta");
  await follow(page, page.getByRole("button", { name: "Erase for good" }));
  await page.fill("#f-reason", fields.reason);
  await follow(page, page.getByRole("button", { name: "Ask for it" }));
}

/** Every page that is new here, wide and narrow, light and dark. */
async function look({ browser, base, token, axe }: World): Promise<void> {
  const judging = { report, axe, pictures: values.pictures };
  const windows =
    values.pictures === undefined
      ? [
          [1600, false],
          [390, true],
        ]
      : [1600, 390].flatMap((width) => [
          [width, false],
          [width, true],
        ]);
  for (const [width, dark] of windows as [number, boolean][]) {
    const { page, said, context } = await openWindow(browser, base, { width, dark });
    const name = (what: string) => `${what}-${width}-${dark ? "dark" : "light"}`;
    await judge(judging, page, name("sign-in-provider"));
    await signInByToken(page, token);
    for (const [what, at] of [
      ["new-partner", "/partners/new"],
      ["partners", "/partners"],
      ["onboarding", "/partners/west/onboarding"],
      ["approvals", "/approvals"],
      ["ask", "/approvals/new?action=unguard&about=withdraw"],
    ] as const) {
      await page.goto(`${base}/console${at}`);
      await judge(judging, page, name(what));
    }
    await page.goto(`${base}/console/users?id=anna`);
    await follow(page, page.getByRole("link", { name: "Erase the user" }));
    await judge(judging, page, name("erase"));
    report.check(`${name("all")}: the browser's console stays empty`, said.join("; "), "");
    await context.close();
  }
}

/** The second operator says yes; nothing of the user is left. */
async function eraseOne({ browser, base, token, service }: World, page: Page): Promise<void> {
  await timed("erase a user, with a second operator", async () => {
    const second = await openWindow(browser, base, { scripts: false });
    await signInByToken(second.page, token);
    await follow(second.page, second.page.getByRole("link", { name: "Approvals" }));
    await follow(second.page, second.page.getByRole("button", { name: /^Confirm and do it/ }));
    report.check("the user is erased", await second.page.locator("h1").innerText(), "Confirmed and done");
    await second.context.close();
  });
  await page.goto(`${base}/console/users?id=berta`);
  report.check(
    "nobody is called berta",
    await page.locator("[role=status]").innerText(),
    "No user of a partner has this id.",
  );
  const listed = JSON.parse(await service.tideline("user", "list", "--partner", "west", "--json")) as {
    bankUserId: string;
  }[];
  report.check("the command line says so too", listed.map(({ bankUserId }) => bankUserId).join(), "anna");
  report.check(
    "the trail is whole",
    String(/whole|as it was written/i.test(await service.tideline("audit", "verify"))),
    "true",
  );
}

async function leave({ base, issuer }: World, page: Page): Promise<void> {
  await page.goto(`${base}/console/account`);
  await follow(page, page.getByRole("button", { name: "Sign out everywhere" }));
  await page.waitForURL(`${issuer}/session/end**`);
  report.check("signing out everywhere leads to the provider's end", new URL(page.url()).origin, issuer);
  await page.goto(`${base}/console`);
  report.check("and here nobody is signed in", new URL(page.url()).pathname, "/console/sign-in");
}
