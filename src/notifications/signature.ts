/** Headers by which a receiver may check who wrote a message and when. Source: the Standard Webhooks specification. */
import { createPrivateKey, sign } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { Receiver } from "./receiver.ts";

export function signatureHeaders(
  { signing, signingKey }: Pick<Receiver, "signing" | "signingKey">,
  id: string,
  at: Date,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature =
    signing === "hmac"
      ? new Webhook(signingKey).sign(id, at, body)
      : `v1a,${sign(null, Buffer.from(`${id}.${timestamp}.${body}`), createPrivateKey(signingKey)).toString("base64")}`;
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
}
