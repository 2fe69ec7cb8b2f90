/** A user's payments are listed as they were sent, newest first and within the days asked for. */
import test from "ava";
import { listDebited } from "../../src/ledger/listing.ts";
import { addTransaction, insert, shareLedger, toldIds } from "./world.ts";

const ledger = shareLedger();

const june = { from: "2026-06-01", to: "2026-06-30", limit: 10 };

test("a payment is listed as the sender wrote it", async (t) => {
  const {
    userIds: [u1],
  } = await ledger.party();
  const id = await addTransaction(ledger.database, {
    user_id: u1,
    txid: "t1",
    booked_on: "2026-06-15",
    raw_type: "CARD",
    description: "Køb",
    amount: "-79.50",
    currency: "DKK",
    original_amount: "-10.0",
    original_currency: "EUR",
    merchant_name: "Shop",
    account_id: "a1",
    card_id: "c1",
  });
  const [told] = await toldIds(ledger.database, [id]);
  t.deepEqual(await listDebited(ledger.database, u1, june), [
    {
      id: told,
      day: "2026-06-15",
      rawType: "CARD",
      description: "Køb",
      amount: "-79.50",
      currency: "DKK",
      originalAmount: "-10.0",
      originalCurrency: "EUR",
      merchantName: "Shop",
      accountId: "a1",
      cardId: "c1",
      serviceId: null,
    },
  ]);
});

test("payments are listed newest first, within a day the latest loaded first, up to the limit", async (t) => {
  const {
    userIds: [u1],
  } = await ledger.party();
  const ids: number[] = [];
  for (const [txid, day] of [
    ["b", "2026-06-15"],
    ["a", "2026-06-15"],
    ["c", "2026-06-16"],
    ["d", "2026-06-14"],
  ] as const) {
    ids.push(await addTransaction(ledger.database, { user_id: u1, txid, booked_on: day }));
  }
  const [b, a, c, d] = await toldIds(ledger.database, ids);
  t.deepEqual(
    (await listDebited(ledger.database, u1, june)).map((one) => one.id),
    [c, a, b, d],
  );
  t.deepEqual(
    (await listDebited(ledger.database, u1, { ...june, limit: 3 })).map((one) => one.id),
    [c, a, b],
  );
});

test("the days of a range are in it, those beside it are not", async (t) => {
  const {
    userIds: [u1],
  } = await ledger.party();
  for (const day of ["2026-05-31", "2026-06-01", "2026-06-30", "2026-07-01"])
    await addTransaction(ledger.database, { user_id: u1, txid: day, booked_on: day });
  t.deepEqual(
    (await listDebited(ledger.database, u1, june)).map((one) => one.day),
    ["2026-06-30", "2026-06-01"],
  );
});

test("only the user's own money that left is listed, and nothing of a removed account", async (t) => {
  const {
    userIds: [u1, u2],
  } = await ledger.party();
  const day = { booked_on: "2026-06-15" };
  const seen = await addTransaction(ledger.database, {
    user_id: u1,
    txid: "seen",
    ...day,
    amount: "-0.01",
    account_id: "kept",
  });
  await addTransaction(ledger.database, { user_id: u1, txid: "zero", ...day, amount: "0" });
  await addTransaction(ledger.database, { user_id: u1, txid: "earned", ...day, amount: "0.01" });
  await addTransaction(ledger.database, { user_id: u2, txid: "theirs", ...day });
  await addTransaction(ledger.database, { user_id: u1, txid: "removed", ...day, account_id: "removed" });
  await insert(ledger.database, "accounts", { user_id: u1, id: "removed", name: "", iban: "", removed_after: 1 });
  await insert(ledger.database, "accounts", { user_id: u1, id: "kept", name: "", iban: "" });
  t.deepEqual(
    (await listDebited(ledger.database, u1, june)).map((one) => one.id),
    await toldIds(ledger.database, [seen]),
  );
});

test("what came back of a service's payments is listed where it is asked for, with the service", async (t) => {
  const {
    userIds: [u1, u2],
  } = await ledger.party();
  const refunded = "6".repeat(8) + `-0000-4000-8000-${String(u1).padStart(12, "0")}`;
  const document = { refunds: [{ sourceTransactionId: "back" }, { sourceTransactionId: "gone" }] };
  await ledger.database.query(
    "insert into services (id, user_id, key, txids, first_detected_on, document) values ($1, $2, '', '{paid}', '2026-06-01', $3)",
    [refunded, u1, document],
  );
  for (const [txid, amount] of [
    ["paid", "-50"],
    ["back", "50"],
    ["salary", "20000"],
  ] as const)
    await addTransaction(ledger.database, { user_id: u1, txid, amount, booked_on: "2026-06-15" });
  await addTransaction(ledger.database, { user_id: u2, txid: "back", amount: "50", booked_on: "2026-06-15" });
  const listed = async (userId: number, withRefunds: boolean) =>
    (await listDebited(ledger.database, userId, { ...june, withRefunds })).map((one) => [one.amount, one.serviceId]);
  t.deepEqual(await listed(u1, false), [["-50", refunded]]);
  t.deepEqual(await listed(u1, true), [
    ["50", refunded],
    ["-50", refunded],
  ]);
  t.deepEqual(await listed(u2, true), [], "another user's refund is no key to this one's");
});

test("a payment names the service that is shown for it, of several the first", async (t) => {
  const {
    userIds: [u1, u2],
  } = await ledger.party();
  const service = (userId: number, digit: string, txids: string[], document: object | null) =>
    ledger.database.query(
      "insert into services (id, user_id, key, txids, first_detected_on, document) values ($1, $2, '', $3, '2026-06-01', $4)",
      [serviceId(userId, digit), userId, txids, document],
    );
  const serviceId = (userId: number, digit: string) =>
    `${digit.repeat(8)}-0000-4000-8000-${String(userId).padStart(12, "0")}`;
  await service(u1, "5", ["t1", "t2"], {});
  await service(u1, "3", ["t2"], {});
  await service(u1, "1", ["t2", "t3"], null);
  await service(u2, "2", ["t1", "t4"], {});
  for (const txid of ["t1", "t2", "t3", "t4"])
    await addTransaction(ledger.database, { user_id: u1, txid, booked_on: "2026-06-15" });
  t.deepEqual(
    (await listDebited(ledger.database, u1, june)).map((one) => one.serviceId),
    [null, null, serviceId(u1, "3"), serviceId(u1, "5")],
  );
});
