/** The role `scheduler`: everything that comes round by time. */
import { backupRounds, type BackupRounds } from "../backup/schedule.ts";
import { removeOldConsents } from "../demo/sandbox-bank/consents.ts";
import { openDatabase } from "../database/database.ts";
import { eraseDeleted } from "../data-subjects/erase.ts";
import { acceptRequest } from "../landing/accept.ts";
import { writeDaySummaries } from "../landing/summaries/day-summaries.ts";
import { watchExpectedFiles } from "../landing/expected/watch.ts";
import { reconcileWhenBehind } from "../landing/forgotten/watch.ts";
import { retain } from "../landing/retention/retain.ts";
import { createDeliverer, type Deliverer } from "../notifications/deliver.ts";
import { type Anchor, chainAudit } from "../partners/audit-chain.ts";
import { deleteExpiredLoginIds } from "../partners/login.ts";
import { deleteSpentRevocations } from "../partners/revocations.ts";
import { watchConsents } from "../psd2/end-notices.ts";
import { fetchDue } from "../psd2/fetch.ts";
import { giveBackEnded } from "../psd2/give-back.ts";
import { fetchRatesDue } from "../rates/fetch.ts";
import { watchRatesAge } from "../rates/watch.ts";
import { expireApprovals } from "../operations/approvals.ts";
import { forgetOldRuns } from "../recognition/preview/runs.ts";
import { algorithmVersion } from "../recognition/version.ts";
import { forgetReports } from "../reports/run.ts";
import { type Round, startRounds } from "../schedule/rounds.ts";
import { assumeImports, resumeImports } from "../staging/imports.ts";
import { sweepReceipts } from "../staging/sweep.ts";
import { flowRound } from "./flow.ts";
import type { Ground } from "./ground.ts";
import { beginDay } from "./new-day.ts";
import type { Stages } from "./stages.ts";

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const sweepEveryMs = 10 * secondMs;
/** Receipts of files that come close together gather for some seconds, and are written in groups then. */
const receiptsSettledMs = 8 * secondMs;
/** One publication a banking day, and a quarter of an hour after each failure. */
const ratesEveryMs = 15 * minuteMs;
/** What is not chained yet is not protected yet. */
const chainEveryMs = 5 * secondMs;
/** One small query; after a promotion the sooner the better, since newer deliveries are loaded meanwhile. */
const forgottenFilesEveryMs = 15 * secondMs;
const summariesEveryMs = 10 * minuteMs;
const expectedFilesEveryMs = 30 * secondMs;
/** A backup holds two, the log's round takes one. */
const backupConnectionsMax = 4;
const outdatedUsersMax = 10_000;

/** What comes round by time. Any number of schedulers may run: each round takes what nobody else holds. */
export async function startScheduler(ground: Ground, stages: Stages): Promise<void> {
  const { config, events, closers, database, keyEncryptionKey } = ground;
  let stopping = false;
  // What an earlier run left is told at once; what fails now is the next round's.
  await sweepReceipts({ ...ground, receipts: stages.receipts }).catch((error: unknown) =>
    events.emit("job.failed", { job: "receipts", durationMs: 0, error }),
  );
  const deliverer = createDeliverer({
    database,
    keyEncryptionKey,
    events,
    now: () => new Date(),
    random: Math.random,
    atOnceMax: config.notificationsAtOnce,
    givenUpAfterHours: config.notificationHours,
  });
  const backups = roundsOfBackups(ground);
  const rounds = startRounds(
    [
      ...(backups?.rounds ?? []),
      ...deliveryRounds(ground, stages),
      ...userRounds(ground),
      auditRound(ground),
      flowRound(database),
      ...ratesRounds(ground),
      ...outwardRounds(stages, deliverer, () => stopping),
    ],
    events,
    ground.activity.begin,
  );
  closers.push(async () => {
    stopping = true;
    backups?.stop();
    await rounds.stop();
    await backups?.close();
    await deliverer.settled();
  });
}

/** Of the embedded database alone: another server has its own. */
function roundsOfBackups({ cluster, closers, config, events, folder }: Ground): BackupRounds | null {
  if (cluster === null) return null;
  // Copying a server, and its slots, are its superuser's.
  const database = openDatabase(cluster.url, { sizeMax: backupConnectionsMax, applicationName: "tideline backup" });
  closers.push(() => database.end());
  return backupRounds({
    database,
    databaseUrl: cluster.url,
    folder,
    vaultElsewhere: config.vaultS3Url,
    events,
    store: config.backupDir ?? null,
    keysTo: config.backupKeysDir,
    everyHours: config.backupEveryHours,
    keep: config.backupKeep,
  });
}

