/** Which format a delivered file is read as: its name decides. */
import type { DeliveryFormat } from "./deliveries.ts";

const endings: readonly (readonly [string, DeliveryFormat])[] = [
  [".jsonl.gz", "jsonl.gz"],
  [".jsonl", "jsonl"],
  [".jwe", "jwe"],
];

/** What a name must look like; for people. */
export const namesRead =
  "*.jwe, *.jsonl[.gz], accounts_*.csv[.gz][.pgp|.gpg|.asc], transactions_*.csv[.gz][.pgp|.gpg|.asc]";

/** OpenPGP has one format: by itself GnuPG calls it .gpg, and .asc where it is armoured. */
const tableName = /^(accounts|transactions)_.*\.csv(\.gz)?(\.(?:pgp|gpg|asc))?$/s;

/** @param name the path below inbox/; folders do not count. */
export function formatOf(name: string): DeliveryFormat {
  const file = name.toLowerCase().split("/").at(-1) ?? "";
  const table = tableName.exec(file);
  if (table)
    return `${table[1] as "accounts" | "transactions"}.csv${(table[2] ?? "") as "" | ".gz"}${table[3] === undefined ? "" : ".pgp"}`;
  return endings.find(([ending]) => file.endsWith(ending))?.[1] ?? "unknown";
}

/** Whether a file of this format is readable for whoever holds it. The others are encrypted by their sender. */
export function isInTheClear(format: DeliveryFormat): boolean {
  return format.includes(".csv") && !format.endsWith(".pgp");
}
