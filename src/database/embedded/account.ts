/**
 * Under which account PostgreSQL runs. It refuses root, so as root an unprivileged account is lent to it; otherwise
 * it runs as whoever started us.
 */
import { readFile, stat } from "node:fs/promises";
import path from "node:path";

/** What child_process.spawn takes; empty when no switch is needed. */
export type Account = { uid?: number; gid?: number };

/** Accounts that may exist on a machine, best first: PostgreSQL's own, then the one without any rights. */
const candidates = ["postgres", "nobody"];

/** @param existingFiles a database folder whose owner is kept, so that a later installed account changes nothing. */
export async function chooseAccount(existingFiles: string): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const owner = await stat(existingFiles).catch(() => null);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const lines = (await readFile("/etc/passwd", "utf8")).split("\n").map((line) => line.split(":"));
  for (const name of candidates) {
    const entry = lines.find((fields) => fields[0] === name);
    // macOS writes nobody as -2; the kernel's ids are unsigned.
    if (entry) return { uid: Number(entry[2]) >>> 0, gid: Number(entry[3]) >>> 0 };
  }
  throw new Error(`none of the accounts ${candidates.join(", ")} exists, and PostgreSQL does not run as root`);
}

/** Whether an account that owns nothing here can enter a folder: every folder on the way must be open to all. */
export async function isReachable(folder: string): Promise<boolean> {
  for (let current = path.resolve(folder); ; current = path.dirname(current)) {
    const found = await stat(current).catch(() => null);
    if (found && (found.mode & 0o001) === 0) return false;
    if (current === path.dirname(current)) return true;
  }
}
