/** All users together: counts, answers by confidence, what was hidden, and no word of what anything is called; and the calendar of one. */
import test from "ava";
import type { Database } from "../../src/database/database.ts";
import { createUser } from "../../src/partners/users.ts";
import { openWorld } from "./world.ts";

type Decision = { confidence: number; hidden: boolean | null; frequency?: string; status?: string };

/** @returns the user's subject */
async function addUser(
  database: Database,
  partnerId: string,
  name: string,
  decisions: readonly Decision[],
): Promise<string> {
  await createUser(database, {
    partnerId,
    brandId: `${partnerId}-dk`,
    bankUserId: name,
    locale: "da-DK",
    details: {},
  });
  for (const [at, { confidence, hidden, frequency = "MONTHLY", status = "ACTIVE" }] of decisions.entries())
    await database.query(
      `insert into services (id, user_id, key, txids, first_detected_on, document, status, payment_frequency, hidden, hidden_decided_at)
       select gen_random_uuid(), id, $2, '{}', '2026-01-01', $3, $4, $5, $6::boolean, case when $6::boolean is null then null else now() - $7 * interval '1 minute' end
         from users where bank_user_id = $1`,
      [
        name,
        `k-${at}`,
        JSON.stringify({ confidence, product: { title: "Secret Club" }, amount: 114.5 }),
        status,
        frequency,
        hidden,
        at,
      ],
    );
  const { rows } = await database.query<{ subject: string }>("select subject from users where bank_user_id = $1", [
    name,
  ]);
  return rows[0]?.subject ?? "";
}

/** The rows of a table as their words. */
function rowsOf(html: string, name: string): string[] {
  const [, body = ""] = html.split(`Table: ${name}"`);
  return (body.split("</table>")[0] ?? "")
    .split("<tr>")
    .slice(2)
    .map((row) =>
      row
        .replaceAll(/<[^>]+>/g, " ")
        .replaceAll(/\s+/g, " ")
        .trim(),
    );
}

test("services are counted by frequency, answers by how sure it was, and what was hidden leads to its user", async (t) => {
  const { database, signedIn } = await openWorld(t);
  const subject = await addUser(database, "north", "anna<i>", [
    { confidence: 0.93, hidden: false },
    { confidence: 0.97, hidden: true },
    { confidence: 1, hidden: null },
    { confidence: 0.42, hidden: true, frequency: "WEEKLY", status: "INACTIVE" },
  ]);
  await addUser(database, "south", "bert", [{ confidence: 0.95, hidden: false }]);
  const { html } = await (await signedIn("vera", "viewer")).get("/console/users/all");
  t.regex(html, /<h1>5 services recognised<\/h1>/);
  t.deepEqual(rowsOf(html, "services by frequency"), ["monthly 4 0 2", "weekly 0 1 1"]);
  t.deepEqual(rowsOf(html, "answers by confidence"), [
    "40–50 % 1 42 % 0 % few answers",
    "90–100 % 3 95 % 67 % few answers",
  ]);
  t.true(html.indexOf("97 %") < html.indexOf('<td class="number">42 %</td>\n', html.indexOf("alarms")));
  t.true(html.includes(`<a href="/console/users/${subject}">anna&lt;i&gt;</a>`));
  // An identifier may have any digits.
  t.false(/Secret|114/.test(html.replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, "")));
  t.true(html.includes("Nothing was submitted."));
});

test("an account that is limited to partners sees what is theirs", async (t) => {
  const { database, signedIn } = await openWorld(t);
  await addUser(database, "north", "anna", [{ confidence: 0.9, hidden: true }]);
  await addUser(database, "south", "bert", [
    { confidence: 0.9, hidden: true },
    { confidence: 0.9, hidden: null },
  ]);
  await (await signedIn("vera", "viewer")).get("/console/users/all");
  const { html } = await (await signedIn("ann", "admin", ["north"])).get("/console/users/all");
  t.regex(html, /<h1>1 service recognised<\/h1>/);
  t.true(html.includes(">anna</a>"));
  t.false(html.includes("bert"));
  t.false(html.includes("Payees that users call subscriptions"));
});

test("payees that users call subscriptions are listed, and one that may be a person is not named", async (t) => {
  const { database, signedIn } = await openWorld(t);
  await addUser(database, "north", "anna", []);
  await database.query(
    `insert into submissions (user_id, txid, payment_frequency, outcome, payee_key)
     select id, txid, 'MONTHLY', outcome, key
       from users, (values ('t-1', 'SUCCESS', '<img>club'), ('t-2', 'NOT_SUBSCRIPTION', null)) as given (txid, outcome, key)`,
  );
  const { html } = await (await signedIn("vera", "viewer")).get("/console/users/all");
  t.deepEqual(rowsOf(html, "payees that users call subscriptions"), [
    "&lt;img&gt;club 1 1 0 0 monthly 1",
    "not named 1 0 1 0 monthly 1",
  ]);
});

test("what is to come stands on its day of the month, masked until it is shown", async (t) => {
  const { database, signedIn } = await openWorld(t);
  const subject = await addUser(database, "north", "anna", []);
  const upcoming = [
    {
      serviceId: "5e000000-0000-4000-8000-000000000001",
      expectedPaymentDate: "2026-12-06",
      expectedPaymentCost: 114.5,
      currency: "DKK",
      product: { title: "<b>Fitness</b> Club" },
    },
  ];
  await database.query(
    `insert into read_models (user_id, computed_for, services_visible, services_hidden, upcoming, import_complete, algorithm_version)
     select id, '2026-12-02', '[]', '[]', $1, true, 1 from users`,
    [JSON.stringify(upcoming)],
  );
  const one = await signedIn("ann", "operator");
  const at = `/console/users/${subject}`;
  const masked = (await one.get(at)).html;
  t.regex(masked, /<caption>\s*December 2026\s*<\/caption>/);
  // The first of December 2026 is a Tuesday: one day of November before it.
  t.regex(masked, /<tr>\s*<td class="outside"><\/td>\s*<td\s*>\s*<span class="day">1<\/span>/);
  t.regex(masked, /<td\s+class="today">\s*<span class="day">2<\/span>/);
  t.regex(masked, /<span class="day">6<\/span>\s*<div class="entry">Service 1\s*<span class="number">••••••<\/span>/);
  t.false(/Fitness|114/.test(masked));
  await one.post(`${at}/show`, { reason: "call 17" });
  t.regex((await one.get(at)).html, /&lt;b&gt;Fitness&lt;\/b&gt; Club\s*<span class="number">114\.50 DKK/);
});
