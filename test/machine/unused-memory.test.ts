/** Memory is given back once a process is quiet after it worked, and not while it works. */
import { setTimeout as wait } from "node:timers/promises";
import test from "ava";
import { createQuietWatch, giveBack } from "../../src/machine/unused-memory.ts";

const idle = 0.02;
const working = 0.6;

test("what was left behind is given back when six looks in a row found the process quiet, and once", (t) => {
  const isDue = createQuietWatch();
  t.deepEqual([idle, idle, idle, idle, idle, idle, idle, idle].map(isDue), [
    false,
    false,
    false,
    false,
    false,
    true,
    false,
    false,
  ]);
});

test("work begins the waiting anew, and is followed by another giving back", (t) => {
  const isDue = createQuietWatch();
  t.deepEqual([idle, idle, idle, idle, idle, working].map(isDue), [false, false, false, false, false, false]);
  t.deepEqual([idle, idle, idle, idle, idle, idle].map(isDue), [false, false, false, false, false, true]);
  t.deepEqual([working, idle, idle, idle, idle, idle, idle].map(isDue), [
    false,
    false,
    false,
    false,
    false,
    false,
    true,
  ]);
});

test("a process that is never quiet gives nothing back", (t) => {
  const isDue = createQuietWatch();
  t.deepEqual(Array.from({ length: 20 }, () => isDue(working)).includes(true), false);
});

// Elsewhere there is no malloc_trim.
if (process.platform === "linux")
  test("what was freed between pieces that stay goes back to the system", async (t) => {
    const pieces = Array.from({ length: 20_000 }, () => Buffer.allocUnsafeSlow(10_000).fill(1));
    const before = process.memoryUsage.rss();
    const kept = pieces.filter((_, at) => at % 50 === 0);
    pieces.length = 0;
    const isGone = () => before - process.memoryUsage.rss() > 100_000_000;
    // V8 frees buffers on a thread of its own, which waits for a processor where others work.
    for (let look = 0; look < 50 && !isGone(); look += 1) {
      giveBack();
      await wait(20);
    }
    t.true(isGone());
    t.is(kept.length, 400);
  });
