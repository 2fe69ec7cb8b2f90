/** Currency conversion as a thread keeps it. */
import type { Database } from "../../src/database/database.ts";
import { openConversion } from "../../src/ledger/rates.ts";

/** Rates are seven thousand days: a thread reads them once and refreshes them behind later tasks. */
const conversions = new WeakMap<Database, ReturnType<typeof openConversion>>();

export function currentConversion(database: Database): ReturnType<typeof openConversion> {
  const known = conversions.get(database);
  if (known) return known;
  const conversion = openConversion(database);
  conversions.set(database, conversion);
  conversion.catch(() => conversions.delete(database));
  return conversion;
}
