/** Telling the running service at once what a command made due; without it the sweep finds it within a minute. */
import type { Session } from "./session.ts";

/** Does nothing when no service runs. A queue that is away costs time, nothing else. */
export async function enqueueNow(session: Session, deliveryId: string): Promise<void> {
  if (session.alone) return;
  // Few of the commands that may make something due do.
  const { openQueue } = await import("../../staging/queue.ts");
  const queue = openQueue({ databaseUrl: session.url, redisUrl: session.config.redisUrl });
  try {
    await queue.add([deliveryId]).catch(() => undefined);
  } finally {
    await queue.close();
  }
}
