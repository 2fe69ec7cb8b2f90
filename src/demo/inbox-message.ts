/** What the inbox keeps of a notification (inbox.ts), a file each. */

/** Whether the bytes are what the holder of the key signed, lately. */
export type Verdict = "verified" | "not signed" | "wrong signature" | "too old" | "not checked";

export type InboxMessage = {
  /** In the order of arrival, from 1. */
  number: number;
  receivedAt: string;
  /** Header names in lower case. The bearer token is not kept. */
  headers: Readonly<Record<string, string>>;
  /** As it came; notifications are UTF-8. */
  body: string;
  verdict: Verdict;
  /** What it was answered with. */
  answered: number;
};

/** Of a notification; whatever else came has none. */
export function typeOf({ body }: Pick<InboxMessage, "body">): string {
  try {
    const { notification } = JSON.parse(body) as { notification?: { type?: unknown } };
    return String(notification?.type ?? "unknown");
  } catch {
    return "unknown";
  }
}
