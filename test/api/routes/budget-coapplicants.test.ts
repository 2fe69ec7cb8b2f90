/** Applicants' budgets are linked by both of them, also when they call at once; nobody's figures go by another's word. */
import test, { type ExecutionContext } from "ava";
import { linkedBudget } from "../../../src/budgets/coapplicants.ts";
import { type BudgetCaller, callerOf, openBudgets, unknownId } from "../budget-world.ts";
import { openRecognised, type RecognisedWorld } from "../recognised.ts";
import { partnerPath } from "../world.ts";

test.serial("both sides are answered 200; the link holds once both have called, and no figure changes", async (t) => {
  const world = await openBudgets(t);
  const bo = await world.newUser("bo");
  const [annas, bos] = [await world.budgetOf(world.anna), await world.budgetOf({ token: bo.token })];
  const before = await annas.read();
  t.is((await annas.call("POST", "/coapplicants", { type: "SEPARATE_FINANCES", budgetId: bos.id })).status, 200);
  t.deepEqual(await annas.read(), before);
  const linked = async () => [await linkedBudget(world.database, annas.id), await linkedBudget(world.database, bos.id)];
  t.deepEqual(await linked(), [null, null]);
  t.is((await bos.call("POST", "/coapplicants", { type: "SEPARATE_FINANCES", budgetId: annas.id })).status, 200);
  t.deepEqual(await linked(), [bos.id, annas.id]);
  const audited = await world.database.query<{ details: object }>(
    "select details from audit_events where event = 'budget.coapplicant-linked' order by at",
  );
  t.like(audited.rows[0]?.details, {
    budgetId: annas.id,
    otherBudgetId: bos.id,
    userId: world.anna.userId,
    otherUserId: bo.userId,
  });
  t.is((await bos.call("POST", "/coapplicants", { type: "SHARED_FINANCES", budgetId: annas.id })).status, 200);
  t.deepEqual(await linked(), [null, null], "one of the two took it back");
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
  t.deepEqual(await linked(), [null, null]);
});

for (const requireMirror of [true, false]) {
  test.serial(`nobody else's call changes a link, where both must call: ${requireMirror}`, async (t) => {
    const world = await openRecognised(t);
    await requireMirrors(world, requireMirror);
    const names = ["anna", "bo", "mallory"] as const;
    const [annas, bos, mallorys] = [
      await newBudget(t, world, names[0]),
      await newBudget(t, world, names[1]),
      await newBudget(t, world, names[2]),
    ];
    const separate = (budget: BudgetCaller, other: BudgetCaller) =>
      budget.call("POST", "/coapplicants", { type: "SEPARATE_FINANCES", budgetId: other.id });
    await separate(annas, bos);
    await separate(bos, annas);
    t.is((await separate(mallorys, annas)).status, 200, "who asks learns nothing of the others");
    t.is((await mallorys.call("POST", "/coapplicants", { type: "SHARED_FINANCES" })).status, 200);
    t.is((await separate(mallorys, bos)).status, 200);
    const linked = [annas, bos, mallorys].map(({ id }) => linkedBudget(world.database, id));
    t.deepEqual(await Promise.all(linked), [bos.id, annas.id, null]);
    t.is((await separate(annas, mallorys)).status, 200, "its own it may");
    t.deepEqual(await Promise.all([annas, bos].map(({ id }) => linkedBudget(world.database, id))), [null, null]);
  });
}

test.serial("two applicants who name each other at the same moment are both answered, and linked", async (t) => {
  const world = await openBudgets(t);
  const bo = await world.newUser("bo");
  const [annas, bos] = [await world.budgetOf(world.anna), await world.budgetOf({ token: bo.token })];
  for (const requireMirror of [false, true]) {
    await requireMirrors(world, requireMirror);
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

test.serial("where one call is enough, it tells the other its own figures, and nobody's but its own", async (t) => {
  const world = await openRecognised(t);
  await requireMirrors(world, false);
  const [annas, bos] = [await newBudget(t, world, "anna"), await newBudget(t, world, "bo")];
  const linked = async () => [await linkedBudget(world.database, annas.id), await linkedBudget(world.database, bos.id)];
  await annas.call("POST", "/coapplicants", { type: "SEPARATE_FINANCES", budgetId: bos.id });
  t.deepEqual(await linked(), [null, annas.id]);
  await annas.call("POST", "/coapplicants", { type: "SHARED_FINANCES" });
  t.deepEqual(await linked(), [null, null]);
  await bos.call("POST", "/coapplicants", { type: "SEPARATE_FINANCES", budgetId: annas.id });
  await annas.call("POST", "/coapplicants", { type: "SEPARATE_FINANCES", budgetId: bos.id });
  t.deepEqual(await linked(), [bos.id, annas.id]);
});

async function requireMirrors(world: Pick<RecognisedWorld, "database">, requireMirror: boolean): Promise<void> {
  await world.database.query(
    "update brands set features = jsonb_set(features, '{coapplicantsRequireMirror}', to_jsonb($1::boolean))",
    [requireMirror],
  );
}

async function newBudget(t: ExecutionContext, world: RecognisedWorld, bankUserId: string): Promise<BudgetCaller> {
  const { token } = await world.newUser(bankUserId);
  const created = await world.call("POST", `${partnerPath}/budgets`, { token });
  return callerOf(t, world, token, (created.json as { id: string }).id);
}
