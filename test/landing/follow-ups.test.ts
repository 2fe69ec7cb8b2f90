/** Receipts and jobs of files that come together are written in groups, and a failing one holds nothing up. */
import { setTimeout as wait } from "node:timers/promises";
import test from "ava";
import { createEvents } from "../../src/events.ts";
import { type Followed, openFollowUps } from "../../src/landing/follow-ups.ts";

/** Longer than any test: only what hurries ends it. */
const neverMs = 3_600_000;

test("files that come together get their jobs in one go, and their receipts", async (t) => {
  const { following, done } = record();
  const followUps = openFollowUps(following, { jobs: 0, quiet: 0, receipts: 0 });
  for (const id of ["a", "b", "c"]) followUps.add(file(id));
  await followUps.close();
  t.deepEqual(done, ["jobs a b c", "receipts a b c"]);
});

test("a refused file gets its receipt and no job", async (t) => {
  const { following, done } = record();
  const followUps = openFollowUps(following, { jobs: 0, quiet: 0, receipts: 0 });
  followUps.add({ ...file("a"), refusal: { code: "FILE_EMPTY", reason: "", duplicateOf: null } });
  await followUps.close();
  t.deepEqual(done, ["receipts a"]);
});

test("whoever asks for a partner's receipts does not wait for a group to gather", async (t) => {
  const { following, done } = record();
  const followUps = openFollowUps(following, { jobs: neverMs, quiet: neverMs, receipts: neverMs });
  followUps.add(file("a"));
  await followUps.receiptsWritten("other");
  t.deepEqual(done, []);
  await followUps.receiptsWritten("bank");
  t.is(done[0], "receipts a");
  await followUps.close();
});

test("what comes while a group is followed up is followed up too, and a close waits for it", async (t) => {
  const { following, done, hold } = record();
  const followUps = openFollowUps(following, { jobs: 0, quiet: 0, receipts: 0 });
  const { begun, release } = hold();
  followUps.add(file("a"));
  await begun;
  followUps.add(file("b"));
  const closed = followUps.close();
  release();
  await closed;
  t.deepEqual(done.toSorted(), ["jobs a", "jobs b", "receipts a", "receipts b"]);
});

test("a crowd is followed up in groups, without waiting", async (t) => {
  const { following, done } = record();
  const followUps = openFollowUps(following, { jobs: neverMs, quiet: neverMs, receipts: neverMs });
  for (let index = 0; index < 2048; index += 1) followUps.add(file(`f${index}`));
  await followUps.receiptsWritten("bank");
  await followUps.close();
  t.deepEqual(
    done.filter((one) => one.startsWith("jobs")).map((one) => one.split(" ").length - 1),
    [1000, 1000, 48],
  );
});

test("a receipt or a queue that fails is an event, and holds nothing up", async (t) => {
  const { following, done, emitted } = record();
  const failing = {
    ...following,
    enqueue: () => Promise.reject(new Error("the queue is away")),
    receipts: { writeFirst: async () => new Map([["a", new Error("the disk is full")]]) },
  };
  const followUps = openFollowUps(failing, { jobs: 0, quiet: 0, receipts: 0 });
  followUps.add(file("a"));
  followUps.add(file("b"));
  await followUps.receiptsWritten("bank");
  await followUps.close();
  t.deepEqual(done, []);
  t.deepEqual(emitted.map((one) => one.trim()).toSorted(), ["delivery.uncalled", "receipt.failed a"]);
});

test("jobs of small files go when nothing came for a moment, and while files keep coming after a bounded time", async (t) => {
  const { following, done } = record();
  const alone = openFollowUps(following, { jobs: neverMs, quiet: 20, receipts: neverMs });
  alone.add(file("a"));
  while (done.length === 0) await wait(5);
  t.deepEqual(done, ["jobs a"]);
  const stream = openFollowUps(following, { jobs: 200, quiet: 100, receipts: neverMs });
  const startedAtMs = performance.now();
  let count = 0;
  while (done.length === 1) {
    stream.add(file(String((count += 1))));
    await wait(5);
  }
  t.true(performance.now() - startedAtMs > 150);
  t.true((done[1]?.split(" ").length ?? 0) > 10);
  await Promise.all([alone.close(), stream.close()]);
});

