/**
 * Nobody reaches what is another's, whichever endpoint is tried: the calls are generated from the OpenAPI document. A
 * new endpoint is covered when it appears; one with an id that nothing here knows fails until the victim has such an
 * id.
 */
import test, { type ExecutionContext } from "ava";
import type { Answer } from "./answer.ts";
import { type Operation, operationsOf } from "./operations.ts";
import { openTenants, type Tenant, type Tenants } from "./tenants.ts";

/** Everything else of a partner needs a user's token. */
const open = ["createUser", "listEncryptionKeys", "logIn", "pushTransactions"];

type Attempt = {
  operation: Operation;
  partnerId: string;
  token?: string;
  ids?: Record<string, string>;
  body?: unknown;
};

async function attempt(
  world: Tenants,
  { operation, partnerId, token, ids = world.victim.ids, body = operation.bodyExample }: Attempt,
): Promise<Answer> {
  const path = operation.path.replaceAll(/\{([^}]+)\}/g, (_whole, name: string) =>
    name === "partnerId" ? partnerId : (ids[name] ?? `no-${name}`),
  );
  return await world.call(operation.method, path, {
    ...(token === undefined ? {} : { token }),
    ...(body === undefined ? {} : { body }),
    headers: { accept: "*/*" },
  });
}

const guarded = async () => (await operationsOf()).filter(({ needsToken }) => needsToken);

function assertTellsNothing(t: ExecutionContext, world: Tenants, { id }: Operation, answer: Answer): void {
  for (const mark of world.victim.marks) t.false(answer.text.includes(mark), `${id} tells ${mark}`);
}

test.serial("every path of a partner needs a token, but those that no user calls", async (t) => {
  const ofPartners = (await operationsOf()).filter(({ path }) => path.startsWith("/partner/"));
  t.deepEqual(
    ofPartners
      .filter(({ needsToken }) => !needsToken)
      .map(({ id }) => id)
      .sort(),
    open,
  );
  t.true(ofPartners.length > 30);
});

test.serial("no token, a broken one and another partner's open nothing", async (t) => {
  const world = await openTenants(t);
  const { victim, outsider } = world;
  const before = await world.heldOfVictim();
  const tampered = `${victim.token.slice(0, -10)}AAAAAAAAAA`;
  for (const operation of await guarded()) {
    for (const token of [undefined, "nonsense", tampered]) {
      const answer = await attempt(world, { operation, partnerId: "north", ...(token === undefined ? {} : { token }) });
      t.is(answer.status, 401, operation.id);
      t.like(answer.json, { code: "TOKEN_INVALID" });
      assertTellsNothing(t, world, operation, answer);
    }
    for (const [partnerId, token] of [
      ["north", outsider.token],
      ["south", victim.token],
    ] as const) {
      const answer = await attempt(world, { operation, partnerId, token });
      t.is(answer.status, 403, operation.id);
      t.like(answer.json, { code: "TOKEN_FOREIGN" });
      assertTellsNothing(t, world, operation, answer);
    }
  }
  t.deepEqual(await world.heldOfVictim(), before);
});

test.serial("ids of another's, in any place of any path, name nothing, and change nothing", async (t) => {
  const world = await openTenants(t);
  const { victim, neighbour, outsider } = world;
  const before = await world.heldOfVictim();
  const withIds = (await guarded()).filter(({ parameters }) => parameters.length > 0);
  t.true(withIds.length > 10);
  for (const operation of withIds) {
    for (const name of operation.parameters)
      t.truthy(victim.ids[name], `${operation.id}: give the victim of test/api/tenants.ts an id for {${name}}`);
    for (const attacker of [neighbour, outsider]) {
      for (const ids of mixtures(operation, victim.ids, attacker)) {
        const answer = await attempt(world, { operation, partnerId: attacker.partnerId, token: attacker.token, ids });
        t.is(answer.status, 404, `${operation.id}: ${answer.text}`);
        assertTellsNothing(t, world, operation, answer);
      }
    }
  }
  t.deepEqual(await world.heldOfVictim(), before);
  // The same calls by the one whose ids they are are answered: the refusals above were not for something else.
  for (const operation of withIds) {
    const answer = await attempt(world, { operation, partnerId: "north", token: victim.token });
    t.false([401, 403, 404].includes(answer.status), `${operation.id}: ${answer.text}`);
  }
});

/** All ids the victim's; and, below a budget of the attacker's own, what lies in the victim's. */
function mixtures(
  { parameters }: Operation,
  ids: Record<string, string>,
  { budgetId }: Tenant,
): Record<string, string>[] {
  const isBelowBudget =
    parameters.includes("budgetId") && parameters.some((name) => name === "expenseId" || name === "actionId");
  return isBelowBudget ? [ids, { ...ids, budgetId }] : [ids];
}

test.serial("what others read of their own holds nothing of the victim's, whatever ids they send along", async (t) => {
  const world = await openTenants(t);
  const before = await world.heldOfVictim();
  for (const operation of (await guarded()).filter(({ parameters }) => parameters.length === 0)) {
    // Its own test says what deleting does; here the callers are needed on.
    if (operation.id === "deleteUser") continue;
    for (const caller of [world.neighbour, world.outsider]) {
      const answer = await attempt(world, { operation, partnerId: caller.partnerId, token: caller.token });
      t.false([401, 403, 500].includes(answer.status), `${operation.id}: ${answer.text}`);
      assertTellsNothing(t, world, operation, answer);
    }
  }
  t.deepEqual(await world.heldOfVictim(), before);
});

