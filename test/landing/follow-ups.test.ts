/** Receipts and jobs of files that come together are written in groups, and a failing one holds nothing up. */
import test from "ava";
import { createEvents } from "../../src/events.ts";
import { type Followed, openFollowUps } from "../../src/landing/follow-ups.ts";

/** Longer than any test: only what hurries ends it. */
const neverMs = 3_600_000;

test("files that come together get their jobs in one go, and their receipts", async (t) => {
  const { following, done } = record();
  const followUps = openFollowUps(following, { jobs: 0, receipts: 0 });
  for (const id of ["a", "b", "c"]) followUps.add(file(id));
  await followUps.close();
  t.deepEqual(done, ["jobs a b c", "receipts a b c"]);
});

test("a refused file gets its receipt and no job", async (t) => {
  const { following, done } = record();
  const followUps = openFollowUps(following, { jobs: 0, receipts: 0 });
  followUps.add({ ...file("a"), refusal: { code: "FILE_EMPTY", reason: "", duplicateOf: null } });
  await followUps.close();
  t.deepEqual(done, ["receipts a"]);
});

test("whoever asks for a partner's receipts does not wait for a group to gather", async (t) => {
  const { following, done } = record();
  const followUps = openFollowUps(following, { jobs: neverMs, receipts: neverMs });
  followUps.add(file("a"));
  await followUps.receiptsWritten("other");
  t.deepEqual(done, []);
  await followUps.receiptsWritten("bank");
  t.is(done[0], "receipts a");
  await followUps.close();
});

test("what comes while a group is followed up is followed up too, and a close waits for it", async (t) => {
  const { following, done, hold } = record();
  const followUps = openFollowUps(following, { jobs: 0, receipts: 0 });
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
  const followUps = openFollowUps(following, { jobs: neverMs, receipts: neverMs });
  for (let index = 0; index < 256; index += 1) followUps.add(file(`f${index}`));
  await followUps.receiptsWritten("bank");
  await followUps.close();
  t.deepEqual(
    done.filter((one) => one.startsWith("jobs")).map((one) => one.split(" ").length - 1),
    [64, 64, 64, 64],
  );
});

test("a receipt or a queue that fails is an event, and holds nothing up", async (t) => {
  const { following, done, emitted } = record();
  const failing = {
    ...following,
    enqueue: () => Promise.reject(new Error("the queue is away")),
    receipts: { writeFirst: async () => new Map([["a", new Error("the disk is full")]]) },
  };
  const followUps = openFollowUps(failing, { jobs: 0, receipts: 0 });
  followUps.add(file("a"));
  followUps.add(file("b"));
  await followUps.receiptsWritten("bank");
  await followUps.close();
  t.deepEqual(done, []);
  t.deepEqual(emitted.map((one) => one.trim()).toSorted(), ["delivery.uncalled", "receipt.failed a"]);
});

function file(id: string): Followed {
  return { id, partnerId: "bank", correlationId: "c", refusal: null };
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
