/** Who begins a handshake when more come than may: nobody is refused who can wait, and no address takes all turns. */
import test from "ava";
import { type HandshakeRates, HandshakeTurns, type Standing } from "../../src/api/connections/handshake-turns.ts";

/** Two begin at once. */
const burstSeconds = { proven: 0.2, unknown: 0.2 };

function openTurns(rates: Partial<HandshakeRates> = {}) {
  let nowMs = 0;
  const turns = new HandshakeTurns(
    { perSecond: 10, perAddressPerSecond: 100, waitingMax: 100, waitMsMax: 10_000, burstSeconds, ...rates },
    () => nowMs,
  );
  const seen: string[] = [];
  return {
    turns,
    come: (neighbourhood: string, standing: Standing = "unknown", name = neighbourhood) =>
      turns.come(
        {
          neighbourhood,
          begin: () => seen.push(name),
          refuse: (reason) => seen.push(`${name}: ${reason}`),
        },
        standing,
      ),
    /** @returns what happened since the last call */
    after(ms: number) {
      nowMs += ms;
      turns.tidy();
      turns.pass();
      return seen.splice(0);
    },
  };
}

test("strangers beyond the rate wait their turn, and begin as the rate allows", (t) => {
  const { turns, come, after } = openTurns();
  for (const one of ["a", "b", "c", "d", "e"]) come(one);
  t.deepEqual(after(0), ["a", "b"]);
  t.is(turns.waiting, 3);
  t.deepEqual(after(100), ["c"]);
  t.deepEqual(after(200), ["d", "e"]);
  t.is(turns.waiting, 0);
});

test("what a backend opens in one moment begins at once, known or not, and a second time only where it is known", (t) => {
  const begun: string[] = [];
  const asDeployed = new HandshakeTurns({ perSecond: 50, perAddressPerSecond: 100, waitingMax: 1000 }, () => 0);
  const open = (name: string, standing: Standing) =>
    asDeployed.come({ neighbourhood: name, begin: () => begun.push(name), refuse: () => undefined }, standing);
  for (let n = 0; n < 64; n += 1) open("new", "unknown");
  for (let n = 0; n < 64; n += 1) open("another", "unknown");
  for (let n = 0; n < 2 * 64; n += 1) open("known", "proven");
  const count = (name: string) => begun.filter((one) => one === name).length;
  t.deepEqual([count("new"), count("another"), count("known")], [64, 36, 128]);
});

test("addresses take turns, however many connections each has waiting", (t) => {
  const { come, after } = openTurns();
  for (let n = 0; n < 50; n += 1) come("flood");
  come("late");
  after(0);
  t.deepEqual(after(200), ["flood", "late"]);
});

test("listed networks begin at once while strangers wait, as often as one address may", (t) => {
  const { come, after } = openTurns({ perAddressPerSecond: 1 });
  for (let n = 0; n < 50; n += 1) come(`unknown-${n}`);
  after(0);
  for (let n = 0; n < 6; n += 1) come("bank", "listed");
  come("other bank", "listed");
  t.deepEqual(after(0), ["bank", "bank", "bank", "bank", "bank", "other bank"]);
  t.true(after(1000).includes("bank"));
});

test("addresses that were answered well do not wait behind strangers", (t) => {
  const { come, after } = openTurns();
  for (let n = 0; n < 50; n += 1) come(`unknown-${n}`);
  after(0);
  come("app", "proven");
  t.deepEqual(after(0), ["app"]);
});

test("an address with a penalty waits until it is over, and behind every other stranger", (t) => {
  const { turns, come, after } = openTurns();
  turns.penalise("body");
  come("body", "unknown", "the first is forgiven");
  t.deepEqual(after(0), ["the first is forgiven"]);
  turns.penalise("body");
  come("body");
  t.deepEqual(after(4900), []);
  for (const one of ["a", "b", "c"]) come(one);
  t.deepEqual(after(100), ["a", "b", "c"]);
  t.deepEqual(after(100), ["body"]);
});

test("penalties grow up to a minute; who waits longer than ten seconds is refused", (t) => {
  const { turns, come, after } = openTurns();
  for (let n = 0; n < 10; n += 1) turns.penalise("body");
  come("body");
  t.deepEqual(after(9900), []);
  t.deepEqual(after(200), ["body: penalty"]);
  after(51_000);
  come("body");
  t.deepEqual(after(0), ["body"]);
});

test("what already waits when its address gets a penalty waits with it", (t) => {
  const { turns, come, after } = openTurns();
  for (const one of ["a", "b", "body", "c"]) come(one);
  after(0);
  turns.penalise("body");
  turns.penalise("body");
  t.deepEqual(after(1000), ["c"]);
});

test("a full line drops who has a penalty, then who has most, and refuses who would have most himself", (t) => {
  const { turns, come, after } = openTurns({ perSecond: 1, waitingMax: 3 });
  turns.penalise("body");
  turns.penalise("body");
  come("first");
  come("body");
  come("flood", "unknown", "flood 1");
  come("flood", "unknown", "flood 2");
  t.deepEqual(after(0), ["first"]);
  come("new");
  t.deepEqual(after(0), ["body: penalty"]);
  come("other");
  t.deepEqual(after(0), ["flood 1: no-turn"]);
  come("flood", "unknown", "flood 3");
  t.deepEqual(after(0), ["flood 3: no-turn"]);
  t.is(turns.waiting, 3);
});

test("a connection that is gone leaves its turn to the next", (t) => {
  const { turns, come, after } = openTurns({ perSecond: 1 });
  come("first");
  const leave = come("gone");
  come("next");
  leave();
  leave();
  t.is(turns.waiting, 1);
  t.deepEqual(after(1000), ["first", "next"]);
});

test("when the door closes nobody waits any more", (t) => {
  const { turns, come, after } = openTurns({ perSecond: 1 });
  for (const one of ["first", "a", "b"]) come(one);
  turns.refuseAll();
  t.deepEqual(after(0), ["first", "a: no-turn", "b: no-turn"]);
});
