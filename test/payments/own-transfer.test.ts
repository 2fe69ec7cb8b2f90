/** Amounts that move between a user's own accounts are paired, and purchases of the same amount are not. */
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

for (const rawType of ["BANK_FEE", "INTEREST"]) {
  test(`what a bank itself takes or gives, as ${rawType}, is not taken for a transfer of the same amount`, (t) => {
    const arrived = row("2026-03-06", "From everyday", 500_00, savings);
    t.deepEqual(own(row("2026-03-06", "Konto", -500_00, { ...everyday, rawType }), arrived), []);
    t.deepEqual(own(row("2026-03-06", "Konto DK1700400440117777", -500_00, { ...everyday, rawType }), elsewhere), []);
  });
}

test("a row that moves nothing is no transfer, whatever it names", (t) => {
  t.deepEqual(own(row("2026-03-06", "To DK1700400440117777", 0, everyday), elsewhere), []);
});

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

test("each amount has one other side, the first by id of those booked on one day", (t) => {
  const moved = (txid: string, amount: number, account: string) =>
    row("2026-03-06", "Moved", amount, { txid, accountId: account, rawType: "TRANSFER" });
  t.deepEqual(own(moved("a", -5_00, "x"), moved("b", 5_00, "y"), moved("c", 5_00, "z")), ["a", "b"]);
  t.deepEqual(own(moved("a", -5_00, "x"), moved("b", -5_00, "y"), moved("c", 5_00, "z")), ["a", "c"]);
  t.deepEqual(own(moved("a", -5_00, "x"), moved("b", 5_00, "y"), moved("c", -5_00, "z")), ["a", "b"]);
  t.deepEqual(own(moved("c", 5_00, "z"), moved("b", 5_00, "y"), moved("a", -5_00, "x")), ["a", "b"]);
});

test("several transfers of one amount are all told", (t) => {
  const moved = (txid: string, day: string, amount: number, account: string) =>
    row(day, "Moved", amount, { txid, accountId: account, rawType: "TRANSFER" });
  const history = [
    moved("a", "2026-03-01", -5_00, "x"),
    moved("b", "2026-03-02", 5_00, "y"),
    moved("c", "2026-03-04", -5_00, "y"),
    moved("d", "2026-03-07", 5_00, "x"),
    moved("e", "2026-03-20", -5_00, "x"),
    moved("f", "2026-03-20", 5_00, "y"),
    moved("g", "2026-03-20", 6_00, "y"),
  ];
  t.deepEqual(own(...history), ["a", "b", "c", "d", "e", "f"]);
});

test("a row sent twice counts as it was sent last", (t) => {
  const out = row("2026-03-06", "To savings", -500_00, { ...everyday, txid: "out" });
  const arrived = row("2026-03-06", "From everyday", 400_00, { ...savings, txid: "in" });
  t.deepEqual(own(out, arrived, { ...arrived, amountMinor: 500_00 }), ["in", "out"]);
  t.deepEqual(own(out, { ...arrived, amountMinor: 500_00 }, arrived), []);
});

