/** Batches encrypted by implementations that are not the service's own: npm's jose and Python's jwcrypto. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { CompactEncrypt, importJWK, type JWK } from "jose";

export type ForeignSealer = {
  name: string;
  /** @param plaintext JSON text @returns a compact JWE: RSA-OAEP, A256GCM */
  seal(plaintext: string): Promise<string>;
  close(): void;
};

type BatchKey = JWK & { kid: string };

/** The sealers that this machine has; jose is always among them. */
export async function openSealers(key: BatchKey): Promise<ForeignSealer[]> {
  const [deflating, plain, python] = [await sealWithJose(key, true), await sealWithJose(key, false), await sealWithJwcrypto(key)];
  return python ? [python, deflating, plain] : [deflating, plain];
}

async function sealWithJose(key: BatchKey, deflate: boolean): Promise<ForeignSealer> {
  const recipient = await importJWK(key, "RSA-OAEP");
  const header = { alg: "RSA-OAEP", enc: "A256GCM", kid: key.kid, ...(deflate ? { zip: "DEF" } : {}) };
  return {
    name: deflate ? "jose, zip=DEF" : "jose, no zip",
    seal: async (plaintext) => await new CompactEncrypt(Buffer.from(plaintext)).setProtectedHeader(header).encrypt(recipient),
    close: () => undefined,
  };
}

/** Debian's python3-jwcrypto belongs to the system's Python. Null where it is not installed. */
async function sealWithJwcrypto(key: BatchKey): Promise<ForeignSealer | null> {
  const child = spawn("/usr/bin/python3", [path.join(import.meta.dirname, "seal-with-jwcrypto.py"), JSON.stringify(key)], { stdio: ["pipe", "pipe", "ignore"] });
  child.once("error", () => undefined);
  child.stdin.on("error", () => undefined);
  const waiting: ((line: string) => void)[] = [];
  const lines = createInterface({ input: child.stdout });
  const ready = Promise.race([once(lines, "line").then(() => true), once(child, "close").then(() => false), once(child, "error").then(() => false)]);
  if (!(await ready)) return null;
  lines.on("line", (line) => waiting.shift()?.(line));
  return {
    name: "jwcrypto, zip=DEF",
    seal: async (plaintext) => await new Promise((resolve) => {
      waiting.push(resolve);
      child.stdin.write(`${Buffer.from(plaintext).toString("base64")}\n`);
    }),
    close: () => void child.stdin.end(),
  };
}
