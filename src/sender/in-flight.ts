/** Tasks under way at once, up to a limit. */

export type InFlight = {
  /** Starts a task, when necessary after waiting for a free slot. @throws what an earlier task threw. */
  add(task: () => Promise<void>): Promise<void>;
  /** Waits until none is under way. @throws what a task threw. */
  idle(): Promise<void>;
  /** Waits the same way and tells nothing. */
  settled(): Promise<void>;
};

export function limitInFlight(tasksMax: number): InFlight {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const throwFirst = () => {
    if (failures.length > 0) throw failures[0];
  };
  const settled = async () => void (await Promise.all(running));
  return {
    async add(task) {
      while (running.size >= tasksMax) await Promise.race(running);
      throwFirst();
      const one: Promise<void> = task()
        .catch((error: unknown) => void failures.push(error))
        .finally(() => running.delete(one));
      running.add(one);
    },
    async idle() {
      await settled();
      throwFirst();
    },
    settled,
  };
}
