/** What an entry says, in the words of every version of the standard and of banks' guidelines. */
import test from "ava";
import { StatementElements, type Element } from "../../../workers/camt/elements.ts";
import { isBooked, readEntry, scaledAmount } from "../../../workers/camt/entry.ts";
import { element, type EntryFields, statements } from "../statements.ts";

function read(fields: Partial<EntryFields>): Element {
  const items = new StatementElements().push(statements({ entries: [{ amount: "10", ...fields }] }));
  const found = items.find((item) => item.kind === "entry");
  if (found === undefined) throw new Error("no entry was read");
  return found.entry;
}

const only = (fields: Partial<EntryFields>) => {
  const [payment, ...others] = readEntry(read(fields)).payments;
  if (payment === undefined || others.length > 0) throw new Error("not one payment");
  return payment;
};

const inDetails = (content: string) => element("NtryDtls", element("TxDtls", content));

test("booked is a text until version 7, and a code below it from then on", (t) => {
  t.true(isBooked(read({ status: "BOOK" })));
  t.true(isBooked(read({ status: "<Cd>BOOK</Cd>" })));
  t.false(isBooked(read({ status: "PDNG" })));
  t.false(isBooked(read({ status: "<Cd>INFO</Cd>" })));
});

test("an amount is exact to five digits behind the point, and has its side's sign", (t) => {
  t.is(scaledAmount("12.34567"), 1_234_567n);
  t.is(scaledAmount("0.5"), 50_000n);
  t.is(scaledAmount("123456789012345678"), 12_345_678_901_234_567_800_000n);
  for (const text of ["", "-5", "1,5", "1.234567", "1e3", "Infinity"]) t.is(scaledAmount(text), null, text);
  t.like(only({ amount: "12.50", side: "DBIT" }), { amount: -1_250_000n, amountText: "-12.50", currency: "DKK" });
  t.like(only({ amount: "12.50", side: "CRDT" }), { amount: 1_250_000n, amountText: "12.50" });
});

test("the counterparty is the creditor of what goes out and the debtor of what comes in", (t) => {
  const parties = (below: (party: string) => string) =>
    inDetails(
      element("RltdPties", element("Dbtr", below("<Nm>Payer</Nm>")) + element("Cdtr", below("<Nm>Payee</Nm>"))),
    );
  for (const below of [(party: string) => party, (party: string) => element("Pty", party)]) {
    t.is(only({ side: "DBIT", more: parties(below) }).counterparty?.name, "Payee");
    t.is(only({ side: "CRDT", more: parties(below) }).counterparty?.name, "Payer");
  }
});

test("money that is sent back comes from whom it was paid to", (t) => {
  const parties = element("RltdPties", "<Dbtr><Nm>Customer</Nm></Dbtr><Cdtr><Nm>Gym</Nm></Cdtr>");
  t.is(only({ side: "CRDT", more: `<RvslInd>true</RvslInd>${inDetails(parties)}` }).counterparty?.name, "Gym");
});

test("behind a payment service stands whom it pays for, with place and number", (t) => {
  const payee = `<UltmtCdtr><Nm>Bookshop</Nm><PstlAdr><PstCd>1620</PstCd><TwnNm>København</TwnNm><Ctry>DK</Ctry></PstlAdr>
    <Id><OrgId><Othr><Id>12345678</Id></Othr></OrgId></Id></UltmtCdtr><Cdtr><Nm>Gateway</Nm></Cdtr>`;
  t.deepEqual(only({ more: inDetails(element("RltdPties", payee)) }).counterparty, {
    name: "Bookshop",
    id: "12345678",
    city: "København",
    postCode: "1620",
    country: "DK",
  });
});

test("a direct debit's creditor is known by its identifier, a person's number is left out", (t) => {
  const creditor = (scheme: string) =>
    `<Cdtr><Nm>Somebody</Nm><Id><PrvtId><Othr><Id>X-1</Id><SchmeNm>${scheme}</SchmeNm></Othr></PrvtId></Id></Cdtr>`;
  const idOf = (scheme: string) => only({ more: inDetails(element("RltdPties", creditor(scheme))) }).counterparty?.id;
  t.is(idOf("<Prtry>SEPA</Prtry>"), "X-1");
  t.is(idOf("<Cd>SOSE</Cd>"), "");
});

