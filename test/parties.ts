/** Partners, users and deliveries for tests, put in place as an operator and a door would. */
import { createHash, randomUUID, randomUUIDv7 } from "node:crypto";
import type { Database } from "../src/database/database.ts";
import type { DeliveryState } from "../src/deliveries/deliveries.ts";

export type TestBrand = { id: string; country: string; currency: string; timeZone: string; locale: string };

export const danishBrand: TestBrand = {
  id: "bank-dk",
  country: "DK",
  currency: "DKK",
  timeZone: "Europe/Copenhagen",
  locale: "da-DK",
};

/** A partner with one brand. @returns its id. */
export async function addPartner(database: Database, id = "bank", brand: TestBrand = danishBrand): Promise<string> {
  await database.query("insert into partners (id, name) values ($1, $1)", [id]);
  await database.query(
    "insert into brands (partner_id, id, country, currency, time_zone, locale) values ($1, $2, $3, $4, $5, $6)",
    [id, brand.id, brand.country, brand.currency, brand.timeZone, brand.locale],
  );
  return id;
}

/** A live user. @returns its internal id. */
export async function addUser(
  database: Database,
  partnerId: string,
  bankUserId: string,
  brandId = danishBrand.id,
): Promise<number> {
  const { rows } = await database.query<{ id: number }>(
    "insert into users (partner_id, brand_id, bank_user_id, locale) values ($1, $2, $3, 'da-DK') returning id",
    [partnerId, brandId, bankUserId],
  );
  return rows[0]?.id ?? 0;
}

/** A delivery row in a state, without bytes. @returns its id and position. */
export async function addDelivery(
  database: Database,
  partnerId: string,
  state: DeliveryState,
  more: { name?: string; door?: "https" | "sftp"; attempts?: number } = {},
): Promise<{ id: string; position: number }> {
  const { rows } = await database.query<{ id: string; position: number }>(
    `insert into deliveries (id, partner_id, door, format, name, correlation_id, size_bytes, sha256, state, refusal_code, attempts)
     values ($1, $2, $3, 'jsonl', $4, $5, 10, $6, $7, case when $7 = 'refused' then 'LOAD_ABANDONED' end, $8)
     returning id, position`,
    [
      randomUUIDv7(),
      partnerId,
      more.door ?? "https",
      more.name ?? null,
      randomUUID(),
      createHash("sha256").update(randomUUID()).digest(),
      state,
      more.attempts ?? 0,
    ],
  );
  const row = rows[0];
  if (!row) throw new Error("no delivery was inserted");
  return row;
}
