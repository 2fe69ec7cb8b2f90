import test from "ava";
import { explainPayment } from "../../src/recognition/explain/explain-payment.ts";
import { ownTransfers } from "../../src/payments/own-transfer.ts";
import { recognise } from "../../src/recognition/recognise.ts";
import fc from "../property.ts";
import { context, monthly, row, rows } from "../recognition/payments.ts";

const everyday = { accountId: "account-1", iban: "DK5000400440116243", rawType: "ACCOUNT_TRANSFER" };
const savings = { accountId: "account-2", iban: "DK1700400440117777", rawType: "ACCOUNT_TRANSFER" };
const elsewhere = row("2026-01-02", "Salary", 100_00, savings);

function own(...history: Parameters<typeof ownTransfers>[0]): string[] {
  return [...ownTransfers(history)].sort();
}

test("an amount that leaves one account and reaches another within three days is moved, not spent", (t) => {
  const out = row("2026-03-06", "To savings", -500_00, everyday);
  const arrived = row("2026-03-09", "From everyday", 500_00, savings);
  t.deepEqual(own(out, arrived), [arrived.txid, out.txid]);
});

test("the side that receives may be booked first", (t) => {
  const arrived = row("2026-03-05", "From everyday", 500_00, savings);
  const out = row("2026-03-06", "To savings", -500_00, everyday);
  t.deepEqual(own(out, arrived), [arrived.txid, out.txid]);
});

for (const [why, other] of Object.entries({
  "four days apart": row("2026-03-10", "From everyday", 500_00, savings),
  "in another currency": row("2026-03-06", "From everyday", 500_00, { ...savings, currency: "EUR" }),
  "of another amount": row("2026-03-06", "From everyday", 500_01, savings),
  "in the same direction": row("2026-03-06", "From everyday", -500_00, savings),
  "on the same account": row("2026-03-06", "From everyday", 500_00, everyday),
  "on no account": row("2026-03-06", "From everyday", 500_00, { ...savings, accountId: null }),
})) {
  test(`two amounts ${why} are no transfer`, (t) => {
    t.deepEqual(own(row("2026-03-06", "To savings", -500_00, everyday), other, elsewhere), []);
  });
}

test("a purchase, cash and a merchant's refund are not taken for a transfer of the same amount", (t) => {
  const arrived = row("2026-03-06", "From a friend", 500_00, savings);
  t.deepEqual(own(row("2026-03-06", "Shoes", -500_00, { ...everyday, rawType: "CARD_PURCHASE" }), arrived), []);
  t.deepEqual(
    own(row("2026-03-06", "Kontanthævning", -500_00, { ...everyday, rawType: "CASH_WITHDRAWAL" }), arrived),
    [],
  );
  t.deepEqual(own(row("2026-03-06", "Shoes", -500_00, { ...everyday, mcc: 5661 }), arrived), []);
});

test("of three amounts alike the two nearest in time are one transfer", (t) => {
  const early = row("2026-03-03", "Rent of a garage", -500_00, everyday);
  const out = row("2026-03-05", "To savings", -500_00, everyday);
  const arrived = row("2026-03-06", "From everyday", 500_00, savings);
  t.deepEqual(own(early, out, arrived), [arrived.txid, out.txid]);
});

for (const [what, description] of Object.entries({
  IBAN: "Overførsel DK1700400440117777",
  "IBAN in groups": "til DK17 0040 0440 1177 77 opsparing",
  "account number at home": "Overf. 0040-0440117777",
})) {
  test(`a row that names another account of the user by its ${what} is a transfer, though its other side is not there`, (t) => {
    const named = row("2026-03-06", description, -300_00, everyday);
    t.deepEqual(own(named, elsewhere), [named.txid]);
  });
}

test("an account that is not in the rows is known when it is told", (t) => {
  const named = row("2026-03-06", "To DK1700400440117777", -300_00, everyday);
  t.deepEqual([...ownTransfers([named])], []);
  t.deepEqual([...ownTransfers([named], [{ id: "account-2", iban: "DK17 0040 0440 1177 77" }])], [named.txid]);
});

test("the row's own account, a longer number and a short account id name nobody", (t) => {
  const history = [
    row("2026-03-06", "Salary to DK5000400440116243", 300_00, everyday),
    row("2026-03-07", "Reference 9100400440117777", -300_00, everyday),
    row("2026-03-08", "Room 12", -300_00, everyday),
    row("2026-03-09", "Other", -10_00, { accountId: "12", rawType: "ACCOUNT_TRANSFER" }),
    elsewhere,
  ];
  t.deepEqual(own(...history), []);
});

test("a merchant's card acceptor id may be the account", (t) => {
  const named = row("2026-03-06", "Opsparing", -300_00, {
    ...everyday,
    merchantName: "Opsparing",
    merchantCid: "SAVINGS-2211-3344",
  });
  t.deepEqual(own(named, row("2026-01-02", "Interest", 1_00, { accountId: "savings-2211-3344" })), [named.txid]);
});

test("neither the order of the rows nor rows sent twice change what is a transfer, and each row has one other side at most", (t) => {
  const transfer = fc.record({
    day: fc.integer({ min: 1, max: 9 }),
    sign: fc.constantFrom(-1, 1),
    amount: fc.constantFrom(100_00, 200_00),
    account: fc.constantFrom("a", "b", "c"),
  });
  fc.assert(
    fc.property(fc.array(transfer, { maxLength: 14 }), fc.infiniteStream(fc.nat()), (drawn, numbers) => {
      const history = drawn.map(({ day, sign, amount, account }, index) =>
        row(`2026-03-0${day}`, `Transfer ${index}`, sign * amount, { rawType: "ACCOUNT_TRANSFER", accountId: account }),
      );
      const found = own(...history);
      const shuffled = [...history, ...history.slice(0, 3)]
        .map((one) => ({ one, at: numbers.next().value }))
        .sort((a, b) => a.at! - b.at!)
        .map(({ one }) => one);
      t.deepEqual(own(...shuffled), found);
      const moved = history
        .filter(({ txid }) => found.includes(txid))
        .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
      t.is(moved, 0);
    }),
  );
});

test("a standing order to the user's own savings is no service and no income, and the rest stays", (t) => {
  const days = monthly("2025-07-01", 12);
  const history = [
    ...rows(days, "Opsparing", -1_000_00, { ...everyday, rawType: "STANDING_ORDER" }),
    ...rows(days, "Fra lønkonto", 1_000_00, { ...savings, rawType: "STANDING_ORDER" }),
    ...rows(days, "Nordlys Boxing", -249_00, everyday),
  ];
  const { services, income } = recognise(history, context);
  t.deepEqual(
    services.map(({ title }) => title),
    ["Nordlys Boxing"],
  );
  t.deepEqual(income, []);
  t.is(
    explainPayment(history[11]!, history, context),
    "-1000.00 DKK on 2026-06-01: money moved between the user's own accounts is no payment.",
  );
});
