/** Which figures of flow are looked at together, and what each line of a plot tells. */
import type { Kept } from "./table.ts";

/**
 * rate: what was counted, by the second. mean: what readings found on average, none counting as nothing. highest: the
 * largest that a reading found. quantile: up to how many seconds this share of calls took.
 */
export type Telling = "rate" | "mean" | "highest" | { quantile: number };

/** By label: a line for each of a figure's labels, those in this order first. */
export type LineSpec =
  | { name: string; figure: string; tells: Telling }
  | { byLabel: readonly string[]; figure: string };

export type Unit = "a second" | "bytes a second" | "seconds" | "bytes" | "deliveries" | "users" | "slots" | "messages";

export type PlotSpec = { id: string; title: string; unit: Unit; tells: Telling; lines: readonly LineSpec[] };

/** A plot with more lines than this is not read. */
export const linesMax = 6;

const latency = (figure: string): LineSpec[] => [
  { name: "half", figure, tells: { quantile: 0.5 } },
  { name: "99 of 100", figure, tells: { quantile: 0.99 } },
];

export const plots: readonly PlotSpec[] = [
  {
    id: "records",
    title: "Records loaded",
    unit: "a second",
    tells: "rate",
    lines: [{ figure: "records", byLabel: ["new", "known", "refused", "waiting", "conflicting", "marker"] }],
  },
  {
    id: "batches",
    title: "Batches loaded",
    unit: "a second",
    tells: "rate",
    lines: [{ figure: "batches", byLabel: ["read", "refused"] }],
  },
  {
    id: "bytes",
    title: "Bytes landed, by door",
    unit: "bytes a second",
    tells: "rate",
    lines: [{ figure: "bytes", byLabel: ["https", "sftp"] }],
  },
  {
    id: "queue",
    title: "Deliveries not loaded yet",
    unit: "deliveries",
    tells: "highest",
    lines: [
      { name: "waiting", figure: "waiting", tells: "highest" },
      { name: "being loaded", figure: "loading", tells: "highest" },
    ],
  },
  {
    id: "age",
    title: "How long the oldest has waited",
    unit: "seconds",
    tells: "highest",
    lines: [
      { name: "delivery that nobody has begun", figure: "oldest-waiting-seconds", tells: "highest" },
      { name: "user with new data", figure: "oldest-user-seconds", tells: "highest" },
    ],
  },
  {
    id: "slots",
    title: "Deliveries being loaded, by partner",
    unit: "slots",
    tells: "mean",
    lines: [{ figure: "slots", byLabel: [] }],
  },
  {
    id: "behind",
    title: "Users whose figures are behind",
    unit: "users",
    tells: "highest",
    lines: [
      { name: "to be recognised", figure: "users-behind", tells: "highest" },
      { name: "with a budget to be made anew", figure: "budgets-behind", tells: "highest" },
    ],
  },
  {
    id: "recognised",
    title: "Users recognised",
    unit: "a second",
    tells: "rate",
    lines: [{ name: "users", figure: "recognised", tells: "rate" }],
  },
  {
    id: "reads",
    title: "Reads answered, by status",
    unit: "a second",
    tells: "rate",
    lines: [{ figure: "reads", byLabel: ["2xx", "3xx", "4xx", "429", "5xx"] }],
  },
  {
    id: "read-latency",
    title: "Reads: answered within",
    unit: "seconds",
    tells: { quantile: 0.99 },
    lines: latency("reads-seconds"),
  },
  {
    id: "pushes",
    title: "Pushes answered, by status",
    unit: "a second",
    tells: "rate",
    lines: [{ figure: "pushes", byLabel: ["2xx", "3xx", "4xx", "429", "5xx"] }],
  },
  {
    id: "push-latency",
    title: "Pushes: answered within",
    unit: "seconds",
    tells: { quantile: 0.99 },
    lines: latency("pushes-seconds"),
  },
  {
    id: "notifications",
    title: "Notifications sent to partners",
    unit: "a second",
    tells: "rate",
    lines: [{ figure: "notifications", byLabel: ["delivered", "postponed", "given-up"] }],
  },
  {
    id: "database",
    title: "Size of the database",
    unit: "bytes",
    tells: "highest",
    lines: [{ name: "with indexes", figure: "database-bytes", tells: "highest" }],
  },
];

/**
 * Up to how many seconds a share of calls took, a call standing anywhere in its bucket; null: there was none. What took
 * longer than the longest bucket is told as that.
 */
export function quantileOf(
  counts: readonly { bound: number; count: number }[],
  bounds: readonly number[],
  share: number,
): number | null {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  let before = 0;
  for (const { bound, count } of counts.toSorted((a, b) => a.bound - b.bound)) {
    if (before + count >= share * total && count > 0) {
      const from = bounds.findLast((one) => one < bound) ?? 0;
      return Number.isFinite(bound) ? from + ((share * total - before) / count) * (bound - from) : from;
    }
    before += count;
  }
  return null;
}

/** The lines of a plot by what was found: known labels in their order, then the others by how much they have. */
export function linesOf(
  spec: PlotSpec,
  kept: readonly Kept[],
): { name: string; figure: string; tells: Telling; labels: readonly string[] }[] {
  return spec.lines.flatMap((line) => {
    if ("name" in line) return [{ ...line, labels: [] }];
    const sums = new Map<string, number>();
    for (const { figure, label, value } of kept)
      if (figure === line.figure) sums.set(label, (sums.get(label) ?? 0) + value);
    const place = (label: string) => (line.byLabel.includes(label) ? line.byLabel.indexOf(label) : line.byLabel.length);
    const labels = [...sums.keys()].toSorted(
      (a, b) => place(a) - place(b) || (sums.get(b) ?? 0) - (sums.get(a) ?? 0) || (a < b ? -1 : 1),
    );
    const [shown, rest] =
      labels.length > linesMax ? [labels.slice(0, linesMax - 1), labels.slice(linesMax - 1)] : [labels, []];
    const one = (name: string, ...own: string[]) => ({ name, figure: line.figure, tells: spec.tells, labels: own });
    return [...shown.map((label) => one(label, label)), ...(rest.length > 0 ? [one("all others", ...rest)] : [])];
  });
}
