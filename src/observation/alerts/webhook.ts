/** An alert as a webhook: JSON, signed by Standard Webhooks where there is a secret; `text` alone is enough for a chat. */
import { Webhook } from "standardwebhooks";
import { call, RequestFailure } from "../../machine/guarded-request.ts";
import type { Message } from "./table.ts";
import { bodyOf, titleOf } from "./words.ts";

export type WebhookSettings = {
  url: string;
  /** Base64, as Standard Webhooks has it; undefined: unsigned. */
  secret: string | undefined;
  allowsPrivateAddresses: boolean;
};

/** @throws RequestFailure when it was not taken */
export async function sendWebhook(settings: WebhookSettings, message: Message, now: Date): Promise<void> {
  const { id, kind, name, subject, severity, summary, since } = message;
  const body = JSON.stringify({
    type: `alert.${kind}`,
    timestamp: message.createdAt.toISOString(),
    text: `${titleOf(message)}\n${bodyOf(message)}`,
    data: { alert: name, subject, severity, summary, since: since.toISOString() },
  });
  const headers = {
    "content-type": "application/json",
    "user-agent": "tideline",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    ...(settings.secret === undefined ? {} : { "webhook-signature": new Webhook(settings.secret).sign(id, now, body) }),
  };
  const { status } = await call(
    { method: "POST", url: new URL(settings.url), headers, body, needsStatusOnly: true },
    {
      allowsPrivateAddresses: settings.allowsPrivateAddresses,
      authority: undefined,
      clientCertificate: undefined,
    },
  );
  if (status < 200 || status > 299) throw new RequestFailure(`HTTP_${status}`);
}
