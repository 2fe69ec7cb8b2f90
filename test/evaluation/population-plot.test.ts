/** F1 by frequency counts what is wrong to what it states, and what is missed to what is known. */
import test from "ava";
import { frequencyBars } from "../../src/evaluation/population-plot.ts";
import { emptyTally } from "../../src/evaluation/score.ts";

test("F1 by frequency", (t) => {
  const { slices } = emptyTally();
  slices.frequency = {
    MONTHLY: { due: 10, found: 8, frequencyRight: 8 },
    YEARLY: { due: 4, found: 4, frequencyRight: 4 },
  };
  const bars = frequencyBars({ slices, counts: { alarms: { MONTHLY: 2, WEEKLY: 1 } } });
  t.deepEqual(
    bars.map(({ name, says }) => [name, says]),
    [
      ["weekly", "0.0 % of 0"],
      ["monthly", "80.0 % of 10"],
      ["yearly", "100.0 % of 4"],
    ],
  );
});
