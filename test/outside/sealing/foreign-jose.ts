/** Batches encrypted by implementations that are not the service's own, in four languages. */
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

/** Debian's packages belong to the system's interpreters, which need not be the first on the path. */
const python = "/usr/bin/python3";
const perl = "/usr/bin/perl";

/** Each with the Debian packages that bring it. */
export const foreignPrograms = [
  {
    name: "jwcrypto (Python), zip=DEF",
    interpreter: python,
    script: "seal-with-jwcrypto.py",
    packages: "python3-jwcrypto",
  },
  {
    name: "Crypt::JWT (Perl), zip=DEF",
    interpreter: perl,
    script: "seal-with-crypt-jwt.pl",
    packages: "libcrypt-jwt-perl",
  },
  { name: "cjose (C), no zip", interpreter: python, script: "seal-with-cjose.py", packages: "libcjose0" },
  {
    name: "Authlib (Python), zip=DEF",
    interpreter: python,
    script: "seal-with-authlib.py",
    packages: "python3-authlib",
  },
] as const;

/** The sealers that this machine has; jose is always among them, after the others. */
export async function openSealers(key: BatchKey): Promise<ForeignSealer[]> {
  const programs = await Promise.all(foreignPrograms.map((program) => sealWithProgram(key, program)));
  return [...programs.filter((one) => one !== null), await sealWithJose(key, true), await sealWithJose(key, false)];
}

async function sealWithJose(key: BatchKey, deflate: boolean): Promise<ForeignSealer> {
  const recipient = await importJWK(key, "RSA-OAEP");
  const header = { alg: "RSA-OAEP", enc: "A256GCM", kid: key.kid, ...(deflate ? { zip: "DEF" } : {}) };
  return {
    name: deflate ? "jose, zip=DEF" : "jose, no zip",
    seal: async (plaintext) =>
      await new CompactEncrypt(Buffer.from(plaintext)).setProtectedHeader(header).encrypt(recipient),
    close: () => undefined,
  };
}

/** One process that seals line by line. Null where its library is not installed. */
async function sealWithProgram(
  key: BatchKey,
  { name, interpreter, script }: (typeof foreignPrograms)[number],
): Promise<ForeignSealer | null> {
  const child = spawn(interpreter, [path.join(import.meta.dirname, script), JSON.stringify(key), key.kid], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.once("error", () => undefined);
  child.stdin.on("error", () => undefined);
  const waiting: { resolve(line: string): void; reject(error: Error): void }[] = [];
  const lines = createInterface({ input: child.stdout });
  const ready = Promise.race([
    once(lines, "line").then(() => true),
    once(child, "close").then(() => false),
    once(child, "error").then(() => false),
  ]);
  if (!(await ready)) return null;
  lines.on("line", (line) => waiting.shift()?.resolve(line));
  child.once("close", () => waiting.splice(0).forEach((one) => one.reject(new Error(`${name} ended`))));
  return {
    name,
    seal: async (plaintext) =>
      await new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        child.stdin.write(`${Buffer.from(plaintext).toString("base64")}\n`);
      }),
    close: () => void child.stdin.end(),
  };
}
