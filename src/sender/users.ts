/** Creating many users before their transactions are sent. */
import type { Door } from "./door.ts";
import { limitInFlight } from "./in-flight.ts";
import type { NewUser } from "./service.ts";

export type UsersSummary = { usersCreated: number; usersExisting: number };

/** Calls under way at once; one user is a small call, so its round trip is what takes the time. */
const callsMax = 8;

/**
 * Idempotent: users who are there already are counted and left as they are. @throws Fault SERVICE_REFUSED,
 * SERVICE_UNREACHABLE
 */
export async function sendUsers(
  door: Pick<Door, "createUser">,
  users: AsyncIterable<NewUser> | Iterable<NewUser>,
  options: { signal?: AbortSignal | undefined; onProgress?: (summary: UsersSummary) => void } = {},
): Promise<UsersSummary> {
  const summary: UsersSummary = { usersCreated: 0, usersExisting: 0 };
  const inFlight = limitInFlight(callsMax);
  for await (const user of users) {
    options.signal?.throwIfAborted();
    await inFlight.add(async () => {
      if ((await door.createUser(user)) === "created") summary.usersCreated += 1;
      else summary.usersExisting += 1;
      options.onProgress?.(summary);
    });
  }
  await inFlight.idle();
  return summary;
}