/** What landed, from its receipt to its removal. */
function deliveryRounds(
  { config, events, clock, database, keyEncryptionKey, folder }: Ground,
  { landing, receipts, vaultWatch }: Stages,
): Round[] {
  return [
    {
      name: "receipts",
      everyMs: sweepEveryMs,
      run: () => sweepReceipts({ database, events, receipts, settledMs: receiptsSettledMs }),
    },
    { name: "imports", everyMs: sweepEveryMs, run: () => resumeImports({ database, events, clock }) },
    {
      name: "assumed-imports",
      everyMs: minuteMs,
      run: () => assumeImports({ database, events, clock }, config.importAssumedAfterHours),
    },
    {
      name: "expected-files",
      everyMs: expectedFilesEveryMs,
      run: () => watchExpectedFiles({ database, events, clock }),
    },
    {
      name: "forgotten-files",
      everyMs: forgottenFilesEveryMs,
      run: async () => {
        if (!vaultWatch.isThere()) return;
        await reconcileWhenBehind({
          ...landing,
          keyEncryptionKey,
          landingDirectory: folder.landing,
          actor: "scheduler",
        });
      },
    },
    {
      name: "day-summaries",
      everyMs: summariesEveryMs,
      run: async () => void (await writeDaySummaries({ database, clock, landingDirectory: folder.landing })),
    },
    {
      name: "retention",
      everyMs: hourMs,
      run: async () => {
        // What is not there cannot be removed, and would count as removed.
        if (!vaultWatch.isThere()) return;
        await retain({
          database,
          keyEncryptionKey,
          vault: landing.vault,
          landingDirectory: folder.landing,
          auditDays: config.auditDays,
          events,
          clock,
        });
      },
    },
  ];
}

/** What is held of users, as days pass. */
function userRounds({ config, events, clock, database }: Ground): Round[] {
  return [
    {
      name: "outdated",
      everyMs: minuteMs,
      run: () => beginDay(database, clock, outdatedUsersMax),
    },
    { name: "approvals", everyMs: minuteMs, run: async () => void (await expireApprovals(database)) },
    { name: "login-ids", everyMs: minuteMs, run: () => deleteExpiredLoginIds(database) },
    { name: "token-revocations", everyMs: minuteMs, run: () => deleteSpentRevocations(database) },
    {
      name: "reports-past-their-age",
      everyMs: hourMs,
      run: async () => void (await forgetReports({ database, events, clock }, config.reportDays)),
    },
    {
      name: "previews-past-their-age",
      everyMs: hourMs,
      run: () => forgetOldRuns(database, algorithmVersion),
    },
    {
      name: "erasure",
      everyMs: hourMs,
      run: async () => void (await eraseDeleted({ database, events, now: new Date() }, "scheduler")),
    },
  ];
}

/** One writer chains what was written; once an hour the log, which lies elsewhere, learns how far. */
function auditRound({ events, database, keyEncryptionKey }: Ground): Round {
  let toldAt = Number.NEGATIVE_INFINITY;
  return {
    name: "audit-chain",
    everyMs: chainEveryMs,
    run: async () => {
      let newest: Anchor | null = null;
      for (
        let one = await chainAudit(database, keyEncryptionKey);
        one !== null;
        one = await chainAudit(database, keyEncryptionKey)
      )
        newest = one;
      if (newest === null || performance.now() - toldAt < hourMs) return;
      toldAt = performance.now();
      events.emit("audit.anchored", newest);
    },
  };
}

/** Exchange rates: newer ones are fetched where that is wanted, and their absence is told. */
function ratesRounds({ config, events, clock, database }: Ground): Round[] {
  const { ratesUrl: url, ratesPrivateAddress } = config;
  const source = url === undefined ? null : { url, allowsPrivateAddresses: ratesPrivateAddress === "allowed" };
  return [
    ...(source === null
      ? []
      : [
          {
            name: "rates",
            everyMs: ratesEveryMs,
            run: () => fetchRatesDue({ database, events, now: () => clock.now() }, source),
          },
        ]),
    { name: "rates-age", everyMs: minuteMs, run: watchRatesAge({ database, clock, events }) },
  ];
}

/** What asks or tells others: connected banks, partners' receivers. */
function outwardRounds({ landing, psd2 }: Stages, deliverer: Deliverer, isStopping: () => boolean): Round[] {
  const fetching = {
    ...psd2,
    acceptRequest: (request: Parameters<typeof acceptRequest>[1]) => acceptRequest(landing, request),
  };
  return [
    { name: "consents", everyMs: minuteMs, run: async () => void (await watchConsents(psd2)) },
    {
      name: "sandbox-consents",
      everyMs: minuteMs,
      run: async () => void (await removeOldConsents(psd2.database, psd2.today())),
    },
    { name: "consents-given-back", everyMs: minuteMs, run: async () => void (await giveBackEnded(psd2, isStopping)) },
    { name: "psd2-fetch", everyMs: secondMs, run: async () => void (await fetchDue(fetching, isStopping)) },
    { name: "notifications", everyMs: secondMs, run: () => deliverer.beginDue(isStopping) },
  ];
}
