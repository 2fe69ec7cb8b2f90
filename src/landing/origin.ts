/**
 * What a kept file is and from whom it came, sealed beside its bytes: by it a file is taken up again whose row the
 * database has forgotten (forgotten/). Sealed, so that whoever can write into the vault makes no delivery by it.
 */
import { decryptSecret, encryptSecret } from "../partners/keys/secrets-at-rest.ts";

export type Origin = {
  partnerId: string;
  door: "sftp" | "direct";
  /** Path below inbox/. */
  name: string;
  /** Of the file as it came; what lies in the vault is another where that came in the clear. */
  sizeBytes: number;
  /** Hexadecimal, of the same. */
  sha256: string;
  correlationId: string;
};

/** @param ring the key-encryption keys */
export function sealOrigin(ring: Buffer, deliveryId: string, origin: Origin): Buffer {
  return encryptSecret(ring, contextOf(deliveryId), JSON.stringify(origin));
}

/** @throws Fault KEY_ENCRYPTION_KEY for what no key of the ring sealed for this delivery */
export function openOrigin(ring: Buffer, deliveryId: string, sealed: Buffer): Origin {
  return JSON.parse(decryptSecret(ring, contextOf(deliveryId), sealed)) as Origin;
}

export function contextOf(deliveryId: string): string {
  return `vault-origin:${deliveryId}`;
}
