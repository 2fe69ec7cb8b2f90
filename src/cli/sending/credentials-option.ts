/** Which partner a command sends as: the credentials folder and what it leaves open. */
import path from "node:path";
import { type Credentials, readCredentials } from "../../sender/credentials.ts";
import { configOf, usageError } from "../terminal/arguments.ts";

/** Where nobody says otherwise; decides the language of notifications only. */
export const localeDefault = "en-GB";

/** The folder that was named, or the demo partner's. @throws Fault CREDENTIALS_INVALID, COMMAND_USAGE */
export async function findCredentials(values: {
  credentials?: string | undefined;
  partner?: string | undefined;
  "data-dir"?: string | undefined;
}): Promise<Credentials> {
  const directory = values.credentials ?? path.join(configOf(values).dataDir, "demo");
  const credentials = await readCredentials(directory);
  if (values.partner !== undefined && values.partner !== credentials.partnerId) {
    usageError(
      `The credentials in ${directory} are those of partner ${credentials.partnerId}, not of ${values.partner}.`,
    );
  }
  return credentials;
}

/** @throws Fault COMMAND_USAGE */
export function brandOf(brand: string | undefined, credentials: Credentials | null): string {
  return brand ?? credentials?.brand ?? usageError("--brand is missing, and partner.json names none.");
}
