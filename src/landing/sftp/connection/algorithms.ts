/**
 * What the door offers in the key exchange: modern algorithms only, in our order of preference. Nothing here can be
 * widened by configuration. Left out, with the reason:
 *
 * | left out | why |
 * | --- | --- |
 * | diffie-hellman-group-exchange-sha256 | ssh2 announces it and cannot do it as a server |
 * | ecdh-sha2-nistp*, ecdsa host keys | curves of unexplained origin; every client that knows them knows curve25519 |
 * | group14-sha256 and smaller groups | 2048 bits, at the lower edge of what is recommended to 2030 |
 * | ssh-rsa | signs with SHA-1 |
 * | hmac-sha1, MACs without EtM, CBC | SHA-1; padding oracles; Terrapin (CVE-2023-48795) on CBC with EtM |
 * | compression | compressing what is encrypted already costs time, and inflating strangers' bytes is a risk |
 *
 * Strict key exchange is announced by ssh2 itself.
 */
import ssh2, { type Algorithms, type ParsedKey, type ServerConfig } from "ssh2";
import { keyOfType } from "./ssh2-inside.ts";

export const algorithms: Algorithms = {
  kex: [
    "curve25519-sha256",
    "curve25519-sha256@libssh.org",
    "diffie-hellman-group16-sha512",
    "diffie-hellman-group18-sha512",
  ],
  cipher: ["aes256-gcm@openssh.com", "aes128-gcm@openssh.com", "chacha20-poly1305@openssh.com", "aes256-ctr"],
  hmac: ["hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com"],
  serverHostKey: ["ssh-ed25519", "rsa-sha2-512", "rsa-sha2-256"],
  compress: ["none"],
};

/**
 * MACs over the plaintext, for clients of the time before encrypt-then-MAC (libssh2 before 1.11, JSch before 2018).
 * Offered only to addresses in the networks of a partner that an operator set `sftp.legacyMacs` for, and refused at the
 * login of every other partner. With AES-CTR and strict key exchange no attack on them is known; encrypt-then-MAC is
 * the better order nevertheless.
 */
export const legacyMacs: readonly string[] = ["hmac-sha2-256", "hmac-sha2-512"];

/**
 * The host keys in the form that ssh2's Server takes. For an RSA key ssh2 announces `ssh-rsa` whatever `serverHostKey`
 * says, because it judges by the key's type. So the key is given under the names of its two modern signatures instead.
 * @throws Error when a key cannot be read
 */
export function hostKeysFor(privateKeys: readonly string[]): ServerConfig["hostKeys"] {
  return privateKeys.flatMap((privateKey) => {
    const key = ssh2.utils.parseKey(privateKey);
    if (key instanceof Error) throw key;
    return key.type === "ssh-rsa" ? [named(key, "rsa-sha2-512"), named(key, "rsa-sha2-256")] : [{ key }];
  });
}

function named(key: ParsedKey, type: string): { key: ParsedKey } {
  return { key: keyOfType(key, type) };
}
