/**
 * What PostgreSQL's replication protocol gives and SQL does not: a copy of the whole server while it runs
 * (BASE_BACKUP), which the server itself holds against its pages' checksums, and its log of changes as it is written
 * (START_REPLICATION). PostgreSQL, "Streaming Replication Protocol".
 */
import { Readable } from "node:stream";
import pg from "pg";

/** A position in the server's log of changes, as it writes it: two hexadecimal halves. */
export type LogPosition = string;

export type BaseBackup = {
  /** From here on the log is needed to make the copy consistent. All of that log is in the archive. */
  start: LogPosition;
  /** The server's files as one tar archive, in the order in which the server sends them. */
  archive: Readable;
  /** What the server says its files come to; the log is not counted. */
  sizeBytes: number;
  /** Resolves after the archive's end with the position at which the copy is consistent. */
  end: Promise<LogPosition>;
  /** Ends the connection, and a copy that still runs. Idempotent. */
  close(): Promise<void>;
};

/** Held until the connection ends, so that the server throws no log away that the copy needs. */
const holdLog = "CREATE_REPLICATION_SLOT tideline_base_backup_%s TEMPORARY PHYSICAL RESERVE_WAL";
const copyAll =
  "BASE_BACKUP (LABEL 'tideline', CHECKPOINT 'fast', WAL true, MANIFEST 'yes', MANIFEST_CHECKSUMS 'CRC32C', PROGRESS true)";

/**
 * Starts a copy. The caller reads `archive` to its end, then waits for `end`, then closes.
 * @param url of a user with the right REPLICATION
 */
