/**
 * What stands before the payment, whose user and account mostly are those of the record before it: then it stands there
 * byte for byte, and its fields are where they were. 750 records of 370 bytes, a third of them with a card, are checked
 * in 0.55 ms instead of 0.65.
 */
import type { RecordFields } from "./fields.ts";

/** What a record says before its payment is shorter with ordinary names; of a longer one the first values are kept. */
const headBytesMax = 512;
/** Keys of a record but `tx`; those that are not the interface's are among them. */
const headPlacesMax = 8;

export class RecordHead {
  readonly #fields: RecordFields;
  readonly #text = new Uint8Array(headBytesMax);
  readonly #view = new DataView(this.#text.buffer);
  /** Behind each value but the last, where the next key begins; and what was known there. */
  readonly #places = new Int32Array(headPlacesMax);
  readonly #present = new Int32Array(headPlacesMax);
  readonly #escaped = new Int32Array(headPlacesMax);
  readonly #seen = new Int32Array(headPlacesMax);
  readonly #last = new Int32Array(headPlacesMax);
  readonly #starts = new Int32Array(32);
  readonly #ends = new Int32Array(32);
  /** How many places are kept, and how many of them the present record has reached. */
  #kept = 0;
  #reached = 0;
  #from = 0;

  constructor(fields: RecordFields) {
    this.#fields = fields;
  }

  /** Of what the present record shares with the one before it. */
  get bytes(): number {
    return this.#places[this.#reached - 1] as number;
  }

  get seen(): number {
    return this.#seen[this.#reached - 1] as number;
  }

  get last(): number {
    return this.#last[this.#reached - 1] as number;
  }

  /** Nothing is shared. */
  begin(from: number): void {
    this.#from = from;
    this.#reached = 0;
  }

  /** Whether the record begins as the one before it, whose fields are then told as the present one's. */
  resume(view: DataView, from: number): boolean {
    const same = this.#sameBytes(view, from);
    let place = this.#kept - 1;
    while (place >= 0 && (this.#places[place] as number) > same) place -= 1;
    if (place < 0) return false;
    this.#from = from;
    this.#reached = place + 1;
    const fields = this.#fields;
    const present = this.#present[place] as number;
    fields.present = present;
    fields.escaped = this.#escaped[place] as number;
    for (let left = present; left !== 0; left &= left - 1) {
      const number = 31 - Math.clz32(left & -left);
      fields.starts[number] = from + (this.#starts[number] as number);
      fields.ends[number] = from + (this.#ends[number] as number);
    }
    return true;
  }

  /** A value of the record has ended, and a key begins. */
  note(bytes: Uint8Array, at: number, last: number, seen: number): void {
    const { starts, ends, present, escaped } = this.#fields;
    const place = this.#reached;
    const to = at - this.#from;
    if (place >= headPlacesMax || to > headBytesMax) return;
    const known = place === 0 ? 0 : (this.#places[place - 1] as number);
    for (let n = known; n < to; n += 1) this.#text[n] = bytes[this.#from + n] as number;
    const before = place === 0 ? 0 : (this.#present[place - 1] as number);
    for (let left = present & ~before; left !== 0; left &= left - 1) {
      const number = 31 - Math.clz32(left & -left);
      this.#starts[number] = (starts[number] as number) - this.#from;
      this.#ends[number] = (ends[number] as number) - this.#from;
    }
    this.#places[place] = to;
    this.#present[place] = present;
    this.#escaped[place] = escaped;
    this.#seen[place] = seen;
    this.#last[place] = last;
    this.#reached = this.#kept = place + 1;
  }

  /** How many bytes from the beginning on are those that are kept. */
  #sameBytes(view: DataView, from: number): number {
    const bytes = this.#kept === 0 ? 0 : Math.min(this.#places[this.#kept - 1] as number, view.byteLength - from);
    const lastWord = bytes - 4;
    let same = 0;
    while (same <= lastWord && view.getInt32(from + same) === this.#view.getInt32(same)) same += 4;
    while (same < bytes && view.getUint8(from + same) === this.#text[same]) same += 1;
    return same;
  }
}
