/**
 * The texts of an entry that was found where it stands, copied one behind the other without escapes, and what is made of
 * them: where the fields of its row lie.
 */
import { recordBytesMax } from "../../config/limits.ts";
import type { RecordFields } from "../bytes/fields.ts";
import { entityAt, type EntryScanner } from "./entry-scanner.ts";

/** An entry's texts, and once more what its id is made of. Beyond it nothing is written, and no row is made of that. */
const workBytes = 2 * recordBytesMax;

const ampersand = 0x26;
const space = 0x20;

/** Thrown within, since it is found deep inside. */
export class LeftToParser extends Error {}

export class EntryTexts {
  readonly work: Buffer = Buffer.allocUnsafeSlow(workBytes);
  /** Where the next one goes. */
  at = 0;
  /** What was scanned. */
  source: Uint8Array = Buffer.alloc(0);
  readonly #scanner: EntryScanner;
  readonly #fields: RecordFields;

  constructor(scanner: EntryScanner, fields: RecordFields) {
    this.#scanner = scanner;
    this.#fields = fields;
  }

  has(number: number): boolean {
    return (this.#scanner.ends[number] as number) >= 0;
  }

  is(source: Uint8Array, number: number, text: string): boolean {
    const { starts, ends } = this.#scanner;
    const start = starts[number] as number;
    if ((ends[number] as number) - start !== text.length || !this.has(number)) return false;
    for (let at = 0; at < text.length; at += 1) if (source[start + at] !== text.charCodeAt(at)) return false;
    return true;
  }

  /** Of codes, which are ASCII. */
  text(number: number): string {
    if (!this.has(number)) return "";
    const { starts, ends } = this.#scanner;
    let text = "";
    for (let at = starts[number] as number, end = ends[number] as number; at < end; at += 1) {
      const code = this.source[at] as number;
      if (code >= 0x80 || code < space || code === ampersand) throw new LeftToParser();
      text += String.fromCharCode(code);
    }
    return text;
  }

  field(number: number, from: number): void {
    const start = this.at;
    this.copy(from);
    this.set(number, start, this.at);
  }

  set(number: number, start: number, end: number): void {
    this.#fields.starts[number] = start;
    this.#fields.ends[number] = end;
    this.#fields.present |= 1 << number;
  }

  copy(number: number): void {
    const { starts, ends } = this.#scanner;
    this.unescaped(starts[number] as number, ends[number] as number);
  }

  /** A reference, which is compared by its bytes. */
  copyPlain(number: number): void {
    const before = this.at;
    this.copy(number);
    for (let at = before; at < this.at; at += 1)
      if ((this.work[at] as number) >= 0x80 || this.work[at] === ampersand) throw new LeftToParser();
  }

  isWritten(number: number, from: number, to: number): boolean {
    const { starts, ends } = this.#scanner;
    const start = starts[number] as number;
    if ((ends[number] as number) - start !== to - from) return false;
    for (let at = 0; at < to - from; at += 1) if (this.source[start + at] !== this.work[from + at]) return false;
    return true;
  }

  unescaped(from: number, to: number): void {
    const [source, work] = [this.source, this.work];
    let at = this.at;
    for (let place = from; place < to; place += 1, at += 1) {
      const byte = source[place] as number;
      work[at] = byte;
      if (byte !== ampersand) continue;
      const entity = entityAt(source, place);
      if (entity === null) throw new LeftToParser();
      work[at] = entity.code;
      place += entity.name.length - 1;
    }
    this.at = at;
  }

  writeField(number: number): void {
    const { starts, ends } = this.#fields;
    for (let from = starts[number] as number, end = ends[number] as number; from < end; from += 1)
      this.work[this.at++] = this.work[from] as number;
  }

  /** @returns where it ends */
  write(bytes: Uint8Array): number {
    for (let from = 0; from < bytes.length; from += 1) this.work[this.at++] = bytes[from] as number;
    return this.at;
  }

  writeFrom(from: number, to: number): number {
    for (let at = from; at < to; at += 1) this.work[this.at++] = this.source[at] as number;
    return this.at;
  }
}
