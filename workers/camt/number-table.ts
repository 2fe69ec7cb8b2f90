/**
 * Numbers by numbers, 32 bytes each at most: what is kept of each entry of a statement while the statement lasts. A Map
 * takes 70, which a statement of a million entries would feel.
 */

const slotsAtFirst = 256;
/** Beyond, places are looked for too long. */
const fillMax = 0.75;

export class NumberTable {
  /** Keys from 0; −1: free. */
  #keys = new Float64Array(slotsAtFirst).fill(-1);
  #values = new Float64Array(slotsAtFirst);
  #count = 0;

  get(key: number): number | undefined {
    const place = this.#findPlace(key);
    return this.#keys[place] === key ? this.#values[place] : undefined;
  }

  /** @param key a whole number from 0 to 2^53 − 1 */
  set(key: number, value: number): void {
    let place = this.#findPlace(key);
    if (this.#keys[place] !== key) {
      this.#count += 1;
      if (this.#count > this.#keys.length * fillMax) {
        this.#grow();
        place = this.#findPlace(key);
      }
      this.#keys[place] = key;
    }
    this.#values[place] = value;
  }

  #findPlace(key: number): number {
    const mask = this.#keys.length - 1;
    let place = (key ^ (key / 0x1_0000_0000)) & mask;
    while (this.#keys[place] !== -1 && this.#keys[place] !== key) place = (place + 1) & mask;
    return place;
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#keys = new Float64Array(keys.length * 2).fill(-1);
    this.#values = new Float64Array(keys.length * 2);
    for (let from = 0; from < keys.length; from += 1) {
      if (keys[from] === -1) continue;
      const place = this.#findPlace(keys[from] as number);
      this.#keys[place] = keys[from] as number;
      this.#values[place] = values[from] as number;
    }
  }
}
