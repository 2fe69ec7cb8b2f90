/**
 * SSH key pairs. ssh2 can generate them too, but cuts leading zero bytes off an Ed25519 public key, so that one in 256
 * cannot be used.
 */
import { generateKeyPair, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { sized, uint32 } from "../wire/fields.ts";

const generate = promisify(generateKeyPair);

export type SshKeyPair = {
  /** As a file that OpenSSH and ssh2 read. */
  privateKey: string;
  /** One line of authorized_keys or known_hosts, without host and comment: type and base64. */
  publicKey: string;
};

/** 128 bits of security until beyond 2030 (NIST SP 800-57 part 1). */
const rsaModulusLengthBits = 3072;

export async function generateEd25519(comment: string): Promise<SshKeyPair> {
  const { privateKey } = await generate("ed25519");
  const { d = "", x = "" } = privateKey.export({ format: "jwk" });
  return encodeEd25519(decode(d), decode(x), comment);
}

export async function generateRsa(): Promise<SshKeyPair> {
  const { publicKey, privateKey } = await generate("rsa", { modulusLength: rsaModulusLengthBits });
  const { e = "", n = "" } = publicKey.export({ format: "jwk" });
  const blob = Buffer.concat([sized("ssh-rsa"), sized(positive(decode(e))), sized(positive(decode(n)))]);
  return {
    privateKey: privateKey.export({ format: "pem", type: "pkcs1" }).toString(),
    publicKey: publicLine("ssh-rsa", blob),
  };
}

/** OpenSSH's own format, unencrypted (PROTOCOL.key): the only one in which ssh2 and old OpenSSH read Ed25519. */
export function encodeEd25519(seed: Buffer, publicBytes: Buffer, comment: string): SshKeyPair {
  const type = "ssh-ed25519";
  const blob = Buffer.concat([sized(type), sized(publicBytes)]);
  const check = randomBytes(4);
  const secret = Buffer.concat([check, check, blob, sized(Buffer.concat([seed, publicBytes])), sized(comment)]);
  const cipherBlockSizeBytes = 8;
  const paddingSizeBytes = (cipherBlockSizeBytes - (secret.length % cipherBlockSizeBytes)) % cipherBlockSizeBytes;
  const padding = Buffer.from(Array.from({ length: paddingSizeBytes }, (_, index) => index + 1));
  const body = Buffer.concat([
    Buffer.from("openssh-key-v1\0"),
    sized("none"),
    sized("none"),
    sized(""),
    uint32(1),
    sized(blob),
    sized(Buffer.concat([secret, padding])),
  ]);
  return { privateKey: armour(body), publicKey: publicLine(type, blob) };
}

function armour(body: Buffer): string {
  const lines = body.toString("base64").match(/.{1,70}/g) ?? [];
  return ["-----BEGIN OPENSSH PRIVATE KEY-----", ...lines, "-----END OPENSSH PRIVATE KEY-----", ""].join("\n");
}

function publicLine(type: string, blob: Buffer): string {
  return `${type} ${blob.toString("base64")}`;
}

function decode(base64url: string): Buffer {
  return Buffer.from(base64url, "base64url");
}

/** A multiple-precision integer is signed: a set top bit needs a zero byte before it (RFC 4251, section 5). */
function positive(bytes: Buffer): Buffer {
  return (bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
}
