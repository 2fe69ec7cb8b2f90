/** Where the processor time of a run goes, for whoever wants to know what a night costs. */

/** In their order. What the database does for a stage is not in it. */
export const stages = [
  "claim",
  "remembered",
  "history",
  "recognise",
  "documents",
  "list",
  "services",
  "notices",
  "read models",
  "budgets",
  "past",
] as const;

export type Stage = (typeof stages)[number];

/** Milliseconds of the thread's processor. */
export type StageTimes = Record<Stage, number>;

export class Stopwatch {
  readonly times = Object.fromEntries(stages.map((stage) => [stage, 0])) as StageTimes;
  #at = processorMs();

  /** What went by since the last call was spent on this stage. */
  lap(stage: Stage): void {
    const now = processorMs();
    this.times[stage] += now - this.#at;
    this.#at = now;
  }
}

/** What this thread has used of a processor, in milliseconds. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
