import test from "ava";
import type { IngestTask } from "../../workers/messages.ts";
import { createClock } from "../../src/clock.ts";
import type { Database } from "../../src/database.ts";
import { createEvents } from "../../src/events.ts";
import { attemptsMax, dispatch, type Dispatching } from "../../src/staging/dispatch.ts";
import { Stopping } from "../../src/staging/pools.ts";
import { addDelivery, addPartner } from "../parties.ts";
import { createTestDatabase } from "../world.ts";

test("a load that breaks is thrown back to the queue until its attempts are used up, then it is refused and says why", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  const young = await addDelivery(database, partner, "loading", { attempts: attemptsMax - 1 });
  const poison = await addDelivery(database, partner, "loading", { attempts: attemptsMax });
  const dispatching = worldOf(database, () => Promise.reject(new TypeError("cannot read")));
  await t.throwsAsync(dispatch(dispatching, young.id), { message: "cannot read" });
  await dispatch(dispatching, poison.id);
  t.deepEqual(await stateOf(database, young.id), { state: "loading", refusal_code: null, refusal_reason: null });
  t.deepEqual(await stateOf(database, poison.id), {
    state: "refused",
    refusal_code: "LOAD_ABANDONED",
    refusal_reason: "Loading failed 5 times; the last time: TypeError.",
  });
});

test("an attempt that the database broke off does not count against the delivery", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  const { id } = await addDelivery(database, partner, "loading", { attempts: attemptsMax });
  const away = Object.assign(new Error("terminating connection"), { code: "57P01" });
  await t.throwsAsync(dispatch(worldOf(database, () => Promise.reject(away)), id), { is: away });
  t.is((await stateOf(database, id)).state, "loading");
});

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
  await dispatch({ ...dispatching, receipts: { write: (one) => (written.push(one), Promise.resolve()) } }, id);
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
  await database.query("update deliveries set revisit_requested_at = now(), revisit_attempts = 99");
  const requested = async () => (await database.query("select 1 from deliveries where revisit_requested_at is not null")).rowCount;
  const away = Object.assign(new Error("terminating connection"), { code: "57P01" });
  await t.throwsAsync(dispatch(worldOf(database, () => Promise.reject(away)), id), { is: away });
  t.is(await requested(), 1);
  await t.throwsAsync(dispatch(worldOf(database, () => Promise.reject(new Error("broken"))), id), { message: "broken" });
  t.is(await requested(), 0);
});

test("a loaded delivery of which records are due is read again, and what one makes due of others is queued", async (t) => {
  const { database } = await createTestDatabase(t);
  const partner = await addPartner(database);
  const other = await addDelivery(database, partner, "loaded");
  const { id } = await addDelivery(database, partner, "loaded");
  await database.query("update deliveries set revisit_requested_at = now()");
  const [ingested, queued]: string[][] = [[], []];
  const dispatching = {
    ...worldOf(database, () => Promise.reject(new Error("is not reached"))),
    ingest: async (task: IngestTask) => (ingested?.push(task.deliveryId), { state: "loaded" } as const),
    enqueue: async (ids: readonly string[]) => void queued?.push(...ids),
  };
  await dispatch(dispatching, id);
  t.deepEqual(ingested, [id]);
  t.deepEqual(queued, [other.id]);
});

function worldOf(database: Database, ingest: (task: IngestTask) => Promise<never>): Dispatching {
  return { database, ingest, events: createEvents({ level: "silent" }), clock: createClock(), receipts: { write: () => Promise.resolve() }, enqueue: () => Promise.resolve() };
}

async function stateOf(database: Database, id: string): Promise<{ state: string; refusal_code: string | null; refusal_reason: string | null }> {
  const { rows } = await database.query<{ state: string; refusal_code: string | null; refusal_reason: string | null }>(
    "select state, refusal_code, refusal_reason from deliveries where id = $1",
    [id],
  );
  const row = rows[0];
  if (!row) throw new Error("the delivery is gone");
  return row;
}
