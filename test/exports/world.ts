/** A partner's users with what they have, put in place as loading and recognition would leave it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { ExecutionContext } from "ava";
import { columnsOf, type DatasetName } from "../../src/exports/datasets.ts";
import { type Exported, exportRows, type Plan } from "../../src/exports/export.ts";
import { encoderOf, type ExportFormat } from "../../src/exports/formats.ts";
import { openFile, type Target } from "../../src/exports/target.ts";
import { addPartner, addUser } from "../parties.ts";
import { createTestDatabase, type TestDatabase } from "../world.ts";

export type World = TestDatabase & { folder: string; partnerId: string };

export async function openWorld(t: ExecutionContext): Promise<World> {
  const created = await createTestDatabase(t);
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-exports-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return { ...created, folder, partnerId: await addPartner(created.database) };
}

/** `rows` payments of each of `users` users, u1, u2, … */
export async function addPayments({ database, partnerId }: World, users: number, rows: number): Promise<void> {
  await database.query(
    `with added as (
       insert into users (partner_id, brand_id, bank_user_id, locale)
       select $1, 'bank-dk', 'u' || n, 'da-DK' from generate_series(1, $2::int) as n
       returning id, bank_user_id
     ),
     owned as (
       insert into accounts (user_id, id, name, iban) select id, 'a-' || bank_user_id, 'Løn', 'DK5000400440116243' from added
     )
     insert into transactions (user_id, txid, booked_on, tx_time, raw_type, description, amount, currency, account_id, delivery_position)
     select id, bank_user_id || '-' || n, date '2025-01-01' + n % 360, '2025-01-01T12:00:00Z', 'CARD_PURCHASE', 'Købmand ' || n,
            -n - 0.25, 'DKK', 'a-' || bank_user_id, 1
       from added, generate_series(1, $3::int) as n`,
    [partnerId, users, rows],
  );
}

export type Payment = {
  txid: string;
  description?: string;
  amount?: string;
  bookedOn?: string;
  accountId?: string | null;
};

export async function addPayment({ database }: World, userId: number, payment: Payment): Promise<void> {
  await database.query(
    `insert into transactions (user_id, txid, booked_on, tx_time, raw_type, description, amount, currency, account_id, delivery_position)
     values ($1, $2, $3::date, $3::text || 'T08:00:00Z', 'CARD_PURCHASE', $4, $5, 'DKK', $6, 1)`,
    [
      userId,
      payment.txid,
      payment.bookedOn ?? "2026-01-31",
      payment.description ?? "Coffee",
      payment.amount ?? "-12.5",
      payment.accountId ?? null,
    ],
  );
}

export { addUser };

export const everything = (dataset: DatasetName, partnerId: string): Plan => ({
  dataset,
  partnerId,
  bankUserIds: null,
  from: null,
  until: null,
  unmasked: false,
});

/** Exports into a file. @param between is called with the target after each piece, and may break off by throwing */
export async function exportTo(
  world: World,
  file: string,
  format: ExportFormat,
  plan: Plan,
  between: (settled: number, target: Target) => Promise<void> = async () => undefined,
): Promise<Exported> {
  const encoder = encoderOf(format, columnsOf(plan));
  const open = async (): Promise<Target> => {
    const target = await openFile(file, JSON.stringify([plan, format]), encoder);
    let settled = 0;
    return {
      ...target,
      async settle(settling, place) {
        await target.settle(settling, place);
        settled += 1;
        await between(settled, target);
      },
    };
  };
  const signal = new AbortController().signal;
  return await exportRows(world.database, plan, { file, open }, encoder, { advance: () => undefined, signal });
}

/** What DuckDB reads; every value as text. */
export async function askDuckDb(query: string): Promise<Record<string, string | null>[]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    const answer = await connection.runAndReadAll(query);
    return answer
      .getRowObjects()
      .map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)])),
      );
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
