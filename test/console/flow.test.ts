/** *Flow*: drawn without a script, for those who may see all partners, with every partner's name as text. */
import test from "ava";
import type { Database } from "../../src/database/database.ts";
import { niceTop } from "../../src/console/templates/plot.ts";
import { duration } from "../../src/console/templates/times.ts";
import { openWorld } from "./world.ts";

async function put(database: Database, minutesAgo: number, figure: string, label: string, sum: number): Promise<void> {
  await database.query(
    `insert into flow_figures (step_seconds, at, figure, label, sum, highest)
     values (60, date_trunc('minute', now()) - $1 * interval '1 minute', $2, $3, $4, $4)`,
    [minutesAgo, figure, label, sum],
  );
}

test("the last hour is drawn as lines with their latest, mean and highest", async (t) => {
  const { database, signedIn } = await openWorld(t);
  for (const minutesAgo of [5, 4, 3]) await put(database, minutesAgo, "readings", "", 1);
  await put(database, 5, "records", "new", 600);
  await put(database, 3, "records", "new", 1200);
  await put(database, 3, "database-bytes", "", 42_000_000);
  const { status, html } = await (await signedIn("vera", "viewer")).get("/console/flow");
  t.is(status, 200);
  t.regex(html, /<h1>Nothing waits to be loaded<\/h1>/);
  t.regex(html, /aria-label="Records loaded, a second; latest: new 20"/);
  t.regex(html, /<path class="line l0" d="M\d+ \d+L\d+ \d+L\d+ \d+" \/>/);
  t.regex(
    html,
    /<\/span>new<\/th>\s*<td class="number">20<\/td>\s*<td class="number">10<\/td>\s*<td class="number">20</,
  );
  t.true(html.includes("42.0 MB"));
  t.regex(html, /<title>\d\d:\d\d UTC: new 20<\/title>/);
  t.false(/<script(?! type="module" src="\/console\/assets\/)/.test(html));
  t.false(/ style="/.test(html));
});

test("day and month hold what the hour has, in wider steps; another word is the hour", async (t) => {
  const { database, signedIn } = await openWorld(t);
  await put(database, 20, "readings", "", 1);
  await put(database, 20, "slots", "<b>north</b>", 3);
  const one = await signedIn("vera", "viewer");
  for (const last of ["day", "month"]) {
    const { html } = await one.get(`/console/flow?last=${last}`);
    t.regex(html, new RegExp(`href="/console/flow\\?last=${last}"  aria-current="true"`));
    t.true(html.includes("&lt;b&gt;north&lt;/b&gt;"), last);
    t.false(html.includes("<b>north"), last);
  }
  t.regex((await one.get("/console/flow?last=<script>")).html, /last=hour"  aria-current/);
});

test("the upper edge of durations is a round one of a clock, of other figures a round number", (t) => {
  const tops = [0.003, 0.7, 1, 1.2, 45, 61, 299, 4000, 18_000, 43_201, 90_000, 260_000];
  t.deepEqual(
    tops.map((highest) => duration(niceTop(highest, "seconds") * 1000)),
    ["5 ms", "1 s", "1 s", "2 s", "1 min", "2 min", "5 min", "2 h", "6 h", "1 d", "2 d", "5 d"],
  );
  t.is(niceTop(18_000, "a second"), 20_000);
  t.is(niceTop(0, "seconds"), 1);
});

test("the foot names the command of the range that is shown", async (t) => {
  const { html } = await (await (await openWorld(t)).signedIn("vera", "viewer")).get("/console/flow?last=month");
  t.regex(html, /<footer>.*<code>tideline status --flow month<\/code>/);
  t.false(html.includes("--flow hour"));
});

test("an account that is limited to partners does not see the flow of all", async (t) => {
  const { signedIn } = await openWorld(t);
  const one = await signedIn("ann", "admin", ["north"]);
  t.is((await one.get("/console/flow")).status, 403);
  t.false((await one.get("/console")).html.includes("/console/flow"));
});
