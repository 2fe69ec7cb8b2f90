/** The API's read of one service: one indexed row, its JSON text passed on as it stands. */
import type { Queryable } from "../database/database.ts";

/** A Service as JSON text; null when the user has none of that id. @param serviceId a UUID text. */
export async function readService(database: Queryable, userId: number, serviceId: string): Promise<string | null> {
  const { rows } = await database.query<{ document: string }>(
    `select document::text as document
       from services
      where id = $2
        and user_id = $1
        and document is not null`,
    [userId, serviceId],
  );
  return rows[0]?.document ?? null;
}
