/**
 * What tests of the ledger stand on: one database a file, and in it for each test a partner of its own with users and
 * deliveries.
 */
import test from "ava";
import {
  type Database,
  inTransaction,
  openDatabase,
  type Queryable,
  type Transaction,
} from "../../src/database/database.ts";
import type { DeliveryState } from "../../src/deliveries/deliveries.ts";
import type { HeldRange } from "../../src/deliveries/held.ts";
import type { LedgerRow } from "../../src/ledger/row.ts";
import { paymentNumbersOf } from "../../src/ledger/payment-numbers.ts";
import { OwnedRows } from "../../src/ledger/posting.ts";
import { RowBlock } from "../../src/ledger/row-block.ts";
import { addDelivery, addPartner, addUser } from "../parties.ts";
import { createTestDatabase } from "../world.ts";

export type Ledger = {
  readonly database: Database;
  readonly url: string;
  /** A partner with the users u1, u2, u3, whom no other test has. */
  party(): Promise<Party>;
};

export type Party = {
  partnerId: string;
  /** Of u1, u2, u3, ascending. */
  userIds: [number, number, number];
  delivery(state: DeliveryState): Promise<{ id: string; position: number }>;
};

/**
 * The tests of a file run at once, and some hold a connection while two others wait: were there fewer, all would wait.
 */
const connectionsMax = 60;

/** One database for all tests of a file: they keep out of each other's way by their partners. */
export function shareLedger(): Ledger {
  const endings: (() => unknown)[] = [];
  let opened: { url: string; database: Database } | undefined;
  let parties = 0;
  test.before(async () => {
    const { url } = await createTestDatabase({ teardown: (end) => void endings.unshift(end) });
    const database = openDatabase(url, { sizeMax: connectionsMax, applicationName: "test" });
    endings.unshift(() => database.end());
    opened = { url, database };
  });
  test.after.always(async () => {
    for (const end of endings) await end();
  });
  const present = () => {
    if (!opened) throw new Error("the database is open within tests only");
    return opened;
  };
  return {
    get database() {
      return present().database;
    },
    get url() {
      return present().url;
    },
    async party() {
      const { database } = present();
      parties += 1;
      const partnerId = await addPartner(database, `bank-${parties}`);
      const [u1, u2, u3] = [
        await addUser(database, partnerId, "u1"),
        await addUser(database, partnerId, "u2"),
        await addUser(database, partnerId, "u3"),
      ];
      return { partnerId, userIds: [u1, u2, u3], delivery: (state) => addDelivery(database, partnerId, state) };
    },
  };
}

/** A database that nothing may be asked of. */
export const unasked = {
  query: () => {
    throw new Error("a statement was sent");
  },
} as unknown as Transaction;

type Cell = string | number | boolean | null;

/** Columns of a delivery's row as they are after a test's statement. */
export async function deliveryRow(database: Queryable, id: string, columns: string): Promise<Record<string, unknown>> {
  const { rows } = await database.query<Record<string, unknown>>(`select ${columns} from deliveries where id = $1`, [
    id,
  ]);
  if (!rows[0]) throw new Error("no such delivery");
  return rows[0];
}

/** Puts one row into a table. */
export async function insert(database: Queryable, table: string, row: Readonly<Record<string, Cell>>): Promise<void> {
  const columns = Object.keys(row);
  await database.query(
    `insert into ${table} (${columns.join(", ")}) values (${columns.map((_, at) => `$${at + 1}`).join(", ")})`,
    Object.values(row),
  );
}

/** A stored transaction of ten crowns spent, but for what is given. @returns its id */
export async function addTransaction(
  database: Queryable,
  given: Readonly<Record<string, Cell>> & { user_id: number; txid: string },
  table = "transactions",
): Promise<number> {
  const { rows } = await database.query<{ id: number }>("select nextval('transaction_ids') as id");
  const id = rows[0]?.id ?? 0;
  await insert(database, table, {
    id,
    booked_on: "2026-01-31",
    tx_time: "2026-01-31",
    raw_type: "CARD",
    description: "Payment",
    amount: "-10",
    currency: "DKK",
    delivery_position: 1,
    ...given,
  });
  return id;
}

