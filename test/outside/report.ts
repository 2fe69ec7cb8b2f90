/** What a proof found: facts and checks in their order, the failed ones once more at the end. */
export class Report {
  readonly #failed: string[] = [];

  fact(name: string, text: string): void {
    console.log(`${name.padEnd(nameWidth)} ${text}`);
  }

  /** @param allowed further values that are as good */
  check<Value extends string | number | null>(
    name: string,
    actual: Value,
    expected: Value,
    allowed: readonly Value[] = [],
  ): void {
    const good = actual === expected || allowed.includes(actual);
    const told = String(actual) === "" ? "none" : String(actual);
    this.fact(
      `${name}`,
      good ? `${told}  ok` : `${told}  FAILED: should be ${String(expected) === "" ? "none" : expected}`,
    );
    if (!good) this.#failed.push(`${name.trim()}: ${told}, should be ${expected}`);
  }

  async timed<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    const result = await work();
    this.fact(name, `${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    return result;
  }

  /** @returns the exit code */
  print(): number {
    console.log(
      this.#failed.length === 0
        ? "\nAll as it should be."
        : `\n${this.#failed.length} FAILED:\n${this.#failed.map((line) => `  ${line}`).join("\n")}`,
    );
    return this.#failed.length === 0 ? 0 : 1;
  }
}

const nameWidth = 52;
