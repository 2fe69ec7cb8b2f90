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
  /** Of a line that bends upward: what makes it. */ why?: string;
};

const whyPartners =
  "a group of small files is one partner's, so that its keys, users and reqIds are looked up once: 2,000 files of one partner are ten groups of 200, of 200 partners they are 200 groups of ten, and a group costs something however few are in it. With threads that had started before, on a machine where all of it took some twice as long, a file of ten together cost 3.6 ms of processors more than one of 200 together: the server 1.7, the thread that loads 1.1, the disk's pool .5, the thread that gives out work .3. Of the server's, two fifths are planning the statements that choose whose turn it is, which files go together and which markers are due (3 to 5 ms a group: the table of deliveries has a score of indexes), a fifth that a COPY begins; the rest is a dozen statements of which none stands out. What each file of a group asked by itself, of accounts and cards, is asked once a group since";

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
    why: whyPartners,
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
