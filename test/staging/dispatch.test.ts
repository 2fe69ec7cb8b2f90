/**
 * A delivery that breaks is tried again, given up or left to others as its failure asks, and its record, receipt and
 * events say so.
 */
import test from "ava";
import type { IngestTask } from "../../workers/messages.ts";
import { createClock } from "../../src/time/clock.ts";
import type { Database } from "../../src/database/database.ts";
import { createEvents, type Events } from "../../src/events.ts";
import { dispatch, type Dispatching, serveTurn } from "../../src/staging/dispatch.ts";
import { revisitAttemptsMax } from "../../src/deliveries/revisits.ts";
import { breakdownsMax, loadAttemptsMax as attemptsMax } from "../../config/staging.ts";
import { Stopping } from "../../src/staging/pools.ts";
import { addDelivery, addPartner } from "../parties.ts";
import { createTestDatabase } from "../world.ts";

test("a load that breaks for a reason of its own is tried again later, then it is refused and says why", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  const { id } = await addDelivery(database, partner, "loading");
  const emitted: string[] = [];
  const broken = worldOf(database, () => Promise.reject(new TypeError("cannot read")));
  const dispatching = {
    ...broken,
    events: { ...broken.events, emit: (name: string) => void emitted.push(name) } as Dispatching["events"],
  };
  for (let attempt = 1; attempt < attemptsMax; attempt++) {
    const before = await timeOf(database);
    await dispatch(dispatching, id);
    t.deepEqual(await stateOf(database, id), { state: "loading", refusalCode: null, refusalReason: null });
    t.true(await isTriedAgain(database, { attempts: attempt, before, afterSeconds: [1, 2, 4, 8][attempt - 1]! }));
  }
  await dispatch(dispatching, id);
  t.deepEqual(await stateOf(database, id), {
    state: "refused",
    refusalCode: "LOAD_ABANDONED",
    refusalReason: "Loading failed 5 times; the last time: TypeError.",
  });
  t.is((await database.query("select 1 from deliveries where retry_at is not null")).rowCount, 0);
  t.deepEqual(emitted.slice(-3), ["delivery.started", "delivery.failed", "delivery.given-up"]);
});

test("what speaks against the machine or the moment does not count against the delivery, and is tried again", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  const { id } = await addDelivery(database, partner, "loading", { attempts: attemptsMax - 1 });
  for (const code of ["ENOSPC", "LOAD_OVERTAKEN", "40P01", "EROFS", "EACCES", "ESTALE", "EIO"]) {
    await dispatch(
      worldOf(database, () => Promise.reject(Object.assign(new Error("not now"), { code }))),
      id,
    );
    t.is(
      (await database.query("select 1 from deliveries where state = 'loading' and attempts = $1", [attemptsMax - 1]))
        .rowCount,
      1,
      code,
    );
  }
});

test("a delivery whose process dies again and again is given up", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  const { id } = await addDelivery(database, partner, "loading");
  await database.query("update deliveries set breakdowns = $1", [breakdownsMax]);
  await dispatch(
    {
      ...worldOf(database, () => Promise.reject(new Error("is not reached"))),
      ingest: async () => ({ state: "refused", refusalCode: "LOAD_ABANDONED" }),
    },
    id,
  );
  t.like(await stateOf(database, id), {
    state: "refused",
    refusalCode: "LOAD_ABANDONED",
    refusalReason: "The service ended 30 times while loading it, without a record in between.",
  });
});

test("an attempt that the database broke off does not count against the delivery", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  const { id } = await addDelivery(database, partner, "loading", { attempts: attemptsMax });
  const away = Object.assign(new Error("terminating connection"), { code: "57P01" });
  await t.throwsAsync(
    dispatch(
      worldOf(database, () => Promise.reject(away)),
      id,
    ),
    { is: away },
  );
  t.is((await stateOf(database, id)).state, "loading");
});

