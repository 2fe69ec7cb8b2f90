/**
 * Which set of host keys is in which role, for a change that no client notices: `prepare` makes the next set and has it
 * announced, `promote` lets the door prove itself with it while the previous one stays announced, `retire` removes
 * that. Sets are folders; the roles are one file that is replaced whole, so that a crash leaves the one state or the
 * other.
 */
import { rm } from "node:fs/promises";
import path from "node:path";
import { Fault } from "../../../errors.ts";
import { brokenFile, readSmallFile, writeSmallFile } from "../../../machine/small-file.ts";
import { generateSet, type HostKeys, openHostKeys, setFiles } from "./host-keys.ts";

/** Names of sets: "." is the folder itself, where the first one lies. */
export type HostKeyRoles = { current: string; next: string | null; previous: string | null };

const file = "roles.json";
const rolesRemedy = "It says which host keys are in force; without it the first ones are.";
const firstRoles: HostKeyRoles = { current: ".", next: null, previous: null };

/** @throws Fault FILE_BROKEN */
export async function readRoles(folder: string): Promise<HostKeyRoles> {
  const text = await readSmallFile(path.join(folder, file), rolesRemedy);
  if (text === null) return firstRoles;
  try {
    return JSON.parse(text) as HostKeyRoles;
  } catch (error) {
    throw brokenFile(path.join(folder, file), "is broken: it is not JSON", rolesRemedy, error);
  }
}

/** The keys in their roles; those of a fresh folder are made. */
export async function openRoles(folder: string): Promise<HostKeys> {
  const { current, next, previous } = await readRoles(folder);
  return await openHostKeys(
    folder,
    current,
    [next, previous].filter((set) => set !== null),
  );
}

export type FollowedHostKeys = { stop(): void };

/** Tells of the keys whenever they are others than before. @param known the keys that were opened last */
export function followRoles(
  folder: string,
  known: HostKeys,
  everyMs: number,
  onChange: (hostKeys: HostKeys) => void,
  onFailure: (error: unknown) => void,
): FollowedHostKeys {
  let [knownKeys, knownRoles] = [known.publicKeys.join(), ""];
  const look = async () => {
    const roles = JSON.stringify(await readRoles(folder));
    if (roles === knownRoles) return;
    const hostKeys = await openRoles(folder);
    // Each step changes which keys there are, or the order in which they are named.
    if (hostKeys.publicKeys.join() !== knownKeys) onChange(hostKeys);
    [knownKeys, knownRoles] = [hostKeys.publicKeys.join(), roles];
  };
  const timer = setInterval(() => void look().catch(onFailure), everyMs);
  return { stop: () => clearInterval(timer) };
}

/** Makes the next set. @throws Fault COMMAND_USAGE when there is one, or the last change is not finished */
export async function prepareHostKeys(folder: string): Promise<HostKeyRoles> {
  const roles = await readRoles(folder);
  if (roles.next !== null) throw new Fault("COMMAND_USAGE", "The next host keys are prepared already; promote them.");
  if (roles.previous !== null)
    throw new Fault("COMMAND_USAGE", "The previous host keys are still announced; retire them first.");
  const next = new Date().toISOString().replace(/[:.]/g, "-");
  await generateSet(path.join(folder, next));
  return await writeRoles(folder, { ...roles, next });
}

/** The next set becomes the current one. @throws Fault COMMAND_USAGE when none is prepared */
export async function promoteHostKeys(folder: string): Promise<HostKeyRoles> {
  const { current, next } = await readRoles(folder);
  if (next === null) throw new Fault("COMMAND_USAGE", "No next host keys are prepared.");
  return await writeRoles(folder, { current: next, next: null, previous: current });
}

/** Forgets the previous set for good. @throws Fault COMMAND_USAGE when there is none */
export async function retireHostKeys(folder: string): Promise<HostKeyRoles> {
  const { current, next, previous } = await readRoles(folder);
  if (previous === null) throw new Fault("COMMAND_USAGE", "There are no previous host keys.");
  const roles = await writeRoles(folder, { current, next, previous: null });
  if (previous === ".") await Promise.all(setFiles.map((name) => rm(path.join(folder, name), { force: true })));
  else await rm(path.join(folder, previous), { recursive: true, force: true });
  return roles;
}

async function writeRoles(folder: string, roles: HostKeyRoles): Promise<HostKeyRoles> {
  await writeSmallFile(path.join(folder, file), `${JSON.stringify(roles)}\n`);
  return roles;
}
