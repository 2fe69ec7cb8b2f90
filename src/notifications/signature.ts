/** Headers by which a receiver may check who wrote a message and when. Source: the Standard Webhooks specification. */
import { createPrivateKey, sign } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { Signer } from "./receiver.ts";

/** By each key that signs now, the newest first: whoever checks by any of them finds its signature. */
export function signatureHeaders(
  { signing, signingKey, previous = null }: Signer & { previous?: Signer | null },
  id: string,
  at: Date,
  body: string,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signers = [{ signing, signingKey }, ...(previous === null ? [] : [previous])];
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signers.map((signer) => signatureBy(signer, id, at, body)).join(" "),
  };
}

function signatureBy({ signing, signingKey }: Signer, id: string, at: Date, body: string): string {
  if (signing === "hmac") return new Webhook(signingKey).sign(id, at, body);
  const signed = Buffer.from(`${id}.${Math.floor(at.getTime() / 1000)}.${body}`);
  return `v1a,${sign(null, signed, createPrivateKey(signingKey)).toString("base64")}`;
}
