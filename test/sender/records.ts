/** Records and streams for the tests of sending. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ExecutionContext } from "ava";
import type { RawTransaction } from "../../src/interface/record.ts";

/** A purchase of ten crowns. */
export function purchase(uid: string, txid: string): RawTransaction {
  return {
    uid,
    type: "TX",
    tx: { txid, description: "NETTO", txTime: "2024-01-05", type: "CARD_PURCHASE", amount: -10, currency: "DKK" },
  };
}

/** `count` purchases, of two users in turn. */
export function purchases(count: number): RawTransaction[] {
  return Array.from({ length: count }, (_, index) => purchase(index % 2 === 0 ? "anna" : "bo", `t${index}`));
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** A folder that goes with the test. */
export async function temporaryFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-sender-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
