/**
 * Whose turn it is: partners with work take turns, whatever each has piled up. Stride scheduling (Waldspurger and
 * Weihl, 1995): every turn moves its partner's clock on by 1 / weight, and the one whose clock is furthest behind is
 * next.
 */
import type { Contender } from "../deliveries/open-deliveries.ts";

export type Turns = {
  /**
   * The contender whose turn it is, its clock moved on; null when none may load now. Each lane has clocks of its own.
   */
  take<Kind extends Contender>(contenders: readonly Kind[], nowMs: number, lane?: string): Kind | null;
  /** Whether its rate lets it load now. */
  mayLoad(contender: Contender, nowMs: number): boolean;
  /** The turn is over, after so many records. */
  end(contender: Contender, records: number, startedAtMs: number): void;
};

export function createTurns(): Turns {
  const lanes = new Map<string, Clocks>();
  /** Partners with a limited rate load one thing at a time, and rest after it. */
  const busy = new Map<string, number>();
  const restUntilMs = new Map<string, number>();
  const mayLoad = ({ partnerId, recordsPerSecond }: Contender, nowMs: number): boolean =>
    recordsPerSecond === null || ((busy.get(partnerId) ?? 0) === 0 && (restUntilMs.get(partnerId) ?? 0) <= nowMs);
  return {
    mayLoad,
    take(contenders, nowMs, lane = "any") {
      const clocks = lanes.get(lane) ?? createClocks();
      lanes.set(lane, clocks);
      const next = clocks.furthestBehind(contenders.filter((one) => mayLoad(one, nowMs)));
      if (next !== null) busy.set(next.partnerId, (busy.get(next.partnerId) ?? 0) + 1);
      return next;
    },
    end({ partnerId, recordsPerSecond }, records, startedAtMs) {
      busy.set(partnerId, Math.max(0, (busy.get(partnerId) ?? 0) - 1));
      if (recordsPerSecond !== null) restUntilMs.set(partnerId, startedAtMs + (records / recordsPerSecond) * 1000);
    },
  };
}

type Clocks = { furthestBehind<Kind extends Contender>(contenders: readonly Kind[]): Kind | null };

function createClocks(): Clocks {
  const clocks = new Map<string, { time: number; turn: number }>();
  let latest = 0;
  let turns = 0;
  // Who had nothing to do for a while has saved nothing up.
  const timeOf = ({ partnerId }: Contender): number => Math.max(clocks.get(partnerId)?.time ?? 0, latest);
  const turnOf = ({ partnerId }: Contender): number => clocks.get(partnerId)?.turn ?? 0;
  return {
    furthestBehind(contenders) {
      const [next] = contenders.toSorted((a, b) => timeOf(a) - timeOf(b) || turnOf(a) - turnOf(b));
      if (next === undefined) return null;
      latest = timeOf(next);
      turns += 1;
      clocks.set(next.partnerId, { time: latest + 1 / next.weight, turn: turns });
      return next;
    },
  };
}
