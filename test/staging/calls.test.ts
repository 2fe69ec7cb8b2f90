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
  const sentAtMs: number[] = [];
  const sent: string[] = [];
  const calls = createCalls({ add: async (ids) => (sentAtMs.push(performance.now()), void sent.push(...ids)) }, () => t.fail());
  const until = performance.now() + 600;
  let n = 0;
  while (performance.now() < until || sent.length < 3) {
    calls.add(`d-${n++}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await calls.close();
  const apart = sentAtMs.slice(1, -1).map((atMs, place) => atMs - (sentAtMs[place] ?? 0));
  t.true(apart.every((ms) => ms > 200), apart.join(" "));
  t.true(sent.length <= 4 * sentAtMs.length);
});

test("a queue that is away is told, with how many it concerns", async (t) => {
  const lost: number[] = [];
  const calls = createCalls({ add: () => Promise.reject(new Error("no queue")) }, (ids) => void lost.push(ids.length));
  calls.add("a");
  calls.add("b");
  await calls.close();
  t.deepEqual(lost, [2]);
});
