/**
 * What the database holds against what the bank has: by SQL over the ledger, row by row, and by the deliveries'
 * accounts.
 */
import pg from "pg";
import type { LabelledSet, SetRecord } from "./labelled-set.ts";

export type LedgerCheck = {
  rows: number;
  /** By user and txid. */
  rowsDistinct: number;
  /** Of each currency: exact decimal texts. */
  sums: { currency: string; ledger: string; source: string }[];
  /**
   * Transactions of the set that are not in the ledger, are there with other content, or are there and not in the set.
   */
  missing: number;
  differing: number;
  foreign: number;
};

export type Accounts = {
  deliveries: number;
  open: number;
  refusedByCode: Record<string, number>;
  /** Deliveries whose records are not the sum of their parts. */
  unbalanced: number;
  new: number;
  known: number;
  conflicting: number;
  refused: number;
  waiting: number;
  markers: number;
};

type Row = {
  uid: string;
  txid: string;
  amount: string;
  currency: string;
  description: string;
  day: string;
  account: string | null;
};

export async function withDatabase<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export async function checkLedger(url: string, set: LabelledSet): Promise<LedgerCheck> {
  return await withDatabase(url, async (client) => {
    const counted = await client.query<{ rows: number; distinct: number }>(
      'select count(*)::int as rows, count(distinct (user_id, txid))::int as "distinct" from transactions',
    );
    const sums = await client.query<{ currency: string; sum: string }>(
      "select currency, trim_scale(sum(amount))::text as sum from transactions group by currency order by currency",
    );
    const rows = await client.query<Row>(
      `select users.bank_user_id as uid, txid, amount::text, currency, description, booked_on::text as day, account_id as account
         from transactions
         join users on users.id = transactions.user_id`,
    );
    const source = sumByCurrency(set.records);
    return {
      rows: counted.rows[0]?.rows ?? 0,
      rowsDistinct: counted.rows[0]?.distinct ?? 0,
      sums: sums.rows.map(({ currency, sum }) => ({ currency, ledger: sum, source: source.get(currency) ?? "none" })),
      ...compareRows(set.records, rows.rows),
    };
  });
}

function compareRows(
  records: readonly SetRecord[],
  rows: readonly Row[],
): Pick<LedgerCheck, "missing" | "differing" | "foreign"> {
  const held = new Map(rows.map((row) => [keyOf(row.uid, row.txid), row]));
  const wanted = new Map(records.map((record) => [keyOf(record.uid, record.tx.txid), record]));
  const missing = [...wanted.keys()].filter((key) => !held.has(key)).length;
  const foreign = [...held.keys()].filter((key) => !wanted.has(key)).length;
  const differing = [...wanted].filter(([key, record]) => held.has(key) && !sameContent(record, held.get(key))).length;
  return { missing, foreign, differing };
}

function sameContent({ tx, account }: SetRecord, row: Row | undefined): boolean {
  return (
    row !== undefined &&
    Number(row.amount) === tx.amount &&
    row.currency === tx.currency &&
    row.description === tx.description &&
    row.day === tx.txTime.slice(0, 10) &&
    row.account === (account?.id ?? null)
  );
}

function keyOf(uid: string, txid: string): string {
  return `${uid}\0${txid}`;
}

/** Enough decimals for any currency and any original amount. */
const scale = 6;

/** Exact: decimal texts as whole numbers of millionths. */
function sumByCurrency(records: readonly SetRecord[]): Map<string, string> {
  const sums = new Map<string, bigint>();
  for (const { tx } of records) sums.set(tx.currency, (sums.get(tx.currency) ?? 0n) + millionths(String(tx.amount)));
  return new Map([...sums].map(([currency, sum]) => [currency, asDecimal(sum)]));
}

function millionths(text: string): bigint {
  const [, sign = "", whole = "", fraction = ""] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (whole === "") throw new Error("an amount of the set has another form");
  return BigInt(`${sign}${whole}${fraction.padEnd(scale, "0")}`);
}

function asDecimal(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  const fraction = digits.slice(-scale).replace(/0+$/, "");
  return `${value < 0n ? "-" : ""}${digits.slice(0, -scale)}${fraction === "" ? "" : `.${fraction}`}`;
}

export async function readAccounts(url: string): Promise<Accounts> {
  return await withDatabase(url, async (client) => {
    const { rows } = await client.query<Omit<Accounts, "refusedByCode">>(
      `select count(*)::int as deliveries,
              (count(*) filter (where state in ('accepted', 'loading')))::int as open,
              (count(*) filter (where records <> records_new + records_known + records_conflicting + records_refused + records_waiting + markers))::int as unbalanced,
              coalesce(sum(records_new), 0)::int as new,
              coalesce(sum(records_known), 0)::int as known,
              coalesce(sum(records_conflicting), 0)::int as conflicting,
              coalesce(sum(records_refused), 0)::int as refused,
              coalesce(sum(records_waiting), 0)::int as waiting,
              coalesce(sum(markers), 0)::int as markers
         from deliveries`,
    );
    const refusals = await client.query<{ code: string; count: number }>(
      "select refusal_code as code, count(*)::int as count from deliveries where refusal_code is not null group by refusal_code",
    );
    const [accounts] = rows;
    if (!accounts) throw new Error("an aggregate has a row");
    return { ...accounts, refusedByCode: Object.fromEntries(refusals.rows.map(({ code, count }) => [code, count])) };
  });
}

/**
 * Acknowledged requests and files that are not there, are not loaded, or whose count of records is not what was sent.
 */
export async function findUnkept(
  url: string,
  requests: ReadonlyMap<string, number>,
  files: ReadonlyMap<string, number>,
): Promise<string[]> {
  return await withDatabase(url, async (client) => {
    const { rows } = await client.query<{ reference: string; records: number }>(
      "select coalesce(name, request_id::text) as reference, records::int from deliveries where state = 'loaded'",
    );
    const loaded = new Map(rows.map(({ reference, records }) => [reference, records]));
    return [...requests, ...files]
      .filter(([reference, records]) => loaded.get(reference) !== records)
      .map(([reference]) => reference);
  });
}

export async function countOpen(url: string): Promise<number> {
  return (await readAccounts(url)).open;
}
