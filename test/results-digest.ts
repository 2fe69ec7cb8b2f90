/**
 * The digest of an algorithm's results over the sample population. It is stored beside the tests with the version that
 * made it: a result that changes without the version being raised would leave read models and budgets as they were.
 */
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";

export type Digest = {
  /** As the algorithm calls itself. */
  version: string;
  /** Of what it was given. */
  sample: string;
  /** Of what it made of it. */
  results: string;
};

/** An algorithm that a digest is kept of. */
export type Algorithm = {
  name: string;
  version: string;
  /** Where its version is raised. */
  versionFile: string;
  /** Where its digest is stored. */
  stored: URL;
  /** What it is given and what it makes of it, one user after the other. */
  results(): Iterable<{ sample: unknown; result: unknown }>;
};

export function digestOf({ version, results }: Algorithm): Digest {
  const [sample, result] = [createHash("sha256"), createHash("sha256")];
  for (const one of results()) {
    sample.update(`${canonical(one.sample)}\n`);
    result.update(`${canonical(one.result)}\n`);
  }
  return { version, sample: sample.digest("hex"), results: result.digest("hex") };
}

/** Of a number that is not whole so many digits count: the last ones of a logarithm are the machine's. */
const digits = 12;

/** JSON whose members stand in the order of their names: a field that is written earlier changes nothing. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === "number") return Number.isInteger(member) ? member : Number(member.toPrecision(digits));
    if (member === null || typeof member !== "object" || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

export const writing = "npm run digests";

/** What is wrong, and what to do about it; null: the results are those of the version. */
export function problemOf({ name, versionFile }: Algorithm, stored: Digest, now: Digest): string | null {
  if (now.sample !== stored.sample) {
    return (
      `The sample population is another than the stored digest of ${name} is of, so nothing can be said of the ` +
      "algorithm. Where that was meant: see that the digest holds without the change to the population, then write it " +
      `anew: ${writing} -- --new-sample`
    );
  }
  if (now.results !== stored.results && !isRaised(stored.version, now.version)) {
    return (
      `Results of ${name} over the sample population have changed, and its version is still ${now.version}. ` +
      `Where that was meant: raise the version in ${versionFile}, then store the new digest: ${writing}`
    );
  }
  if (now.version === stored.version) return null;
  return `The digest of ${name} is of ${stored.version}, the version is ${now.version}. Store the new one: ${writing}`;
}

/** Why a digest is not to be stored; null: it may be. @param stored null: there is none yet */
export function refusalOf(
  algorithm: Algorithm,
  stored: Digest | null,
  now: Digest,
  isNewSample: boolean,
): string | null {
  if (stored === null) return null;
  if (now.version !== stored.version && !isRaised(stored.version, now.version))
    return `The version of ${algorithm.name} was lowered from ${stored.version} to ${now.version}.`;
  if (now.sample !== stored.sample) return isNewSample ? null : problemOf(algorithm, stored, now);
  return now.results !== stored.results && !isRaised(stored.version, now.version)
    ? problemOf(algorithm, stored, now)
    : null;
}

/** Versions are compared as people read them: 10 comes after 9, wherever in the text it stands. */
function isRaised(from: string, to: string): boolean {
  return to.localeCompare(from, "en", { numeric: true }) > 0;
}

/** Null: none is stored. */
export async function readDigest({ stored }: Algorithm): Promise<Digest | null> {
  const text = await readFile(stored, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  return text === null ? null : (JSON.parse(text) as Digest);
}

export async function writeDigest({ stored }: Algorithm, digest: Digest): Promise<void> {
  await writeFile(stored, `${JSON.stringify(digest, null, 2)}\n`);
}
