/**
 * A CSV file as banks' batch systems export it, made into RawTransactions. Read by header, any order, unknown columns
 * ignored:
 *   needed    user_id; transaction_id; transaction_date; type; currency; amount; description
 *   optional  account_number, iban, account_name; card_id, card_pan4, card_type; original_currency, original_amount;
 *             merchant_name, merchant_id, merchant_address, merchant_city, merchant_post_code, merchant_country, mcc
 * Fields are separated by `;`, `,` or a tab, whichever the header row has most of.
 */
import type { Readable } from "node:stream";
import { parse } from "csv-parse";
import { Fault } from "../errors.ts";
import type { RawMerchant, RawTransaction, RawTx } from "../interface/record.ts";

type Row = Readonly<Record<string, string>>;
type RawAccount = NonNullable<RawTransaction["account"]>;
type RawCard = NonNullable<RawTransaction["card"]>;

const neededColumns = ["user_id", "transaction_id", "transaction_date", "type", "currency", "amount", "description"];
const separators = [";", ",", "\t"];

/** @throws Fault SOURCE_INVALID naming line and column */
export async function* readCsv(
  text: Readable,
  file: string,
): AsyncGenerator<{ value: RawTransaction; location: string }> {
  const { header, whole } = await readHeader(text);
  const parser = parse({
    bom: true,
    columns: (names: string[]) => checkHeader(names, file),
    delimiter: separatorOf(header),
    info: true,
    skip_empty_lines: true,
  });
  feed(whole, parser);
  try {
    for await (const entry of parser) {
      const { record, info } = entry as { record: Row; info: { lines: number } };
      const location = `line ${info.lines}`;
      yield { value: toRecord(record, `${file}, ${location}`), location };
    }
  } catch (cause) {
    throw cause instanceof Fault
      ? cause
      : new Fault("SOURCE_INVALID", `${file} is not a CSV table (${cause instanceof Error ? cause.message : ""}).`, {
          cause,
        });
  }
}

/** The first line, and the text from its beginning. */
async function readHeader(text: Readable): Promise<{ header: string; whole: AsyncGenerator<string> }> {
  const chunks = text[Symbol.asyncIterator]() as AsyncIterator<string>;
  let start = "";
  while (!start.includes("\n")) {
    const next = await chunks.next();
    if (next.done === true) break;
    start += next.value;
  }
  async function* whole() {
    yield start;
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
  }
  return { header: start.split("\n")[0] ?? "", whole: whole() };
}

function separatorOf(header: string): string {
  const counts = separators.map((separator) => header.split(separator).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ";";
}

function checkHeader(names: string[], file: string): string[] {
  const columns = names.map((name) => name.trim().toLowerCase());
  const missing = neededColumns.filter((name) => !columns.includes(name));
  if (missing.length > 0)
    throw new Fault(
      "SOURCE_INVALID",
      `${file} is neither JSON nor a table with the needed columns: ${missing.join(", ")} missing.`,
    );
  return columns;
}

function feed(whole: AsyncGenerator<string>, parser: NodeJS.WritableStream & { destroy(error: Error): void }): void {
  const feeding = (async () => {
    for await (const text of whole)
      if (!parser.write(text)) await new Promise<void>((resolve) => parser.once("drain", () => resolve()));
    parser.end();
  })();
  feeding.catch((error: Error) => parser.destroy(error));
}

function toRecord(row: Row, location: string): RawTransaction {
  const account = toAccount(row);
  const card = toCard(row);
  return {
    uid: row.user_id ?? "",
    type: "TX",
    ...(card ? { card } : {}),
    ...(account ? { account } : {}),
    tx: toTx(row, location),
  };
}

function toTx(row: Row, location: string): RawTx {
  const merchant = toMerchant(row, location);
  return {
    txid: row.transaction_id ?? "",
    description: row.description ?? "",
    txTime: row.transaction_date ?? "",
    type: row.type ?? "",
    amount: toNumber(row.amount ?? "", `${location}, column amount`),
    currency: row.currency ?? "",
    ...(row.original_amount
      ? { originalAmount: toNumber(row.original_amount, `${location}, column original_amount`) }
      : {}),
    ...(row.original_currency ? { originalCurrency: row.original_currency } : {}),
    ...(merchant ? { merchant } : {}),
  };
}

function toMerchant(row: Row, location: string): RawMerchant | null {
  if (!row.merchant_name) return null;
  return {
    name: row.merchant_name,
    ...(row.merchant_id ? { cid: row.merchant_id } : {}),
    ...(row.merchant_address ? { address: row.merchant_address } : {}),
    ...(row.merchant_city ? { city: row.merchant_city } : {}),
    ...(row.merchant_post_code ? { postCode: row.merchant_post_code } : {}),
    ...(row.merchant_country ? { country: row.merchant_country } : {}),
    ...(row.mcc ? { mcc: toNumber(row.mcc, `${location}, column mcc`) } : {}),
  };
}

function toAccount(row: Row): RawAccount | null {
  const id = row.account_number || row.iban;
  return id ? { id, name: row.account_name || id, iban: row.iban ?? "" } : null;
}

function toCard(row: Row): RawCard | null {
  if (!row.card_id) return null;
  return { id: row.card_id, pan4: row.card_pan4 ?? "", ...(row.card_type ? { cardType: row.card_type } : {}) };
}

/** A decimal point or a decimal comma, no thousands separator: 1,234 could be either. */
function toNumber(text: string, location: string): number {
  if (!/^[+-]?\d+([.,]\d+)?$/.test(text.trim())) throw new Fault("SOURCE_INVALID", `${location} is not a number.`);
  return Number(text.trim().replace(",", "."));
}
