/**
 * What is made of texts that differ in their digits alone, kept once for all of them: nearly every line of a bank has a
 * day, an hour or a reference of its own in it, and says no more than the others of its wording.
 */

const code0 = "0".charCodeAt(0);
const code9 = "9".charCodeAt(0);
const places = 1 << 15;

/**
 * Kept of what was met since the last turn, and of the turn before, of which what is met again is kept. No text is
 * written anew to be looked up: that would cost more than is saved.
 */
export class KeptAlike<Value> {
  readonly #max: number;
  #recent: Turn<Value> = newTurn();
  #earlier: Turn<Value> = newTurn();

  constructor(max: number) {
    this.#max = max;
  }

  /** What is kept of the texts that are this one but for their digits; made of this one where none was met. */
  of(text: string, make: (text: string) => Value): Value {
    const hash = hashOf(text);
    const known = foundIn(this.#recent, text, hash);
    if (known !== undefined) return known;
    const value = foundIn(this.#earlier, text, hash) ?? make(text);
    if (this.#recent.entries.length >= this.#max) {
      this.#earlier = this.#recent;
      this.#recent = newTurn();
    }
    const { heads, entries } = this.#recent;
    entries.push({ text, hash, value, next: heads[hash & (places - 1)] as number });
    heads[hash & (places - 1)] = entries.length;
    return value;
  }
}

/** Heads: by the hash's last bits the place behind that of the entry added last; next: of the one before it; 0: none. */
type Turn<Value> = { heads: Int32Array; entries: { text: string; hash: number; value: Value; next: number }[] };

function newTurn<Value>(): Turn<Value> {
  return { heads: new Int32Array(places), entries: [] };
}

function foundIn<Value>({ heads, entries }: Turn<Value>, text: string, hash: number): Value | undefined {
  for (let at = heads[hash & (places - 1)] as number; at > 0;) {
    const entry = entries[at - 1] as Turn<Value>["entries"][number];
    if (entry.hash === hash && (entry.text === text || areAlike(entry.text, text))) return entry.value;
    at = entry.next;
  }
  return undefined;
}

function hashOf(text: string): number {
  let hash = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    hash = Math.imul(hash, 31) + (code >= code0 && code <= code9 ? code0 : code);
  }
  return hash ^ (hash >>> 15);
}

function areAlike(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) {
    const [codeA, codeB] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (codeA === codeB) continue;
    if (codeA < code0 || codeA > code9 || codeB < code0 || codeB > code9) return false;
  }
  return true;
}

/** 0 to 9; other scripts' are no different from letters. */
export function hasDigits(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= code0 && code <= code9) return true;
  }
  return false;
}
