/** The list of visible services as it is kept. */
import type { Queryable } from "../../src/database/database.ts";
import { unpack } from "../../src/interface/packed.ts";
import type { ServiceResponse } from "../../src/interface/services.ts";

/** Its text. Null: the user has none, or it is not packed. */
export async function visibleTextOf(database: Queryable, userId: number): Promise<string | null> {
  const { rows } = await database.query<{ packed: Buffer }>(
    "select services_visible_packed as packed from read_models where user_id = $1 and services_visible is null and packed_of = digest",
    [userId],
  );
  return rows[0] === undefined ? null : unpack(rows[0].packed).toString();
}

/** @throws where visibleTextOf knows none */
export async function visibleListOf(database: Queryable, userId: number): Promise<ServiceResponse> {
  const text = await visibleTextOf(database, userId);
  if (text === null) throw new Error(`user ${userId} has no packed list of visible services`);
  return JSON.parse(text) as ServiceResponse;
}
