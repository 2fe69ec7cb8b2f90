/** What the roles share: queue, threads, landing, and what recognition, budgets and bank connections are asked with. */
import { baseUrlOf } from "../machine/addresses.ts";
import type { Refreshing } from "../budgets/refresh.ts";
import type { Landing } from "../landing/accept.ts";
import { isForSandbox, sandboxBank } from "../demo/sandbox-bank/bank.ts";
import { sealOrigin } from "../landing/origin.ts";
import { rememberReceiptKey } from "../deliveries/receipt-files/key.ts";
import { createReceipts, type Receipts } from "../landing/receipt.ts";
import { realDisk } from "../deliveries/receipt-files/writing.ts";
import { markVault, openVaultWatch, unwatchedVault, type VaultWatch } from "../landing/vault-watch.ts";
import type { Connecting } from "../psd2/flow.ts";
import type { Recognising } from "../recognition/run.ts";
import { createCalls } from "../staging/calls.ts";
import { openVault } from "../vault/open.ts";
import type { Vault } from "../vault/vault.ts";
import { s3SettingsOf } from "../vault/settings.ts";
import { openPools, type Pools } from "../staging/pools.ts";
import { sessionUrlOf } from "../database/service-roles.ts";
import { type IngestQueue, openQueue } from "../staging/queue.ts";
import type { Ground } from "./ground.ts";

/** What doors, worker and scheduler share, each as its stage's story function takes it. */
export type Stages = {
  queue: IngestQueue;
  pools: Pools;
  receipts: Receipts;
  landing: Landing;
  vaultWatch: VaultWatch;
  recognising: Recognising;
  refreshing: Refreshing;
  psd2: Connecting;
  /** From here on a delivery that is landed here is told to a worker here, with no queue between. */
  loadHere(wake: () => void): void;
  /** The API's base address as partners see it. */
  baseUrl(): string;
  /** The API's door is open: what was configured as any port is known now. */
  apiOpened(port: number): void;
};

/** A node of callers alone need not have the vault. */
async function watchVault({ config, database, events, closers }: Ground, vault: Vault): Promise<VaultWatch> {
  if (config.roles.every((role) => role === "api" || role === "console")) return unwatchedVault;
  // A folder that cannot be written speaks against the start; a store elsewhere may be away for a while.
  if (!vault.isElsewhere) await markVault(database, vault);
  const watch = await openVaultWatch(vault, events, () => markVault(database, vault));
  closers.push(async () => watch.close());
  return watch;
}

export async function openStages(ground: Ground): Promise<Stages> {
  const { config, events, closers, clock, database, databaseUrls, keyEncryptionKey, folder } = ground;
  const s3 = s3SettingsOf(config);
  const vaultWatch = await watchVault(ground, openVault(folder.vault, s3));
  const vault = openVault(folder.vault, s3, vaultWatch.look);
  const { jobs: databaseUrl, migrator: ownerUrl } = databaseUrls;
  // On PostgreSQL it listens.
  const queue = openQueue({ databaseUrl: sessionUrlOf(databaseUrls), ownerUrl, redisUrl: config.redisUrl });
  closers.push(() => queue.close());
  // On its own database nobody else can be loading: jobs of a killed run need not wait for their locks to expire.
  if (ground.cluster && config.redisUrl === undefined) await queue.clear();
  const pools = openPools(
    {
      databaseUrl,
      loaderUrl: databaseUrls.loader,
      keyEncryptionKey,
      vaultDirectory: folder.vault,
      ...(s3 === undefined ? {} : { vaultS3: s3 }),
    },
    config,
  );
  closers.push(() => pools.close());
  const receipts = createReceipts(
    database,
    folder.landing,
    realDisk,
    rememberReceiptKey(database, keyEncryptionKey),
    pools.writeReceipts,
  );
  const calls = createCalls(queue, (deliveryIds, error) =>
    events.emit("delivery.uncalled", { count: deliveryIds.length, error }),
  );
  closers.push(() => calls.close());

  let wakeLoading = (): void => undefined;
  const landing: Landing = {
    database,
    vault,
    receipts,
    events,
    clock,
    stagingDepthMax: config.stagingDepthMax,
    stagingDepthTotalMax: config.stagingDepthTotalMax,
    sealOrigin: (deliveryId, origin) => sealOrigin(keyEncryptionKey, deliveryId, origin),
    enqueue: async (deliveryIds) => {
      wakeLoading();
      for (const id of deliveryIds) calls.add(id);
    },
  };

  let apiPort: number | null = null;
  const baseUrl = (): string => config.publicUrl ?? baseUrlOf(config.host, apiPort ?? config.httpsPort);
  const recognising: Recognising = { database, clock, events, baseUrl: baseUrl(), recognise: pools.recognise };
  const refreshing: Refreshing = { database, clock, events, baseUrl: baseUrl(), refreshBudgets: pools.refreshBudgets };
  const sandboxIsOn =
    config.sandboxBank === "on" || (config.sandboxBank === "auto" && config.databaseUrl === undefined);
  const psd2: Connecting = {
    database,
    keyEncryptionKey,
    events,
    baseUrl,
    today: () => clock.today("UTC"),
    hasOwnBank: async () => sandboxIsOn && (await isForSandbox(database, null)),
    ownBank: async (partnerId) => {
      if (!sandboxIsOn || !(await isForSandbox(database, partnerId))) return null;
      // A certificate of one's own need not name localhost.
      const ownUrl =
        apiPort === null || ground.ownCertificateFiles !== null ? baseUrl() : `https://localhost:${apiPort}`;
      return sandboxBank({ ownUrl, authority: ground.certificate.authority, publicUrl: baseUrl() });
    },
  };
  return {
    queue,
    pools,
    receipts,
    landing,
    vaultWatch,
    recognising,
    refreshing,
    psd2,
    baseUrl,
    loadHere: (wake) => {
      wakeLoading = wake;
    },
    apiOpened: (port) => {
      apiPort = port;
      recognising.baseUrl = refreshing.baseUrl = baseUrl();
    },
  };
}
