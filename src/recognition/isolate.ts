/**
 * When a run over many users fails, one of them may be the cause: a history that nobody foresaw must cost that user's
 * figures, never everybody's. Each is then recognised alone, and who fails is put off.
 */
import type { Database } from "../database/database.ts";

/** As long as a fault of the program stands, more tries find it again; new data brings the user back at once. */
const putOffMinutes = 60;

/**
 * @param recogniseOne throws for a user who cannot be recognised.
 * @param endsRun whether an error says nothing about the user, such as a database that is away: it is thrown on.
 * @returns how many were recognised, and how many put off.
 */
export async function recogniseOneByOne(
  database: Database,
  usersMax: number,
  recogniseOne: (userId: number) => Promise<void>,
  endsRun: (error: unknown) => boolean,
): Promise<{ recognised: number; putOff: number }> {
  const counts = { recognised: 0, putOff: 0 };
  for (const userId of await findOldest(database, usersMax)) {
    try {
      await recogniseOne(userId);
      counts.recognised += 1;
    } catch (error) {
      if (endsRun(error)) throw error;
      await putOff(database, userId);
      counts.putOff += 1;
    }
  }
  return counts;
}

/** The users whom the run that failed had taken, or nearly so: longest untouched first. */
async function findOldest(database: Database, usersMax: number): Promise<number[]> {
  const { rows } = await database.query<{ user_id: number }>(
    `select user_id
       from changed_users
      where touched_at <= now()
      order by touched_at
      limit $1`,
    [usersMax],
  );
  return rows.map((row) => row.user_id);
}

async function putOff(database: Database, userId: number): Promise<void> {
  await database.query(
    `update changed_users
        set touched_at = now() + make_interval(mins => $2),
            since = now() + make_interval(mins => $2)
      where user_id = $1`,
    [userId, putOffMinutes],
  );
}
