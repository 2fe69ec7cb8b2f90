/** Currency conversion as a thread keeps it. */
import type { Database } from "../../src/database/database.ts";
import { type Conversion, type CurrentConversion, openConversion } from "../../src/rates/conversion.ts";

/** Rates are seven thousand days: a thread reads them once, and again when a load has changed them. */
const conversions = new WeakMap<Database, Promise<Conversion>>();

export async function currentConversion(database: Database): Promise<CurrentConversion> {
  return await (await openedFor(database)).current();
}

function openedFor(database: Database): Promise<Conversion> {
  const known = conversions.get(database);
  if (known) return known;
  const conversion = openConversion(database);
  conversions.set(database, conversion);
  conversion.catch(() => conversions.delete(database));
  return conversion;
}
