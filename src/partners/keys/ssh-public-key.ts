/** One SSH public key, read and judged: what may log in at the SFTP door. */
import { createHash } from "node:crypto";
import ssh2 from "ssh2";
import { Fault } from "../../errors.ts";

const keyTypes = ["ssh-ed25519", "ssh-rsa", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521"];

/** Shorter RSA keys are below 112 bits of security (NIST SP 800-131A). */
const rsaModulusLengthMinBits = 2048;

/**
 * One public key, checked and in its shortest form.
 * @throws Fault COMMAND_USAGE
 */
export function readPublicKey(line: string): { fingerprint: string; publicKey: string; comment: string } {
  const key = ssh2.utils.parseKey(line.trim());
  if (key instanceof Error || Array.isArray(key)) throw new Fault("COMMAND_USAGE", "This is not one SSH public key.");
  if (key.isPrivateKey()) throw new Fault("COMMAND_USAGE", "This is a private key; give the .pub file.");
  if (!keyTypes.includes(key.type)) throw new Fault("COMMAND_USAGE", `Keys of type ${key.type} are not accepted.`);
  const blob = key.getPublicSSH();
  if (key.type === "ssh-rsa" && rsaModulusLengthBits(blob) < rsaModulusLengthMinBits) {
    throw new Fault("COMMAND_USAGE", `RSA keys need at least ${rsaModulusLengthMinBits} bits.`);
  }
  return {
    fingerprint: fingerprintOf(blob),
    publicKey: `${key.type} ${blob.toString("base64")}`,
    comment: key.comment,
  };
}

/** SHA256: and the unpadded base64 of the hash of a key in SSH's wire form. */
function fingerprintOf(blob: Buffer): string {
  return `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`;
}

/** An RSA key in wire form is type, exponent, modulus, each with a 32-bit length (RFC 4253, section 6.6). */
function rsaModulusLengthBits(blob: Buffer): number {
  let offset = 0;
  for (let field = 0; field < 2; field += 1) offset += 4 + blob.readUInt32BE(offset);
  const modulus = blob.subarray(offset + 4);
  return BigInt(`0x${modulus.toString("hex")}`).toString(2).length;
}