test("the text is the remittance's words, else what the bank adds, else the creditor's reference", (t) => {
  const lines = element("RmtInf", "<Ustrd>Invoice 12</Ustrd><Ustrd> of May </Ustrd>");
  const reference = element("RmtInf", "<Strd><CdtrRefInf><Ref>RF18</Ref></CdtrRefInf></Strd>");
  const added = "<AddtlNtryInf>Dankort-nota</AddtlNtryInf>";
  t.is(only({ more: inDetails(lines) + added }).text, "Invoice 12 of May");
  t.is(only({ more: inDetails(`${reference}<AddtlTxInf>Card 4711</AddtlTxInf>`) + added }).text, "Card 4711");
  t.is(only({ more: inDetails(reference) + added }).text, "Dankort-nota");
  t.is(only({ more: inDetails(reference) }).text, "RF18");
  t.is(only({}).text, "");
});

test("an end-to-end id that says that there is none is none", (t) => {
  const id = (text: string) => only({ more: inDetails(element("Refs", element("EndToEndId", text))) }).endToEndId;
  t.is(id("NOTPROVIDED"), "");
  t.is(id("E-1"), "E-1");
});

test("what was ordered in another currency stands beside the booked amount", (t) => {
  const ordered = (currency: string) => element("AmtDtls", `<InstdAmt><Amt Ccy="${currency}">9.90</Amt></InstdAmt>`);
  t.like(only({ side: "DBIT", more: inDetails(ordered("EUR")) }), {
    originalAmountText: "-9.90",
    originalCurrency: "EUR",
  });
  t.like(only({ side: "CRDT", more: ordered("EUR") }), { originalAmountText: "9.90", originalCurrency: "EUR" });
  t.like(only({ more: ordered("DKK") }), { originalAmountText: "", originalCurrency: "" });
});

test("details of version 2 have the transaction's amount instead of one of their own", (t) => {
  const part = (amount: string) =>
    element("TxDtls", element("AmtDtls", `<TxAmt><Amt Ccy="DKK">${amount}</Amt></TxAmt>`));
  const { payments } = readEntry(read({ amount: "10", more: element("NtryDtls", part("4") + part("6")) }));
  t.deepEqual(
    payments.map(({ amountText }) => amountText),
    ["-4", "-6"],
  );
});

test("details on both sides come to the entry by their signs", (t) => {
  const part = (amount: string, side: string) =>
    element("TxDtls", `<Amt Ccy="DKK">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd>`);
  const { payments } = readEntry(
    read({ amount: "10", more: element("NtryDtls", part("12", "DBIT") + part("2", "CRDT")) }),
  );
  t.deepEqual(
    payments.map(({ amountText }) => amountText),
    ["-12", "2"],
  );
});

test("details in another currency than the entry are not the entry", (t) => {
  const part = (amount: string) => element("TxDtls", `<Amt Ccy="EUR">${amount}</Amt>`);
  t.is(readEntry(read({ amount: "10", more: element("NtryDtls", part("4") + part("6")) })).payments.length, 1);
});

test("a card purchase has the shop's category and the card's last four digits", (t) => {
  const card = `<CardTx><Card><PlainCardData><PAN>XXXXXXXXXXXX1234</PAN></PlainCardData></Card>
    <Tx><Indv><MrchntCtgyCd>5814</MrchntCtgyCd></Indv></Tx></CardTx>`;
  t.like(only({ more: inDetails(card) }), { mcc: "5814", card: "1234", type: "CARD_PURCHASE" });
});

test("what has no booking day has its value day, and a moment is taken as it stands", (t) => {
  t.is(only({ more: "<ValDt><Dt>2026-02-02</Dt></ValDt>" }).valuedOn, "2026-02-02");
  const noDay = read({ more: "<ValDt><Dt>2026-02-02</Dt></ValDt>" });
  noDay.children = noDay.children.filter(({ name }) => name !== "BookgDt");
  t.is(readEntry(noDay).payments[0]?.bookedOn, "2026-02-02");
  const moment = read({});
  const day = moment.children.find(({ name }) => name === "BookgDt")?.children[0];
  if (day !== undefined) [day.name, day.text] = ["DtTm", "2026-02-03T10:00:00+01:00"];
  t.is(readEntry(moment).payments[0]?.bookedOn, "2026-02-03T10:00:00+01:00");
});
