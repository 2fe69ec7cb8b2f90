/**
 * When a run over many users fails, one of them may be the cause: a history that nobody foresaw must cost that user's
 * figures, never everybody's. Each is then recognised alone, and who fails is put off.
 */
import type { Database } from "../database/database.ts";
import { findOldest, putOff } from "../partners/changed-users.ts";

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
      await putOff(database, userId, putOffMinutes);
      counts.putOff += 1;
    }
  }
  return counts;
}
