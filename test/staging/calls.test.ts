/** Calls for the loader are gathered into few, none is lost, and a queue that is away is told. */
import test from "ava";
import { createCalls } from "../../src/staging/calls.ts";

test("what comes at once is one call of a few, and what is left is sent at the end", async (t) => {
  const sent: string[][] = [];
  const calls = createCalls({ add: async (ids) => void sent.push([...ids]) }, () => t.fail());
  for (let n = 0; n < 100; n++) calls.add(`d-${n}`);
  await calls.close();
  t.deepEqual(sent, [["d-0", "d-1", "d-2", "d-3"]]);
});

test("in a steady stream calls are some time apart, and the last one is sent too", async (t) => {
  const sent: string[][] = [];
  const calls = createCalls({ add: async (ids) => void sent.push([...ids]) }, () => t.fail());
  const startedAt = performance.now();
  let n = 0;
  while (sent.length < 3) {
    calls.add(`d-${n++}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const before = sent.length;
  calls.add("last");
  await calls.close();
  t.is(sent.length, before + 1);
  // The first call and the last wait for nothing; between the others lies a quarter of a second, less what a timer is
  // early.
  t.true((sent.length - 2) * 245 <= performance.now() - startedAt, `${sent.length} calls`);
  t.true(sent.every((ids) => ids.length <= 4));
});

test("a queue that is away is told, with how many it concerns", async (t) => {
  const lost: number[] = [];
  const calls = createCalls({ add: () => Promise.reject(new Error("no queue")) }, (ids) => void lost.push(ids.length));
  calls.add("a");
  calls.add("b");
  await calls.close();
  t.deepEqual(lost, [2]);
});
