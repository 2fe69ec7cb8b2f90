/**
 * Identifiers of one sender begin alike and end in hexadecimal digits, which fit two into a byte, and those with dashes
 * as UUIDs have them do too. What is neither is a text among the texts.
 */
import type { LedgerTransaction } from "../../ledger/history.ts";
import { itemAt } from "../../present.ts";
import type { Numbered } from "./numbered.ts";
import type { Column, Packer, Unpacker } from "./packing.ts";

const hexPattern = /^(?:[0-9a-f]{2})+$/;
const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const asText = 0;
const asHex = 1;
const asUuid = 2;

type Identified = Pick<LedgerTransaction, "txid">;

export function packTxids(packer: Packer, rows: readonly Identified[], texts: Numbered): void {
  const prefix = commonPrefix(rows);
  const kinds = rows.map(({ txid }) =>
    uuidPattern.test(txid) ? asUuid : hexPattern.test(txid.slice(prefix.length)) ? asHex : asText,
  );
  const digits = rows.map(({ txid }, row) =>
    kinds[row] === asUuid ? txid.replaceAll("-", "") : kinds[row] === asHex ? txid.slice(prefix.length) : "",
  );
  packer.column([texts.numberOf(prefix)]);
  packer.column(kinds);
  packer.column(digits.map(({ length }) => length));
  packer.column(rows.map(({ txid }, row) => (kinds[row] === asText ? texts.numberOf(txid) : 0)));
  packer.bytes(Buffer.from(digits.join(""), "hex"));
}

/** @throws RangeError when the bytes are no packed identifiers */
export function unpackTxids(unpacker: Unpacker, texts: readonly string[]): Txids {
  const prefix = itemAt(texts, unpacker.column()[0] as number);
  const kinds = unpacker.column();
  const lengths = unpacker.column();
  const numbers = unpacker.column();
  const { from, to } = unpacker.bytes();
  const digits = unpacker.source.toString("hex", from, to);
  const ends = new Int32Array(kinds.length);
  let at = 0;
  for (let row = 0; row < kinds.length; row++) {
    if (kinds[row] === asText) itemAt(texts, numbers[row] as number);
    ends[row] = at += lengths[row] as number;
  }
  if (at !== digits.length) throw new RangeError("these are no packed identifiers");
  return new Txids({ digits, ends, kinds, numbers, texts, prefix });
}

/** Digits of a row end where those of the next one begin. */
type Packed = {
  digits: string;
  ends: Int32Array;
  kinds: Column;
  numbers: Column;
  texts: readonly string[];
  prefix: string;
};

/** By row; made when it is asked for: a night asks for those of services, and of what came on one day. */
export class Txids {
  readonly #packed: Packed;
  readonly #known: (string | undefined)[];

  constructor(packed: Packed) {
    this.#packed = packed;
    this.#known = Array.from({ length: packed.ends.length });
  }

  get length(): number {
    return this.#known.length;
  }

  of(row: number): string {
    return (this.#known[row] ??= this.#made(row));
  }

  #made(row: number): string {
    const { digits, ends, kinds, numbers, texts, prefix } = this.#packed;
    if (kinds[row] === asText) return itemAt(texts, numbers[row] as number);
    const own = digits.slice(row === 0 ? 0 : ends[row - 1], ends[row]);
    return kinds[row] === asUuid ? dashed(own) : prefix + own;
  }
}

function dashed(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** What all txids begin with, up to their last dash: behind it each is another one. */
function commonPrefix(rows: readonly Identified[]): string {
  const [first] = rows;
  if (first === undefined) return "";
  const prefix = first.txid.slice(0, first.txid.lastIndexOf("-") + 1);
  return rows.every(({ txid }) => txid.startsWith(prefix)) ? prefix : "";
}
