/** Which format a delivered file is read as: its name decides. */
import type { DeliveryFormat } from "./deliveries.ts";

const endings: readonly (readonly [string, DeliveryFormat])[] = [
  [".jsonl.gz", "jsonl.gz"],
  [".jsonl", "jsonl"],
  [".jwe", "jwe"],
];

export function formatOf(name: string): DeliveryFormat {
  const lower = name.toLowerCase();
  return endings.find(([ending]) => lower.endsWith(ending))?.[1] ?? "unknown";
}
