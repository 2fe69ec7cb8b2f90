/**
 * The queue: BullMQ on the service's own Postgres, or on Redis when REDIS_URL is set. It holds delivery ids, never
 * data, and wakes the workers of a fleet: Postgres is the truth, and a lost queue costs the seconds until they look by
 * themselves.
 */
import { createPostgresBackend, type Job, type PgPool, Queue, runMigrations, withBackend, Worker } from "bullmq";
import { Redis, type RedisOptions } from "ioredis";
import pg from "pg";
import { readRedisAddress } from "../../config/addresses.ts";
import { queueConnectionsMax } from "../../config/connections.ts";
import { openDatabase } from "../database/database.ts";
import { arrangeQueueRights } from "../database/role-rights.ts";
import { isSqlState } from "../database/sql-states.ts";
import { Fault } from "../errors.ts";

/** One job: this delivery became open. */
export type IngestJob = { deliveryId: string };

export type IngestQueue = {
  /** Adds deliveries that wait to be loaded; one that is queued already is left as it is. */
  add(deliveryIds: readonly string[]): Promise<void>;
  /** Forgets every job, running ones too. For a start that knows it is alone: what is open is found without them. */
  clear(): Promise<void>;
  /** Runs `process` for each job until the returned function is called, which waits for the running ones. */
  consume(
    process: (deliveryId: string) => Promise<void>,
    concurrency: number,
    onError: (error: Error) => void,
  ): Promise<() => Promise<void>>;
  close(): Promise<void>;
};

export type QueueSettings = {
  databaseUrl: string;
  /** Of whoever owns the queue's tables, where that is another login: what makes them anew, and empties them. */
  ownerUrl?: string;
  redisUrl: string | undefined;
};

const queueName = "ingest";
const postgresSchema = "bullmq";
/** Held while the queue's tables are made and their rights given. Any number that no other lock uses. */
const arrangingLock = 7_431_003;

/** A call is repeated after 1, 2, 4, 8 s; workers look by themselves long before. */
const jobOptions = {
  attempts: 5,
  backoff: { type: "exponential", delay: 1000 },
  removeOnComplete: true,
  removeOnFail: true,
} as const;

/** Taking a call takes no time; a killed process frees its jobs after this. */
const lockDurationMs = 60_000;
/** A call whose process died is given back this often. */
const stalledCountMax = 20;
/** Poll interval of a blocked worker. Short, because it bounds how long closing takes. */
const drainDelaySeconds = 5;
/**
 * Pause before a worker tells a lost database again how a job ended. BullMQ's own 15 s held up a stop by as long, and
 * left workers idle after a failover; the delivery's row knows the truth already, so a short one costs a statement a
 * second.
 */
const repeatAfterMs = 1000;

const redisAnswersWithinMs = 10_000;
/** Sentinels take some seconds to agree; none of them knows longer. */
const sentinelAgainMs = 500;
const sentinelRoundsMax = 40;

/** Brings the queue's own tables up to date. @param ownerUrl whose they are; of others, jobs alone may use them */
export async function migrateQueue(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [arrangingLock]);
    await runMigrations(client, postgresSchema);
    await makeSequence(client);
    await arrangeQueueRights(client, postgresSchema);
  } finally {
    await client.end();
  }
}

/**
 * BullMQ makes the sequence of a queue's job ids with the first job where it is missing, and only owners of a schema make
 * anything there. Our jobs have ids of their own and take none of it.
 */
async function makeSequence(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('create sequence if not exists ${postgresSchema}.%I', ${postgresSchema}.job_id_seq_name($1)) as statement`,
    [queueName],
  );
  for (const { statement } of rows) await client.query(statement);
}

/** Once connected, a Redis that goes away is waited for; at a start it is told. @throws Fault QUEUE_UNREACHABLE */
export async function assertRedisAnswers(redisUrl: string): Promise<void> {
  const probe = connectRedis(redisUrl, {
    lazyConnect: true,
    connectTimeout: redisAnswersWithinMs,
    retryStrategy: () => null,
    // While Sentinels agree on another master, there is none for some seconds.
    sentinelRetryStrategy: (times) => (times > sentinelRoundsMax ? null : sentinelAgainMs),
    maxRetriesPerRequest: 0,
  });
  let why = "no connection";
  probe.on("error", (error) => (why = error.message));
  try {
    await probe.connect();
    await probe.ping();
  } catch (cause) {
    throw new Fault("QUEUE_UNREACHABLE", `The queue's Redis does not answer (${why}).`, { cause });
  } finally {
    probe.disconnect();
  }
}

/** One Redis, or whichever the Sentinels call the master now. */
function connectRedis(redisUrl: string, options: Omit<RedisOptions, "replyMapping">): Redis {
  const all: Omit<RedisOptions, "replyMapping"> = {
    sentinelRetryStrategy: () => sentinelAgainMs,
    connectTimeout: redisAnswersWithinMs,
    // A master that became a replica takes no writes any more: ask again who it is, and send the command once more.
    reconnectOnError: (error) => (error.message.startsWith("READONLY") ? 2 : false),
    ...options,
  };
  const address = readRedisAddress(redisUrl);
  return "url" in address ? new Redis(address.url, all) : new Redis({ ...all, ...address });
}

export function openQueue(settings: QueueSettings): IngestQueue {
  const { databaseUrl, ownerUrl = databaseUrl, redisUrl } = settings;
  return redisUrl === undefined ? onPostgres(databaseUrl, ownerUrl) : onRedis(redisUrl);
}

