/**
 * The console when nothing is well, in a real browser (chromium): two hundred banks with ninety days of deliveries, and of
 * the last night missing and late files, a refused and a partly loaded one, records that wait, a load that was given up, a
 * full disk, a process that has fallen silent, old rates, no backup, keys about to end, dead letters, a failed login, and a
 * cancellation that waits. axe looks at each page, and nothing is wider than its screen, at 1600 and 390 pixels.
 *
 *   node test/outside/console-trouble.ts [--pictures FOLDER] [--deliveries 40000]
 *
 * A command, not a part of the tests: filling takes a minute. What the pages do is tested by console.ts.
 */
import { generateKeyPairSync } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { chromium, type Page } from "playwright-core";
import { superuserUrl } from "../attacks/superuser.ts";
import { fill } from "../bench/console/fill.ts";
import { findChromium, judge, openWindow, readAxe, signInByToken } from "./console-browser.ts";
import { household } from "./household-budget.ts";
import { Report } from "./report.ts";
import { prepareService } from "./service.ts";

const { values } = parseArgs({
  options: { pictures: { type: "string" }, deliveries: { type: "string", default: "40000" } },
});
const report = new Report();
async function run(executable: string): Promise<void> {
  const axe = await readAxe();
  if (values.pictures !== undefined) await mkdir(values.pictures, { recursive: true });
  // More than any disk has free: it counts as full.
  process.env.TIDELINE_DISK_FREE_BYTES_MIN = String(1e15);
  const service = await prepareService("trouble", ["--no-demo", "--roles", "api,console"]);
  const browser = await chromium.launch({ executablePath: executable, args: ["--no-sandbox"] });
  try {
    await service.start();
    const url = await superuserUrl(service);
    await fill(url, { partners: 200, deliveries: Number(values.deliveries), users: 2_000, transactions: 20_000 });
    const { subject, serviceId, budgetId, held, refused } = await addTroubles(url);
    const base = `https://localhost:${service.consolePort}`;
    const token = (await readFile(path.join(service.dataDir, "console-token"), "utf8")).trim();
    const pages: Record<string, string> = {
      today: "/console",
      deliveries: "/console/deliveries",
      "deliveries-held": "/console/deliveries?result=held",
      "delivery-held": `/console/deliveries/${held}`,
      "delivery-refused": `/console/deliveries/${refused}`,
      flow: "/console/flow?last=day",
      population: "/console/users/all",
      user: `/console/users/${subject}`,
      explain: `/console/users/${subject}/services/${serviceId}/cancellation`,
      budget: `/console/users/${subject}/budgets/${budgetId}`,
      partners: "/console/partners",
      partner: "/console/partners/bank-007",
      onboarding: "/console/partners/bank-007/onboarding",
      endings: "/console/endings",
      cancellations: "/console/cancellations",
      catalogue: "/console/catalogue",
      product: "/console/catalogue/products/netflix",
      "new-product": "/console/catalogue/new?word=HAVNENS%20MOTION",
      fleet: "/console/fleet",
      approvals: "/console/approvals",
      audit: "/console/audit?event=sftp",
    };
    for (const width of [1600, 390])
      for (const dark of [false, true]) {
        const { page, said, context } = await openWindow(browser, base, { width, dark });
        try {
          await signInByToken(page, token);
          await show(page, `${base}/console/users/${subject}`);
          for (const [name, at] of Object.entries(pages)) {
            await page.goto(`${base}${at}`);
            const shown = `${name}-${width}-${dark ? "dark" : "light"}`;
            await judge({ report, axe, pictures: values.pictures }, page, shown);
          }
          report.check(`${width} ${dark}: the browser's console stays empty`, said.join("; "), "");
        } finally {
          await context.close();
        }
      }
  } finally {
    await browser.close();
    await service.stop();
    await service.remove();
  }
}

/** Amounts and names, for a reason. */
async function show(page: Page, at: string): Promise<void> {
  await page.goto(at);
  if ((await page.locator("#f-reason").count()) === 0) return;
  await page.fill("#f-reason", "a call of the customer");
  await Promise.all([page.waitForEvent("domcontentloaded"), page.getByRole("button", { name: "Show them" }).click()]);
}

