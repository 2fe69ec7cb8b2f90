/** The role `worker`: loads what landed, recognises, makes budgets and reports. */
import { refreshStale } from "../budgets/refresh.ts";
import { recogniseChanged, renewUser } from "../recognition/run.ts";
import { makeReports } from "../reports/run.ts";
import { startRounds } from "../schedule/rounds.ts";
import { serveTurn } from "../staging/dispatch.ts";
import { startLoading } from "../staging/loading.ts";
import type { Ground } from "./ground.ts";
import type { Stages } from "./stages.ts";

/** Taking a call is nothing: these are taken as fast as the queue gives them. */
const callsAtOnce = 10;
const recogniseEveryMs = 500;
const reportsEveryMs = 1000;
const hourMs = 3_600_000;
/** What a load brought here and nobody has read for so long: it broke off, and went on elsewhere or not at all. */
const unreadAfterMs = 6 * hourMs;

/** Loads what has landed, and makes of it what is served. */
export async function startWorker(ground: Ground, stages: Stages): Promise<void> {
  await startLoader(ground, stages);
  startMakers(ground, stages);
}

async function startLoader(
  { config, events, closers, clock, database, activity }: Ground,
  { queue, pools, receipts, loadHere, vaultWatch }: Stages,
): Promise<void> {
  const dispatching = {
    database,
    events,
    receipts,
    clock,
    ingest: pools.ingest,
    ingestGroup: pools.ingestGroup,
    wake: () => loading.wake(),
    findVault: vaultWatch.look,
    attemptsMax: config.loadAttempts,
  };
  const loading = startLoading({
    database,
    events,
    slots: config.loadThreads,
    vaultIsThere: vaultWatch.isThere,
    serve: (turn) => {
      const end = activity.begin(`loading for ${turn.partner.partnerId}`);
      return serveTurn(dispatching, turn).finally(end);
    },
  });
  loadHere(() => loading.wake());
  events.gauge("tideline_load_slots", "Slots of this process that load any delivery.", () => loading.slots().all);
  events.gauge("tideline_load_slots_busy", "Those of them that load.", () => loading.slots().busy);
  events.gauge(
    "tideline_loads_parked",
    "Loads that stand still while others have their turn.",
    () => loading.slots().parked,
  );
  closers.push(async () => {
    const stopped = loading.stop();
    // A load of hours is cut at its last chunk, from which it goes on; it must not hold the stop up.
    await pools.close();
    await stopped;
  });
  closers.push(
    await queue.consume(
      async () => loading.wake(),
      callsAtOnce,
      (error) => events.emit("queue.unreachable", { error }),
    ),
  );
}

function startMakers(
  { config, events, closers, clock, database, activity }: Ground,
  { pools, recognising, refreshing, landing }: Stages,
): void {
  let stopping = false;
  const isStopping = () => stopping;
  const reporting = {
    database,
    clock,
    events,
    makeReport: pools.report,
    refreshUser: (userId: number) => renewUser(recognising, userId),
  };
  const rounds = startRounds(
    [
      {
        name: "recognise",
        everyMs: recogniseEveryMs,
        run: async () => void (await recogniseChanged(recognising, isStopping, config.recognitionThreads)),
      },
      {
        name: "budgets",
        everyMs: recogniseEveryMs,
        run: async () => void (await refreshStale(refreshing, isStopping)),
      },
      {
        name: "vault-copies",
        everyMs: hourMs,
        run: () => landing.vault.discardUnread(new Date(Date.now() - unreadAfterMs)),
      },
      { name: "reports", everyMs: reportsEveryMs, run: async () => void (await makeReports(reporting, isStopping)) },
    ],
    events,
    activity.begin,
  );
  closers.push(() => {
    stopping = true;
    return rounds.stop();
  });
}
