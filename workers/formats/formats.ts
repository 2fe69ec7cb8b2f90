/**
 * All formats of files. A further one is a file beside this one, a line here, and a migration that lets deliveries have
 * its name; everything that must be known of it follows from here.
 */
import { camtFormats } from "./camt.ts";
import { accountsCsv } from "./accounts.ts";
import type { FileFormat } from "./format.ts";
import { jsonl, jsonlGz } from "./jsonl.ts";
import { jwe } from "./jwe.ts";
import { csvFormatsOf } from "./csv.ts";
import { transactionsCsv } from "./transactions.ts";

export const formats = {
  jwe,
  jsonl,
  "jsonl.gz": jsonlGz,
  ...csvFormatsOf("accounts", accountsCsv),
  ...csvFormatsOf("transactions", transactionsCsv),
  ...camtFormats,
} as const satisfies Readonly<Record<string, FileFormat>>;

export type FormatName = keyof typeof formats;

const entries = Object.entries(formats) as [FormatName, FileFormat][];

/** What a name must look like; for people. */
export const namesRead: string = [...new Set(entries.map(([, { names }]) => names))].join(", ");

/** @param name the path below inbox/; folders do not count. @returns null for a name that no format has. */
export function formatOf(name: string): FormatName | null {
  const file = name.toLowerCase().split("/").at(-1) ?? "";
  return entries.find(([, format]) => format.name.test(file))?.[0] ?? null;
}

/** By the name that a delivery's row has. @throws TypeError for one that is none. */
export function findFormat(name: string): FileFormat {
  const found = entries.find(([one]) => one === name);
  if (found === undefined) throw new TypeError(`no reader for the format ${name}`);
  return found[1];
}
