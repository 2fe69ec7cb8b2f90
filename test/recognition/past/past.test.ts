/** What is kept of a user's past is used only where nothing speaks against it. */
import test from "ava";
import { type Database, inTransaction } from "../../../src/database/database.ts";
import { exportUser } from "../../../src/data-subjects/export.ts";
import { eraseDeleted } from "../../../src/data-subjects/erase.ts";
import { createEvents } from "../../../src/events.ts";
import { keepAccounts } from "../../../src/ledger/account-access.ts";
import { markChanged } from "../../../src/partners/changed-users.ts";
import { markOutdated, recogniseChanged } from "../../../src/recognition/run.ts";
import type { RecogniseOutcome, RecogniseTask } from "../../../src/recognition/task.ts";
import { recogniseUsers } from "../../../workers/recognise.ts";
import { recogniserOf, workerOf } from "../../api/recognised.ts";
import { standingOn } from "../../time/clocks.ts";
import { type LoadingWorld, openLoading, transaction } from "../../workers/world.ts";

const day = "2026-09-01";

type Kept = LoadingWorld & {
  userId: number;
  /** A night with one more payment; whether of what is kept the base was made anew. */
  night(txid: string, amount?: number): Promise<boolean>;
  /** As if who is on the list had been at rest for a while. */
  rest(): Promise<unknown>;
  /** A run without new rows. */
  run(): Promise<boolean>;
  /** Amounts of the only service's payments, latest first. */
  amounts(): Promise<number[]>;
};

/** u1 has paid 79 six times, and was recognised. */
async function openKept(t: Parameters<typeof openLoading>[0]): Promise<Kept> {
  const world = await openLoading(t);
  const userId = world.userIds[0]!;
  const baseOf = async (): Promise<string | undefined> => {
    const { rows } = await world.database.query<{ base: Buffer }>("select base from packed_pasts where user_id = $1", [
      userId,
    ]);
    return rows[0]?.base.toString("hex");
  };
  const rest = (): Promise<unknown> =>
    world.database.query(
      "update changed_users set touched_at = touched_at - interval '1 minute', arrived_until = arrived_until - interval '1 minute'",
    );
  const run = async (): Promise<boolean> => {
    await rest();
    const before = await baseOf();
    await recogniseChanged(recogniserOf(world.database, day));
    return (await baseOf()) !== before;
  };
  await world.load(Array.from({ length: 6 }, (_, n) => paid(`t${n}`, `2026-0${n + 1}-15`)));
  await run();
  return {
    ...world,
    userId,
    rest,
    run,
    async night(txid, amount = 79) {
      await world.load([paid(txid, "2026-07-15", amount)]);
      return await run();
    },
    async amounts() {
      const { rows } = await world.database.query<{ amounts: number[] }>(
        "select array(select (payment ->> 'amount')::float8 from json_array_elements(document -> 'payments') payment) as amounts from services where user_id = $1 and document is not null",
        [userId],
      );
      return rows[0]?.amounts ?? [];
    },
  };
}

function paid(txid: string, on: string, amount = 79): object {
  return {
    ...transaction("u1", txid, { txTime: on, amount: -amount, merchant: { name: "Streamly" } }),
    account: { id: "account-1", name: "Account", iban: "DK5000400440116243" },
  };
}

/** What the ledger says without a word to the list: only who reads the whole sees it. */
async function changeUnseen({ database, userId }: Kept): Promise<void> {
  await database.query("update transactions set amount = -99 where user_id = $1", [userId]);
}

test("a night reads what was kept and what came, and not the ledger's other rows", async (t) => {
  const world = await openKept(t);
  await changeUnseen(world);
  t.false(await world.night("other", 5));
  t.deepEqual(await world.amounts(), [79, 79, 79, 79, 79, 79]);
  await markOutdated(world.database, standingOn("2026-09-02"), 100);
  t.false(await world.run(), "nor does a new day");
  t.deepEqual(await world.amounts(), [79, 79, 79, 79, 79, 79]);
});

