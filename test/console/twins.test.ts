/** Whatever a page tells, a command tells as data: each page names its own. */
import { readFile } from "node:fs/promises";
import test from "ava";
import { commands } from "../../src/cli/command-line.ts";
import type { ConsoleContext, Scope } from "../../src/console/context.ts";
import { consoleRoutes } from "../../src/console/routes.ts";
import { forms, twins } from "../../src/console/twins.ts";
import { openCommandLine } from "../cli/command.ts";
import { openWorld } from "./world.ts";
import { insertDelivery } from "../../src/deliveries/deliveries.ts";
import { createTestDatabase } from "../world.ts";
import { putBrand, putPartner } from "../../src/partners/provisioning.ts";
import { listAudit } from "../../src/partners/audit.ts";

test("each page has its twin, and each twin a page", (t) => {
  const pages: string[] = [];
  const scope = { get: (url: string) => void pages.push(url), post: () => undefined };
  consoleRoutes(scope as unknown as Scope, {} as ConsoleContext);
  t.deepEqual(Object.keys(twins).toSorted(), pages.filter((url) => url !== "/console/live").toSorted());
  t.true(forms.every((url) => url in twins));
});

test("each twin is a command as its help tells it, with --json", async (t) => {
  for (const [page, twin] of Object.entries(twins)) {
    const [program, name = "", ...words] = twin.split(" ");
    t.is(program, "tideline", page);
    const { usage } = await (commands[name] ?? t.fail(`${page}: there is no command ${name}`), commands[name]!).load();
    // Words in capitals stand for something.
    const fixed = words.filter((word) => !/^[A-Z]+$/.test(word));
    const told = usage.replaceAll(/[[\]|]/g, " ");
    for (const word of fixed) t.true(told.includes(word), `${page}: "${word}" is not in the help of ${name}`);
    t.regex(usage, /--json/, page);
  }
});

test("the document has each page's command, and none that no page has", async (t) => {
  const document = await readFile(new URL("../../docs/console.md", import.meta.url), "utf8");
  const rows = document.matchAll(/^\| [^|]+ \| `(tideline [^`]+)` \|$/gm);
  const told = new Set(Array.from(rows, ([, command]) => command));
  // What a form does is told above the table.
  const pages = Object.entries(twins).filter(([page]) => !forms.includes(page));
  t.deepEqual([...told].toSorted(), [...new Set(pages.map(([, command]) => command))].toSorted());
});

test("a page names its command", async (t) => {
  const one = await (await openWorld(t)).signedIn("ann", "viewer");
  t.regex((await one.get("/console")).html, /<code>tideline status --night<\/code>/);
  t.regex((await one.get("/console/deliveries?state=open")).html, /<code>tideline status<\/code>/);
});

const delivery = "0e000000-0000-4000-8000-000000000001";

test("the night, the fleet, a user and what a withdrawal takes are told as data", async (t) => {
  const { url, database } = await createTestDatabase(t);
  await putPartner(database, { id: "north", name: "North" });
  const zone = { country: "DK", currency: "DKK", timeZone: "Europe/Copenhagen", locale: "da-DK" };
  await putBrand(database, "north", { id: "north-dk", ...zone });
  await database.query(
    "insert into users (partner_id, brand_id, bank_user_id, locale) values ('north', 'north-dk', 'anna', 'da-DK')",
  );
  const service = "0e000000-0000-4000-8000-000000000002";
  const document = {
    id: service,
    amount: 99.5,
    currency: "DKK",
    paymentFrequency: "MONTHLY",
    status: "ACTIVE",
    visibility: "VISIBLE",
    product: { title: "Svømmeklub" },
    payments: [{ id: 1, amount: 99.5, currency: "DKK", date: "2026-11-01" }],
  };
  await database.query(
    `insert into services (id, user_id, key, txids, first_detected_on, status, document)
     select $1, id, 'k', '{t-1}', '2026-11-01', 'ACTIVE', $2 from users`,
    [service, JSON.stringify(document)],
  );
  await insertDelivery(database, {
    id: delivery,
    partnerId: "north",
    door: "sftp",
    format: "jsonl",
    name: "night.jsonl",
    requestId: null,
    correlationId: "c",
    sizeBytes: 100,
    sha256: Buffer.alloc(32, 1),
    vaultReference: "x",
    refusal: null,
  });
  const { tideline } = await openCommandLine(t, url);
  const told = async (...words: string[]) => {
    const { code, stdout, stderr } = await tideline(...words, "--json");
    t.is(code, 0, stderr);
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const night = await told("status", "--night");
  t.like(night.partners, [{ partnerId: "north", waiting: 1, loaded: 0, timeZone: "Europe/Copenhagen" }]);
  t.like((night.partners as { halfHours: object[] }[])[0]?.halfHours, [{ deliveries: 1, open: 1 }]);
  const fleet = await told("status", "--fleet");
  t.deepEqual([fleet.processes, fleet.alerts, fleet.backups], [[], [], []]);
  t.like(fleet.figures, { stagingDepth: 1 });
  t.like(await told("withdraw", delivery, "--dry-run"), { dryRun: true, transactions: 0, users: 0 });

  const anna = ["--partner", "north", "--user", "anna"];
  const masked = await told("user", "recognised", ...anna);
  t.like(masked, { bankUserId: "anna", masked: true, services: [{ id: service, status: "ACTIVE" }] });
  t.notRegex(JSON.stringify(masked), /99\.5|Svømme/);
  const shown = await told("user", "recognised", ...anna, "--reason", "she called us");
  t.like(shown, { masked: false, services: [document] });
  const everything = { partnerId: "north", since: null, until: null, event: "user.shown", sessionId: null };
  t.like((await listAudit(database, everything, 10))[0]?.details, { reason: "she called us" });
  const unknown = await tideline("user", "budget", service, ...anna, "--reason", "she called us", "--json");
  t.like(JSON.parse(unknown.stderr), { error: { code: "NOT_FOUND" } });
  t.is((await tideline("user", "budget", service, ...anna)).code, 2);
  t.deepEqual(await told("cancellation", "show", service), [] as never);
});
