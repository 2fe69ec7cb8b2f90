/** A run sends everything once over any number of starts, and its journal and summary say what is done. */
import path from "node:path";
import test from "ava";
import type { RawTransaction } from "../../src/interface/record.ts";
import type { Batch } from "../../src/sealing/batches.ts";
import type { Door } from "../../src/sender/door.ts";
import { openJournal } from "../../src/sender/journal.ts";
import { type BatchOptions, sendThrough, type Summary } from "../../src/sender/send-through.ts";
import type { Refusal } from "../../src/sender/service.ts";
import { purchase, purchases, temporaryFolder } from "./records.ts";

type Taken = { door: Door; batches: Batch[]; users: string[]; /** Users and batches as they came. */ order: string[] };

/** A door in memory. `answer` decides on the n-th batch, from 1. */
function memoryDoor(
  options: {
    durableAfter?: Door["durableAfter"];
    answer?: (n: number) => Promise<Refusal | null> | Refusal | null;
  } = {},
): Taken {
  const batches: Batch[] = [];
  const users: string[] = [];
  const order: string[] = [];
  let count = 0;
  const door: Door = {
    via: "https",
    inFlightMax: 4,
    durableAfter: options.durableAfter ?? "batch",
    retries: 0,
    createUser: (user) => {
      users.push(user.bankUserId);
      order.push(user.bankUserId);
      return Promise.resolve(users.length % 2 === 1 ? "created" : "existing");
    },
    async send(batch) {
      count += 1;
      const refusal = (await options.answer?.(count)) ?? null;
      if (!refusal) batches.push(batch);
      order.push(`batch ${batch.recordsBefore}`);
      return refusal;
    },
    finish: () =>
      Promise.resolve(
        options.durableAfter === "file" ? { name: "f.jsonl", sizeBytes: 1, batches: batches.length } : null,
      ),
    close: () => Promise.resolve(),
  };
  return { door, batches, users, order };
}

const refusal: Refusal = {
  requestId: "r",
  status: 400,
  errorCode: "TX_DATA_ERROR",
  message: "",
  details: [{ index: 3, field: "tx.txTime", reason: "is missing" }],
};

function send(taken: Taken, records: RawTransaction[], more: Partial<BatchOptions> = {}): Promise<Summary> {
  return sendThrough({ records, partnerId: "bank", door: taken.door, complete: false, ...more });
}

function assertAddsUp(summary: Summary): boolean {
  return (
    summary.recordsRead === summary.recordsSent + summary.recordsKnown + summary.recordsRefused + summary.recordsUnsent
  );
}

test("everything is sent and counted", async (t) => {
  const taken = memoryDoor();
  const summary = await send(taken, purchases(2000), { complete: true });
  t.is(taken.batches.length, 3);
  t.like(summary, {
    outcome: "complete",
    recordsRead: 2000,
    recordsSent: 2000,
    markersSent: 2,
    batchesSent: 3,
    recordsUnsent: 0,
  });
});

test("markers wait until everything before them was taken", async (t) => {
  const answered = Promise.withResolvers<void>();
  const taken = memoryDoor({
    // The first batch is slow: it is answered when the second one has been.
    answer: async (n) => {
      if (n === 1) await answered.promise;
      else if (n === 2) answered.resolve();
      return null;
    },
  });
  await send(taken, purchases(2000), { complete: true });
  t.deepEqual(taken.order, ["batch 750", "batch 0", "batch 1500"]);
});

test("a refused batch stops the run and says where it stands in the source", async (t) => {
  const taken = memoryDoor({ answer: (n) => (n === 2 ? refusal : null) });
  taken.door.inFlightMax = 1;
  const summary = await send(taken, purchases(4000));
  t.is(summary.outcome, "refused");
  t.like(summary.refusal, { errorCode: "TX_DATA_ERROR", recordsBefore: 750 });
  t.is(summary.recordsSent, 750);
  t.is(summary.recordsRefused, 750);
  t.true(assertAddsUp(summary));
});

test("a second run sends only what the journal does not know", async (t) => {
  const file = path.join(await temporaryFolder(t), "a", "send.journal");
  const first = memoryDoor({ answer: (n) => (n === 3 ? refusal : null) });
  first.door.inFlightMax = 1;
  await send(first, purchases(3000), { journal: await openJournal(file) });
  const second = memoryDoor();
  const summary = await send(second, purchases(3000), { journal: await openJournal(file) });
  t.deepEqual(
    second.batches.map((batch) => batch.recordsBefore),
    [1500, 2250],
  );
  t.like(summary, { outcome: "complete", recordsRead: 3000, recordsKnown: 1500, batchesKnown: 2, recordsSent: 1500 });
  t.true(assertAddsUp(summary));
  const third = memoryDoor();
  t.like(await send(third, purchases(3000), { journal: await openJournal(file, true) }), {
    recordsKnown: 0,
    recordsSent: 3000,
  });
});

test("batches of a file are in the journal only once the file is delivered", async (t) => {
  const file = path.join(await temporaryFolder(t), "send.journal");
  const failing = memoryDoor({ durableAfter: "file" });
  failing.door.finish = () => Promise.reject(new Error("the upload broke"));
  await t.throwsAsync(send(failing, purchases(800), { journal: await openJournal(file) }), {
    message: "the upload broke",
  });
  const summary = await send(memoryDoor({ durableAfter: "file" }), purchases(800), {
    journal: await openJournal(file),
  });
  t.like(summary, { recordsKnown: 0, recordsSent: 800, file: { name: "f.jsonl" } });
  const journal = await openJournal(file);
  t.like(await send(memoryDoor(), purchases(800), { journal }), { recordsKnown: 800, recordsSent: 0 });
});

test("users are created once, before the first batch that holds them", async (t) => {
  const taken = memoryDoor();
  const records = [...purchases(1500), purchase("cecilie", "last")];
  const summary = await send(taken, records, { createUsers: { brand: "b", locale: "da-DK" } });
  t.deepEqual(taken.users, ["anna", "bo", "cecilie"]);
  t.deepEqual(
    [...taken.order.slice(0, 2), taken.order.indexOf("cecilie") < taken.order.indexOf("batch 1500")],
    ["anna", "bo", true],
  );
  t.like(summary, { usersCreated: 2, usersExisting: 1 });
});

test("an aborted run ends with a summary that adds up", async (t) => {
  const controller = new AbortController();
  const taken = memoryDoor({
    answer: (n) => {
      if (n === 2) controller.abort();
      return null;
    },
  });
  taken.door.inFlightMax = 1;
  const summary = await send(taken, purchases(10_000), { signal: controller.signal });
  t.is(summary.outcome, "interrupted");
  t.true(summary.recordsSent >= 1500 && summary.recordsSent < 10_000);
  t.true(assertAddsUp(summary));
});

test("a failing door fails the run", async (t) => {
  const taken = memoryDoor({ answer: (n) => (n === 2 ? Promise.reject(new Error("the door broke")) : null) });
  await t.throwsAsync(send(taken, purchases(4000)), { message: "the door broke" });
});
