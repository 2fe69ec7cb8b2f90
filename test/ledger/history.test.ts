import test from "ava";
import { readHistory } from "../../src/ledger/history.ts";
import { openLoading, transaction } from "../workers/world.ts";

test("a history has every row of each user, in minor units", async (t) => {
  const world = await openLoading(t);
  const [u1 = 0, u2 = 0, u3 = 0] = world.userIds;
  await world.load([
    { ...transaction("u1", "t1", { originalAmount: -500, originalCurrency: "JPY", merchant: { name: "Shop", cid: "m", country: "JP", mcc: 5411 } }), account: { id: "a1", name: "A", iban: "DK50" }, card: { id: "c1", pan4: "1234" } },
    { ...transaction("u1", "t2", { amount: 1e3 }), account: { id: "a2", name: "A", iban: "" } },
    transaction("u2", "t1"),
  ]);
  const histories = await readHistory(world.database, [u1, u2, u3]);
  t.deepEqual([...histories.keys()].toSorted((a, b) => a - b), [u1, u2]);
  const [first, second] = (histories.get(u1) ?? []).toSorted((a, b) => (a.txid < b.txid ? -1 : 1));
  t.deepEqual({ ...first, id: 0 }, {
    id: 0, txid: "t1", day: "2026-01-31", rawType: "CARD_PURCHASE", description: "Payment t1", amountMinor: -1250, currency: "DKK",
    originalAmountMinor: -500, originalCurrency: "JPY", merchantName: "Shop", merchantCid: "m", merchantCountry: "JP", mcc: 5411,
    accountId: "a1", cardId: "c1", iban: "DK50",
  });
  t.like(second, { amountMinor: 100_000, originalAmountMinor: null, originalCurrency: null, merchantName: null, mcc: null, accountId: "a2", cardId: null, iban: null });
  t.true(Number.isSafeInteger(first?.id));
});
