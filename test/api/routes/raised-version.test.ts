/**
 * A raised version of recognition or of the budgets' rules announces nothing: no notification, no badge, no change of a
 * budget's status; ids and decisions stay. The next day's payments are news again.
 */
import test from "ava";
import { algorithmVersion } from "../../../src/recognition/version.ts";
import { markOutdated } from "../../../src/recognition/run.ts";
import { type BudgetCaller, type BudgetWorld, openBudgets } from "../budget-world.ts";
import { monthlyPaid, recogniserOf } from "../recognised.ts";

const today = "2026-06-15";

/** With a receiver, so that there is somebody to tell. */
async function openTold(t: Parameters<typeof openBudgets>[0]): Promise<BudgetWorld> {
  const world = await openBudgets(t);
  await world.database.query(
    `insert into notification_receivers (partner_id, url, authentication, secret_sealed, signing, signing_key_sealed)
     values ('north', 'https://bank.example', 'static', '', 'hmac', '')`,
  );
  return world;
}

/** As a release of these versions left the user's figures: with a budget that it found not ready, without being told. */
async function leftBy(
  { database }: BudgetWorld,
  { id }: BudgetCaller,
  { recognition, rules }: { recognition: number; rules: string | null },
): Promise<void> {
  await database.query("update budgets set status = 'DRAFT' where id = $1", [id]);
  await database.query("delete from notifications");
  await database.query("update read_models set algorithm_version = $1", [recognition]);
  await database.query("update budget_snapshots set algorithm_version = $1", [recognition]);
  if (rules !== null)
    await database.query(
      "update budget_snapshots set document = (document::jsonb || jsonb_build_object('rulesVersion', $1::text))::json",
      [rules],
    );
}

/** Everybody is recognised again, as in the night after a start. @returns the statuses that were told */
async function again({ database, recogniseOn }: BudgetWorld, day = today): Promise<string[]> {
  await markOutdated(database, recogniserOf(database, day).clock, 100);
  await database.query("insert into changed_users (user_id) select id from users on conflict do nothing");
  await recogniseOn(day);
  const { rows } = await database.query<{ status: string }>(
    "select content ->> 'budgetStatus' as status from notifications where type = 'BUDGET_CHANGED'",
  );
  return rows.map(({ status }) => status);
}

test.serial(
  "a budget that other services make ready under a raised version of recognition is ready, untold",
  async (t) => {
    const world = await openTold(t);
    const budget = await world.budgetOf(world.anna);
    t.is((await budget.read()).status, "READY");
    await leftBy(world, budget, { recognition: algorithmVersion - 1, rules: null });
    t.deepEqual(await again(world), []);
    t.is((await budget.read()).status, "READY");
    await leftBy(world, budget, { recognition: algorithmVersion, rules: null });
    t.deepEqual(await again(world), ["READY"], "the user's data alone make it news");
  },
);

test.serial("so is one that raised rules make ready, in a run and with the user's next call", async (t) => {
  const world = await openTold(t);
  const budget = await world.budgetOf(world.anna);
  await leftBy(world, budget, { recognition: algorithmVersion, rules: "budget-1, categories 2020-01" });
  t.deepEqual(await again(world), []);
  t.is((await budget.read()).status, "READY");

  await leftBy(world, budget, { recognition: algorithmVersion, rules: "budget-1, categories 2020-01" });
  t.is((await budget.call("POST", "/comment", { comment: "Moves in August." })).status, 200);
  const told = async () =>
    (await world.database.query("select content ->> 'budgetStatus' as status from notifications")).rows;
  t.deepEqual(await told(), [], "the comment made it no other");
  t.is((await budget.read()).status, "READY");
  t.is((await budget.call("POST", "/completions", { status: "ACCEPTED" })).status, 200);
  t.deepEqual(await told(), [{ status: "ACCEPTED" }], "what the call itself decides is told");
});

test.serial("a first snapshot made of a raised version's services is told", async (t) => {
  const world = await openTold(t);
  await world.database.query("delete from notifications");
  await world.budgetOf(world.anna);
  t.deepEqual(await again(world), ["READY"]);
});

const radio = (months: readonly string[]) =>
  monthlyPaid("BERTS RADIO", -77, months).map((one) => ({ ...one, day: one.day.replace(/05$/, "11") }));

test.serial(
  "a subscription that only a raised version sees wears no badge, nor is it told; its next payment is",
  async (t) => {
    const world = await openTold(t);
    const bert = await world.customer(
      "bert",
      "2026-01-20",
      radio(["2026-02", "2026-03", "2026-04", "2026-05", "2026-06"]),
    );
    t.deepEqual((await bert.only()).notifications, ["NEW_SUBSCRIPTION", "NEW_PAYMENT"], "found by the same version");
    const told = async (): Promise<unknown[]> =>
      (await world.database.query("select type from notifications where user_id = $1 order by position", [bert.userId]))
        .rows;
    // As a version left it that had overlooked the series.
    await world.database.query("delete from services where user_id = $1", [bert.userId]);
    await world.database.query("delete from notifications");
    await world.database.query("update read_models set algorithm_version = $1", [algorithmVersion - 1]);
    await again(world);
    t.deepEqual([(await bert.only()).notifications, await told()], [[], []]);
    await again(world, "2026-06-16");
    t.deepEqual([(await bert.only()).notifications, await told()], [[], []], "nor the day after");
    await bert.pay(radio(["2026-07"]));
    await again(world, "2026-07-12");
    t.deepEqual([(await bert.only()).notifications, await told()], [["NEW_PAYMENT"], [{ type: "NEW_PAYMENT" }]]);
  },
);

test.serial("a payment that a raised version adds to a known service wears no badge", async (t) => {
  const world = await openTold(t);
  const bert = await world.customer(
    "bert",
    "2026-01-20",
    radio(["2026-02", "2026-03", "2026-04", "2026-05", "2026-06"]),
  );
  await world.database.query("update services set txids = txids[1:4], first_detected_on = '2026-03-01'");
  await world.database.query("update read_models set algorithm_version = $1", [algorithmVersion - 1]);
  await again(world);
  t.deepEqual((await bert.only()).notifications, []);
});

test.serial("what was in a service before keeps its badge, and what came with the new version has one", async (t) => {
  const world = await openTold(t);
  const bert = await world.customer(
    "bert",
    "2026-01-20",
    radio(["2026-02", "2026-03", "2026-04", "2026-05", "2026-06"]),
  );
  await world.database.query("update read_models set algorithm_version = $1", [algorithmVersion - 1]);
  await again(world);
  t.deepEqual((await bert.only()).notifications, ["NEW_SUBSCRIPTION", "NEW_PAYMENT"]);
});

test.serial("a raised version keeps ids, decisions and cancellations", async (t) => {
  const world = await openTold(t);
  const bert = await world.customer(
    "bert",
    "2026-01-20",
    radio(["2026-02", "2026-03", "2026-04", "2026-05", "2026-06"]),
  );
  const { id } = await bert.only();
  await bert.hide(id, true);
  const before = await world.database.query(
    "select user_id, id, hidden, first_detected_on from services where document is not null order by user_id, id",
  );
  await world.database.query("update read_models set algorithm_version = $1", [algorithmVersion - 1]);
  await again(world);
  const after = await world.database.query(
    "select user_id, id, hidden, first_detected_on from services where document is not null order by user_id, id",
  );
  t.true(after.rows.length > 2);
  t.deepEqual(after.rows, before.rows);
  t.is((await bert.list("HIDDEN")).services[0]?.id, id);
});
