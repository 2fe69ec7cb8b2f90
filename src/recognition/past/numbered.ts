/** Texts by the number under which they came first. */
export class Numbered {
  readonly #numbers = new Map<string, number>();
  /** By number. */
  readonly uses: number[] = [];

  numberOf(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      this.#numbers.set(text, (number = this.#numbers.size));
      this.uses.push(0);
    }
    this.uses[number] = (this.uses[number] as number) + 1;
    return number;
  }

  /** The same of what is there already, which is not counted as another use. */
  numberAgain(text: string): number {
    return this.#numbers.get(text) ?? this.numberOf(text);
  }

  get texts(): string[] {
    return [...this.#numbers.keys()];
  }
}
