/** Tables in a bank's own dialect load as its settings say, and without them are refused by line and column. */
import test from "ava";
import { sealToken } from "../sealing.ts";
import { countsOf, openLoading, problemsOf } from "../world.ts";

const columns = {
  bank: "bank_id",
  kunde: "user_id",
  kontonummer: "account_number",
  id: "transaction_id",
  dato: "transaction_date",
  tekst: "description",
  beløb: "amount",
  valuta: "currency",
} as const;

const table = `Bank;Kontonummer;Id;Dato;Type;Valuta;Beløb;Tekst
b1;a1;t1;31.01.2026;CARD;DKK;-1234,50;Rødgrød
b1;a1;t2;01.02.2026 10:30;CARD;DKK;12;"KAFÉ ""X""; 5,-"
b1;a1;t3;2026-02-01;CARD;DKK;1.50;
b1;a1;t4;03.02.2026;CARD;DKK
`;

const settings = { csv: { unquoted: true, decimal: "comma", dates: "DD.MM.YYYY", columns } };

test("unquoted fields, a decimal comma, days and names of columns as the settings say", async (t) => {
  const world = await openLoading(t, settings);
  t.deepEqual(countsOf(await world.loadCsv("accounts", "Kunde;Bank;Kontonummer\nu1;b1;a1\n")), {
    batches: 1,
    records: 1,
    new: 1,
  });
  const delivery = await world.loadCsv("transactions", table);
  t.deepEqual(countsOf(delivery), { batches: 1, records: 4, new: 2, refused: 2 });
  t.deepEqual(await problemsOf(world.database, delivery.id), [
    { line: 4, index: 2, field: "amount", reason: "is not a number with a decimal comma" },
    { line: 4, index: 2, field: "transaction_date", reason: "does not start with a calendar day (DD.MM.YYYY)" },
    { line: 5, index: 3, field: "", reason: "has another number of fields than the header row (6 instead of 8)" },
  ]);
  const { rows } = await world.database.query(
    "select txid, booked_on::text as day, tx_time as time, amount::text as amount, description as text from transactions order by txid",
  );
  t.deepEqual(rows, [
    { txid: "t1", day: "2026-01-31", time: "2026-01-31", amount: "-1234.5", text: "Rødgrød" },
    { txid: "t2", day: "2026-02-01", time: "2026-02-01 10:30", amount: "12", text: 'KAFÉ "X"; 5,-' },
  ]);
});

test("a file in ISO 8859-1 loads where the settings say so, and has no such header row where they do not", async (t) => {
  const load = async (encoding: object) => {
    const world = await openLoading(t, { csv: { ...settings.csv, ...encoding } });
    await world.loadCsv("accounts", "Kunde;Bank;Kontonummer\nu1;b1;a1\n");
    const bytes = sealToken(world.key, Buffer.from(table, "latin1"));
    const delivery = await world.ingest(await world.deliverFile("transactions.csv", bytes));
    const { rows } = await world.database.query("select description from transactions where txid = 't1'");
    return { refusalCode: delivery.refusalCode, rows };
  };
  t.deepEqual(await load({ encoding: "iso-8859-1" }), { refusalCode: null, rows: [{ description: "Rødgrød" }] });
  t.deepEqual(await load({ encoding: "windows-1252" }), { refusalCode: null, rows: [{ description: "Rødgrød" }] });
  t.deepEqual(await load({}), { refusalCode: "CSV_HEADER_INVALID", rows: [] });
});

test("without the settings a header row may be unquoted, and a record without quotes names its column", async (t) => {
  const world = await openLoading(t);
  await world.loadCsv("accounts", 'bank_id;user_id;account_number\n"b1";"u1";"a1"\n');
  const delivery = await world.loadCsv(
    "transactions",
    "bank_id;account_number;transaction_id;transaction_date;type;currency;amount;description;own\n" +
      '"b1";"a1";"t1";"2026-01-31";"CARD";"DKK";"-1.5";"x";"y"\n' +
      '"b1";"a1";t2;"2026-01-31";"CARD";"DKK";"-1.5";"x";"y"\n' +
      '"b1";"a1";"t3";"2026-01-31";"CARD";"DKK";"-1.5";"x";y\n',
  );
  t.deepEqual(countsOf(delivery), { batches: 1, records: 3, new: 1, refused: 2 });
  const reason = "is not made of double-quoted fields with ; between them";
  t.deepEqual(await problemsOf(world.database, delivery.id), [
    { line: 3, index: 1, field: "transaction_id", reason },
    { line: 4, index: 2, field: "column 9", reason },
  ]);
});

test("fields in quotes and without load alike, read where they stand or field by field", async (t) => {
  const world = await openLoading(t, { csv: { unquoted: true } });
  await world.loadCsv("accounts", "bank_id;user_id;account_number\nb1;u1;a1\n");
  const header = "bank_id;account_number;transaction_id;transaction_date;type;currency;amount;description\n";
  const fields = (id: string) => ["b1", "a1", id, "2026-01-31", "CARD", "DKK", "-1.5", "Købmand"];
  const quoted = fields("t1").map((one) => `"${one}"`);
  const delivery = await world.loadCsv("transactions", `${header}${quoted.join(";")}\n${fields("t2").join(";")}\n`);
  t.deepEqual(countsOf(delivery), { batches: 1, records: 2, new: 2 });
  const again = await world.loadCsv("transactions", `${header}${fields("t1").join(";")}\n${quoted.join(";")}\n`);
  t.deepEqual(countsOf(again), { batches: 1, records: 2, known: 2 });
});
