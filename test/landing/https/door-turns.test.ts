/** Places at the HTTPS door go round by partner and by source; who is unknown never has all of them. */
import test from "ava";
import { DoorTurns, type DoorTurnsSettings, type Sender } from "../../../src/landing/https/door-turns.ts";

const from = (partnerId: string, source: string, isListed = false): Sender => ({ partnerId, source, isListed });

/** Work that ends when the test says so, in the order in which it began. */
function openTurns(settings: Partial<DoorTurnsSettings> = {}) {
  let nowMs = 0;
  const turns = new DoorTurns({ threads: 2, batchesOfThread: 1, now: () => nowMs, ...settings });
  const begun: { name: string; end(): void }[] = [];
  const ask = (name: string, sender: Sender) =>
    turns.take(sender, async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      begun.push({ name, end: resolve });
      await promise;
    });
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    turns,
    ask,
    names: async () => (await settle(), begun.map(({ name }) => name)),
    async end(index: number, tookMs: number) {
      await settle();
      nowMs += tookMs;
      begun[index]?.end();
      await settle();
    },
  };
}

test("a partner that comes while another one fills the queue is next", async (t) => {
  const { ask, names, end } = openTurns();
  for (const n of [1, 2, 3, 4, 5]) void ask(`flood ${n}`, from("flood", "192.0.2.1", true));
  void ask("other", from("other", "198.51.100.1", true));
  t.deepEqual(await names(), ["flood 1", "flood 2"]);
  await end(0, 100);
  t.deepEqual((await names()).at(-1), "other");
});

test("a partner whose batches take long leaves a thread to others once others come", async (t) => {
  const { ask, names, end } = openTurns();
  const flood = from("flood", "192.0.2.1", true);
  for (const n of [1, 2, 3, 4, 5, 6, 7, 8]) void ask(`flood ${n}`, flood);
  void ask("other 1", from("other", "198.51.100.1", true));
  await end(0, 1000);
  t.is((await names()).at(-1), "other 1");
  await end(2, 1);
  // One of the flood's is under way still, and takes long.
  t.is((await names()).length, 3);
  void ask("other 2", from("other", "198.51.100.1", true));
  t.is((await names()).at(-1), "other 2");
});

test("sources of one partner take turns among each other", async (t) => {
  const { ask, names, end } = openTurns({ threads: 1 });
  for (const n of [1, 2, 3]) void ask(`a${n}`, from("bank", "192.0.2.1", true));
  void ask("b1", from("bank", "192.0.2.2", true));
  await end(0, 10);
  t.deepEqual(await names(), ["a1", "b1"]);
});

test("senders that nobody knows leave a thread free, and those whose batches were accepted are known", async (t) => {
  const { turns, ask, names, end } = openTurns();
  for (const n of [1, 2, 3]) void ask(`nobody ${n}`, from("bank", `203.0.113.${n}`));
  t.deepEqual(await names(), ["nobody 1"]);
  const bank = from("bank", "192.0.2.1");
  turns.accepted(bank);
  void ask("bank", bank);
  t.deepEqual(await names(), ["nobody 1", "bank"]);
  await end(1, 1);
  await end(0, 100);
  t.deepEqual(await names(), ["nobody 1", "bank", "nobody 2"]);
});

test("who is unknown is served beside a flood of those who are known", async (t) => {
  const { ask, names, end } = openTurns({ threads: 1 });
  for (let n = 0; n < 12; n += 1) void ask("known", from("bank", "192.0.2.1", true));
  void ask("nobody", from("other", "203.0.113.1"));
  for (let n = 0; n < 9; n += 1) await end(n, 1);
  t.true((await names()).includes("nobody"));
});

test("past its length the queue asks to come again, and so it does whoever waits for too long", async (t) => {
  const { ask } = openTurns({ threads: 1, waitingOfSourceMax: 1, waitMsMax: 1 });
  void ask("runs", from("bank", "192.0.2.1", true));
  const waiting = ask("waits", from("bank", "192.0.2.1", true));
  await t.throwsAsync(ask("is too many", from("bank", "192.0.2.1", true)), { code: "BUSY" });
  await t.throwsAsync(waiting, { code: "BUSY" });
});
