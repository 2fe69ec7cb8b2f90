/** The door's identity: an Ed25519 and an RSA key, generated once and kept, because clients remember them. */
import path from "node:path";
import ssh2 from "ssh2";
import { brokenFile, readNeededFile, readSmallFile, writeSmallFile } from "../../../machine/small-file.ts";
import { makeFolder } from "../../../machine/sync-folder.ts";
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
 * missing. Files are readable by their owner only. @param others subfolders whose keys are announced too.
 * @throws Fault FILE_BROKEN
 */
export async function openHostKeys(folder: string, current = ".", others: readonly string[] = []): Promise<HostKeys> {
  const privateKeys = await generateSet(path.join(folder, current));
  const announced = [...privateKeys];
  for (const other of others) {
    for (const file of setFiles) announced.push(await readKey(path.join(folder, other, file)));
  }
  const publicKeys = announced.map(publicKeyOf);
  return { privateKeys, announced, publicKeys, knownHosts: (hosts, port) => knownHosts(publicKeys, hosts, port) };
}

/** @returns the private keys of a set, of which those that are missing are made. */
export async function generateSet(folder: string): Promise<string[]> {
  await makeFolder(folder);
  const privateKeys: string[] = [];
  for (const [file, generate] of generators) privateKeys.push(await openKey(path.join(folder, file), generate));
  return privateKeys;
}

/** A port other than 22 is part of a host's name there (sshd(8)). */
export function knownHosts(publicKeys: readonly string[], hosts: readonly string[], port: number): string {
  const names = hosts.map((host) => (port === 22 ? host : `[${host}]:${port}`)).join(",");
  return publicKeys.map((publicKey) => `${names} ${publicKey}\n`).join("");
}

/** Half a host key would be a different host: what is broken is told, and never made anew. */
const keyRemedy = "Without it the door would be another one to every client; remove it only to have a new key made.";

async function openKey(file: string, generate: () => Promise<SshKeyPair>): Promise<string> {
  if ((await readSmallFile(file, keyRemedy)) !== null) return await readKey(file);
  const { privateKey } = await generate();
  await writeSmallFile(file, privateKey);
  return privateKey;
}

async function readKey(file: string): Promise<string> {
  const privateKey = await readNeededFile(file, keyRemedy);
  const key = ssh2.utils.parseKey(privateKey);
  if (key instanceof Error) throw brokenFile(file, "is broken: it is no private key", keyRemedy, key);
  return privateKey;
}

function publicKeyOf(privateKey: string): string {
  const key = ssh2.utils.parseKey(privateKey);
  if (key instanceof Error) throw key;
  return `${key.type} ${key.getPublicSSH().toString("base64")}`;
}
