/** The HTTPS API over users with payments, recognised by the thread's own task in this thread. */
import { randomBytes } from "node:crypto";
import type { ExecutionContext } from "ava";
import type { Database } from "../../src/database/database.ts";
import type { Service, ServiceResponse } from "../../src/interface/services.ts";
import { createEvents } from "../../src/events.ts";
import { type Recognising, recogniseChanged, refreshUser } from "../../src/recognition/run.ts";
import { type Refreshing, refreshBudgetsOf, refreshStale } from "../../src/budgets/refresh.ts";
import { refreshStaleBudgets } from "../../workers/budgets.ts";
import { recogniseUsers } from "../../workers/recognise.ts";
import { fileVault } from "../../src/vault/file-vault.ts";
import type { WorkerContext } from "../../workers/context.ts";
import { makeBudgetReport } from "../../workers/report.ts";
import type { Convert } from "../../src/rates/rates.ts";
import type { Clock } from "../../src/time/clock.ts";
import { standingOn } from "../time/clocks.ts";
import { openWorld, partnerPath, type World } from "./world.ts";

/** One ledger row; money leaving is negative. */
export type Paid = {
  txid: string;
  day: string;
  amount: number;
  name?: string | null;
  description?: string;
  mcc?: number;
  type?: string;
  currency?: string;
};

export type RecognisedWorld = World & {
  /** A user whose import was completed on the day, with its payments recognised. */
  customer(bankUserId: string, importedOn: string, payments: readonly Paid[]): Promise<Customer>;
  /** Runs what is due as a service does whose business day is `today`. */
  recogniseOn(today: string): Promise<void>;
};

export type Customer = {
  userId: number;
  token: string;
  pay(payments: readonly Paid[]): Promise<void>;
  list(visibility?: "VISIBLE" | "HIDDEN"): Promise<ServiceResponse>;
  /** The only service, whatever its visibility. */
  only(): Promise<Service>;
  hide(serviceId: string, hidden: boolean): Promise<void>;
  submit(id: string, paymentFrequency?: string): Promise<number>;
};

export const today = "2026-06-15";

/** convert: what the API converts with, from the world's database. */
export type RecognisedSettings = { clock?: Clock; convert?: (database: Database) => Promise<Convert> };

export async function openRecognised(
  t: ExecutionContext,
  { clock, convert = async () => () => null }: RecognisedSettings = {},
): Promise<RecognisedWorld> {
  let recognising: Recognising | undefined;
  let refreshing: Refreshing | undefined;
  let converts: Convert = () => null;
  const world = await openWorld(t, {
    ...(clock === undefined ? {} : { clock }),
    convert: (money, currency, day) => converts(money, currency, day),
    refreshUser: async (userId) => recognising && refreshUser(recognising, userId),
    refreshBudgets: async (userId) => refreshing && refreshBudgetsOf(refreshing, userId),
    makeBudgetReport: (task) => makeBudgetReport(workerOf(world.database), task),
  });
  converts = await convert(world.database);
  recognising = recogniserOf(world.database, today);
  refreshing = refresherOf(world.database, today);
  const recogniseOn = async (day: string): Promise<void> => {
    await world.database.query("update changed_users set touched_at = now() - interval '1 minute'");
    await recogniseChanged(recogniserOf(world.database, day));
    await refreshStale(refresherOf(world.database, day));
  };
  const customer: RecognisedWorld["customer"] = async (bankUserId, importedOn, payments) => {
    const { token, userId } = await world.newUser(bankUserId);
    await world.database.query("update users set import_completed_at = now(), import_completed_on = $2 where id = $1", [
      userId,
      importedOn,
    ]);
    const one = customerOf(t, world, userId, token);
    await one.pay(payments);
    await recogniseOn(today);
    return one;
  };
  return { ...world, recogniseOn, customer };
}

/** A thread's context in this thread. */
export function workerOf(database: Database): WorkerContext {
  return {
    database,
    keyEncryptionKey: randomBytes(32),
    pathInVault: (reference) => reference,
    vault: fileVault("/nowhere"),
  };
}

export function recogniserOf(database: Database, day: string): Recognising {
  return {
    database,
    clock: standingOn(day),
    events: createEvents({ level: "silent" }),
    baseUrl: "https://bank.example",
    recognise: (task) => recogniseUsers(workerOf(database), task),
  };
}

export function refresherOf(database: Database, day: string): Refreshing {
  return {
    database,
    clock: standingOn(day),
    events: createEvents({ level: "silent" }),
    baseUrl: "https://bank.example",
    refreshBudgets: (task) => refreshStaleBudgets(workerOf(database), task),
  };
}

function customerOf(t: ExecutionContext, world: World, userId: number, token: string): Customer {
  const list: Customer["list"] = async (visibility = "VISIBLE") => {
    const answer = await world.call("GET", `${partnerPath}/services?visibility=${visibility}`, { token });
    t.is(answer.status, 200);
    return answer.json as ServiceResponse;
  };
  return {
    userId,
    token,
    list,
    pay: (payments) => pay(world.database, userId, payments),
    async only() {
      const all = [...(await list()).services, ...(await list("HIDDEN")).services];
      t.is(all.length, 1);
      return all[0]!;
    },
    async hide(serviceId, hidden) {
      t.is(
        (await world.call("PUT", `${partnerPath}/services/${serviceId}/hidden`, { token, body: { hidden } })).status,
        200,
      );
    },
    async submit(id, paymentFrequency) {
      const answer = await world.call("POST", `${partnerPath}/crowdsourcing`, {
        token,
        body: { id, ...(paymentFrequency === undefined ? {} : { paymentFrequency }) },
      });
      return answer.status;
    },
  };
}

/** Rows as a load posts them; ones that are there already stay. */
async function pay(database: Database, userId: number, payments: readonly Paid[]): Promise<void> {
  for (const { txid, day, amount, name, description, mcc, type, currency } of payments) {
    await database.query(
      `insert into transactions (user_id, txid, booked_on, tx_time, raw_type, description, amount, currency, merchant_name, merchant_mcc, account_id, delivery_position)
       values ($1, $2, $3::date, $3::date::text, $4, $5, $6, $7, $8, $9, 'account-1', 1)
       on conflict do nothing`,
      [
        userId,
        txid,
        day,
        type ?? "CARD_PURCHASE",
        description ?? name ?? "",
        amount,
        currency ?? "DKK",
        name ?? null,
        mcc ?? null,
      ],
    );
  }
  await database.query(
    "insert into changed_users (user_id) values ($1) on conflict (user_id) do update set touched_at = now()",
    [userId],
  );
}

/** A payment on the same day of every month. */
export function monthlyPaid(name: string, amount: number, months: readonly string[], more: Partial<Paid> = {}): Paid[] {
  return months.map((month) => ({ txid: `${name} ${month}`, day: `${month}-05`, amount, name, ...more }));
}
