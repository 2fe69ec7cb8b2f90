/**
 * Which published advisories concern what package-lock.json names, and by when each must be gone: `npm run advisories`.
 * They are kept in advisories.json, so that a build needs nobody's answer; where the registry answers, its own are asked
 * for too. Ends with 1 when one is unknown to the list or overdue.
 */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

export type Advisory = {
  id: string;
  /** As npm names it; `node` is the Node that comes along. */
  package: string;
  severity: keyof typeof daysOf;
  /** YYYY-MM-DD */
  published: string;
  title: string;
  /** From `introduced` on, before `fixed`. */
  affected: readonly { introduced: string; fixed: string }[];
  /** Why it may stay for now: that it does not reach us, or what has to come first. */
  judged?: string;
};

export type Locked = Readonly<Record<string, { version?: string }>>;
export type Hit = Advisory & { version: string; due: string };

/** Within what a vulnerable package is replaced, or judged, from the day on which its advisory was published. */
export const daysOf = { critical: 7, high: 30, unknown: 30, moderate: 90, low: 180 } as const;

const root = path.resolve(import.meta.dirname, "../..");
const dayMs = 86_400_000;
const registryWithinMs = 60_000;

/** @returns advisories that a locked version falls under, one a version, in the list's order */
export function hitsIn(locked: Locked, advisories: readonly Advisory[]): Hit[] {
  const versions = versionsOf(locked);
  return advisories.flatMap((advisory) =>
    [...(versions.get(advisory.package) ?? [])]
      .filter((version) => advisory.affected.some((range) => isWithin(version, range)))
      .map((version) => ({ ...advisory, version, due: dueOf(advisory) })),
  );
}

export function dueOf({ published, severity }: Pick<Advisory, "published" | "severity">): string {
  return new Date(Date.parse(published) + daysOf[severity] * dayMs).toISOString().slice(0, 10);
}

/** Of each package, wherever in the tree. */
function versionsOf(locked: Locked): Map<string, Set<string>> {
  const versions = new Map<string, Set<string>>();
  for (const [place, { version }] of Object.entries(locked)) {
    if (place === "" || version === undefined) continue;
    const name = place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
    const known = /^node-(?:bin-)?(?:linux|darwin)-/.test(name) ? "node" : name;
    versions.set(known, (versions.get(known) ?? new Set()).add(version));
  }
  return versions;
}

function isWithin(version: string, { introduced, fixed }: { introduced: string; fixed: string }): boolean {
  return compare(version, introduced) >= 0 && compare(version, fixed) < 0;
}

/** By their three numbers: what came before a release counts as that release. */
function compare(one: string, other: string): number {
  const numbers = (version: string) =>
    version
      .replace(/[-+].*$/, "")
      .split(".")
      .map(Number);
  const [left, right] = [numbers(one), numbers(other)];
  const at = left.findIndex((number, place) => number !== right[place]);
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}

export async function readAdvisories(): Promise<{ reviewed: string; advisories: Advisory[] }> {
  return JSON.parse(await readFile(path.join(import.meta.dirname, "advisories.json"), "utf8")) as {
    reviewed: string;
    advisories: Advisory[];
  };
}

export async function readLocked(): Promise<Locked> {
  return (JSON.parse(await readFile(path.join(root, "package-lock.json"), "utf8")) as { packages: Locked }).packages;
}

type Via = { name: string; title: string; url: string; severity: string } | string;

/** What the registry says of the locked versions, as NAME: ID. Null: it does not answer. */
async function askRegistry(): Promise<string[] | null> {
  const { stdout } = await promisify(execFile)("npm", ["audit", "--json"], {
    cwd: root,
    timeout: registryWithinMs,
    maxBuffer: 2 ** 26,
  }).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? "" }));
  const told = parseTold(stdout);
  if (told?.vulnerabilities === undefined) return null;
  const found = Object.values(told.vulnerabilities)
    .flatMap(({ via }) => via)
    .filter((via) => typeof via !== "string")
    .map(({ name, url }) => `${name}: ${url.slice(url.lastIndexOf("/") + 1)}`);
  return [...new Set(found)];
}

function parseTold(text: string): { vulnerabilities?: Record<string, { via: Via[] }> } | null {
  try {
    return JSON.parse(text) as { vulnerabilities?: Record<string, { via: Via[] }> };
  } catch {
    return null;
  }
}

async function main(): Promise<void> {
  const { reviewed, advisories } = await readAdvisories();
  const today = new Date().toISOString().slice(0, 10);
  let isBad = false;
  for (const { id, package: name, version, due, judged, title } of hitsIn(await readLocked(), advisories)) {
    const isOverdue = judged === undefined && due < today;
    isBad ||= isOverdue;
    console.log(
      `${id}  ${name} ${version}: ${title}\n  ${judged ?? (isOverdue ? `overdue since ${due}` : `until ${due}`)}`,
    );
  }
  const told = await askRegistry();
  const isNew = (told ?? []).filter((one) => !advisories.some(({ id, package: name }) => one === `${name}: ${id}`));
  for (const one of isNew) console.log(`not in the list: ${one}`);
  console.log(
    `${advisories.length} advisories kept, reviewed ${reviewed}; the registry ${told === null ? "did not answer" : `tells of ${told.length}`}`,
  );
  process.exitCode = isBad || isNew.length > 0 ? 1 : 0;
}

if (import.meta.main) await main();