const doubts: Record<string, (world: Kept) => Promise<unknown>> = {
  "who was marked without a word of what came": ({ database, userId }) =>
    inTransaction(database, (client) => markChanged(client, [userId])),
  "who was touched by a process that knows no list": ({ database, userId }) =>
    database.query(
      "insert into changed_users (user_id) values ($1) on conflict (user_id) do update set touched_at = now()",
      [userId],
    ),
  "whose read model another run has written": ({ database }) =>
    database.query("update read_models set computed_at = now()"),
  "whose past is of another version": ({ database }) => database.query("update packed_pasts set version = version - 1"),
  "whose past cannot be read": ({ database }) => database.query("update packed_pasts set base = 'x'"),
  "whose past was lost": ({ database }) => database.query("delete from packed_pasts"),
  "who lost a row that had come": ({ database }) => database.query("delete from transactions where txid = 'more'"),
  "to whom something comes that is kept already": ({ database }) =>
    database.query("update changed_users set arrived = arrived || e'\n[\"t1\"]'"),
};

for (const [who, happens] of Object.entries(doubts)) {
  test(`read whole is the history of one ${who}`, async (t) => {
    const world = await openKept(t);
    await changeUnseen(world);
    await world.load([paid("more", "2026-07-01", 5)]);
    await happens(world);
    t.true(await world.run());
    t.deepEqual(await world.amounts(), [99, 99, 99, 99, 99, 99]);
  });
}

test("of a user with a removed account nothing is kept that the account has", async (t) => {
  const world = await openKept(t);
  await inTransaction(world.database, (client) =>
    keepAccounts(client, { id: world.userId, partnerId: world.partnerId }, []),
  );
  await world.run();
  t.deepEqual(await world.amounts(), []);
  await world.night("back");
  t.is((await world.amounts()).length, 7, "a delivery that names the account brings it back");
});

test("once many have come since, the history is read whole again", async (t) => {
  const world = await openKept(t);
  await changeUnseen(world);
  const come = async (prefix: string, count: number): Promise<boolean> => {
    await world.load(
      Array.from({ length: count }, (_, n) => transaction("u1", `${prefix}${n}`, { txTime: "2026-07-01" })),
    );
    return await world.run();
  };
  t.false(await come("a", 48));
  t.true(await come("b", 1));
  t.deepEqual(await world.amounts(), [99, 99, 99, 99, 99, 99]);
});

test("what is said of a user while a run has it in hand is not lost", async (t) => {
  const world = await openKept(t);
  await world.load([paid("more", "2026-07-15")]);
  await world.rest();
  const recognising = recogniserOf(world.database, day);
  const interrupted = justBefore(world.database, "delete from changed_users", () =>
    world.load([paid("meanwhile", "2026-08-15")]),
  );
  // One run: on a slow machine what came meanwhile has settled by the next.
  let runs = 0;
  const once = async (task: RecogniseTask): Promise<RecogniseOutcome> => {
    runs += 1;
    return await recogniseUsers(workerOf(interrupted), task);
  };
  await recogniseChanged({ ...recognising, recognise: once }, () => runs > 0);
  t.is((await world.amounts()).length, 7);
  t.true(await world.run(), "what was kept is not that run's, and the history is read whole");
  t.is((await world.amounts()).length, 8);
});

/** A pool in whose transactions something happens once, before a statement that begins so. */
function justBefore(database: Database, statement: string, act: () => Promise<unknown>): Database {
  let done = false;
  return new Proxy(database, {
    get(pool, name) {
      const own = Reflect.get(pool, name, pool) as unknown;
      if (name !== "connect") return typeof own === "function" ? own.bind(pool) : own;
      return async () => {
        const client = await pool.connect();
        return new Proxy(client, {
          get(one, method) {
            const value = Reflect.get(one, method, one) as unknown;
            if (method !== "query") return typeof value === "function" ? value.bind(one) : value;
            const query = value as (...given: unknown[]) => unknown;
            return (...given: unknown[]) => {
              if (done || typeof given[0] !== "string" || !given[0].startsWith(statement))
                return query.apply(one, given);
              done = true;
              return act().then(() => query.apply(one, given));
            };
          },
        });
      };
    },
  });
}

test("what is kept is exported with the user, and erased with it", async (t) => {
  const world = await openKept(t);
  const tables: string[] = [];
  await exportUser(world.database, [world.userId], async ({ table }) => void tables.push(table));
  t.true(tables.includes("packed_pasts"));
  await world.database.query("update users set deleted_at = now() - interval '1 year' where id = $1", [world.userId]);
  await eraseDeleted({ database: world.database, events: createEvents({ level: "silent" }), now: new Date() }, "test");
  t.deepEqual((await world.database.query("select 1 from packed_pasts where user_id = $1", [world.userId])).rows, []);
});
