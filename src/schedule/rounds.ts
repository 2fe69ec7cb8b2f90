/**
 * Work that comes round by time. Each round is idempotent and decided by the data, not by a memory of earlier rounds:
 * a missed one is made up by the next, and several schedulers at once do no harm.
 */
import type { Events } from "../events.ts";

export type Round = {
  name: string;
  everyMs: number;
  run(): Promise<void>;
};

export type Rounds = { stop(): Promise<void> };

/** Starts every round at once and then again `everyMs` after it ended. A failure is reported and the round goes on. */
export function startRounds(rounds: readonly Round[], events: Events): Rounds {
  const running = rounds.map((round) => startRound(round, events));
  return { stop: async () => void (await Promise.all(running.map((one) => one.stop()))) };
}

function startRound(round: Round, events: Events): Rounds {
  let stopped = false;
  let wake: () => void = () => undefined;
  const loop = async () => {
    while (!stopped) {
      await runOnce(round, events);
      if (!stopped) await pause(round.everyMs, (resolve) => (wake = resolve));
    }
  };
  const ended = loop();
  return {
    async stop() {
      stopped = true;
      wake();
      await ended;
    },
  };
}

async function runOnce(round: Round, events: Events): Promise<void> {
  const startedAt = performance.now();
  try {
    await round.run();
  } catch (error) {
    events.emit("job.failed", { job: round.name, durationMs: performance.now() - startedAt, error });
  }
}

function pause(ms: number, expose: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    expose(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
