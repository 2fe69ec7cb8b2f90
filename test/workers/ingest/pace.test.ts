/** A load with a rate is never further ahead of it than two seconds' records, and never held back behind it. */
import test from "ava";
import { ingestDelivery } from "../../../workers/ingest/ingest.ts";
import { startPace } from "../../../workers/ingest/pace.ts";
import { answered, asked, type RestClock, Turn } from "../../../workers/turn.ts";
import { ledgerSize, lineFile, openLoading, request, transactions } from "../world.ts";

test("what is ahead of the rate is told exactly, whatever chunks it comes in", (t) => {
  const clock = { now: 0, nowMs: () => clock.now };
  const pace = startPace(1000, clock);
  t.is(pace.note(2000), 2000);
  clock.now = 1500;
  t.is(pace.note(500), 1000);
  clock.now = 30_000;
  t.is(pace.note(2000), 0);
});

test("a chunk has two seconds' records, at least one, and never more than any other chunk", (t) => {
  const chunkOf = (rate: number) => startPace(rate, { nowMs: () => 0 }).chunkRecordsMax;
  t.deepEqual([0.1, 1, 1000, 10_000, 1_000_000].map(chunkOf), [1, 2, 2000, 20_000, 20_000]);
});

test("40,000 records at 1,000 a second take 40 seconds but for a chunk's, and never run ahead", async (t) => {
  const world = await openLoading(t);
  const id = await world.deliverFile("jsonl", lineFile(inBatches(transactions("u1", 40_000), 500)));
  const loadedAt: [seconds: number, records: number][] = [];
  const clock = {
    ...virtualClock(),
    async sleep(_: unknown, ms: number) {
      loadedAt.push([clock.nowMs() / 1000, await ledgerSize(world.database)]);
      clock.pass(ms);
    },
  };
  t.deepEqual(await ingestDelivery(world.context, { deliveryId: id, recordsPerSecondMax: 1000 }, clock), {
    state: "loaded",
  });
  t.deepEqual(
    loadedAt,
    // Batches count too, so that three of 500 make a chunk.
    Array.from({ length: 26 }, (_, chunk) => [chunk * 1.5, (chunk + 1) * 1500]),
  );
  t.is(clock.nowMs(), 39_000);
  t.is(await ledgerSize(world.database), 40_000);
});

test("a load slower than its rate never rests", async (t) => {
  const world = await openLoading(t);
  const id = await world.deliverFile("jsonl", lineFile(inBatches(transactions("u1", 5000), 500)));
  const clock = virtualClock();
  let readings = 0;
  const slow = { ...clock, nowMs: () => (readings++ === 0 ? 0 : 60_000) };
  t.deepEqual(await ingestDelivery(world.context, { deliveryId: id, recordsPerSecondMax: 1000 }, slow), {
    state: "loaded",
  });
  t.is(clock.nowMs(), 0);
});

test("one whose turn ends while it rests tells how long it has still to rest, and goes on where it stood", async (t) => {
  const world = await openLoading(t);
  const id = await world.deliverFile("jsonl", lineFile(inBatches(transactions("u1", 3000), 500)));
  const control = new SharedArrayBuffer(12);
  const words = new Int32Array(control);
  const clock = virtualClock();
  const ending = {
    ...clock,
    async sleep() {
      t.deepEqual([words[1], words[2]], [answered.rests, 1500]);
      clock.pass(500);
      Atomics.store(words, 0, asked.end);
    },
  };
  const task = { deliveryId: id, recordsPerSecondMax: 1000, control };
  t.deepEqual(await ingestDelivery(world.context, task, ending), { state: "paused", restMs: 1000 });
  t.is(await ledgerSize(world.database), 1500);
  t.like(await world.ingest(id), { state: "loaded", records: 3000, recordsNew: 3000 });
});

test("one that is parked while it rests does not rest again once it goes on late", async (t) => {
  const words = new Int32Array(new SharedArrayBuffer(12));
  const clock = virtualClock();
  let sleeps = 0;
  const turn = new Turn(
    { control: words.buffer as SharedArrayBuffer },
    {
      ...clock,
      async sleep() {
        sleeps += 1;
        Atomics.store(words, 0, asked.park);
      },
    },
  );
  const resting = turn.rest(2000);
  await Atomics.waitAsync(words, 1, answered.rests).value;
  t.is(Atomics.load(words, 1), answered.parked);
  clock.pass(7000);
  Atomics.store(words, 0, asked.run);
  Atomics.notify(words, 0);
  t.is(await resting, 0);
  t.is(sleeps, 1);
  t.is(Atomics.load(words, 1), answered.runs);
});

/** Time passes only by sleeping, or when the test says so. */
function virtualClock(): RestClock & { pass(ms: number): void } {
  let now = 0;
  return {
    nowMs: () => now,
    pass: (ms) => (now += ms),
    async sleep(_, ms) {
      now += ms;
    },
  };
}

function inBatches(records: readonly unknown[], size: number): string[] {
  return Array.from({ length: Math.ceil(records.length / size) }, (_, batch) =>
    request(records.slice(batch * size, batch * size + size)),
  );
}
