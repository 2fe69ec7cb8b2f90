/** What a thread computes for several callers is done one after the other, and each is told before the next begins. */
import test from "ava";
import { OneByOne } from "../../../workers/ingest/one-by-one.ts";

test("steps of two do not mingle, and the first is told before the second begins", async (t) => {
  const oneByOne = new OneByOne();
  const seen: string[] = [];
  const work = async (name: string) => {
    const place = oneByOne.place();
    await place.begin();
    for (const step of [1, 2]) {
      seen.push(`${name}${step}`);
      await microtasks(3);
    }
    place.end();
    await microtasks(20);
    seen.push(`${name} told`);
  };
  await Promise.all(["a", "b", "c"].map(work));
  t.deepEqual(seen, ["a1", "a2", "a told", "b1", "b2", "b told", "c1", "c2", "c told"]);
});

test("one that comes between two has its turn behind the one that waits", async (t) => {
  const oneByOne = new OneByOne();
  const [first, second, third] = [oneByOne.place(), oneByOne.place(), oneByOne.place()];
  const seen: string[] = [];
  await first.begin();
  const waits = second.begin().then(() => seen.push("second"));
  first.end();
  const comes = third.begin().then(() => seen.push("third"));
  await waits;
  await microtasks(20);
  t.deepEqual(seen, ["second"]);
  second.end();
  await comes;
  t.deepEqual(seen, ["second", "third"]);
});

test("who never began holds nobody up, and who ends twice gives way once", async (t) => {
  const oneByOne = new OneByOne();
  oneByOne.place().end();
  const first = oneByOne.place();
  await first.begin();
  first.end();
  const second = oneByOne.place();
  await second.begin();
  first.end();
  let hasBegun = false;
  const third = oneByOne.place();
  const waits = third.begin().then(() => (hasBegun = true));
  await new Promise((resolve) => setImmediate(resolve));
  t.false(hasBegun);
  second.end();
  await waits;
  t.true(hasBegun);
});

async function microtasks(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await Promise.resolve();
}