for (const [what, description] of Object.entries({
  "IBAN between slashes and points": "til DK17/0040.0440/1177.77.",
  "IBAN in small letters": "til dk1700400440117777",
  "IBAN beside the row's own": "fra DK5000400440116243 til DK1700400440117777",
  "IBAN behind its own": "til DK1700400440117777 fra DK5000400440116243",
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

test("the account may be named in the merchant's name", (t) => {
  const named = row("2026-03-06", "Opsparing", -300_00, { ...everyday, merchantName: "Konto DK1700400440117777" });
  t.deepEqual(own(named, elsewhere), [named.txid]);
});

test("a number that goes on from the description into the name is no account", (t) => {
  const parted = row("2026-03-06", "Konto DK17004004", -300_00, {
    ...everyday,
    merchantName: "40117777",
    merchantCid: "40117777",
  });
  t.deepEqual(own(parted, elsewhere), []);
});

const identified = test.macro({
  exec(t, accountId: string, description: string, isNamed: boolean) {
    const named = row("2026-03-06", description, -300_00, everyday);
    t.deepEqual(own(named, row("2026-01-02", "Interest", 1_00, { accountId })), isNamed ? [named.txid] : []);
  },
  title: (_, accountId, description, isNamed) =>
    `"${description}" ${isNamed ? "names" : "does not name"} the account ${accountId}`,
});

// Eight letters and digits at least, four digits among them, three of them together in the line.
test(identified, "ACCT-1234", "to ACCT 1234", true);
test(identified, "ACC-1234", "to ACC 1234", false);
test(identified, "ACCOUNT-123", "to ACCOUNT-123", false);
test(identified, "acct-1234", "to ACCT-1234", true);
test(identified, "12345678", "to 1234-5678", true);
test(identified, "12345678", "to 12345678", true);
test(identified, "12345678", "to 12 34 56 78", false);
test(identified, "12345678", "to 123 456 78", true);
test(identified, "12345678", "to 123  45678", false);
test(identified, "12345678", "to 912345678", false);
test(identified, "12345678", "to A12345678", false);
test(identified, "12345678", "to 123456789", false);
test(identified, "12345678", "to 12345678A", false);
test(identified, "12345678", "12345678", true);
test(identified, "12345678", "(12345678)", true);

test("an account with an IBAN is named by its id too, and one account that can be named is enough", (t) => {
  const named = row("2026-03-06", "to ACCT-1234", -300_00, { rawType: "TRANSFER", accountId: "a" });
  t.deepEqual(own(named, row("2026-01-02", "Interest", 1_00, { accountId: "ACCT-1234", iban: "DK1700400440117777" })), [
    named.txid,
  ]);
  t.deepEqual(own(named, row("2026-01-02", "Interest", 1_00, { accountId: "ACCT-1234" })), [named.txid]);
  t.deepEqual(own(named, row("2026-01-02", "Interest", 1_00, { accountId: "b" })), []);
});

test("where one account's number begins another's, the longer is named", (t) => {
  const [short, long] = [
    { accountId: "12345678", rawType: "TRANSFER" },
    { accountId: "123456789", rawType: "TRANSFER" },
  ];
  const line = (account: typeof short) => row("2026-03-06", "to 1234 5678 9", -300_00, account);
  t.deepEqual(own(line(short), row("2026-01-02", "Moved", 1_00, long)), [line(short).txid]);
  t.deepEqual(own(line(long), row("2026-01-02", "Moved", 1_00, short)), []);
  t.deepEqual(own(row("2026-01-02", "Moved", 1_00, short), line(long)), []);
  t.deepEqual(own(row("2026-01-02", "Moved", 1_00, long), line(short)), [line(short).txid]);
});

test("an account is known by the IBAN of its rows, else by that which is told", (t) => {
  const told = [{ id: "account-2", iban: "DK1700400440117777" }];
  const named = row("2026-03-06", "To DK1700400440117777", -300_00, everyday);
  const other = row("2026-03-06", "To DK7500400440118888", -300_00, everyday);
  t.deepEqual([...ownTransfers([named, { ...elsewhere, iban: null }], told)], [named.txid]);
  t.deepEqual([...ownTransfers([named, other, { ...elsewhere, iban: "DK7500400440118888" }], told)], [other.txid]);
  t.deepEqual([...ownTransfers([named, elsewhere, { ...elsewhere, iban: null }])], [named.txid]);
  t.deepEqual([...ownTransfers([{ ...elsewhere, iban: null }, named, elsewhere])], [named.txid]);
});

test("a row without an account names those of the user too, and stands for none itself", (t) => {
  const named = row("2026-03-06", "To DK1700400440117777", -300_00, { rawType: "TRANSFER", accountId: null });
  t.deepEqual(own(named, elsewhere), []);
  t.deepEqual(own(named, elsewhere, row("2026-01-02", "Salary", 1_00, everyday)), [named.txid]);
});

test("the user of one account moves nothing between accounts", (t) => {
  t.deepEqual(own(row("2026-03-06", "Out", -5_00, everyday), row("2026-03-06", "In", 5_00, everyday)), []);
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
