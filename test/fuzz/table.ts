/** What was tried and what came of it, kind by kind. */

type Row = { count: number; answers: Map<string, number>; ms: number[] };

export class Table {
  readonly #rows = new Map<string, Row>();

  note(kind: string, answer: string, ms: number, count = 1): void {
    const row = this.#rows.get(kind) ?? { count: 0, answers: new Map<string, number>(), ms: [] };
    row.count += count;
    row.answers.set(answer, (row.answers.get(answer) ?? 0) + count);
    row.ms.push(ms);
    this.#rows.set(kind, row);
  }

  get count(): number {
    return [...this.#rows.values()].reduce((sum, row) => sum + row.count, 0);
  }

  countOf(kind: string): number {
    return this.#rows.get(kind)?.count ?? 0;
  }

  medianMs(kind: string): number {
    const sorted = (this.#rows.get(kind)?.ms ?? []).toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  }

  print(title: string): string {
    const rows = [...this.#rows]
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([kind, { count, answers, ms }]) => [
        kind,
        String(count),
        String(
          Math.round(
            Math.max(
              ...ms.slice(0, 1),
              ms.reduce((a, b) => Math.max(a, b), 0),
            ),
          ),
        ),
        describe(answers),
      ]);
    const all = [[title, "count", "slowest ms", "answers"], ...rows, ["all", String(this.count), "", ""]];
    const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
    return all
      .map(([kind = "", count = "", ms = "", answers = ""]) =>
        `${kind.padEnd(widths[0] ?? 0)}  ${count.padStart(widths[1] ?? 0)}  ${ms.padStart(widths[2] ?? 0)}  ${answers}`.trimEnd(),
      )
      .join("\n");
  }
}

function describe(answers: ReadonlyMap<string, number>): string {
  return [...answers]
    .toSorted(([, a], [, b]) => b - a)
    .map(([answer, count]) => `${answer} × ${count}`)
    .join(", ");
}
