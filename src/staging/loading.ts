/**
 * Loading: slots that take what is open, partner by partner. Postgres knows what is open, and each loader's lock who
 * has it in hand; a call from the queue only spares the wait until somebody looks by himself. So a lost call, a lost
 * queue or a killed machine costs seconds.
 *
 * A load whose partner has more than its share of the slots parks after its turn, in its thread and with all it has
 * read, and somebody else's goes on; when it is its partner's turn again, it goes on where it stood. So does one that
 * rests because it is ahead of its rate, for whoever waits.
 */
import { setTimeout as wait } from "node:timers/promises";
import {
  callGatherMs,
  elsewhereMs,
  gatherMs,
  lookEveryMs,
  pacedTurnMs,
  parkedLoadsMax,
  turnMs,
} from "../../config/staging.ts";
import { answered, asked, controlBytes } from "../../workers/turn.ts";
import { type Database, isDatabaseAway } from "../database/database.ts";
import { Stopping } from "./pools.ts";
import type { Events } from "../events.ts";
import {
  findNext,
  findPartnersWithWork,
  type Lane,
  type PartnerWithWork,
  type Turn,
  type Wanted,
} from "../deliveries/open-deliveries.ts";
import { createTurns } from "./turns.ts";

/**
 * What became of a turn: records loaded, deliveries that another machine has in hand, and whether it was over before it
 * came to all that it took.
 */
export type Served = { records: number; elsewhere: readonly string[]; wasCut?: boolean };

/** @param control what the loading thread is told by; see workers/turn.ts */
export type ControlledTurn = Turn & { control?: SharedArrayBuffer };

export type LoadingSettings = {
  database: Database;
  events: Events;
  /** Deliveries, or groups of requests, loaded at once; one more takes small ones only. */
  slots: number;
  /** Loads what a turn took. Rejects only when it could not even say what became of it, as without a database. */
  serve(turn: ControlledTurn): Promise<Served>;
  /** Whether what lies in the vault can be read now. Default: always. */
  vaultIsThere?(): boolean;
  lookEveryMs?: number;
  /** How long a load runs while others wait. */
  turnMs?: number;
  /** For what comes piece by piece to gather. */
  gatherMs?: number;
  /** How long a small file waits for its call before a look takes it. */
  callGatherMs?: number;
};

export type Loading = {
  /** Something became open. Of calls in a row the first is answered at once, the others a little later together. */
  wake(): void;
  /** Takes no more, and waits for what is being loaded. */
  stop(): Promise<void>;
  /** Of the slots that take any delivery, the one for small ones left out. */
  slots(): { all: number; busy: number; parked: number };
};

export function startLoading(settings: LoadingSettings): Loading {
  const state: State = {
    ...settings,
    turns: createTurns(),
    inHand: new Set(),
    elsewhere: new Map(),
    running: new Set(),
    parked: new Set(),
    stopping: false,
    waiting: new Set(),
    choosing: Promise.resolve(),
    giving: Promise.resolve(),
    calls: 0,
    calledAtMs: -Infinity,
    calledUntilMs: performance.now(),
    calling: null,
    isAway: false,
  };
  const lanes: Lane[] = ["small", ...Array.from({ length: settings.slots }, () => "any" as const)];
  const slots = lanes.map((lane) => runSlot(state, lane));
  return {
    wake: () => call(state),
    slots: () => ({ all: settings.slots, busy: state.running.size, parked: state.parked.size }),
    async stop() {
      state.stopping = true;
      clearTimeout(state.calling ?? undefined);
      const loads = [...state.running, ...state.parked];
      for (const load of loads) tell(load, asked.end);
      wakeAll(state);
      await Promise.all([...slots, ...loads.map(({ ended }) => ended)]);
    },
  };
}

type State = LoadingSettings & {
  turns: ReturnType<typeof createTurns>;
  inHand: Set<string>;
  /** Until when what another machine has in hand is left alone. */
  elsewhere: Map<string, number>;
  /** In the slots that take any. */
  running: Set<Load>;
  parked: Set<Load>;
  stopping: boolean;
  waiting: Set<() => void>;
  /** One slot chooses at a time, so that no two take the same. */
  choosing: Promise<unknown>;
  giving: Promise<unknown>;
  /** How often it was woken: a call that comes while a slot looks in vain must not be missed. */
  calls: number;
  /** When it was last called from outside. */
  calledAtMs: number;
  /** On the monotonic clock: what came before is called for. */
  calledUntilMs: number;
  calling: NodeJS.Timeout | null;
  isAway: boolean;
};

