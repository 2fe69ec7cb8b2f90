/** The baseline, the product and what it shows without asking stand beside each other, and confidence is held to its word. */
import test from "ava";
import { detectByMedianGap } from "../../src/evaluation/baseline.ts";
import { addCompared, baselineWins, comparedScores, emptyComparison } from "../../src/evaluation/comparison.ts";
import type { LabelledUser } from "../../src/evaluation/labelled.ts";
import { readReliability } from "../../src/evaluation/reliability.ts";
import { drawReliability, reliabilityRows } from "../../src/evaluation/reliability-drawing.ts";
import { comparisonRows, setRows } from "../../src/evaluation/score-rows.ts";
import { itemAt } from "../../src/present.ts";
import { everyDays, monthly, rows, services } from "../recognition/payments.ts";

const asOf = "2026-06-30";
const gym = rows(monthly("2026-01-12", 6), "Sundby Motion 4411", -19_900);
const user: LabelledUser = {
  uid: "anna",
  asOf,
  country: "DK",
  currency: "DKK",
  history: gym,
  labels: [
    {
      gtId: "gym",
      uid: "anna",
      frequency: "MONTHLY",
      strict: true,
      active: true,
      txids: gym.map(({ txid }) => txid),
    },
  ],
};

test("the baseline takes a name without its digits and the frequency nearest to the median gap", (t) => {
  const noisy = gym.map((row, at) => ({ ...row, description: `SUNDBY MOTION ${at}17` }));
  t.like(detectByMedianGap(noisy, asOf), {
    length: 1,
    0: {
      direction: "OUT",
      status: "ACTIVE",
      visibility: "VISIBLE",
      paymentFrequency: "MONTHLY",
      nextExpectedDay: "2026-07-12",
      expectedAmountMinor: 19_900,
    },
  });
  const weekly = rows(everyDays("2026-05-01", 8, 7), "Rengøring", -30_000);
  t.like(detectByMedianGap(weekly, asOf), { 0: { paymentFrequency: "WEEKLY", nextExpectedDay: "2026-06-26" } });
});

test("the baseline sees neither two payments, nor what comes at any time, nor days after the last visible one", (t) => {
  t.deepEqual(detectByMedianGap(gym.slice(0, 2), asOf), []);
  const shop = rows(
    ["2026-01-02", "2026-01-09", "2026-01-11", "2026-02-20", "2026-03-29", "2026-04-01"],
    "Købmand",
    -100,
  );
  t.deepEqual(detectByMedianGap(shop, asOf), []);
  t.deepEqual(detectByMedianGap(gym, "2026-02-20"), []);
});

test("the baseline calls a payee ended once the median gap and a grace have passed", (t) => {
  t.is(itemAt(detectByMedianGap(gym, "2026-07-20"), 0).status, "ACTIVE");
  t.is(itemAt(detectByMedianGap(gym, "2026-07-27"), 0).status, "INACTIVE");
});

test("what is asked about is in the product's score, and not in that of what is visible alone", (t) => {
  const comparison = emptyComparison();
  const asked = services(gym).map((one) => ({ ...one, visibility: "UNDECIDED" as const }));
  addCompared(comparison, user, asked);
  const scores = comparedScores(comparison);
  t.like(scores, { recognised: { f1: 1 }, visible: { f1: 0 }, baseline: { f1: 1 }, hitsVisible: 0 });
  t.false(baselineWins(scores, "f1"));
});

test("where the baseline is ahead by more than chance it is said, fewer false alarms included", (t) => {
  const comparison = emptyComparison();
  addCompared(comparison, user, []);
  const rowsOf = comparisonRows(comparedScores(comparison));
  t.deepEqual(
    rowsOf.find(([name]) => name === "F1"),
    ["F1", "0.0 %", "0.0 %", "100.0 %", "the baseline wins"],
  );
  const alarmed = emptyComparison();
  addCompared(alarmed, { ...user, labels: [] }, [...services(gym), ...services(gym)]);
  t.true(baselineWins(comparedScores(alarmed), "falseAlarmsPerUserYear"));
});

test("each tenth of confidence tells what was stated and what was right, and is drawn when it holds fifty services", (t) => {
  const comparison = emptyComparison();
  const service = itemAt(services(gym), 0);
  for (let at = 0; at < 50; at++)
    addCompared(comparison, at < 40 ? user : { ...user, labels: [] }, [{ ...service, confidence: 0.84 }]);
  addCompared(comparison, user, [{ ...service, confidence: 1 }]);
  const [eighty, ninety] = readReliability(comparison.reliability);
  t.like(eighty, { from: 0.8, services: 50, rightShare: 0.8, isEnough: true });
  t.is(eighty?.statedMean.toFixed(3), "0.840");
  t.like(ninety, { from: 0.9, services: 1, statedMean: 1, rightShare: 1, isEnough: false });
  t.deepEqual(reliabilityRows(comparison.reliability), [
    ["80–90 %", "50", "84.0 %", "80.0 %", "near"],
    ["90–100 %", "1", "100.0 %", "100.0 %", "too few to tell"],
  ]);
  const svg = drawReliability(readReliability(comparison.reliability));
  t.is(svg.match(/<circle /g)?.length, 1);
  t.true(svg.includes("<title>stated 84.0 %, right 80.0 % of 50</title>"));
});

test("what counts neither way in the score counts neither way in confidence", (t) => {
  const comparison = emptyComparison();
  addCompared(comparison, { ...user, labels: user.labels.map((one) => ({ ...one, strict: false })) }, services(gym));
  t.deepEqual(readReliability(comparison.reliability), []);
});

test("several sets are told one by one, and where the baseline wins", (t) => {
  const [won, lost] = [emptyComparison(), emptyComparison()];
  addCompared(won, user, services(gym));
  addCompared(lost, user, []);
  t.deepEqual(
    setRows([
      { source: "a", comparison: won },
      { source: "b", comparison: lost },
    ]),
    [
      ["a", "100.0 %", "100.0 %", "100.0 %", "0.00", "0.00", "0.00", ""],
      ["b", "0.0 %", "0.0 %", "100.0 %", "0.00", "0.00", "0.00", "the baseline wins"],
    ],
  );
});