test("a stream that comes slowly is over when it has stopped, and not between two of its files", async (t) => {
  const { following, done } = record();
  const followUps = openFollowUps(following, { jobs: neverMs, quiet: 60, receipts: neverMs });
  for (let count = 0; count < 12; count += 1) {
    followUps.add(file(String(count)));
    // The first gaps are within the quiet time; those after them are not.
    await wait(count < 6 ? 40 : 90);
  }
  t.deepEqual(done, []);
  while (done.length === 0) await wait(5);
  t.is(done[0]?.split(" ").length, 13);
  followUps.add(file("much later"));
  await followUps.close();
});

test("receipts of a crowd are asked for in parts, each failure told", async (t) => {
  const { following, done, emitted } = record();
  const failing = {
    ...following,
    receipts: {
      writeFirst: async (ids: readonly string[]) => {
        done.push(`receipts of ${ids.length}`);
        return new Map(ids.filter((id) => id === "f299").map((id) => [id, new Error("the disk is full")]));
      },
    },
  };
  const followUps = openFollowUps(failing, { jobs: neverMs, quiet: neverMs, receipts: neverMs });
  for (let index = 0; index < 300; index += 1) followUps.add(file(`f${index}`));
  await followUps.receiptsWritten("bank");
  t.deepEqual(done, ["receipts of 256", "receipts of 44"]);
  t.deepEqual(emitted, ["receipt.failed f299"]);
  await followUps.close();
});

test("a partner that sends file after file makes nobody else's wait", async (t) => {
  const { following, done } = record();
  const followUps = openFollowUps(following, { jobs: neverMs, quiet: 300, receipts: neverMs });
  const stream = setInterval(() => followUps.add(file("s")), 5);
  followUps.add({ ...file("alone"), partnerId: "other" });
  while (done.length === 0) await wait(5);
  clearInterval(stream);
  t.deepEqual(done, ["jobs alone"]);
  await followUps.close();
});

test("the job of a large file waits for no others, and takes those that gathered with it", async (t) => {
  const { following, done } = record();
  const followUps = openFollowUps(following, { jobs: neverMs, quiet: neverMs, receipts: neverMs });
  followUps.add(file("a"));
  await wait(10);
  t.deepEqual(done, []);
  followUps.add({ ...file("b"), sizeBytes: 65_537 });
  while (done.length === 0) await wait(5);
  t.deepEqual(done, ["jobs a b"]);
  await followUps.close();
});

function file(id: string): Followed {
  return { id, partnerId: "bank", correlationId: "c", refusal: null, sizeBytes: 1000 };
}

function record() {
  const done: string[] = [];
  const emitted: string[] = [];
  let held: Promise<void> = Promise.resolve();
  let begin = (): void => undefined;
  const following = {
    receipts: {
      async writeFirst(ids: readonly string[]) {
        begin();
        await held;
        done.push(`receipts ${ids.join(" ")}`);
        return new Map<string, unknown>();
      },
    },
    async enqueue(ids: readonly string[]) {
      done.push(`jobs ${ids.join(" ")}`);
    },
    events: {
      ...createEvents({ level: "silent" }),
      emit: (name: string, fields: object) =>
        void emitted.push(`${name} ${"deliveryId" in fields ? String(fields.deliveryId) : ""}`),
    },
  };
  /** Lets the next receipts wait until they are released. */
  const hold = () => {
    const beginning = Promise.withResolvers<void>();
    const holding = Promise.withResolvers<void>();
    begin = beginning.resolve;
    held = holding.promise;
    return { begun: beginning.promise, release: holding.resolve };
  };
  return { following, done, emitted, hold };
}