/** A turn that is being served. */
type Load = {
  partner: PartnerWithWork;
  words: Int32Array;
  startedAtMs: number;
  /** It took all that was open, and came to all of it. */
  wasLast: boolean;
  /** Parked, it is not gone on with before. */
  restsUntilMs: number;
  /** Never rejects. */
  ended: Promise<void>;
  hasEnded: boolean;
  /** It could not be told what became of it. */
  broke: boolean;
};

async function runSlot(state: State, lane: Lane): Promise<void> {
  while (!state.stopping) {
    const callsBefore = state.calls;
    const load = await takeTurn(state, lane).catch((error: unknown) => tellAway(state, error));
    if (load === null && (callsBefore === state.calls || state.isAway)) await untilWoken(state);
    if (load === null) continue;
    if (lane === "small") await load.ended;
    else await attend(state, load);
    // What came while it ran has called, or is going to.
    if (load.broke || (load.wasLast && callsBefore === state.calls)) await untilWoken(state);
  }
}

function takeTurn(state: State, lane: Lane): Promise<Load | null> {
  const taking = state.choosing.then(() => (state.stopping ? null : choose(state, lane)));
  state.choosing = taking.catch(() => undefined);
  return taking;
}

async function choose(state: State, lane: Lane): Promise<Load | null> {
  const nowMs = Date.now();
  for (const [id, untilMs] of state.elsewhere) if (untilMs <= nowMs) state.elsewhere.delete(id);
  // What came since the last call waits for the next one, unless that is lost.
  const youngMs = Math.min(state.callGatherMs ?? callGatherMs, performance.now() - state.calledUntilMs);
  const wanted = { ...wantedOf(state, lane), youngMs };
  const parked = lane === "any" ? rested(state, nowMs) : [];
  // One more is parked where one goes on in its stead: then nothing else may.
  const withWork = state.parked.size > parkedLoadsMax ? [] : await findPartnersWithWork(state.database, wanted);
  const partner = state.turns.take(onceEach([...withWork, ...parked.map((load) => load.partner)]), nowMs, lane);
  state.isAway = false;
  if (partner === null) return null;
  const load = parked.find((one) => one.partner.partnerId === partner.partnerId && !one.hasEnded);
  if (load !== undefined) return resume(state, load);
  const { deliveryIds, isAllSmall } = await findNext(state.database, partner.partnerId, wanted).catch(
    (error: unknown) => {
      state.turns.end(partner, 0, nowMs);
      throw error;
    },
  );
  if (deliveryIds.length === 0) {
    state.turns.end(partner, 0, nowMs);
    return null;
  }
  return begin(state, { partner, deliveryIds, lane }, isAllSmall && withWork.length === 1 && state.parked.size === 0);
}

function wantedOf(state: State, lane: Lane): Wanted {
  return {
    lane,
    inHand: [...state.inHand, ...state.elsewhere.keys()],
    vaultIsThere: state.vaultIsThere?.() ?? true,
  };
}

/** Parked loads that may go on. */
function rested({ parked }: State, nowMs: number): Load[] {
  return [...parked].filter((load) => load.restsUntilMs <= nowMs);
}

function onceEach(partners: readonly PartnerWithWork[]): PartnerWithWork[] {
  return [...new Map(partners.map((partner) => [partner.partnerId, partner])).values()];
}

function begin(state: State, turn: Turn, wasLast: boolean): Load {
  for (const id of turn.deliveryIds) state.inHand.add(id);
  const control = new SharedArrayBuffer(controlBytes);
  const load: Load = {
    partner: turn.partner,
    words: new Int32Array(control),
    startedAtMs: Date.now(),
    wasLast,
    restsUntilMs: 0,
    ended: Promise.resolve(),
    hasEnded: false,
    broke: false,
  };
  if (turn.lane === "any") state.running.add(load);
  // The one slot of small deliveries is no place to rest in; to read a small one again costs nothing.
  else if (isPaced(turn.partner)) tell(load, asked.end);
  load.ended = serveTurn(state, { ...turn, control }, load);
  return load;
}

function isPaced({ recordsPerSecond, recordsPerSecondOfFile }: PartnerWithWork): boolean {
  return recordsPerSecond !== null || recordsPerSecondOfFile !== null;
}

function resume(state: State, load: Load): Load {
  state.parked.delete(load);
  state.running.add(load);
  tell(load, asked.run);
  return load;
}

