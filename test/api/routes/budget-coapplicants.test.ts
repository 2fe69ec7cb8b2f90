/**
 * Applicants' budgets are linked both ways round, also when both name each other at once or the brand wants both to.
 */
import test, { type ExecutionContext } from "ava";
import { linkedBudget } from "../../../src/budgets/coapplicants.ts";
import { type BudgetCaller, callerOf, openBudgets, unknownId } from "../budget-world.ts";
import { openRecognised, type RecognisedWorld } from "../recognised.ts";
import { partnerPath } from "../world.ts";

test.serial("applicants are linked either way round, and no figure changes", async (t) => {
  const world = await openBudgets(t);
  const bo = await world.newUser("bo");
  const [annas, bos] = [await world.budgetOf(world.anna), await world.budgetOf({ token: bo.token })];
  const before = await annas.read();
  t.is((await annas.call("POST", "/coapplicants", { type: "SEPARATE_FINANCES", budgetId: bos.id })).status, 200);
  t.deepEqual(await annas.read(), before);
  const links = async () =>
    (
      await world.database.query(
        "select budget_id, other_budget_id from budget_coapplicants order by budget_id = $1 desc",
        [annas.id],
      )
    ).rows;
  t.deepEqual(await links(), [
    { budget_id: annas.id, other_budget_id: bos.id },
    { budget_id: bos.id, other_budget_id: annas.id },
  ]);
  const audited = await world.database.query<{ details: object }>(
    "select details from audit_events where event = 'budget.coapplicant-linked'",
  );
  t.like(audited.rows[0]?.details, {
    budgetId: annas.id,
    otherBudgetId: bos.id,
    userId: world.anna.userId,
    otherUserId: bo.userId,
  });
  t.is((await bos.call("POST", "/coapplicants", { type: "SHARED_FINANCES", budgetId: annas.id })).status, 200);
  t.deepEqual(await links(), []);
  for (const [body, status, code] of [
    [{ type: "SEPARATE_FINANCES" }, 400, "REQUEST_INVALID"],
    [{ type: "SEPARATE_FINANCES", budgetId: annas.id.toUpperCase() }, 400, "REQUEST_INVALID"],
    [{ type: "SEPARATE_FINANCES", budgetId: "no-uuid" }, 400, "REQUEST_INVALID"],
    [{ type: "MARRIED" }, 400, "REQUEST_INVALID"],
    [{ type: "SEPARATE_FINANCES", budgetId: unknownId }, 404, "BUDGET_UNKNOWN"],
  ] as const) {
    const refused = await annas.call("POST", "/coapplicants", body);
    t.deepEqual([refused.status, (refused.json as { code: string }).code], [status, code], JSON.stringify(body));
  }
  t.deepEqual(await links(), []);
});

test.serial("two applicants who name each other at the same moment are both answered, and linked", async (t) => {
  const world = await openBudgets(t);
  const bo = await world.newUser("bo");
  const [annas, bos] = [await world.budgetOf(world.anna), await world.budgetOf({ token: bo.token })];
  for (const requireMirror of [false, true]) {
    await world.database.query(
      "update brands set features = jsonb_set(features, '{coapplicantsRequireMirror}', to_jsonb($1::boolean))",
      [requireMirror],
    );
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all([
        annas.call("POST", "/coapplicants", { type: "SEPARATE_FINANCES", budgetId: bos.id }),
        bos.call("POST", "/coapplicants", { type: "SEPARATE_FINANCES", budgetId: annas.id }),
      ]);
      t.deepEqual(
        answers.map(({ status }) => status),
        [200, 200],
      );
      t.is(await linkedBudget(world.database, annas.id), bos.id);
    }
  }
});

test.serial("where a brand wants both to call, one call alone links nothing", async (t) => {
  const world = await openRecognised(t);
  await world.database.query("update brands set features = features || '{\"coapplicantsRequireMirror\": true}'");
  const [annas, bos] = [await newBudget(t, world, "anna"), await newBudget(t, world, "bo")];
  await annas.call("POST", "/coapplicants", { type: "SEPARATE_FINANCES", budgetId: bos.id });
  t.is(await linkedBudget(world.database, annas.id), null);
  await bos.call("POST", "/coapplicants", { type: "SEPARATE_FINANCES", budgetId: annas.id });
  t.deepEqual(
    [await linkedBudget(world.database, annas.id), await linkedBudget(world.database, bos.id)],
    [bos.id, annas.id],
  );
});

async function newBudget(t: ExecutionContext, world: RecognisedWorld, bankUserId: string): Promise<BudgetCaller> {
  const { token } = await world.newUser(bankUserId);
  const created = await world.call("POST", `${partnerPath}/budgets`, { token });
  return callerOf(t, world, token, (created.json as { id: string }).id);
}
