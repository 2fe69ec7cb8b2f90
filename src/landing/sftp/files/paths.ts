/**
 * The virtual tree of a partner: `/`, `/inbox/…`, `/receipts/…` and nothing else. Paths are resolved as text, so `..`
 * ends at `/` as in a chroot; then each folder on the way is looked at, so that a symbolic link on disk leads nowhere.
 */
import type { Stats } from "node:fs";
import { lstat } from "node:fs/promises";
import path from "node:path";
import { holdsUnseen } from "../../../unseen-characters.ts";
import { knobs } from "../../../../config/knobs.ts";
import { sftpLimits } from "../limits.ts";
import { absent, denied, failed } from "../wire/status.ts";

export const areas = ["inbox", "receipts"] as const;
export type Area = (typeof areas)[number];

/** Where a virtual path leads; `names` are those below the area, empty for the area itself. */
export type Location = { area: "root" } | { area: Area; names: string[]; diskPath: string };
export type AreaLocation = Exclude<Location, { area: "root" }>;

/** Terminal escapes and line breaks have no place in a name: it is printed in listings, receipts and consoles. */
// oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * The absolute virtual path that a client means; relative paths start at `/`. Nothing is looked up.
 * @throws Refusal when the path is too long or too deep, or holds a control character
 */
export function resolveVirtual(clientPath: string): string {
  if (controlCharacter.test(clientPath)) throw failed("A name holds a control character.");
  if (Buffer.byteLength(clientPath) > sftpLimits.pathSizeBytesMax) throw failed("The path is too long.");
  const resolved = path.posix.resolve("/", clientPath);
  const names = namesOf(resolved);
  if (names.length > sftpLimits.depthMax + 1) throw failed("The path is too deep.");
  if (names.some((name) => Buffer.byteLength(name) > sftpLimits.nameSizeBytesMax)) throw failed("A name is too long.");
  return resolved;
}

function namesOf(virtualPath: string): string[] {
  return virtualPath.split("/").filter((name) => name !== "");
}

/**
 * Where a client's path leads below `partnerFolder`, whether or not something is there.
 * @throws Refusal NO_SUCH_FILE outside both areas, or when a folder on the way is missing or is no plain folder
 */
export async function locate(partnerFolder: string, clientPath: string): Promise<Location> {
  const [first, ...names] = namesOf(resolveVirtual(clientPath));
  if (first === undefined) return { area: "root" };
  const area = areas.find((known) => known === first);
  if (!area) throw absent();
  const areaPath = path.join(partnerFolder, area);
  await assertPlainFolders(areaPath, names.slice(0, -1));
  return { area, names, diskPath: path.join(areaPath, ...names) };
}

async function assertPlainFolders(areaPath: string, names: string[]): Promise<void> {
  let folder = areaPath;
  for (const name of names) {
    folder = path.join(folder, name);
    if (!(await lstat(folder)).isDirectory()) throw absent();
  }
}

/**
 * As `locate`, for a request that looks: what it finds below receipts/ is not older than what its partner has
 * delivered.
 */
export async function locateToRead({ partnerFolder, receiptsWritten }: Reader, clientPath: string): Promise<Location> {
  const location = await locate(partnerFolder, clientPath);
  if (location.area === "receipts") await receiptsWritten();
  return location;
}

type Reader = { readonly partnerFolder: string; receiptsWritten(): Promise<void> };

/**
 * As `locate`, for a request that changes something: only below inbox/.
 * @throws Refusal PERMISSION_DENIED elsewhere
 */
export async function locateChangeable(partnerFolder: string, clientPath: string): Promise<AreaLocation> {
  const top = namesOf(resolveVirtual(clientPath))[0];
  if (top !== "inbox") throw denied("Only inbox/ can be written.");
  const location = await locate(partnerFolder, clientPath);
  if (location.area === "root" || location.names.length === 0) throw denied("inbox/ itself cannot be changed.");
  return location;
}

/**
 * As `locateChangeable`, for a request that gives a name. What has such a name from before can be read, renamed and
 * removed.
 * @throws Refusal for names that nobody can tell from others
 */
export async function locateNew(partnerFolder: string, clientPath: string): Promise<AreaLocation> {
  const location = await locateChangeable(partnerFolder, clientPath);
  if (location.names.some(holdsUnseen))
    throw failed("A name holds a character that cannot be seen, such as a zero-width space or a change of direction.");
  return location;
}

/** What is at a place, or null. @throws Refusal NO_SUCH_FILE for what is neither a file nor a folder. */
export async function statPlain(diskPath: string): Promise<Stats | null> {
  const stats = await lstat(diskPath).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (stats && !stats.isFile() && !stats.isDirectory()) throw absent();
  return stats;
}

export type TemporaryNames = { readonly prefixes: readonly string[]; readonly suffixes: readonly string[] };

/** @param patterns `*` and an end, or a beginning and `*` */
export function temporaryNamesOf(patterns: readonly string[]): TemporaryNames {
  return {
    prefixes: patterns.filter((pattern) => pattern.endsWith("*")).map((pattern) => pattern.slice(0, -1)),
    suffixes: patterns.filter((pattern) => pattern.startsWith("*")).map((pattern) => pattern.slice(1)),
  };
}

export const commonTemporaryNames = temporaryNamesOf(knobs.sftpTemporaryNames.byDefault);

/** Whether a file under this name is still under way, so that its close delivers nothing. */
export function isTemporary(name: string, temporaryNames: TemporaryNames): boolean {
  const base = path.posix.basename(name).toLowerCase();
  return (
    temporaryNames.prefixes.some((prefix) => base.startsWith(prefix.toLowerCase())) ||
    temporaryNames.suffixes.some((suffix) => base.endsWith(suffix.toLowerCase()))
  );
}
