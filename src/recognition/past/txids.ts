/**
 * Identifiers of one sender begin alike and end in hexadecimal digits, which fit two into a byte, and those with dashes
 * as UUIDs have them do too. What is neither is a text among the texts.
 */
import type { LedgerTransaction } from "../../ledger/history.ts";
import { itemAt } from "../../present.ts";
import type { Numbered } from "./numbered.ts";
import type { Packer, Unpacker } from "./packing.ts";

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
  let together = "";
  let at = 0;
  for (let row = 0; row < kinds.length; row++) {
    if (kinds[row] === asText) together += itemAt(texts, numbers[row] as number);
    else {
      const own = digits.slice(at, (at += lengths[row] as number));
      together += kinds[row] === asUuid ? dashed(own) : prefix + own;
    }
    ends[row] = together.length;
  }
  return new Txids(together, ends);
}

/** By row. One text of all of them: hundreds put together of pieces would each be written again once it is compared. */
export class Txids {
  readonly #together: string;
  readonly #ends: Int32Array;
  readonly #known: (string | undefined)[];

  constructor(together: string, ends: Int32Array) {
    this.#together = together;
    this.#ends = ends;
    this.#known = Array.from({ length: ends.length });
  }

  get length(): number {
    return this.#ends.length;
  }

  of(row: number): string {
    return (this.#known[row] ??= this.#together.slice(row === 0 ? 0 : this.#ends[row - 1], this.#ends[row]));
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
