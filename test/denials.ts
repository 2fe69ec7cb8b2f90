/**
 * Rights that a role of the service lacked, by what the database's own log says of them: code that tries again, or does
 * otherwise, hides them from everything else.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";

/** Tests that ask for what is forbidden do so on connections that are called otherwise. */
const denied =
  /\S+\/tideline[ \w]* (?:ERROR|FATAL): +(?:permission denied|must be owner|new row violates row-level).*$/;

/** @param location of the database server's files. @returns each different denial once, by role and connection */
export async function readDenials(location: string): Promise<string[]> {
  const log = await readFile(path.join(location, "postgres.log"), "utf8").catch(() => "");
  return [...new Set(log.split("\n").flatMap((line) => denied.exec(line)?.[0] ?? []))];
}
