/**
 * What became of each mutant, one JSON line each, written as it is known: a run that was broken off goes on from there.
 */
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

/**
 * `uncovered`: no test runs its place. `late`: a test did not end in time, which tells it from the original as a
 * failure does.
 */
export type Outcome = "killed" | "late" | "survived" | "uncovered";

export type Result = {
  /** The mutant's. */
  id: string;
  outcome: Outcome;
  /** The test file that told it from the original, and the test's title. */
  by?: string;
  /** Of all test files that ran. */
  ms: number;
};

export class ResultFile {
  readonly #path: string;

  constructor(file: string) {
    this.#path = file;
  }

  /** The last of each mutant. A line that was cut off is as if never written. */
  async read(): Promise<Map<string, Result>> {
    const text = await readFile(this.#path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "";
      throw error;
    });
    const lines = text.split("\n").slice(0, -1);
    return new Map(lines.map((line) => JSON.parse(line) as Result).map((result) => [result.id, result]));
  }

  /** Begins anew with these. */
  async begin(results: Iterable<Result>): Promise<void> {
    await mkdir(path.dirname(this.#path), { recursive: true });
    await writeFile(this.#path, [...results].map((result) => `${JSON.stringify(result)}\n`).join(""));
  }

  async add(result: Result): Promise<void> {
    await appendFile(this.#path, `${JSON.stringify(result)}\n`);
  }
}
