/**
 * Which signatures the door takes at a login, told to the client as `server-sig-algs` (RFC 8308, section 3.1). ssh2's
 * own list has lost a comma, so that it names one algorithm that does not exist instead of rsa-sha2-512, and it names
 * SHA-1 and DSA, which are refused.
 */
import type { Connection } from "ssh2";
import { sized, uint32 } from "../wire/fields.ts";
import { replaceNextPacket } from "./ssh2-inside.ts";

/** As `partners/sftp-keys.ts` takes keys and `authentication.ts` judges signatures, the strongest first. */
export const signatureAlgorithms = [
  "ssh-ed25519",
  "ecdsa-sha2-nistp256",
  "ecdsa-sha2-nistp384",
  "ecdsa-sha2-nistp521",
  "rsa-sha2-512",
  "rsa-sha2-256",
] as const;

const extInfoType = 7;

/** Puts our list into the place of ssh2's when that passes, once: ssh2 sends it after the first key exchange only. */
export function correctExtInfo(client: Connection): void {
  replaceNextPacket(client, extInfoType, extInfo());
}

function extInfo(): Buffer {
  return Buffer.concat([
    Buffer.of(extInfoType),
    uint32(1),
    sized("server-sig-algs"),
    sized(signatureAlgorithms.join(",")),
  ]);
}
