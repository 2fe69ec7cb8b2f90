/** What users and operators decide about a service holds through imports, merges, new prices and names. */
import test from "ava";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { run as runPartner } from "../../../src/cli/partner/partner.ts";
import { refreshUser } from "../../../src/recognition/run.ts";
import { openCommandLine } from "../../cli/command.ts";
import { monthlyPaid, openRecognised, recogniserOf, today } from "../recognised.ts";

const months = ["2026-01", "2026-02", "2026-03", "2026-04", "2026-05", "2026-06"];

test.serial(
  "a hidden service stays hidden, under its id, through a repeated import, a new price, another name and a new algorithm",
  async (t) => {
    const world = await openRecognised(t);
    const history = monthlyPaid("Sundby Motion", -199, months);
    const anna = await world.customer("anna", "2026-06-14", history);
    const { id } = await anna.only();
    await anna.hide(id, true);
    const stillHidden = async (what: string, payments: number) => {
      t.deepEqual((await anna.list()).services, [], what);
      const [service] = (await anna.list("HIDDEN")).services;
      t.like(service, { id, visibility: "HIDDEN", visibilityOption: "ASK_TO_SHOW", cancellationOption: "HIDE" }, what);
      t.is(service?.payments.length, payments, what);
    };
    await stillHidden("hidden", 6);
    await anna.pay(history);
    await world.recogniseOn(today);
    await stillHidden("sent again", 6);
    await anna.pay(monthlyPaid("Sundby Motion", -229, ["2026-07", "2026-08"]));
    await world.recogniseOn("2026-08-20");
    await stillHidden("a new price", 8);
    await anna.pay(monthlyPaid("Puls Fitness", -229, ["2026-09", "2026-10", "2026-11"]));
    await world.recogniseOn("2026-11-20");
    await stillHidden("another name", 11);
    await world.database.query("update read_models set algorithm_version = 0");
    await world.database.query("insert into changed_users select user_id from read_models");
    await world.recogniseOn("2026-11-20");
    await stillHidden("a new algorithm", 11);
    await anna.hide(id, false);
    t.like((await anna.list()).services[0], { id, visibility: "VISIBLE", visibilityOption: "ASK_TO_HIDE" });
  },
);

test.serial("what was decided about one of two services that turn out to be one is decided about both", async (t) => {
  const world = await openRecognised(t);
  const anna = await world.customer("anna", "2026-06-14", monthlyPaid("Sundby Motion", -199, months));
  const { id } = await anna.only();
  // As an earlier run may have left it: half of the payments as a service of their own, hidden, under cancellation.
  const younger = "3f6a7c1e-58f1-5b0f-9a53-0d8c6f1f2a44";
  await world.database.query("update services set txids = txids[1:4]");
  await world.database.query(
    `insert into services (id, user_id, key, txids, first_detected_on, hidden, status, payment_frequency, document, detected_at)
     select $1, user_id, key || 'b', array['Sundby Motion 2026-05', 'Sundby Motion 2026-06'], first_detected_on, true, status, payment_frequency, document, now() + interval '1 second'
       from services`,
    [younger],
  );
  await world.database.query(
    "insert into cancellation_cases (user_id, service_id, state, changed_on) values ($1, $2, 'OPEN', '2026-06-15')",
    [anna.userId, younger],
  );
  await world.database.query("insert into changed_users (user_id) values ($1)", [anna.userId]);
  await world.recogniseOn(today);
  t.like(await anna.only(), { id, visibility: "HIDDEN", status: "UNDER_CANCELLATION" });
  t.deepEqual((await world.database.query("select service_id from cancellation_cases")).rows, [{ service_id: id }]);
  t.is((await world.database.query("select 1 from services")).rowCount, 1);
});

test.serial("showing a service confirms it where it was undecided", async (t) => {
  const world = await openRecognised(t);
  const anna = await world.customer("anna", "2026-06-14", monthlyPaid("Netflix", -79, ["2026-06"]));
  const { id, visibility } = await anna.only();
  t.is(visibility, "UNDECIDED");
  t.is((await anna.list()).averageTotalAmount, 0);
  await anna.hide(id, false);
  t.like(await anna.only(), {
    id,
    visibility: "VISIBLE",
    visibilityOption: "ASK_TO_HIDE",
    cancellationOption: "POSSIBLE",
  });
  t.is((await anna.list()).averageTotalAmount, 79);
  await world.recogniseOn("2026-06-20");
  t.is((await anna.only()).visibility, "VISIBLE");
});

test.serial("a decision made while the user is being recognised waits for it and holds", async (t) => {
  const world = await openRecognised(t);
  const anna = await world.customer("anna", "2026-06-14", monthlyPaid("Sundby Motion", -199, months));
  const { id } = await anna.only();
  for (let round = 0; round < 10; round++) {
    const hidden = round % 2 === 0;
    await Promise.all([
      refreshUser(recogniserOf(world.database, today), anna.userId),
      anna.hide(id, hidden),
      anna.submit("Sundby Motion 2026-06"),
    ]);
    if (round > 0) t.is((await anna.only()).visibility, hidden ? "HIDDEN" : "VISIBLE", String(round));
  }
});

test.serial("an operator hides products of a brand; what the user decided wins", async (t) => {
  const world = await openRecognised(t);
  const { dataDir } = await openCommandLine(t, world.url);
  await writeFile(path.join(dataDir, "postgres-url"), world.url);
  const set = (...parameters: string[]) => runPartner(["brand", "set", "north", ...parameters, "--data-dir", dataDir]);
  const anna = await world.customer("anna", "2026-06-14", monthlyPaid("Netflix", -79, months));
  const bo = await world.customer("bo", "2026-06-14", monthlyPaid("Netflix", -79, months));
  await bo.hide((await bo.only()).id, false);
  t.is(await set("north-dk", "hiddenProducts=netflix,spotify", "crowdsourcing=off"), 0);
  await world.recogniseOn(today);
  t.is((await anna.only()).visibility, "HIDDEN");
  t.is((await bo.only()).visibility, "VISIBLE");
  t.is(await set("north-dk", "hiddenProducts="), 0);
  await world.recogniseOn(today);
  t.is((await anna.only()).visibility, "VISIBLE");
  t.deepEqual((await world.database.query("select features from brands where id = 'north-dk'")).rows, [
    { features: { crowdsourcing: false, hiddenProducts: [] } },
  ]);
  t.is((await world.database.query("select 1 from audit_events where event = 'partner.brand-changed'")).rowCount, 2);
  for (const [parameters, code, message] of [
    [["north-dk", "hiddenProducts=netflix,no-such"], "COMMAND_USAGE", /which has no no-such/],
    [
      ["north-dk", "crowdsourcing=maybe", "colour=blue"],
      "COMMAND_USAGE",
      /crowdsourcing must be on or off; colour is not/,
    ],
    [["north-dk"], "COMMAND_USAGE", /NAME=VALUE is missing/],
    [["north-fi", "crowdsourcing=on"], "NOT_FOUND", /no brand "north-fi"/],
  ] as const)
    await t.throwsAsync(set(...parameters), { code, message });
});
