/**
 * In which order a mutant's test files run: those first that are likely to tell it from the original, for the time they take. What
 * a file has told of the module's other mutants says how likely. The order changes how soon something is known, never what.
 */
import { isCovered } from "./coverage.ts";
import { usualMsOf } from "./join.ts";
import type { Mutant } from "./mutant.ts";
import type { MeasuredTest } from "./reach.ts";

type Record = { tried: number; told: number };

export class TestOrder {
  readonly #tests: readonly MeasuredTest[];
  readonly #records = new Map<string, Record>();
  /** What a file takes as a rule. */
  readonly usualMs: number;

  constructor(tests: readonly MeasuredTest[]) {
    this.#tests = tests;
    this.usualMs = usualMsOf(tests);
  }

  /** The test files that run the mutant's place. */
  of(mutant: Mutant): MeasuredTest[] {
    const worth = ({ file, steps, ms }: MeasuredTest): number => {
      const { tried, told } = this.#recordOf(mutant.file, file);
      return (told + 1) / (tried + 2) / ms / steps;
    };
    return this.#tests
      .filter(({ coverage }) => isCovered(coverage, mutant.file, mutant.decidedAt ?? mutant.start))
      .toSorted((a, b) => worth(b) - worth(a));
  }

  note(mutant: Mutant, test: MeasuredTest, isTold: boolean): void {
    const record = this.#recordOf(mutant.file, test.file);
    record.tried += 1;
    if (isTold) record.told += 1;
  }

  #recordOf(file: string, testFile: string): Record {
    const key = `${file} ${testFile}`;
    const record = this.#records.get(key) ?? { tried: 0, told: 0 };
    this.#records.set(key, record);
    return record;
  }
}