type InBody = { bodies(world: Tenants): unknown[]; statuses: readonly number[] } | "names nothing of ours";

/** Each body with ids, and what naming the victim's there may be answered. */
/** A consent of the victim's that waits for its code. */
const waiting = { loginId: "0d5f7b1c-2f43-4f0b-9d35-5b0a6f0f1c22", code: "A".repeat(43) };

async function addWaitingConsent({ database }: Tenants): Promise<void> {
  await database.query(
    `insert into psd2_consents (user_id, partner_id, bank_id, bank_name, reference, access_token_sealed, token_expires_at, valid_until, state, login_id, confirmation_sha256, confirmed_until)
     select id, partner_id, 'b', 'B', 'waiting', 'x', now(), '2026-12-31', 'unconfirmed', $1, sha256($2), now() + interval '1 hour'
       from users
      where bank_user_id = 'anna'`,
    [waiting.loginId, Buffer.from(waiting.code)],
  );
}

const inBodies: Readonly<Record<string, InBody>> = {
  submitCrowdsourcing: {
    bodies: ({ victim }) => [...victim.transactionIds.slice(0, 3), "annas-club"].map((id) => ({ id })),
    statuses: [404],
  },
  setAlertsSeen: { bodies: ({ victim }) => [victim.alertIds], statuses: [200] },
  keepAccounts: { bodies: () => [["account-1"], []], statuses: [200] },
  putAccountBalances: {
    bodies: () => [
      {
        accounts: [{ accountId: "account-1", accountName: "Taken", observedTime: "2026-06-15T08:00:00Z", balance: 1 }],
      },
    ],
    statuses: [200],
  },
  answerQuestion: {
    bodies: ({ victim }) => [
      {
        type: "SERVICE",
        serviceId: victim.ids.serviceId,
        transactionId: victim.transactionIds[0],
        categories: [{ id: "HOUSING_RENT" }],
      },
    ],
    statuses: [400, 404],
  },
  // The right code of the right login: of another's token both are nothing.
  confirmPsd2: { bodies: () => [waiting], statuses: [404] },
  createUser: "names nothing of ours",
  pushTransactions: "names nothing of ours",
  makeBudgetReport: "names nothing of ours",
  // Advisers of one partner link two of its customers: only another partner's budget is another's. Its own test below.
  setCoapplicant: "names nothing of ours",
};

test.serial("ids of another's in a body name nothing, and change nothing of the other's", async (t) => {
  const world = await openTenants(t);
  await addWaitingConsent(world);
  const before = await world.heldOfVictim();
  const withIds = (await operationsOf()).filter(({ bodySchema }) => namesIds(bodySchema));
  t.deepEqual(
    withIds.map(({ id }) => id).sort(),
    Object.keys(inBodies).sort(),
    "say in inBodies what naming another's id is answered",
  );
  for (const operation of withIds) {
    const rule = inBodies[operation.id];
    if (rule === undefined || rule === "names nothing of ours") continue;
    for (const caller of [world.neighbour, world.outsider]) {
      for (const body of rule.bodies(world)) {
        const answer = await attempt(world, {
          operation,
          partnerId: caller.partnerId,
          token: caller.token,
          ids: { ...world.victim.ids, budgetId: caller.budgetId },
          body,
        });
        t.true(rule.statuses.includes(answer.status), `${operation.id}: ${answer.status} ${answer.text}`);
        assertTellsNothing(t, world, operation, answer);
      }
    }
  }
  t.deepEqual(await world.heldOfVictim(), before);
});

/** Whether a JSON body may hold an id: a property called so, or bare texts in a list. */
function namesIds(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  const {
    properties = {},
    items,
    anyOf = [],
  } = schema as { properties?: Record<string, unknown>; items?: { type?: string }; anyOf?: unknown[] };
  if (items?.type === "string") return true;
  return (
    Object.entries(properties).some(([name, inner]) => /(^i|I)ds?$/.test(name) || namesIds(inner)) ||
    namesIds(items) ||
    anyOf.some(namesIds)
  );
}

test.serial("another partner's budget cannot be named as the co-applicant's", async (t) => {
  const world = await openTenants(t);
  const { victim, outsider } = world;
  const before = await world.heldOfVictim();
  const answer = await world.call("POST", `/partner/south/2.0.0/budgets/${outsider.budgetId}/coapplicants`, {
    token: outsider.token,
    body: { type: "SEPARATE_FINANCES", budgetId: victim.budgetId },
  });
  t.is(answer.status, 404);
  t.like(answer.json, { code: "BUDGET_UNKNOWN" });
  t.deepEqual(await world.heldOfVictim(), before);
});

test.serial(
  "a login of one partner's user is no login at another partner, be it signed with the same key",
  async (t) => {
    const world = await openTenants(t);
    for (const [partnerId, sub, brand, status] of [
      ["north", "clara", "south-de", 403],
      ["south", "anna", "north-dk", 403],
      ["north", "clara", "north-dk", 404],
      ["south", "anna", "south-de", 404],
      ["south", "clara", "south-de", 200],
    ] as const) {
      const payload = await world.loginJwt({ sub, brand });
      t.is(
        (await world.call("POST", `/partner/${partnerId}/2.0.0/users/logins`, { body: { payload } })).status,
        status,
        `${sub} of ${brand} at ${partnerId}`,
      );
    }
  },
);
