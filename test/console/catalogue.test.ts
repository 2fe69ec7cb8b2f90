/** The catalogue in the console: who sees it, what an admin changes, and what stands in the trail of it. */
import test from "ava";
import { listAudit } from "../../src/partners/audit.ts";
import { useEdits } from "../../src/payments/catalogue.ts";
import { readEdits } from "../../src/recognition/product-edits.ts";
import { openWorld } from "./world.ts";

const written = {
  title: "Sundby <b>Motion</b>",
  type: "SUBSCRIPTION",
  category: "LEISURE_STREAMING",
  words: "sundby motion",
  countries: "DK",
  frequencies: "MONTHLY",
  cancellation: "POSSIBLE",
  hasTrial: "yes",
};
const inTheTrail = { partnerId: null, since: null, until: null, event: "catalogue.edited", sessionId: null };

test.afterEach.always(() => useEdits(0, []));

test.serial("an admin makes a product of a payee that users name, and it is known then", async (t) => {
  const world = await openWorld(t);
  await world.database.query(
    `with anna as (insert into users (partner_id, brand_id, bank_user_id, locale) values ('north', 'north-dk', 'anna', 'da-DK') returning id)
     insert into submissions (user_id, txid, outcome, payee_key) select id, 't-1', 'SUCCESS', 'SUNDBY MOTION' from anna`,
  );
  const ann = await world.signedIn("ann", "admin");
  const before = await ann.get("/console/catalogue");
  t.true(before.html.includes('href="/console/catalogue/new?word=SUNDBY%20MOTION"'));
  const form = await ann.get("/console/catalogue/new?word=SUNDBY%20MOTION");
  t.regex(form.html, /value="Sundby Motion"/);
  t.is((await ann.post("/console/catalogue/new", written)).location, "/console/catalogue/products/sundby-b-motion-b");
  const after = await ann.get("/console/catalogue");
  t.true(
    after.html.includes('<a href="/console/catalogue/products/sundby-b-motion-b">Sundby &lt;b&gt;Motion&lt;/b&gt;</a>'),
  );
  t.false(after.html.includes("new?word=SUNDBY"));
  t.false(after.html.includes("<b>Motion"));
  const [traced] = await listAudit(world.database, inTheTrail, 10);
  t.is(traced?.actor, "console:ann");
  t.like(traced?.details, { productId: "sundby-b-motion-b", kind: "put", words: ["sundby motion"] });
});

test.serial(
  "what was not understood is told above the form, with what was typed kept, and nothing is changed",
  async (t) => {
    const world = await openWorld(t);
    const ann = await world.signedIn("ann", "admin");
    await ann.get("/console/catalogue/new");
    const answer = await ann.post("/console/catalogue/new", { ...written, category: "", words: "x" });
    t.is(answer.status, 422);
    t.regex(answer.html, /Choose a category\./);
    t.regex(answer.html, /3 to 60 characters: x\./);
    t.regex(answer.html, /value="Sundby &lt;b&gt;Motion&lt;\/b&gt;"/);
    const taken = await ann.post("/console/catalogue/new", { ...written, title: "Netflix" });
    t.regex(taken.html, /There is a product netflix already/);
    t.is((await readEdits(world.database)).length, 0);
  },
);

test.serial("a shipped product is changed, taken away, and as it was shipped again", async (t) => {
  const world = await openWorld(t);
  const ann = await world.signedIn("ann", "admin");
  const at = "/console/catalogue/products/netflix";
  t.regex((await ann.get(at)).html, /as shipped/);
  const changed = { ...written, title: "Netflix Nordic", words: "" };
  t.is((await ann.post(at, changed)).location, at);
  t.regex((await ann.get(at)).html, /<h1>Netflix Nordic<\/h1>/);
  t.is((await ann.post(at, changed)).status, 409);
  t.is((await ann.post(`${at}/remove`)).location, at);
  t.regex((await ann.get(at)).html, /taken away/);
  t.is((await ann.post(`${at}/reset`)).location, at);
  t.regex((await ann.get(at)).html, /as shipped/);
  t.is((await ann.post(`${at}/reset`)).status, 409);
  t.is((await listAudit(world.database, inTheTrail, 10)).length, 3);
});

test.serial("an operator looks and changes nothing; who sees some partners alone is not shown it", async (t) => {
  const world = await openWorld(t);
  const oda = await world.signedIn("oda", "operator");
  const { html } = await oda.get("/console/catalogue/products/netflix");
  t.false(html.includes('action="/console/catalogue'));
  t.is((await oda.get("/console/catalogue/new")).status, 403);
  const posts = ["new", "products/netflix", "products/netflix/remove", "products/netflix/reset"];
  for (const at of posts) t.is((await oda.post(`/console/catalogue/${at}`, written)).status, 403, at);
  const limited = await world.signedIn("lim", "admin", ["north"]);
  t.false((await limited.get("/console")).html.includes("/console/catalogue"));
  await limited.get("/console/account");
  for (const at of ["", "/new", "/products/netflix"])
    t.is((await limited.get(`/console/catalogue${at}`)).status, 403, at);
  await limited.get("/console/account");
  for (const at of posts) t.is((await limited.post(`/console/catalogue/${at}`, written)).status, 403, at);
  t.is((await readEdits(world.database)).length, 0);
});
