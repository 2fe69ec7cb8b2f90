/**
 * Deciding on one login attempt. To the client every refusal is the same: whether the partner exists, is suspended, or
 * may not come from this address shows only in the event.
 */
import { BlockList, isIPv4, isIPv6 } from "node:net";
import ssh2, { type AuthContext, type PublicKeyAuthContext } from "ssh2";
import type { SftpPartner } from "../../../partners/keys/sftp-keys.ts";

export type FindPartner = (username: string) => Promise<SftpPartner | null>;

export type AuthenticationOutcome =
  /** The client owns a valid key. */
  | { outcome: "accepted"; partner: SftpPartner; fingerprint: string }
  /** The key would do; the client has not yet proven that it owns it (RFC 4252, section 7). */
  | { outcome: "key-known" }
  | { outcome: "refused"; reason: RefusalReason };

export type RefusalReason =
  | "method-refused"
  | "user-unknown"
  | "suspended"
  | "address-not-allowed"
  | "key-unknown"
  | "signature-invalid"
  | "algorithm-refused";

/** @param address without the IPv6 form of an IPv4 address */
export async function authenticate(
  attempt: AuthContext,
  address: string,
  findPartner: FindPartner,
): Promise<AuthenticationOutcome> {
  if (attempt.method !== "publickey") return { outcome: "refused", reason: "method-refused" };
  // Asked in any case, so that known and unknown users take the same time.
  const partner = await findPartner(attempt.username);
  const key = partner?.keys.find((known) => blobOf(known.publicKey).equals(attempt.key.data));
  const reason = refusalOf(partner, key !== undefined, address, attempt);
  if (reason) return { outcome: "refused", reason };
  if (!partner || !key) throw new Error("a login without partner or key was not refused");
  if (attempt.signature === undefined) return { outcome: "key-known" };
  if (!isSignedBy(key.publicKey, attempt)) return { outcome: "refused", reason: "signature-invalid" };
  return { outcome: "accepted", partner, fingerprint: key.fingerprint };
}

function refusalOf(
  partner: SftpPartner | null,
  keyKnown: boolean,
  address: string,
  attempt: PublicKeyAuthContext,
): RefusalReason | null {
  if (!partner) return "user-unknown";
  if (partner.suspended) return "suspended";
  if (!isAllowed(address, partner.allowedNetworks)) return "address-not-allowed";
  if (!keyKnown) return "key-unknown";
  // ssh2 names a hash for the SHA-2 signatures of an RSA key; without one it is ssh-rsa, which signs with SHA-1.
  if (attempt.key.algo === "ssh-rsa" && attempt.hashAlgo === undefined) return "algorithm-refused";
  return null;
}

/** Whether someone who logged in so could still do it now. */
export function isWelcome(partner: SftpPartner | null, fingerprint: string, address: string): boolean {
  if (!partner || partner.suspended || !isAllowed(address, partner.allowedNetworks)) return false;
  return partner.keys.some((key) => key.fingerprint === fingerprint);
}

function blobOf(publicKey: string): Buffer {
  return Buffer.from(publicKey.split(" ")[1] ?? "", "base64");
}

function isSignedBy(publicKey: string, { blob, signature, hashAlgo }: PublicKeyAuthContext): boolean {
  const key = ssh2.utils.parseKey(publicKey);
  if (key instanceof Error || blob === undefined || signature === undefined) return false;
  // An Error is returned, not thrown, for a signature that cannot be checked.
  return key.verify(blob, signature, hashAlgo) === true;
}

/** Whether an address lies in one of the networks (CIDR); no networks means that none was restricted. */
export function isAllowed(address: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return true;
  const allowed = new BlockList();
  for (const network of networks) {
    const [base = "", prefix = ""] = network.split("/");
    if (isIPv4(base)) allowed.addSubnet(base, prefix === "" ? 32 : Number(prefix), "ipv4");
    else if (isIPv6(base)) allowed.addSubnet(base, prefix === "" ? 128 : Number(prefix), "ipv6");
  }
  return allowed.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}

/** `::ffff:192.0.2.1`, as a socket that listens on both families names it, becomes `192.0.2.1`. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
}
