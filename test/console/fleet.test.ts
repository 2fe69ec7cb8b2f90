/** *Fleet*: who lives and who is silent, what is wrong, and how full everything is, for those who may see all of it. */
import test from "ava";
import { recordEnd, recordStart } from "../../src/backup/records.ts";
import { noteConditions } from "../../src/observation/alerts/table.ts";
import { beat, describeSelf } from "../../src/observation/processes.ts";
import { openWorld } from "./world.ts";

test("a fleet that is well says so in its first sentence", async (t) => {
  const disks = [{ names: ["landing", "vault"], freeBytes: 1e12, isLow: false }];
  const { database, signedIn } = await openWorld(t, { disks });
  await beat(
    database,
    { ...describeSelf(["worker"], "1.2.3", new Date()), machine: "m1" },
    { workingOn: "loading <b> (7 s)" },
  );
  const { status, html } = await (await signedIn("vera", "viewer")).get("/console/fleet");
  t.is(status, 200);
  t.regex(html, /<h1>Every process answers, and no alert is open<\/h1>/);
  t.regex(html, /1 process on\s+1 machine/);
  t.true(html.includes("loading &lt;b&gt; (7 s)"));
  t.regex(html, /<td>1\.2\.3<\/td>/);
  t.regex(html, /<dt>Engine<\/dt>\s*<dd>Redis<\/dd>/);
  t.regex(html, /<h2 id="disk">Disk of this machine<\/h2>/);
  t.regex(html, /<dt>Free for landing and vault<\/dt>\s*<dd>1\.0 TB <span class="badge good">enough/);
  t.regex(html, /<th scope="row">test console<\/th>/);
  t.true(html.includes("None is known"));
});

test("a silent process and open alerts are told first, the worst before the others", async (t) => {
  const { database, signedIn } = await openWorld(t);
  const gone = { ...describeSelf(["worker"], "1.2.3", new Date()), machine: "m7" };
  await beat(database, gone, { workingOn: null });
  await database.query("update processes set beat_at = now() - interval '2 minutes'");
  await noteConditions(
    database,
    [
      { name: "key-ends", subject: "north/login", severity: "ticket", summary: "A login key of north ends." },
      { name: "process-silent", subject: "worker on m7", severity: "page", summary: "worker on m7 is silent." },
    ],
    { channels: [], repeatHours: 24, goneAfterSeconds: null },
  );
  const { html } = await (await signedIn("vera", "viewer")).get("/console/fleet");
  t.regex(html, /<h1>1 process is silent<\/h1>/);
  t.regex(html, /badge bad">silent/);
  t.true(html.indexOf("worker on m7 is silent.") < html.indexOf("A login key of north ends."));
  t.true(html.indexOf("worker on m7 is silent.") > 0);
});

test("backups are listed with what came of them", async (t) => {
  const { database, signedIn } = await openWorld(t);
  const hourAgo = new Date(Date.now() - 3_600_000);
  const id = await recordStart(database, hourAgo, "/backups/one");
  await recordEnd(database, id, hourAgo, 42_000_000);
  await recordStart(database, new Date(), "/backups/two");
  const { html } = await (await signedIn("vera", "viewer")).get("/console/fleet");
  t.regex(
    html,
    /badge calm">not finished[\s\S]*\/backups\/two[\s\S]*badge good">whole[\s\S]*42\.0 MB[\s\S]*\/backups\/one/,
  );
  t.regex(html, /Last backup<\/span><span class="value">1 h</);
});

test("a full disk is told once, with all that lies on it", async (t) => {
  const disks = [
    { names: ["landing", "vault", "database"], freeBytes: 2e9, isLow: true },
    { names: ["backups"], freeBytes: 1e12, isLow: false },
  ];
  const { signedIn } = await openWorld(t, { disks });
  const one = await signedIn("vera", "viewer");
  const today = (await one.get("/console")).html;
  t.is(today.split("disk full").length - 1, 1);
  t.true(today.includes("The disk of landing, vault and database has 2.0 GB left"));
  const fleet = (await one.get("/console/fleet")).html;
  t.regex(
    fleet,
    /Free disk<\/span><span class="value">2\.0 GB<\/span><span class="more">for landing, vault and database</,
  );
  t.regex(fleet, /<h2 id="disk">Disks of this machine<\/h2>/);
  t.regex(fleet, /<dt>Free for backups<\/dt>/);
});

test("an account that is limited to partners does not see the fleet that serves all", async (t) => {
  const { signedIn } = await openWorld(t);
  const one = await signedIn("ann", "admin", ["north"]);
  t.is((await one.get("/console/fleet")).status, 403);
  t.false((await one.get("/console")).html.includes("/console/fleet"));
});
