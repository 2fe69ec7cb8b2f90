/** The flow of the last hour, day or month, as plots: what the console draws and `tideline status --flow` prints. */
import type { Queryable } from "../../database/database.ts";
import { linesOf, plots, quantileOf, type Telling, type Unit } from "./plots.ts";

import { type RangeName, ranges } from "./steps.ts";
import { type Kept, readingsFigure, readKept } from "./table.ts";

/** points: by bucket, null where nobody read or counted. latest: of the last bucket that has one. */
export type Line = {
  name: string;
  points: (number | null)[];
  latest: number | null;
  mean: number | null;
  highest: number | null;
};

export type { Unit };

export type Plot = { id: string; title: string; unit: Unit; lines: Line[] };

export type Flow = {
  range: RangeName;
  stepSeconds: number;
  /** Of the first bucket. */
  since: Date;
  now: Date;
  plots: Plot[];
};

/** A bucket that has hardly begun would tell a rate of chance. */
const bucketBegunSeconds = 60;

export async function readFlow(database: Queryable, range: RangeName): Promise<Flow> {
  const { stepSeconds, buckets } = ranges[range];
  const { since, now, kept } = await readKept(database, { stepSeconds, buckets });
  const seconds = Array.from({ length: buckets }, (_, at) => secondsOf(at, { since, now, stepSeconds }));
  const readings = sumsByBucket(
    kept.filter(({ figure }) => figure === readingsFigure),
    buckets,
  );
  const world = { kept, seconds, readings };
  return {
    range,
    stepSeconds,
    since,
    now,
    plots: plots.map((spec) => ({
      id: spec.id,
      title: spec.title,
      unit: spec.unit,
      lines: linesOf(spec, kept).map((line) => lineOf(line, world)),
    })),
  };
}

/** How long a bucket has lasted; null: not long enough to be told. */
function secondsOf(at: number, { since, now, stepSeconds }: Pick<Flow, "since" | "now" | "stepSeconds">) {
  const begun = (now.getTime() - since.getTime()) / 1000 - at * stepSeconds;
  return begun < bucketBegunSeconds ? null : Math.min(begun, stepSeconds);
}

type World = { kept: readonly Kept[]; seconds: readonly (number | null)[]; readings: readonly number[] };

function lineOf({ name, figure, tells, labels }: ReturnType<typeof linesOf>[number], world: World): Line {
  const own = world.kept.filter((one) => one.figure === figure && (labels.length === 0 || labels.includes(one.label)));
  const points =
    typeof tells === "object" ? quantilePoints(own, tells.quantile, world) : valuePoints(own, tells, world);
  const there = points.filter((point) => point !== null);
  return {
    name,
    points,
    latest: there.at(-1) ?? null,
    mean: there.length === 0 ? null : there.reduce((sum, point) => sum + point, 0) / there.length,
    highest: there.length === 0 ? null : Math.max(...there),
  };
}

function valuePoints(own: readonly Kept[], tells: Exclude<Telling, object>, { seconds, readings }: World) {
  const sums = sumsByBucket(own, seconds.length);
  const highest = new Map(own.map(({ bucket, highest: value }) => [bucket, value]));
  return seconds.map((lasted, at) => {
    // Without a reading nobody was there who could have counted either.
    if (lasted === null || (readings[at] ?? 0) === 0) return null;
    if (tells === "rate") return (sums[at] ?? 0) / lasted;
    return tells === "mean" ? (sums[at] ?? 0) / (readings[at] ?? 1) : (highest.get(at) ?? null);
  });
}

function quantilePoints(own: readonly Kept[], share: number, { seconds }: World) {
  const bounds = [...new Set(own.map(({ label }) => Number(label)))].toSorted((a, b) => a - b);
  const byBucket = Map.groupBy(own, ({ bucket }) => bucket);
  return seconds.map((lasted, at) => {
    const counts = (byBucket.get(at) ?? []).map(({ label, value }) => ({ bound: Number(label), count: value }));
    return lasted === null ? null : quantileOf(counts, bounds, share);
  });
}

function sumsByBucket(kept: readonly Kept[], buckets: number): number[] {
  const sums = Array.from({ length: buckets }, () => 0);
  for (const { bucket, value } of kept) if (bucket in sums) sums[bucket] = (sums[bucket] ?? 0) + value;
  return sums;
}