async function serveTurn(state: State, turn: ControlledTurn, load: Load): Promise<void> {
  const startedAtMs = Date.now();
  let served: Served = { records: 0, elsewhere: [] };
  try {
    served = await state.serve(turn);
  } catch (error) {
    tellBroken(state, error, Date.now() - startedAtMs);
    load.broke = true;
  } finally {
    load.hasEnded = true;
    if (served.wasCut === true) load.wasLast = false;
    // A parked one has ended its turn before.
    if (!state.parked.delete(load)) state.turns.end(turn.partner, served.records, startedAtMs);
    state.running.delete(load);
    for (const id of turn.deliveryIds) state.inHand.delete(id);
    for (const id of served.elsewhere) state.elsewhere.set(id, Date.now() + elsewhereMs);
  }
}

/** Returns when the load has ended, or has parked to let others go on. */
async function attend(state: State, load: Load): Promise<void> {
  while (!load.hasEnded) {
    const timer = new AbortController();
    const rests = Atomics.waitAsync(load.words, 1, answered.runs, state.turnMs ?? turnMs);
    await Promise.race([
      load.ended,
      rests.async
        ? rests.value
        : wait(state.turnMs ?? turnMs, undefined, { signal: timer.signal }).catch(() => undefined),
    ]);
    timer.abort();
    if (!load.hasEnded && !state.stopping && (await inItsTurn(state, () => givesWay(state, load)))) return;
  }
}

/** One load looks at a time: of two that would give way to the same partner one is enough. */
function inItsTurn(state: State, work: () => Promise<boolean>): Promise<boolean> {
  const giving = state.giving.then(work);
  state.giving = giving.catch(() => undefined);
  return giving;
}

/** @returns whether it has parked. */
async function givesWay(state: State, load: Load): Promise<boolean> {
  if (load.hasEnded || state.running.size < state.slots || !(await mustGiveWay(state, load))) return false;
  const inItsStead = rests(load) ? rested(state, Date.now()).length : 0;
  if (state.parked.size < parkedLoadsMax + Math.min(1, inItsStead)) return await parks(state, load);
  if (!rests(load) || Date.now() - load.startedAtMs > pacedTurnMs) tell(load, asked.end);
  return false;
}

function answer({ words }: Load): number {
  return Atomics.load(words, 1);
}

function rests(load: Load): boolean {
  return answer(load) === answered.rests;
}

/**
 * Whether somebody waits who has less of the slots than this load's partner, each by its weight; while it rests,
 * whether anybody does.
 */
async function mustGiveWay(state: State, load: Load): Promise<boolean> {
  const { partner } = load;
  const slotsOf = ({ partnerId }: PartnerWithWork) =>
    [...state.running].filter((one) => one.partner.partnerId === partnerId).length;
  const share = slotsOf(partner) / partner.weight;
  const withWork = await findPartnersWithWork(state.database, wantedOf(state, "any")).catch(() => []);
  const nowMs = Date.now();
  return onceEach([...withWork, ...rested(state, nowMs).map((one) => one.partner)]).some(
    (other) =>
      state.turns.mayLoad(other, nowMs) &&
      (rests(load) || (other.partnerId !== partner.partnerId && (slotsOf(other) + 1) / other.weight <= share)),
  );
}

/** @returns false: it ended before it came to that. */
async function parks(state: State, load: Load): Promise<boolean> {
  const restMs = rests(load) ? Atomics.load(load.words, 2) : 0;
  tell(load, asked.park);
  for (let before = answer(load); !load.hasEnded && before !== answered.parked; before = answer(load))
    await Promise.race([load.ended, Atomics.waitAsync(load.words, 1, before, lookEveryMs).value]);
  if (load.hasEnded || state.stopping) return false;
  state.running.delete(load);
  state.parked.add(load);
  const nowMs = Date.now();
  load.restsUntilMs = nowMs + restMs;
  if (restMs > 0) setTimeout(() => wakeAll(state), restMs).unref();
  // A partner's rate holds for all it has: while this one rests, no other of its deliveries is loaded.
  state.turns.end(load.partner, ((load.partner.recordsPerSecond ?? 0) * restMs) / 1000, nowMs);
  return true;
}

function tell({ words }: Load, what: (typeof asked)[keyof typeof asked]): void {
  Atomics.store(words, 0, what);
  Atomics.notify(words, 0);
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

/** A stream of small deliveries is loaded in groups, each of them at the cost of one. */
function call(state: State): void {
  if (state.calling !== null || state.stopping) return;
  const answer = () => {
    state.calling = null;
    state.calledAtMs = Date.now();
    state.calledUntilMs = performance.now();
    wakeAll(state);
  };
  const inMs = state.calledAtMs + (state.gatherMs ?? gatherMs) - Date.now();
  if (inMs > 0) state.calling = setTimeout(answer, inMs);
  else answer();
}

function wakeAll(state: State): void {
  state.calls += 1;
  for (const resume of state.waiting) resume();
}