test("a load ahead of its rate goes on later, and has not failed", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  const { id } = await addDelivery(database, partner, "loading");
  const tasks: IngestTask[] = [];
  const ingest = async (task: IngestTask) => (tasks.push(task), { state: "paused", restMs: 60_000 } as const);
  const partnerOfRate = { partnerId: partner, weight: 1, recordsPerSecond: 500, recordsPerSecondOfFile: 400 };
  const before = await timeOf(database);
  await serveTurn(
    { ...worldOf(database, () => Promise.reject(new Error("is not reached"))), ingest },
    { partner: partnerOfRate, deliveryIds: [id], lane: "any" },
  );
  t.deepEqual(tasks, [{ deliveryId: id, recordsPerSecondMax: 400 }]);
  t.true(await isTriedAgain(database, { attempts: 0, before, afterSeconds: 60 }));
});

test("of a group what cannot be loaded together is loaded alone, and what another machine has is left to it", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  const ids = await Promise.all([1, 2, 3, 4].map(async () => (await addDelivery(database, partner, "accepted")).id));
  const [together, alone, elsewhere, lockedMeanwhile] = ids as [string, string, string, string];
  const ingested: string[] = [];
  const told: Told[] = [];
  const finish = (id: string) =>
    database.query("update deliveries set state = 'loaded', records = 2, records_new = 2 where id = $1", [id]);
  const dispatching: Dispatching = {
    ...worldOf(database, () => Promise.reject(new Error("is not reached"))),
    events: listening(told),
    ingestGroup: async () => {
      await finish(together);
      return { loaded: [together], elsewhere: [elsewhere], broken: [{ deliveryId: alone, reason: "TX_DATA_ERROR" }] };
    },
    ingest: async ({ deliveryId }) => {
      ingested.push(deliveryId);
      if (deliveryId === lockedMeanwhile) return { state: "loading" };
      await finish(deliveryId);
      return { state: "loaded" };
    },
    turnMs: 60_000,
  };
  const turn = {
    partner: { partnerId: partner, weight: 1, recordsPerSecond: null, recordsPerSecondOfFile: null },
    deliveryIds: ids,
    lane: "any",
  } as const;
  const served = await serveTurn(dispatching, turn);
  t.deepEqual(ingested, [alone, lockedMeanwhile]);
  t.deepEqual(served, { records: 4, elsewhere: [elsewhere, lockedMeanwhile], wasCut: false });
  t.true((await serveTurn({ ...dispatching, turnMs: -1 }, turn)).wasCut);
  t.deepEqual(told.find(({ event }) => event === "delivery.left-group")?.fields, {
    partnerId: partner,
    deliveryId: alone,
    reason: "TX_DATA_ERROR",
  });
});

test("a group that breaks as a whole is told before its members are loaded alone", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  const ids = await Promise.all([1, 2].map(async () => (await addDelivery(database, partner, "accepted")).id));
  const told: Told[] = [];
  const broken = new Error("is broken");
  const dispatching: Dispatching = {
    ...worldOf(database, () => Promise.reject(new Error("is not reached"))),
    events: listening(told),
    ingestGroup: () => Promise.reject(broken),
    ingest: async ({ deliveryId }) => {
      told.push({ event: "loaded alone", fields: { deliveryId } });
      await database.query("update deliveries set state = 'loaded', records = 1, records_new = 1 where id = $1", [
        deliveryId,
      ]);
      return { state: "loaded" };
    },
    turnMs: 60_000,
  };
  await serveTurn(dispatching, {
    partner: { partnerId: partner, weight: 1, recordsPerSecond: null, recordsPerSecondOfFile: null },
    deliveryIds: ids,
    lane: "any",
  });
  t.deepEqual(told[0], { event: "delivery.group-failed", fields: { partnerId: partner, count: 2, error: broken } });
  t.deepEqual(
    told.filter(({ event }) => event === "loaded alone").map(({ fields }) => fields),
    ids.map((deliveryId) => ({ deliveryId })),
  );
});

