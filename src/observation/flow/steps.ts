/** How long figures are kept in which fineness, and what an operator looks back over. */

export type Step = { seconds: number; keptSeconds: number };

const hourSeconds = 3600;
const daySeconds = 24 * hourSeconds;

/**
 * From fine to coarse, each kept for longer than its range shows: what is older goes on to the next, and from the last
 * nowhere. With some sixty figures these are about forty thousand rows, however long the service runs.
 */
export const steps = [
  { seconds: 60, keptSeconds: 2 * hourSeconds },
  { seconds: 600, keptSeconds: 2 * daySeconds },
  { seconds: 4 * hourSeconds, keptSeconds: 35 * daySeconds },
] as const satisfies readonly Step[];

export const [finest] = steps;

export const rangeNames = ["hour", "day", "month"] as const;

export type RangeName = (typeof rangeNames)[number];

export const ranges: Readonly<Record<RangeName, { stepSeconds: number; buckets: number }>> = {
  hour: { stepSeconds: 60, buckets: 60 },
  day: { stepSeconds: 600, buckets: 144 },
  month: { stepSeconds: 4 * hourSeconds, buckets: 186 },
};
