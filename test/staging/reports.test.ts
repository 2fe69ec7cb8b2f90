/** A thread makes PDF reports for those who wait, in time or not at all, and refuses more than it can hold. */
import test from "ava";
import { openPools } from "../../src/staging/pools.ts";
import { readPdf } from "../reports/pdf.ts";
import { openLoading } from "../workers/world.ts";

/** A machine that runs other tests, too, may take a minute to start a thread. */
const patient = { doorThreads: 1, loadThreads: 1, closeWithinMs: 1, waitingWithinMs: 110_000 };
const unknownBudget = {
  owner: { userId: 1, partnerId: "north" },
  budgetId: "0f5c9a1e-54a2-4bb2-9d1a-7f2f1c1b2c3d",
  reportId: null,
  customerName: null,
  edition: "ADVISER" as const,
  baseUrl: "https://bank.example",
};

test("a thread makes reports, and hands back the bytes of a PDF", async (t) => {
  const world = await openLoading(t);
  const pools = openPools(world.settings, patient);
  t.teardown(() => pools.close());
  const { rows } = await world.database.query<{ id: number }>("select id from users order by id limit 1");
  const documentId = "0f5c9a1e-54a2-4bb2-9d1a-7f2f1c1b2c3d";
  const { bytes, pages } = await pools.report({
    type: "NEXT_OF_KIN",
    userId: rows[0]!.id,
    documentId,
    effectiveDate: null,
    asOf: "2026-06-15",
  });
  t.is(readPdf(Buffer.from(bytes)).pages.length, pages);
  t.deepEqual(await pools.budgetReport(unknownBudget), { state: "UNKNOWN" });
});

test("a budget's report that is not made in time is told as busy", async (t) => {
  const world = await openLoading(t);
  const pools = openPools(world.settings, { ...patient, waitingWithinMs: 1 });
  t.teardown(() => pools.close());
  t.is(await pools.budgetReport(unknownBudget), "BUSY");
});

test("more than a few dozen waiting reports are refused at once, and those that wait are made", async (t) => {
  const world = await openLoading(t);
  const pools = openPools(world.settings, patient);
  t.teardown(() => pools.close());
  const outcomes = await Promise.all(Array.from({ length: 60 }, () => pools.budgetReport(unknownBudget)));
  const refused = outcomes.filter((outcome) => outcome === "BUSY").length;
  t.true(refused >= 20 && refused <= 28, String(refused));
  t.deepEqual(
    outcomes.filter((outcome) => outcome !== "BUSY"),
    Array.from({ length: 60 - refused }, () => ({ state: "UNKNOWN" })),
  );
});
