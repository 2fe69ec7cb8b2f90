/** Sends what is to be told on each channel: at least once, again with growing pauses, and no more after a day. */
import type { Queryable } from "../../database/database.ts";
import type { Events } from "../../events.ts";
import { type MailSettings, sendMail } from "./mail.ts";
import { type Channel, claimMessages, type Message, postponeMessage, removeMessage } from "./table.ts";
import { sendWebhook, type WebhookSettings } from "./webhook.ts";

export type Channels = { webhook: WebhookSettings | null; mail: MailSettings | null };

const atOnceMax = 20;
/** Longer than the longest attempt. */
const leaseMs = 90_000;
const firstPauseMs = 10_000;
const pauseMsMax = 15 * 60_000;
/** What was wrong a day ago is news no more; what still is, is told again by then. */
const keptMs = 24 * 60 * 60_000;

export function namesOf({ webhook, mail }: Channels): Channel[] {
  return [...(webhook ? (["webhook"] as const) : []), ...(mail ? (["mail"] as const) : [])];
}

export async function sendDue(
  { database, events, now }: { database: Queryable; events: Events; now(): Date },
  channels: Channels,
): Promise<void> {
  const messages = await claimMessages(database, atOnceMax, leaseMs);
  await Promise.all(
    messages.map(async (message) => {
      const { id, channel, kind, name, attempts } = message;
      try {
        await send(channels, message, now());
      } catch (error) {
        const isOver = now().getTime() - message.createdAt.getTime() > keptMs;
        events.emit("alert.not-sent", { channel, kind, alert: name, attempt: attempts, again: !isOver, error });
        await (isOver ? removeMessage(database, id) : postponeMessage(database, id, pauseMs(attempts)));
        return;
      }
      await removeMessage(database, id);
      events.emit("alert.sent", { channel, kind, alert: name, attempt: attempts });
    }),
  );
}

async function send({ webhook, mail }: Channels, message: Message, now: Date): Promise<void> {
  // A channel that this process does not have any more: whoever has it sends, or its time runs out.
  if (message.channel === "webhook") {
    if (webhook === null) throw new Error("there is no webhook here");
    return await sendWebhook(webhook, message, now);
  }
  if (mail === null) throw new Error("there is no mail here");
  await sendMail(mail, message);
}

function pauseMs(attempts: number): number {
  return Math.min(pauseMsMax, firstPauseMs * 2 ** Math.min(attempts - 1, 20));
}