function onPostgres(databaseUrl: string, ownerUrl: string): IngestQueue {
  const classes = withBackend(createPostgresBackend);
  const pools: pg.Pool[] = [];
  const connect = (url = databaseUrl): PgPool => {
    const pool = openDatabase(url, {
      sizeMax: queueConnectionsMax,
      applicationName: "tideline queue",
      schema: postgresSchema,
      commitsQuickly: true,
    });
    pools.push(pool);
    // BullMQ describes pg's surface in an interface of its own; its `on` overloads are narrower than pg's.
    return pool as unknown as PgPool;
  };
  const queue = new classes.Queue<IngestJob>(queueName, { connection: connect() });
  return assemble({
    queue,
    worker: (process, concurrency) =>
      new classes.Worker<IngestJob>(queueName, process, { connection: connect(), ...workerOptions(concurrency) }),
    restore: () => migrateQueue(ownerUrl),
    async clear() {
      // It removes a sequence too, which is the owner's to do, and makes the next job wish for it.
      const owned = new classes.Queue<IngestJob>(queueName, { connection: connect(ownerUrl) });
      owned.on("error", () => undefined);
      await owned.obliterate({ force: true });
      await owned.close();
      await migrateQueue(ownerUrl);
    },
    release: async () => void (await Promise.all(pools.map((pool) => pool.end()))),
  });
}

function onRedis(redisUrl: string): IngestQueue {
  // Producers fail fast, so that a door can say 503; workers wait for Redis to come back.
  const producer = connectRedis(redisUrl, { maxRetriesPerRequest: 1, enableOfflineQueue: false, lazyConnect: false });
  const consumer = connectRedis(redisUrl, { maxRetriesPerRequest: null });
  producer.on("error", () => undefined);
  consumer.on("error", () => undefined);
  const queue = new Queue<IngestJob>(queueName, { connection: producer });
  return assemble({
    queue,
    worker: (process, concurrency) =>
      new Worker<IngestJob>(queueName, process, { connection: consumer, ...workerOptions(concurrency) }),
    // An emptied Redis is a queue without jobs.
    restore: async () => undefined,
    clear: () => queue.obliterate({ force: true }),
    release: async () => {
      producer.disconnect();
      consumer.disconnect();
      await Promise.resolve();
    },
  });
}

function workerOptions(concurrency: number) {
  return {
    concurrency,
    lockDuration: lockDurationMs,
    maxStalledCount: stalledCountMax,
    drainDelay: drainDelaySeconds,
    runRetryDelay: repeatAfterMs,
  };
}

type Processor = (job: Pick<Job<IngestJob>, "data">) => Promise<void>;

type NewJob = { name: string; data: IngestJob; opts: typeof jobOptions & { jobId: string } };

/**
 * On Postgres BullMQ makes two temporary tables for jobs that come in bulk: 4.4 ms of the server's processor for one and
 * for four, where a job by itself takes 0.6.
 */
const addedSinglyMax = 6;

/** What both engines have in common; BullMQ types them apart. */
type Engine = {
  queue: {
    add(name: string, data: IngestJob, opts: NewJob["opts"]): Promise<unknown>;
    addBulk(jobs: NewJob[]): Promise<unknown>;
    on(event: "error", listener: (error: Error) => void): unknown;
    close(): Promise<void>;
  };
  worker(
    process: Processor,
    concurrency: number,
  ): {
    on(event: "error", listener: (error: Error) => void): unknown;
    waitUntilReady(): Promise<unknown>;
    close(): Promise<void>;
  };
  /** Makes what the queue stands on anew, empty. */
  restore(): Promise<void>;
  clear(): Promise<void>;
  release(): Promise<void>;
};

/**
 * Whether a statement failed because the queue's schema is gone: what it named, a table, function or type, is not
 * there.
 */
function isGone(error: unknown): boolean {
  return isSqlState(error, "invalidSchemaName", "undefinedTable", "undefinedFunction", "undefinedObject");
}

function assemble(engine: Engine): IngestQueue {
  // A broken connection shows in the calls themselves.
  engine.queue.on("error", () => undefined);
  let restoring: Promise<void> | null = null;
  const restore = async () => {
    restoring ??= engine.restore().finally(() => (restoring = null));
    await restoring;
  };
  const onWholeQueue = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (!isGone(error)) throw error;
      await restore();
      return await work();
    }
  };
  return {
    async add(deliveryIds) {
      const jobs = deliveryIds.map((deliveryId) => ({
        name: "load",
        data: { deliveryId },
        opts: { ...jobOptions, jobId: deliveryId },
      }));
      await onWholeQueue(async () => {
        if (jobs.length > addedSinglyMax) await engine.queue.addBulk(jobs);
        else for (const { name, data, opts } of jobs) await engine.queue.add(name, data, opts);
      });
    },
    clear: () => engine.clear(),
    async consume(process, concurrency, onError) {
      const worker = engine.worker((job) => process(job.data.deliveryId), concurrency);
      let stopped = false;
      // A stopped worker's idle connections may outlive it by a moment, and the server's own stop then breaks them.
      worker.on("error", (error) => {
        if (stopped) return;
        onError(error);
        // Should that fail, the next error tries again.
        if (isGone(error)) restore().catch(onError);
      });
      await worker.waitUntilReady();
      return async () => {
        await worker.close();
        stopped = true;
      };
    },
    async close() {
      await engine.queue.close();
      await engine.release();
    },
  };
}
