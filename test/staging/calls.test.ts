import test from "ava";
import { createCalls } from "../../src/staging/calls.ts";

test("what comes at once is one call of a few, and what is left is sent at the end", async (t) => {
  const sent: string[][] = [];
  const calls = createCalls({ add: async (ids) => void sent.push([...ids]) }, () => t.fail());
  for (let n = 0; n < 100; n++) calls.add(`d-${n}`);
  await calls.close();
  t.deepEqual(sent, [["d-0", "d-1", "d-2", "d-3"]]);
});

test("a queue that is away is told, with how many it concerns", async (t) => {
  const lost: number[] = [];
  const calls = createCalls({ add: () => Promise.reject(new Error("no queue")) }, (ids) => void lost.push(ids.length));
  calls.add("a");
  calls.add("b");
  await calls.close();
  t.deepEqual(lost, [2]);
});
