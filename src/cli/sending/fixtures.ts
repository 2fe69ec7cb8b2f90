/** `tideline fixtures generate`: a deterministic household population as files, with the truth beside it. */
import { type Manifest, writePopulation } from "../../../fixtures/population.ts";

export type GenerateOptions = {
  users: number;
  months: number;
  seed: number;
  until: string;
  out: string;
  brand?: string;
  messy?: string;
};

/** What was written where, and how fast. */
export type Summary = Manifest & { out: string; elapsedMs: number; transactionsPerSecond: number };

/** More users than any bank has; a slip of the keyboard stops here instead of filling the disk. */
const usersMax = 10_000_000;

/**
 * Writes the population into `out`, which is made when missing; files of an earlier run in it are replaced. onProgress:
 * users done, users in all. Throws a RangeError that names the option which is out of range.
 */
export async function generateFixtures(
  options: GenerateOptions,
  onProgress: (done: number, total: number) => void,
): Promise<Summary> {
  const { users, months, seed, until, out } = options;
  if (!Number.isInteger(users) || users < 1 || users > usersMax)
    throw new RangeError(`users must be a whole number from 1 to ${usersMax}, not ${users}`);
  const started = performance.now();
  const manifest = await writePopulation(
    { users, months, seed, until, brand: options.brand ?? null, messy: options.messy ?? null },
    out,
    onProgress,
  );
  const elapsedMs = Math.round(performance.now() - started);
  return {
    ...manifest,
    out,
    elapsedMs,
    transactionsPerSecond: Math.round((manifest.counts.transactions * 1000) / Math.max(1, elapsedMs)),
  };
}
