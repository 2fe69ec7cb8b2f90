/** What searches found, beside the rows that came: digests of those that found nothing, and the others as JSON. */
import type { KeptSearch } from "../known-searches.ts";
import { itemAt } from "../../present.ts";
import { Packer, Unpacker } from "./packing.ts";

export function packSearches(searches: ReadonlyMap<number, KeptSearch>): Buffer {
  const packer = new Packer();
  const found = [...searches].filter(([, search]) => search !== null);
  packer.column([...searches.keys()].filter((digest) => searches.get(digest) === null));
  packer.column(found.map(([digest]) => digest));
  packer.bytes(Buffer.from(JSON.stringify(found.map(([, search]) => search))));
  return packer.packed();
}

/** @throws RangeError when the bytes are no packed searches */
export function unpackSearches(bytes: Buffer): Map<number, KeptSearch> {
  const unpacker = new Unpacker(bytes);
  const searches = new Map<number, KeptSearch>();
  for (const digest of unpacker.column()) searches.set(digest, null);
  const digests = unpacker.column();
  const { from, to } = unpacker.bytes();
  const found = parsed(bytes.toString("utf8", from, to));
  if (!unpacker.isAtEnd || found.length !== digests.length) throw new RangeError("these are no packed searches");
  digests.forEach((digest, at) => searches.set(digest, itemAt(found, at)));
  return searches;
}

function parsed(text: string): KeptSearch[] {
  try {
    return JSON.parse(text) as KeptSearch[];
  } catch (error) {
    throw new RangeError("these are no packed searches", { cause: error });
  }
}
