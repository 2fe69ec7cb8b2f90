/**
 * Texts by their bytes. What banks print returns in row after row and from user to user: a text that is known costs
 * less than to make it anew, and one string in all places is found in maps without being read again.
 */

/** Longer ones are hardly ever the same. */
const bytesMax = 128;
/** Some thousand distinct texts are usual among many users; order numbers fill the rest until it is emptied. */
const slots = 1 << 16;
const textsMax = slots / 2;
const arenaBytes = 1 << 20;

/** Of one thread. */
export class KnownTexts {
  readonly #hashes = new Int32Array(slots);
  /** Of a slot's text: where its bytes begin in the arena, and how many they are; 0: the slot is free. */
  readonly #starts = new Int32Array(slots);
  readonly #lengths = new Uint8Array(slots);
  readonly #texts: string[] = Array.from({ length: slots }, () => "");
  readonly #arena = new Uint8Array(arenaBytes);
  #used = 0;
  #count = 0;

  /** The UTF-8 text of some bytes. */
  readonly of = (bytes: Buffer, from: number, to: number): string => {
    const length = to - from;
    if (length === 0) return "";
    if (length > bytesMax) return bytes.toString("utf8", from, to);
    let hash = length;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
    let slot = (hash ^ (hash >>> 15)) & (slots - 1);
    while (this.#lengths[slot] !== 0) {
      if (
        this.#hashes[slot] === hash &&
        this.#lengths[slot] === length &&
        this.#isAt(this.#starts[slot] as number, bytes, from, to)
      )
        return this.#texts[slot] as string;
      slot = (slot + 1) & (slots - 1);
    }
    const text = bytes.toString("utf8", from, to);
    this.#add(slot, hash, text, bytes, from, to);
    return text;
  };

  #isAt(start: number, bytes: Buffer, from: number, to: number): boolean {
    const arena = this.#arena;
    for (let at = from, known = start; at < to; at++, known++) if (arena[known] !== bytes[at]) return false;
    return true;
  }

  #add(slot: number, hash: number, text: string, bytes: Buffer, from: number, to: number): void {
    if (this.#count >= textsMax || this.#used + to - from > arenaBytes) {
      this.#empty();
      return;
    }
    this.#hashes[slot] = hash;
    this.#starts[slot] = this.#used;
    this.#lengths[slot] = to - from;
    this.#texts[slot] = text;
    for (let at = from; at < to; at++) this.#arena[this.#used++] = bytes[at] as number;
    this.#count += 1;
  }

  #empty(): void {
    this.#lengths.fill(0);
    this.#texts.fill("");
    this.#used = 0;
    this.#count = 0;
  }
}
