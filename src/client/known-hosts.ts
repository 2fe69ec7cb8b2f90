/**
 * OpenSSH's known_hosts: whether a server's key is one that the file lists for it (sshd(8), "SSH_KNOWN_HOSTS FILE
 * FORMAT").
 */
import { createHmac } from "node:crypto";

/** @param key in SSH's wire form. Lines marked @revoked or @cert-authority are never a match. */
export function knowsHostKey(knownHosts: string, server: { host: string; port: number }, key: Buffer): boolean {
  const names = server.port === 22 ? [server.host] : [`[${server.host}]:${server.port}`];
  const wanted = key.toString("base64");
  return knownHosts.split("\n").some((line) => {
    const [hosts = "", , listed] = line.trim().split(/\s+/);
    if (hosts === "" || hosts.startsWith("#") || hosts.startsWith("@")) return false;
    return listed === wanted && hosts.split(",").some((host) => names.some((name) => isHost(host, name)));
  });
}

/** Plain names, and hashed ones: |1|salt|HMAC-SHA1 of the name. */
function isHost(listed: string, name: string): boolean {
  if (!listed.startsWith("|1|")) return listed === name;
  const [, , salt = "", hash] = listed.split("|");
  return createHmac("sha1", Buffer.from(salt, "base64")).update(name).digest("base64") === hash;
}
