/**
 * Work that comes round by time. Each round is idempotent and decided by the data, not by a memory of earlier rounds:
 * a missed one is made up by the next, and several schedulers at once do no harm.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { Events } from "../events.ts";

export type Round = {
  name: string;
  everyMs: number;
  run(): Promise<void>;
};

/** Hears of each run that begins. @returns what is called when it has ended */
export type Begin = (name: string) => () => void;

export type Rounds = { stop(): Promise<void> };

/** Starts every round at once and then again `everyMs` after it ended. A failure is reported and the round goes on. */
export function startRounds(rounds: readonly Round[], events: Events, begin: Begin = () => () => undefined): Rounds {
  const running = rounds.map((round) => startRound(round, events, begin));
  return { stop: async () => void (await Promise.all(running.map((one) => one.stop()))) };
}

function startRound(round: Round, events: Events, begin: Begin): Rounds {
  const stopping = new AbortController();
  const loop = async () => {
    while (!stopping.signal.aborted) {
      const end = begin(round.name);
      await runOnce(round, events);
      end();
      // Rejects when stopped, which ends the loop.
      await wait(round.everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const ended = loop();
  return {
    async stop() {
      stopping.abort();
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