export async function startBaseBackup(url: string): Promise<BaseBackup> {
  const client = await connect(url);
  try {
    await client.query(holdLog.replace("%s", String(process.pid)));
    const copy = new CopyOfServer(copyAll);
    client.query(copy);
    const { start, sizeBytes } = await copy.begun;
    return { start, sizeBytes, archive: copy.archive, end: copy.ended, close: () => client.end() };
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** A connection that speaks the replication protocol. Whoever uses it hears of its loss by the query that runs. */
async function connect(url: string): Promise<pg.Client> {
  const settings: pg.ClientConfig & { replication: string } = {
    connectionString: url,
    application_name: "tideline backup",
    replication: "true",
    keepAlive: true,
  };
  const client = new pg.Client(settings);
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** What a query is told of the messages that answer it, and pg's types leave out. */
type Wire = {
  stream: { pause(): void; resume(): void; destroy(): void };
  sendCopyFromChunk(message: Buffer): void;
};

/** The kinds of a message within the copy. */
const [newArchive, progress, serverManifest, data] = ["n", "p", "m", "d"].map((letter) => letter.charCodeAt(0));

/** A query of BASE_BACKUP: three results, with the copied bytes between the second and the third. */
class CopyOfServer implements pg.Submittable {
  readonly archive: Readable;
  readonly begun: Promise<{ start: LogPosition; sizeBytes: number }>;
  readonly ended: Promise<LogPosition>;
  readonly #text: string;
  readonly #rows: string[][] = [];
  readonly #begin: PromiseWithResolvers<{ start: LogPosition; sizeBytes: number }>;
  readonly #end: PromiseWithResolvers<LogPosition>;
  #wire: Wire | undefined;
  #inManifest = false;

  constructor(text: string) {
    this.#text = text;
    this.#begin = Promise.withResolvers();
    this.#end = Promise.withResolvers();
    this.begun = this.#begin.promise;
    this.ended = this.#end.promise;
    // Whoever reads the archive hears of a failure there.
    this.ended.catch(() => undefined);
    this.archive = new Readable({ read: () => this.#wire?.stream.resume() });
    this.archive.on("error", () => undefined);
  }

  submit(connection: pg.Connection): void {
    this.#wire = connection as unknown as Wire;
    connection.query(this.#text);
  }

  handleRowDescription(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}

  handleDataRow({ fields }: { fields: string[] }): void {
    this.#rows.push(fields);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const kind = chunk[0];
    if (kind === newArchive) {
      this.#begin.resolve({ start: this.#rows[0]?.[0] ?? "", sizeBytes: Number(this.#rows.at(-1)?.[2] ?? 0) * 1024 });
    } else if (kind === serverManifest) {
      // It comes last; the archive is complete.
      this.#inManifest = true;
      this.archive.push(null);
      // Nobody reads any more, so nobody would ask for what follows.
      this.#wire?.stream.resume();
    } else if (kind === data && !this.#inManifest) {
      if (!this.archive.push(Buffer.from(chunk.subarray(1)))) this.#wire?.stream.pause();
    } else if (kind !== progress && kind !== data) {
      this.#fail(new Error(`the server sent a message of an unknown kind (${kind}) within a base backup`));
    }
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#end.resolve(this.#rows.at(-1)?.[0] ?? "");
  }

  handleError(error: Error): void {
    this.#fail(error);
  }

  #fail(error: Error): void {
    this.#begin.reject(error);
    this.#end.reject(error);
    this.archive.destroy(error);
  }
}

/** What becomes of a log that is followed. */
export type LogSink = {
  /** Takes bytes that belong at a position; the next come when it resolves. */
  write(position: bigint, bytes: Buffer): Promise<void>;
  /** Up to where everything is durable: the server keeps none of that for us any more. */
  durableUntil(): bigint;
};

export type FollowedLog = {
  timeline: number;
  /** Resolves when told to close, rejects when it breaks. */ ended: Promise<void>;
  close(): Promise<void>;
};

/** So often the server is told how far it got; it gives a silent one up after a minute. */
const answerEveryMs = 2000;

/** Creates a slot, from which on the server keeps its log until somebody has taken it. @returns where it begins */
export async function createLogSlot(url: string, slot: string): Promise<void> {
  const client = await connect(url);
  try {
    await client.query(`CREATE_REPLICATION_SLOT ${slot} PHYSICAL RESERVE_WAL`);
  } finally {
    await client.end();
  }
}

/** The timeline on which the server writes. */
export async function readTimeline(url: string): Promise<number> {
  const client = await connect(url);
  try {
    const { rows } = await client.query<{ timeline: string }>("IDENTIFY_SYSTEM");
    return Number(rows[0]?.timeline);
  } finally {
    await client.end();
  }
}

/** Follows the log of a slot from a position on, the first of a segment. */
export async function followLog(
  url: string,
  slot: string,
  from: LogPosition,
  timeline: number,
  sink: LogSink,
): Promise<FollowedLog> {
  const client = await connect(url);
  const query = new Following(`START_REPLICATION SLOT ${slot} PHYSICAL ${from} TIMELINE ${timeline}`, sink);
  client.query(query);
  const timer = setInterval(() => query.answer(), answerEveryMs);
  let closing = false;
  const ended = query.ended.then(
    () => undefined,
    (error: unknown) => {
      if (!closing) throw error;
    },
  );
  ended.catch(() => undefined).finally(() => clearInterval(timer));
  return {
    timeline,
    ended,
    async close() {
      closing = true;
      clearInterval(timer);
      await query.settled();
      query.answer();
      query.break();
      await client.end().catch(() => undefined);
    },
  };
}

const [logData, keepAlive, answer] = ["w", "k", "r"].map((letter) => letter.charCodeAt(0));
/** Kind, where the bytes begin, where the server's log ends, its clock. */
const logHeaderBytes = 25;
/** PostgreSQL counts its microseconds from here. */
const epochMs = Date.UTC(2000, 0, 1);

/** A query of START_REPLICATION: bytes that never end, and answers meanwhile. */
class Following implements pg.Submittable {
  readonly ended: Promise<void>;
  readonly #text: string;
  readonly #sink: LogSink;
  readonly #end: PromiseWithResolvers<void>;
  #wire: Wire | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(text: string, sink: LogSink) {
    this.#text = text;
    this.#sink = sink;
    this.#end = Promise.withResolvers();
    this.ended = this.#end.promise;
    this.ended.catch(() => undefined);
  }

  submit(connection: pg.Connection): void {
    this.#wire = connection as unknown as Wire;
    connection.query(this.#text);
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCommandComplete(): void {}

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (chunk[0] === keepAlive) {
      // Its last byte asks for an answer at once.
      if (chunk.at(-1) === 1) this.answer();
      return;
    }
    if (chunk[0] !== logData) return;
    const position = chunk.readBigUInt64BE(1);
    const bytes = Buffer.from(chunk.subarray(logHeaderBytes));
    this.#wire?.stream.pause();
    this.#writing = this.#writing
      .then(() => this.#sink.write(position, bytes))
      .then(() => this.#wire?.stream.resume())
      .catch((error: unknown) => {
        this.#end.reject(error);
        this.break();
      });
  }

  /** Tells the server what need not be kept any more. */
  answer(): void {
    const durable = this.#sink.durableUntil();
    const message = Buffer.alloc(34);
    message[0] = answer ?? 0;
    for (const at of [1, 9, 17]) message.writeBigUInt64BE(durable, at);
    message.writeBigInt64BE(BigInt(Date.now() - epochMs) * 1000n, 25);
    this.#wire?.sendCopyFromChunk(message);
  }

  /** What came is written. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  /** The protocol's own end waits for the server, which may be waiting for us. */
  break(): void {
    this.#wire?.stream.destroy();
  }

  handleReadyForQuery(): void {
    this.#end.resolve();
  }

  handleError(error: Error): void {
    this.#end.reject(error);
  }
}
