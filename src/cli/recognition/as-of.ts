/** `--as-of` of the commands that read files: one day for all users, or days by user. */
import { readFile } from "node:fs/promises";
import { Fault } from "../../errors.ts";
import { type Day, isDay } from "../../time/calendar.ts";

/** The user's day; undefined: none is given. */
export type AsOf = (uid: string) => Day | undefined;

/** @param asOf a day, or the path of a JSON object uid → day. @throws Fault SOURCE_INVALID */
export async function asOfDays(asOf: string | undefined): Promise<AsOf> {
  if (asOf === undefined) return () => undefined;
  if (isDay(asOf)) return () => asOf;
  const days = await readDays(asOf);
  return (uid) => days[uid];
}

/** @throws Fault SOURCE_INVALID */
async function readDays(file: string): Promise<Record<string, string>> {
  try {
    const days: unknown = JSON.parse(await readFile(file, "utf8"));
    if (typeof days === "object" && days !== null) return days as Record<string, string>;
  } catch (cause) {
    throw new Fault("SOURCE_INVALID", `${file} is neither a day nor a JSON object of days by user.`, { cause });
  }
  throw new Fault("SOURCE_INVALID", `${file} is neither a day nor a JSON object of days by user.`);
}