test("a receipt that cannot be written while a delivery is loaded is told, and the load goes on", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  const { id } = await addDelivery(database, partner, "accepted");
  const told: Told[] = [];
  const { promise: failed, resolve: fail } = Promise.withResolvers<void>();
  let written = 0;
  const dispatching: Dispatching = {
    ...worldOf(database, () => Promise.reject(new Error("is not reached"))),
    events: listening(told),
    receiptEveryMs: 1,
    receipts: {
      writeAll: async () => new Map(),
      write: async () => {
        written += 1;
        if (written > 1) return;
        fail();
        throw new Error("the disk is full");
      },
    },
    ingest: async () => {
      await failed;
      await database.query("update deliveries set state = 'loaded', records = 1, records_new = 1 where id = $1", [id]);
      return { state: "loaded" };
    },
  };
  await dispatch(dispatching, id);
  t.like(told.find(({ event }) => event === "receipt.failed")?.fields, { partnerId: partner, deliveryId: id });
  t.is((await stateOf(database, id)).state, "loaded");
});

type Told = { event: string; fields: object };

/** Events that are kept in the order in which they came. */
function listening(told: Told[]): Events {
  const events = createEvents({ level: "silent" });
  return { ...events, registry: events.registry, emit: (event, fields) => void told.push({ event, fields }) };
}

test("a load that the stop cut off does not count against the delivery and is no failure", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  const { id } = await addDelivery(database, partner, "loading", { attempts: attemptsMax });
  const emitted: string[] = [];
  const dispatching = worldOf(database, () => Promise.reject(new Stopping("The service stops.")));
  const events = { ...dispatching.events, emit: (name: string) => void emitted.push(name) } as Dispatching["events"];
  await t.throwsAsync(dispatch({ ...dispatching, events }, id), { instanceOf: Stopping });
  t.is((await stateOf(database, id)).state, "loading");
  t.deepEqual(emitted, ["delivery.started"]);
});

test("a finished delivery is not loaded again, but its receipt is looked after", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  const { id } = await addDelivery(database, partner, "loaded");
  const written: string[] = [];
  const dispatching = worldOf(database, () => Promise.reject(new Error("must not be loaded")));
  await dispatch(
    { ...dispatching, receipts: { ...dispatching.receipts, write: (one) => (written.push(one), Promise.resolve()) } },
    id,
  );
  t.deepEqual(written, [id]);
});

test("a job for a delivery that is gone ends quietly", async (t) => {
  const { database } = await createTestDatabase(t);
  const dispatching = worldOf(database, () => Promise.reject(new Error("must not be loaded")));
  await t.notThrowsAsync(dispatch(dispatching, "00000000-0000-7000-8000-000000000000"));
});

test("while a file is loaded its receipt tells the counts so far", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  const { id } = await addDelivery(database, partner, "accepted");
  const { promise: loaded, resolve: finish } = Promise.withResolvers<void>();
  const states: string[] = [];
  const dispatching = {
    ...worldOf(database, () => Promise.reject(new Error("is not reached"))),
    receiptEveryMs: 1,
    async ingest() {
      await database.query("update deliveries set state = 'loading' where id = $1", [id]);
      await loaded;
      await database.query("update deliveries set state = 'loaded' where id = $1", [id]);
      return { state: "loaded" } as const;
    },
    receipts: {
      async writeAll(ids: readonly string[]) {
        for (const one of ids) states.push((await stateOf(database, one)).state);
        return new Map();
      },
      async write(one: string) {
        states.push((await stateOf(database, one)).state);
        if (states.filter((state) => state === "loading").length === 2) finish();
      },
    },
  };
  await dispatch(dispatching, id);
  t.true(states.filter((state) => state === "loading").length >= 2);
  t.is(states.at(-1), "loaded");
});

