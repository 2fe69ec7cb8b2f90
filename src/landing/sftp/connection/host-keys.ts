/** The door's identity: an Ed25519 and an RSA key, generated once and kept, because clients remember them. */
import { mkdir, open, readFile, rename } from "node:fs/promises";
import path from "node:path";
import ssh2 from "ssh2";
import { syncFolder } from "../../../machine/sync-folder.ts";
import { generateEd25519, generateRsa, type SshKeyPair } from "./key-pairs.ts";

export type HostKeys = {
  /** With which the door proves who it is; OpenSSH or PEM text. */
  privateKeys: string[];
  /** Those, and the ones that follow or went before. */
  announced: string[];
  /** Type and base64 of each announced key, as partners are told out of band. */
  publicKeys: string[];
  /** The text of a client's known_hosts file for a door at these names and addresses. */
  knownHosts(hosts: readonly string[], port: number): string;
};

const generators: readonly (readonly [file: string, generate: () => Promise<SshKeyPair>])[] = [
  ["ssh_host_ed25519_key", () => generateEd25519("tideline")],
  ["ssh_host_rsa_key", generateRsa],
];

export const setFiles: readonly string[] = generators.map(([file]) => file);

/**
 * Reads the keys of a folder and of its subfolders that have a role, generating those of the current set that are
 * missing. Files are readable by their owner only. @param others subfolders whose keys are announced too
 */
export async function openHostKeys(folder: string, current = ".", others: readonly string[] = []): Promise<HostKeys> {
  const privateKeys = await generateSet(path.join(folder, current));
  const announced = [...privateKeys];
  for (const other of others) {
    for (const file of setFiles) announced.push(await readFile(path.join(folder, other, file), "utf8"));
  }
  const publicKeys = announced.map(publicKeyOf);
  return { privateKeys, announced, publicKeys, knownHosts: (hosts, port) => knownHosts(publicKeys, hosts, port) };
}

/** @returns the private keys of a set, of which those that are missing are made. */
export async function generateSet(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const privateKeys: string[] = [];
  for (const [file, generate] of generators) privateKeys.push(await openKey(path.join(folder, file), generate));
  return privateKeys;
}

/** A port other than 22 is part of a host's name there (sshd(8)). */
function knownHosts(publicKeys: readonly string[], hosts: readonly string[], port: number): string {
  const names = hosts.map((host) => (port === 22 ? host : `[${host}]:${port}`)).join(",");
  return publicKeys.map((publicKey) => `${names} ${publicKey}\n`).join("");
}

async function openKey(file: string, generate: () => Promise<SshKeyPair>): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  const { privateKey } = await generate();
  await keepWhole(file, privateKey);
  return privateKey;
}

/** Whole or not at all: half a host key would be a different host after the next start. */
export async function keepWhole(file: string, text: string): Promise<void> {
  const handle = await open(`${file}.new`, "w", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
  await syncFolder(path.dirname(file));
}

function publicKeyOf(privateKey: string): string {
  const key = ssh2.utils.parseKey(privateKey);
  if (key instanceof Error) throw key;
  return `${key.type} ${key.getPublicSSH().toString("base64")}`;
}