type Troubled = { subject: string; serviceId: string; budgetId: string; held: string; refused: string };

async function addTroubles(url: string): Promise<Troubled> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  try {
    for (const text of troubles) await owner.query(text);
    const { rows } = await owner.query<Troubled>(
      `select (select subject from users where id = (select max(user_id) from services)) as subject,
              (select id from services where user_id = (select max(user_id) from services) order by id limit 1) as "serviceId",
              (select id from budgets limit 1) as "budgetId",
              (select id from deliveries where name = 'customers-of-the-night.jsonl') as held,
              (select id from deliveries where name = 'month-end-correction-of-all-branches-2026.jwe') as refused`,
    );
    const [found] = rows;
    if (found === undefined) throw new Error("nothing is troubled");
    await owner.query(
      `insert into budget_documents (budget_id, partner_id, user_id, document, details) select id, partner_id, user_id, $1, '{"expenses":[]}' from budgets`,
      [JSON.stringify(household())],
    );
    return found;
  } finally {
    await owner.end();
  }
}

const loginKey = generateKeyPairSync("rsa", { modulusLength: 2048 })
  .publicKey.export({ type: "spki", format: "pem" })
  .toString();
const lastNight = "now() - interval '5 hours'";
const troubles: readonly string[] = [
  // Expected files: three that did not come, one late.
  `insert into expected_files (partner_id, name, due_day, due_at, state)
   select 'bank-' || lpad(n::text, 3, '0'), 'ledger of the night', current_date, ${lastNight}, 'missing' from generate_series(7, 9) as n
   on conflict do nothing`,
  `insert into expected_files (partner_id, name, due_day, due_at, state, delivery_id, arrived_at)
   values ('bank-011', 'ledger of the night', current_date, ${lastNight}, 'late', gen_random_uuid(), now() - interval '1 hour')`,
  // Deliveries: records that were refused and that wait, a file that cannot be opened, a load that was given up.
  `with one as (
     insert into deliveries (id, partner_id, door, format, name, correlation_id, size_bytes, sha256, vault_reference, state, batches, records, records_new, records_refused, records_waiting, accepted_at, started_at, finished_at)
     values (gen_random_uuid(), 'bank-007', 'sftp', 'jsonl', 'customers-of-the-night.jsonl', 'c-1', 812345678, sha256('a'), 'day/a', 'loaded', 40, 29000, 28000, 612, 388, ${lastNight}, ${lastNight}, ${lastNight} + interval '7 minutes')
     returning id
   ),
   told as (
     insert into delivery_problems (delivery_id, line, index, field, reason)
     select id, n, n % 750, (array['tx.currency', 'uid', 'tx.txTime'])[n % 3 + 1],
            (array['is no currency of ISO 4217', 'is not a user of the partner', 'is no day of the calendar'])[n % 3 + 1]
       from one, generate_series(1, 30) as n
   )
   insert into held_records (delivery_id, batch, first_index, last_index, line, kind, field, reason, records, account_key)
   select id, n, 0, 9, n, case when n % 3 = 0 then 'waiting' else 'refused' end, 'uid', 'is not a user of the partner', 10, case when n % 3 = 0 then gen_random_uuid() end from one, generate_series(1, 100) as n`,
  `insert into deliveries (id, partner_id, door, format, name, correlation_id, size_bytes, sha256, vault_reference, state, refusal_code, refusal_reason, accepted_at, finished_at)
   values (gen_random_uuid(), 'bank-007', 'sftp', 'jwe', 'month-end-correction-of-all-branches-2026.jwe', 'c-2', 4096, sha256('b'), 'day/b', 'refused', 'FILE_DAMAGED',
           'The file ends in the middle of its encrypted part.', ${lastNight}, ${lastNight} + interval '2 seconds'),
          (gen_random_uuid(), 'bank-008', 'sftp', 'jsonl', 'ledger-given-up.jsonl', 'c-3', 98765432, sha256('c'), 'day/c', 'refused', 'LOAD_ABANDONED',
           'It was tried five times.', ${lastNight}, ${lastNight} + interval '2 hours')`,
  `insert into deliveries (id, partner_id, door, format, name, correlation_id, size_bytes, sha256, vault_reference, state, records, records_new, accepted_at, started_at, run_started_at, bytes_loaded)
   values (gen_random_uuid(), 'bank-009', 'sftp', 'jsonl', 'all-of-october.jsonl', 'c-4', 3000000000, sha256('d'), 'day/d', 'loading', 1200000, 1200000, ${lastNight}, ${lastNight} + interval '1 hour', now() - interval '20 minutes', 900000000)`,
  // A day of figures: a busy night, after which what waits grows.
  `insert into flow_figures (step_seconds, at, figure, label, sum, highest)
   select 600, at, figure, label, value, value
     from (select at, extract(epoch from now() - at) / 3600 as ago
             from generate_series(date_bin('10 minutes', now() - interval '1 day', '2000-01-01'), now(), interval '10 minutes') as at) as steps,
          lateral (values ('records', 'new', 600 * (40 + 900 * exp(-power(ago - 14, 2) / 6))),
                          ('records', 'refused', 600 * (1 + 30 * exp(-power(ago - 13, 2) / 2))),
                          ('readings', '', 10), ('batches', 'read', 60 * (1 + 9 * exp(-power(ago - 14, 2) / 6))),
                          ('bytes', 'https', 6e6 * (2 + sin(ago))), ('bytes', 'sftp', 6e8 * exp(-power(ago - 14.5, 2) / 4)),
                          ('waiting', '', greatest(0, 41 - 9 * ago)), ('loading', '', 4),
                          ('oldest-waiting-seconds', '', greatest(0, 18000 - 3600 * ago)), ('oldest-user-seconds', '', 60 + 400 * exp(-power(ago - 13, 2))),
                          ('slots', 'bank-007', 20), ('slots', 'bank-009', 10), ('slots', 'bank-114', 10 + 10 * round(sin(ago))),
                          ('users-behind', '', 3000 * exp(-power(ago - 13, 2))), ('budgets-behind', '', 900 * exp(-power(ago - 12.5, 2))),
                          ('recognised', '', 600 * 40 * exp(-power(ago - 13, 2))),
                          ('reads', '2xx', 600 * (30 + 20 * sin(ago / 4))), ('reads', '4xx', 120), ('reads', '429', 60 * greatest(0, sin(ago))),
                          ('reads-seconds', '0.005', 9000), ('reads-seconds', '0.025', 1200 + 900 * sin(ago)), ('reads-seconds', '0.25', 40),
                          ('pushes', '2xx', 600 * (3 + 2 * cos(ago / 3))), ('pushes', '5xx', case when ago between 6 and 7 then 300 else 0 end),
                          ('pushes-seconds', '0.05', 900), ('pushes-seconds', '1', 90 + 80 * cos(ago)),
                          ('notifications', 'delivered', 60 * (2 + sin(ago / 2))), ('notifications', 'given-up', case when ago < 2 then 6 else 0 end),
                          ('database-bytes', '', 122e6 - 1e6 * ago)) as measured (figure, label, value)
   on conflict do nothing`,
  // Processes: one that fell silent, one that works.
  `insert into processes (id, role, version, machine, pid, started_at, beat_at, working_on)
   values (gen_random_uuid(), '{worker}', '0.1.0', 'ingest-2.bank-cluster.internal', 4711, now() - interval '9 days', now() - interval '17 minutes', 'all-of-october.jsonl of bank-009'),
          (gen_random_uuid(), '{sftp}', '0.0.9', 'door-1.bank-cluster.internal', 812, now() - interval '9 days', now() + interval '1 hour', null)`,
  `insert into alerts (name, subject, severity, summary, since)
   values ('ProcessSilent', 'ingest-2', 'page', 'A worker on ingest-2.bank-cluster.internal has not been heard of for 17 minutes.', now() - interval '16 minutes'),
          ('ExpectedFileMissing', 'bank-007', 'page', 'bank-007: ledger of the night did not come.', ${lastNight}),
          ('ExchangeRatesOld', '', 'ticket', 'The newest exchange rates are 84 banking days old.', now() - interval '3 days')`,
  // Keys that end, and one that ended.
  `insert into login_keys (partner_id, kid, algorithm, public_key_pem, expires_at)
   values ('bank-007', 'summer', 'RS256', '${loginKey}', now() + interval '4 days'), ('bank-008', 'spring', 'RS256', '${loginKey}', now() - interval '2 days')`,
  `insert into sftp_keys (partner_id, fingerprint, public_key, expires_at)
   values ('bank-007', 'SHA256:Jq2v3mZsRZL0eL6xUu1XlOjg1VtB5mQ4Yb8k2oBv9aQ', 'ssh-ed25519 AAAA', now() + interval '11 days')`,
  // Dead letters, refused logins, a session.
  `insert into notifications (user_id, partner_id, type, subject, content, state, attempts, last_failure, created_at)
   select id, partner_id, 'BUDGET_READY', 'budget', '{}', 'dead', 40, 'HTTP 410', now() - interval '2 days' from users where partner_id = 'bank-007' limit 6`,
  `insert into audit_events (at, partner_id, actor, event, details)
   select now() - n * interval '7 minutes', 'bank-007', 'sftp:bank-007', 'sftp.login-refused', '{"address": "192.0.2.7", "reason": "key-unknown"}' from generate_series(1, 9) as n`,
  `insert into sftp_sessions (id, door_id, machine, partner_id, address, since, bytes_received, bytes_sent, files_delivered, uploads)
   values (gen_random_uuid(), gen_random_uuid(), 'door-1.bank-cluster.internal', 'bank-007', '192.0.2.7', ${lastNight}, 5123456789, 912, 3, '[{"name": "inbox/all-of-november-with-every-branch.jsonl.gz", "bytes": 734003200}]')`,
  // What users said, cases, a budget.
  `insert into submissions (user_id, txid, outcome, payee_key)
   select id, 't-1', (array['SUCCESS', 'NOT_SUBSCRIPTION', 'TECHNICAL_LIMITATION'])[id % 3 + 1], (array['HAVNENS MOTION', 'NETFLIX', null, 'VESTERBRO KAJAKKLUB'])[id % 4 + 1]
     from users limit 200`,
  `update services set hidden = id::text < '4', hidden_decided_at = now() - interval '1 day' where id::text < '8'`,
  `insert into cancellation_cases (service_id, user_id, state, needs_more_information, free_text_message, changed_on, opened_at)
   select id, user_id, 'OPEN', id::text < '8', 'Which customer number does the club know?', current_date, now() - interval '3 days' from services
    where user_id = (select max(user_id) from services) order by id limit 3`,
  `insert into product_edits (product_id, kind, product, words, actor)
   select 'netflix', 'put', '{"id": "netflix", "title": "Netflix Nordic", "type": "SUBSCRIPTION", "category": "LEISURE_STREAMING", "countries": ["*"], "frequencies": ["MONTHLY"], "cancellation": "POSSIBLE", "isGateway": false, "isUnknownStoreSubscription": false, "store": null, "hasTrial": false, "equipmentBack": false, "moneyBack": false}', '{netflix nordic}', 'console:admin'`,
  `insert into approvals (action, subject, partner_id, reason, requested_by, expires_at)
   select 'withdraw', jsonb_build_object('deliveryId', id), partner_id, 'sent twice, the bank says', 'console:ann', now() + interval '20 hours' from deliveries where name = 'customers-of-the-night.jsonl'`,
  `insert into budgets (id, partner_id, user_id, created_time, stale_since)
   select gen_random_uuid(), partner_id, id, '2026-11-20T10:00:00', null from users where id = (select max(user_id) from services)`,
];

const executablePath = await findChromium();
if (executablePath !== null) {
  await run(executablePath);
  process.exitCode = report.print();
}