test("a revisit that fails counts only when the database was there, and is given up in the end", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  const { id } = await addDelivery(database, partner, "loaded");
  await database.query("update deliveries set revisit_requested_at = now(), revisit_attempts = $1", [
    revisitAttemptsMax,
  ]);
  const requested = async () =>
    (await database.query("select 1 from deliveries where revisit_requested_at is not null")).rowCount;
  const away = Object.assign(new Error("terminating connection"), { code: "57P01" });
  await t.throwsAsync(
    dispatch(
      worldOf(database, () => Promise.reject(away)),
      id,
    ),
    { is: away },
  );
  t.is(await requested(), 1);
  for (const code of ["ENOSPC", "40P01"])
    await dispatch(
      worldOf(database, () => Promise.reject(Object.assign(new Error("not now"), { code }))),
      id,
    );
  t.is(await requested(), 1);
  await database.query("update deliveries set revisit_attempts = $1", [revisitAttemptsMax]);
  await dispatch(
    worldOf(database, () => Promise.reject(new Error("broken"))),
    id,
  );
  t.is(await requested(), 0);
});

test("a revisit whose process dies again and again is given up", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  const { id } = await addDelivery(database, partner, "loaded");
  await database.query("update deliveries set revisit_requested_at = now(), revisit_attempts = $1", [breakdownsMax]);
  await dispatch(
    {
      ...worldOf(database, () => Promise.reject(new Error("is not reached"))),
      ingest: async () => ({ state: "loaded" }),
    },
    id,
  );
  const { rows } = await database.query(
    `select revisit_requested_at as "revisitRequestedAt", revisit_refusal_code as "revisitRefusalCode",
            revisit_refusal_reason as "revisitRefusalReason"
       from deliveries`,
  );
  t.deepEqual(rows, [
    {
      revisitRequestedAt: null,
      revisitRefusalCode: "LOAD_ABANDONED",
      revisitRefusalReason: "The service ended 30 times while reading it again, without a record in between.",
    },
  ]);
});

test("a loaded delivery of which records are due is read again, and what one makes due of others is called for", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  await addDelivery(database, partner, "loaded");
  const { id } = await addDelivery(database, partner, "loaded");
  await database.query("update deliveries set revisit_requested_at = now()");
  const ingested: string[] = [];
  let calls = 0;
  const dispatching = {
    ...worldOf(database, () => Promise.reject(new Error("is not reached"))),
    ingest: async (task: IngestTask) => (ingested.push(task.deliveryId), { state: "loaded" } as const),
    wake: () => void (calls += 1),
  };
  await dispatch(dispatching, id);
  t.deepEqual(ingested, [id]);
  t.is(calls, 1);
});

function worldOf(database: Database, ingest: (task: IngestTask) => Promise<never>): Dispatching {
  return {
    database,
    ingest,
    ingestGroup: () => Promise.reject(new Error("is not reached")),
    wake: () => undefined,
    events: createEvents({ level: "silent" }),
    clock: createClock(),
    receipts: { write: () => Promise.resolve(), writeAll: async () => new Map() },
  };
}

/** The database's own clock, to the microsecond: what is due is compared with it alone. */
async function timeOf(database: Database): Promise<string> {
  const { rows } = await database.query<{ at: string }>("select now()::text as at");
  return rows[0]!.at;
}

/** Whether the one delivery waits for exactly so long since a moment between `before` and now, however long that was. */
async function isTriedAgain(
  database: Database,
  { attempts, before, afterSeconds }: { attempts: number; before: string; afterSeconds: number },
): Promise<boolean> {
  const { rowCount } = await database.query(
    "select 1 from deliveries where attempts = $1 and retry_at - make_interval(secs => $3) between $2 and now()",
    [attempts, before, afterSeconds],
  );
  return rowCount === 1;
}

async function stateOf(
  database: Database,
  id: string,
): Promise<{ state: string; refusalCode: string | null; refusalReason: string | null }> {
  const { rows } = await database.query<{ state: string; refusalCode: string | null; refusalReason: string | null }>(
    `select state, refusal_code as "refusalCode", refusal_reason as "refusalReason" from deliveries where id = $1`,
    [id],
  );
  const row = rows[0];
  if (!row) throw new Error("the delivery is gone");
  return row;
}
