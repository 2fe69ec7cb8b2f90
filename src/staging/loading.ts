/**
 * Loading: slots that take what is open, partner by partner. Postgres knows what is open, and each loader's lock who
 * has it in hand; a call from the queue only spares the wait until somebody looks by himself. So a lost call, a lost
 * queue or a killed machine costs seconds.
 */
import { elsewhereMs, lookEveryMs } from "../../config/staging.ts";
import { type Database, isDatabaseAway } from "../database/database.ts";
import { Stopping } from "./pools.ts";
import type { Events } from "../events.ts";
import { findNext, findPartnersWithWork, type Lane, type Turn } from "../deliveries/open-deliveries.ts";
import { createTurns } from "./turns.ts";

/** What became of a turn: records loaded, and deliveries that another machine has in hand. */
export type Served = { records: number; elsewhere: readonly string[] };

export type LoadingSettings = {
  database: Database;
  events: Events;
  /** Deliveries, or groups of requests, loaded at once; one more takes small ones only. */
  slots: number;
  /** Loads what a turn took. Rejects only when it could not even say what became of it, as without a database. */
  serve(turn: Turn): Promise<Served>;
  lookEveryMs?: number;
};

export type Loading = {
  /** Something became open. */
  wake(): void;
  /** Takes no more, and waits for what is being loaded. */
  stop(): Promise<void>;
};

export function startLoading(settings: LoadingSettings): Loading {
  const state: State = {
    ...settings,
    turns: createTurns(),
    inHand: new Set(),
    elsewhere: new Map(),
    stopping: false,
    waiting: new Set(),
    choosing: Promise.resolve(),
    calls: 0,
    isAway: false,
  };
  const lanes: Lane[] = ["small", ...Array.from({ length: settings.slots }, () => "any" as const)];
  const slots = lanes.map((lane) => runSlot(state, lane));
  return {
    wake: () => wakeAll(state),
    async stop() {
      state.stopping = true;
      wakeAll(state);
      await Promise.all(slots);
    },
  };
}

type State = LoadingSettings & {
  turns: ReturnType<typeof createTurns>;
  inHand: Set<string>;
  /** Until when what another machine has in hand is left alone. */
  elsewhere: Map<string, number>;
  stopping: boolean;
  waiting: Set<() => void>;
  /** One slot chooses at a time, so that no two take the same. */
  choosing: Promise<unknown>;
  /** How often it was woken: a call that comes while a slot looks in vain must not be missed. */
  calls: number;
  isAway: boolean;
};

async function runSlot(state: State, lane: Lane): Promise<void> {
  while (!state.stopping) {
    const callsBefore = state.calls;
    const turn = await takeTurn(state, lane).catch((error: unknown) => tellAway(state, error));
    if (turn === null && (callsBefore === state.calls || state.isAway)) await untilWoken(state);
    if (turn === null) continue;
    await serveTurn(state, turn);
  }
}

function takeTurn(state: State, lane: Lane): Promise<Turn | null> {
  const taking = state.choosing.then(() => (state.stopping ? null : choose(state, lane)));
  state.choosing = taking.catch(() => undefined);
  return taking;
}

async function choose(state: State, lane: Lane): Promise<Turn | null> {
  const nowMs = Date.now();
  for (const [id, untilMs] of state.elsewhere) if (untilMs <= nowMs) state.elsewhere.delete(id);
  const taken = [...state.inHand, ...state.elsewhere.keys()];
  const partner = state.turns.take(await findPartnersWithWork(state.database, lane, taken), nowMs, lane);
  state.isAway = false;
  if (partner === null) return null;
  const deliveryIds = await findNext(state.database, partner.partnerId, lane, taken).catch((error: unknown) => {
    state.turns.end(partner, 0, nowMs);
    throw error;
  });
  if (deliveryIds.length === 0) {
    state.turns.end(partner, 0, nowMs);
    return null;
  }
  for (const id of deliveryIds) state.inHand.add(id);
  return { partner, deliveryIds };
}

async function serveTurn(state: State, turn: Turn): Promise<void> {
  const startedAtMs = Date.now();
  let served: Served = { records: 0, elsewhere: [] };
  let broke = false;
  try {
    served = await state.serve(turn);
  } catch (error) {
    tellBroken(state, error, Date.now() - startedAtMs);
    broke = true;
  } finally {
    for (const id of turn.deliveryIds) state.inHand.delete(id);
    for (const id of served.elsewhere) state.elsewhere.set(id, Date.now() + elsewhereMs);
    state.turns.end(turn.partner, served.records, startedAtMs);
  }
  if (broke) await untilWoken(state);
}

/** A database that is away is told once, and not asked again at once; a stop is nothing to tell. */
function tellBroken(state: State, error: unknown, durationMs: number): void {
  if (isDatabaseAway(error)) tellAway(state, error);
  else if (!(error instanceof Stopping)) state.events.emit("job.failed", { job: "load", durationMs, error });
}

/** Once, until the database answers again. */
function tellAway(state: State, error: unknown): null {
  if (!state.isAway) state.events.emit("database.unreachable", { error });
  state.isAway = true;
  return null;
}

async function untilWoken(state: State): Promise<void> {
  if (state.stopping) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      state.waiting.delete(done);
      resolve();
    };
    const timer = setTimeout(done, state.lookEveryMs ?? lookEveryMs);
    state.waiting.add(done);
  });
}

function wakeAll(state: State): void {
  state.calls += 1;
  for (const resume of state.waiting) resume();
}