/** By what numbers callers know stored transactions. */
export async function toldIds(database: Queryable, ids: readonly number[]): Promise<number[]> {
  return (await paymentNumbersOf(database)).told(ids);
}

/** Whether work waits for a lock that the holder has; false when it ended without. */
export async function waitsFor(database: Database, holder: Transaction, work: Promise<unknown>): Promise<boolean> {
  const { rows } = await holder.query<{ pid: number }>("select pg_backend_pid() as pid");
  const progress = { isOver: false };
  const end = () => {
    progress.isOver = true;
  };
  work.then(end, end);
  while (!progress.isOver) {
    const waiting = await database.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and $1 = any(pg_blocking_pids(pid))",
      [rows[0]?.pid],
    );
    if (waiting.rowCount) return true;
  }
  return false;
}

/** Whether `second`, in another transaction, waits for what `first` took. @param meanwhile is called while it waits */
export async function makesWait(
  database: Database,
  first: (transaction: Transaction) => Promise<unknown>,
  second: (transaction: Transaction) => Promise<unknown>,
  meanwhile?: () => Promise<unknown>,
): Promise<boolean> {
  const holder = await database.connect();
  try {
    await holder.query("begin");
    await first(holder);
    const work = inTransaction(database, second);
    const isWaiting = await waitsFor(database, holder, work);
    await meanwhile?.();
    await holder.query("commit");
    await work;
    return isWaiting;
  } finally {
    holder.release();
  }
}

/** In this transaction rows are read as they are stored, not by an index that happens to have the order asked for. */
export async function readAsStored(transaction: Transaction): Promise<void> {
  await transaction.query(
    "set local enable_indexscan = off; set local enable_bitmapscan = off; set local enable_indexonlyscan = off",
  );
}

/** Which of the deliveries somebody has locked, in the order given. */
export async function lockedDeliveries(database: Database, ids: readonly string[]): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    "select id from deliveries where id = any($1::uuid[]) for no key update skip locked",
    [ids],
  );
  const free = new Set(rows.map((row) => row.id));
  return ids.filter((id) => !free.has(id));
}

/** Hexadecimal digits, written in groups. */
export const hex = (groups: string): string => groups.replaceAll(" ", "");

/** A held record that was refused, but for what is given. */
export const heldRange = (more: Partial<HeldRange> = {}): HeldRange => ({
  batch: 0,
  firstIndex: 0,
  lastIndex: 0,
  line: 1,
  kind: "refused",
  field: "txid",
  reason: "missing",
  records: 1,
  ...more,
});

export type TestRow = { userId: number; row: LedgerRow };

/** A row of a user with nothing in it but what is given. */
export function owned(userId: number, txid: string, more: Partial<LedgerRow> = {}): TestRow {
  return {
    userId,
    row: {
      txid,
      bookedOn: "2026-01-31",
      txTime: "2026-01-31",
      rawType: "X",
      description: "",
      amount: "1",
      currency: "DKK",
      originalAmount: null,
      originalCurrency: null,
      merchantName: null,
      merchantCid: null,
      merchantAddress: null,
      merchantCity: null,
      merchantPostCode: null,
      merchantCountry: null,
      merchantMcc: null,
      accountId: null,
      cardId: null,
      ...more,
    },
  };
}

/** Rows with their owners, in one block. */
export function ownedRows(all: readonly TestRow[], deliveryPosition: number): OwnedRows {
  const rows = new OwnedRows(all.length);
  const block = new RowBlock();
  for (const { userId, row } of all) {
    block.add(row, deliveryPosition);
    rows.add(block, block.rows - 1, userId);
  }
  return rows;
}
