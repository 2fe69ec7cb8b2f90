/** Partners with work take turns by weight and rate, and nobody waits longer than one turn of each other. */
import test from "ava";
import { createTurns } from "../../src/staging/turns.ts";
import type { Contender } from "../../src/deliveries/open-deliveries.ts";
import fc from "../property.ts";

const partner = (partnerId: string, more: Partial<Contender> = {}): Contender => ({
  partnerId,
  weight: 1,
  recordsPerSecond: null,
  ...more,
});

test("partners with work take turns, however long one of them has worked alone", (t) => {
  const turns = createTurns();
  const [a, b] = [partner("a"), partner("b")];
  for (let n = 0; n < 50; n++) turns.take([a], 0);
  t.deepEqual(
    Array.from({ length: 6 }, () => turns.take([a, b], 0)?.partnerId),
    ["b", "a", "b", "a", "b", "a"],
  );
});

test("whoever had nothing to do has saved nothing up", (t) => {
  const turns = createTurns();
  const [a, b] = [partner("a"), partner("b")];
  turns.take([b], 0);
  for (let n = 0; n < 50; n++) turns.take([a], 0);
  const next = Array.from({ length: 10 }, () => turns.take([a, b], 0)?.partnerId);
  t.is(next.filter((id) => id === "a").length, 5);
});

test("a weight brings turns in proportion", (t) => {
  const turns = createTurns();
  const contenders = [partner("a", { weight: 3 }), partner("b")];
  const taken = Array.from({ length: 40 }, () => turns.take(contenders, 0)?.partnerId);
  t.is(taken.filter((id) => id === "a").length, 30);
});

test("a partner of limited rate loads one thing at a time, and rests as long as its records take", (t) => {
  const turns = createTurns();
  const slow = partner("slow", { recordsPerSecond: 100 });
  t.is(turns.take([slow], 0), slow);
  t.is(turns.take([slow], 0), null);
  turns.end(slow, 500, 0);
  t.is(turns.take([slow], 4999), null);
  t.is(turns.take([slow], 5000), slow);
});

test("nobody waits longer than one turn of each other partner", (t) => {
  const names = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e"), { minLength: 1 });
  fc.assert(
    fc.property(
      fc.array(names, { minLength: 5, maxLength: 60 }),
      fc.constantFrom("a", "b", "c", "d", "e"),
      (rounds, one) => {
        const turns = createTurns();
        for (const round of rounds)
          turns.take(
            round.map((id) => partner(id)),
            0,
          );
        const all = ["a", "b", "c", "d", "e"].map((id) => partner(id));
        const taken = Array.from({ length: all.length }, () => turns.take(all, 0)?.partnerId);
        return taken.includes(one);
      },
    ),
  );
  t.pass();
});
