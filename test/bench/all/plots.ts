/**
 * The drawings of docs/performance.md: what one unit of work costs against how much of it there is. Like the table's
 * lines they are found in what the benchmarks print; of fewer than two sizes nothing is drawn.
 */
import type { Plot, Series } from "../plot.ts";

export type Drawing = {
  /** In docs/performance/. */ file: string;
  title: string;
  unit: string;
  /** The benchmark that tells it. */ of: string;
  /** @param said what that printed */ series(said: string): Series[];
};

export const drawings: readonly Drawing[] = [
  {
    file: "file-size.svg",
    title: "Microseconds a row, against the rows of the file that is loaded",
    unit: "µs",
    of: "ingest",
    series: (said) => {
      const files = [...said.matchAll(/^(\d+) rows: psql's \\copy (\d+) k rows\/s.*\n((?: {2}\.\S+ .*\n?)*)/gm)];
      const byFormat = files.flatMap(([, rows, , formats = ""]) =>
        [...formats.matchAll(/^ {2}(\.\S+) (\d+) k rows\/s/gm)].map(([, name, rate]) => ({ name, rows, rate })),
      );
      const formats = Map.groupBy(byFormat, ({ name }) => name ?? "");
      return [
        ...[...formats].map(([name, all]) => ({ name, points: all.map(({ rows, rate }) => costOf(rows, rate)) })),
        { name: "psql's \\copy", points: files.map(([, rows, rate]) => costOf(rows, rate)) },
      ];
    },
  },
  {
    file: "table-size.svg",
    title: "Microseconds a row, against the rows that the table holds already",
    unit: "µs",
    of: "ingest",
    series: (said) => {
      const found = [
        ...said.matchAll(/^into a table of (\d+) rows: \.jwe (\d+) k rows\/s, COPY of plain text (\d+) k rows\/s/gm),
      ];
      return [
        { name: "encrypted file, .jwe", points: found.map(([, rows, rate]) => costOf(rows, rate)) },
        { name: "COPY of plain text", points: found.map(([, rows, , rate]) => costOf(rows, rate)) },
      ];
    },
  },
  {
    file: "callers.svg",
    title: "Milliseconds from one answered first read to the next, against callers at once",
    unit: "ms",
    of: "read",
    series: (said) => {
      const found = [...said.matchAll(/^(.+?), [\d.]+ kB, (\d+) at once: .*?first (\d+)\/s/gm)].map(
        ([, name = "", callers, rate]) => ({ name, size: Number(callers), value: 1000 / Number(rate) }),
      );
      return [...Map.groupBy(found, ({ name }) => name)].map(([name, all]) => ({
        name,
        points: all.map(({ size, value }) => ({ size, value })),
      }));
    },
  },
  {
    file: "pushes.svg",
    title: "Milliseconds from one answered push of 750 records to the next, against pushes at once",
    unit: "ms",
    of: "push",
    series: (said) => {
      const found = [...said.matchAll(/^(\d+) at once,.*?: (\d+) requests\/s, floor (\d+),/gm)];
      const costs = (at: 2 | 3) => found.map((one) => ({ size: Number(one[1]), value: 1000 / Number(one[at]) }));
      return [
        { name: "pushed", points: costs(2) },
        { name: "opened and inserted", points: costs(3) },
      ];
    },
  },
  {
    file: "users.svg",
    title: "Milliseconds of processors for a user's night, against users",
    unit: "ms",
    of: "growth",
    series: (said) => [
      { name: "three new rows", points: pointsOf(said, /^a user of (\d+): ([\d.]+) ms of processors/gm) },
    ],
  },
  {
    file: "partners.svg",
    title: "Milliseconds of processors for a small file, against partners who send together",
    unit: "ms",
    of: "growth",
    series: (said) => [
      {
        name: "ten records",
        points: pointsOf(said, /^a file of \d+ records, of (\d+) partners .* of processors ([\d.]+) ms/gm),
      },
    ],
  },
];

function pointsOf(said: string, at: RegExp): { size: number; value: number }[] {
  return [...said.matchAll(at)].map(([, size, value]) => ({ size: Number(size), value: Number(value) }));
}

/** @param said what each benchmark printed, by name. @returns null: of this there is nothing to draw */
export function plotOf({ title, unit, of, series }: Drawing, said: ReadonlyMap<string, string>): Plot | null {
  const found = series(said.get(of) ?? "").filter(({ points }) => points.length > 1);
  return found.length === 0 ? null : { title, unit, series: found };
}

function costOf(rows: string | undefined, thousandsPerSecond: string | undefined): { size: number; value: number } {
  return { size: Number(rows), value: 1000 / Number(thousandsPerSecond) };
}
