/** Published vectors as they are, and what of them a test judged. */
import { readFileSync } from "node:fs";
import type { JWK } from "jose";

export function readVector<Vector>(name: string): Vector {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8")) as Vector;
}

export type Judged = { tcId: number; result: string };
export type KeySet = { keys: JWK[] };
export type Wycheproof<Group extends { tests: Judged[] }> = { numberOfTests: number; testGroups: Group[] };

/** A vector beside its group's keys, whether the group names one key or a set. */
export function eachOf<Group extends { tests: Judged[] }>({
  testGroups,
}: Wycheproof<Group>): { group: Group; vector: Group["tests"][number] }[] {
  return testGroups.flatMap((group) => group.tests.map((vector) => ({ group, vector })));
}

export function keysOf(keyOrSet: JWK | KeySet | undefined): JWK[] {
  if (keyOrSet === undefined) return [];
  return "keys" in keyOrSet && Array.isArray(keyOrSet.keys) ? keyOrSet.keys : [keyOrSet as JWK];
}
