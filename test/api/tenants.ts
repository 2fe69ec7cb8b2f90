/** A user with everything that has an id, another of the same partner, and one of another partner. */
import { createPublicKey } from "node:crypto";
import type { ExecutionContext } from "ava";
import { SignJWT } from "jose";
import type { BudgetDocument } from "../../src/interface/budgets.ts";
import type { ServiceResponse } from "../../src/interface/services.ts";
import type { Database } from "../../src/database/database.ts";
import { findSubjectTables } from "../../src/data-subjects/tables.ts";
import { addLoginKey } from "../../src/partners/keys/login-keys.ts";
import { userData } from "../budgets/household.ts";
import { openBudgets } from "./budget-world.ts";
import { monthlyPaid } from "./recognised.ts";
import { partnerPath, type World } from "./world.ts";

export type Tenant = {
  partnerId: string;
  token: string;
  /** A budget of its own. */
  budgetId: string;
};

export type Tenants = World & {
  victim: Tenant & {
    /** By name of the path parameter: an id of the victim's. */
    ids: Record<string, string>;
    transactionIds: string[];
    alertIds: string[];
    /** Texts that no answer to anybody else may hold. */
    marks: string[];
  };
  neighbour: Tenant;
  outsider: Tenant;
  /** Every row that is held about the victim, in every table there is. */
  heldOfVictim(): Promise<Record<string, string>>;
};

const months = ["2026-01", "2026-02", "2026-03", "2026-04", "2026-05", "2026-06"];
const brandOfSouth = "south-de";

export async function openTenants(t: ExecutionContext): Promise<Tenants> {
  const world = await openBudgets(t);
  const { anna } = world;
  // A target that nothing reaches keeps the question about the payee that nobody knows open.
  await world.database.query("update brands set features = features || '{\"budgetTargetPercent\": 100}'");
  await anna.pay(
    ["2025-08-04", "2025-11-11", "2026-02-03"].map((day) => ({
      txid: `annas-mystery ${day}`,
      day,
      amount: -610,
      name: null,
      description: "QZ Plimf",
      type: "OTHER",
    })),
  );
  await anna.pay([
    ...monthlyPaid("ANNAS FITNESS", -199, months),
    { txid: "annas-club", day: "2026-05-20", amount: -240, name: "Annas Klub" },
  ]);
  await world.recogniseOn("2026-06-15");
  t.is(await anna.submit("annas-club", "QUARTERLY"), 201);
  const budget = await world.budgetOf(anna, { userData });
  const neighbour = await world.customer("bert", "2026-06-14", monthlyPaid("BERTS RADIO", -77, months));
  const outsider = await loginAtSouth(t, world);
  const victim = {
    partnerId: "north",
    token: anna.token,
    budgetId: budget.id,
    ...(await possessionsOf(t, world, anna.token, budget.id)),
  };
  return {
    ...world,
    victim,
    neighbour: { partnerId: "north", token: neighbour.token, budgetId: (await world.budgetOf(neighbour)).id },
    outsider: { partnerId: "south", token: outsider, budgetId: await createBudget(t, world, outsider) },
    heldOfVictim: () => heldOf(world.database, anna.userId),
  };
}

async function possessionsOf(t: ExecutionContext, world: World, token: string, budgetId: string) {
  const read = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await world.call(method, `${partnerPath}${path}`, {
      token,
      ...(body === undefined ? {} : { body }),
    });
    t.true([200, 202].includes(answer.status), `${path}: ${answer.text}`);
    return answer.json;
  };
  const { services, alerts = [] } = (await read("GET", "/services")) as ServiceResponse;
  const transactions = (await read("GET", "/transactions")) as { id: string }[];
  const { categories } = (await read("GET", `/budgets/${budgetId}`)) as BudgetDocument;
  const expenses = categories.flatMap((group) => group.categories).flatMap((leaf) => leaf.expenses);
  const question = (await read("GET", `/budgets/${budgetId}/questions/next`)) as { id: string };
  const { documentId } = (await read("POST", "/reports", { type: "NEXT_OF_KIN" })) as { documentId: string };
  const ids = {
    serviceId: services[0]!.id,
    budgetId,
    expenseId: expenses[0]!.id,
    actionId: question.id,
    documentId,
    categoryId: "HOUSING_RENT",
  };
  const alertIds = alerts.map(({ id }) => id);
  const transactionIds = transactions.map(({ id }) => id);
  t.true(alertIds.length > 0 && transactionIds.length > 0);
  const marks = ["ANNAS", "Annas", ids.serviceId, budgetId, documentId, ids.actionId, ...alertIds, ...transactionIds];
  return { ids, alertIds, transactionIds, marks };
}

async function loginAtSouth(t: ExecutionContext, world: World): Promise<string> {
  const publicKeyPem = createPublicKey(world.loginKey).export({ format: "pem", type: "spki" }).toString();
  await addLoginKey(world.database, {
    partnerId: "south",
    kid: null,
    algorithm: "RS256",
    publicKeyPem,
    expiresAt: null,
  });
  const at = "/partner/south/2.0.0/users";
  t.is(
    (await world.call("POST", at, { body: { bankUserId: "clara", brand: brandOfSouth, locale: "de-DE" } })).status,
    201,
  );
  const payload = await new SignJWT({ brand: brandOfSouth })
    .setProtectedHeader({ alg: "RS256" })
    .setSubject("clara")
    .setIssuedAt()
    .setExpirationTime("5m")
    .sign(world.loginKey);
  const login = await world.call("POST", `${at}/logins`, { body: { payload } });
  t.is(login.status, 200);
  return (login.json as { token: string }).token;
}

async function createBudget(t: ExecutionContext, world: World, token: string): Promise<string> {
  const created = await world.call("POST", "/partner/south/2.0.0/budgets", { token });
  t.is(created.status, 200);
  return (created.json as { id: string }).id;
}

async function heldOf(database: Database, userId: number): Promise<Record<string, string>> {
  const held: Record<string, string> = {};
  for (const { name, identifier } of await findSubjectTables(database)) {
    const { rows } = await database.query<{ all: string | null }>(
      `select string_agg(r::text, E'\\n' order by r::text) as all from ${identifier} r where user_id = $1`,
      [userId],
    );
    held[name] = rows[0]?.all ?? "";
  }
  const { rows } = await database.query<{ all: string }>("select u::text as all from users u where id = $1", [userId]);
  return { ...held, users: rows[0]?.all ?? "" };
}
