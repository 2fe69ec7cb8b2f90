/**
 * All that is reached for inside pg: several statements in one trip, and rows as bytes, which its API has no place for. pg is
 * pinned to one version, and pg-inside.test.ts says by name which part an upgrade has changed.
 *
 * | reached for | because its API cannot | what would replace it |
 * | --- | --- | --- |
 * | `pg.Query`: `submit` and what handles a result | run two statements before one Sync | a pipeline in pg's client |
 * | the listener to `data` of a connection's stream | leave a row's bytes as they came | binary mode in pg's parser |
 * | `_send` and `stream` of a connection | make all messages one write | the same |
 * | `describe` of a connection | leave out what the answer is known of | pg remembering named statements' rows |
 * | `queryMode` of a query | have a statement without values prepared | its types knowing it |
 * | `text`, `name`, `values`, `binary` of a query | take a statement as it stands | pg copying what it is given less slowly |
 * | `pipeline` of a client | send some statements without waiting between them, and then a COPY | the same said by a call |
 * | `stream` of a client's connection | say when the system has taken what was sent | the same said by a COPY's stream |
 */
import type { Socket } from "node:net";
import pg from "pg";
import { free } from "../machine/free.ts";
import { RowBytes, type RowFields } from "./row-bytes.ts";

/** What a query of pg consists of and its types leave out. */
type Messages = {
  name: string | undefined;
  text: string;
  values: unknown[] | undefined;
  binary: boolean | undefined;
  queryMode: string | undefined;
  submit(connection: Wire): Error | null;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Wire): void;
  handleReadyForQuery(connection: Wire): void;
  handleError(error: Error, connection: Wire): void;
};
type Wire = {
  stream: Pick<Socket, "cork" | "uncork" | "destroy" | "on" | "listeners" | "removeListener">;
  /** Every message passes through here. False: the connection is closed for writing. */
  _send(message: Buffer): boolean;
  bind(config: object): void;
  describe(config: object): void;
  execute(config: object): void;
};
type Done = (error: Error | null | undefined, result: pg.QueryResult) => void;
const BareQuery = pg.Query as unknown as new (text: string, done: Done) => Messages;

/**
 * A statement that is always prepared, taken as it stands: pg copies what it is given property by property with their
 * descriptors, which took 1.9 µs of each.
 */
class PreparedQuery extends BareQuery {
  constructor({ name, text, values }: pg.QueryConfig, done: Done) {
    super("", done);
    this.name = name;
    this.text = text;
    this.values = values;
    this.queryMode = "extended";
  }
}

/**
 * By connection and a statement's name: what its rows look like, which no later run of it changes: PostgreSQL refuses
 * that (0A000).
 */
const knownRows = new WeakMap<Wire, Map<string, unknown>>();

/** A statement that the connection has prepared; it has one row. */
export type Prepared = { name: string; values: readonly string[] };

/**
 * Runs a statement together with one before it, before one Sync: one trip, and one implicit transaction for both
 * (PostgreSQL, "Frontend/Backend Protocol", 54.2.4 and 54.2.5). All messages are one write, and a named statement's
 * rows are described once a connection: a tenth of what such a statement costs this process went there.
 * @param first null: none
 * @returns what the second statement gives
 */
export function queryTogether(
  client: pg.ClientBase,
  first: Prepared | null,
  config: pg.QueryConfig,
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const done: Done = (error, result) => (error ? reject(error) : resolve(result));
    const query = new QueryTogether(first, config, done);
    client.query(query as unknown as pg.Submittable);
  });
}

/**
 * Runs one statement and gives each of its rows as soon as it is there, in PostgreSQL's binary format: what pg gives of a
 * document is text that is hexadecimal, twice as long, and made into bytes again, and all rows at the end.
 */
export function queryBytes(
  client: pg.ClientBase,
  config: pg.QueryConfig,
  take: (fields: RowFields) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const done: Done = (error) => (error ? reject(error) : resolve());
    const query = new ByteQuery(config, take, done);
    client.query(query as unknown as pg.Submittable);
  });
}

/**
 * Has the server run statements one behind the other, in the order in which they are asked: none waits until this thread
 * has heard of the one before, and the server runs the first while the next are written. Nothing else may be asked of the
 * connection meanwhile. Within a transaction those behind one that fails fail with it.
 * @param ask asks for all of them before it returns
 * @throws what the first of them throws, when all are over
 */
export async function askTogether(client: pg.ClientBase, ask: () => Promise<unknown>[]): Promise<void> {
  const piped = client as unknown as { pipeline: boolean };
  piped.pipeline = true;
  try {
    const failed = (await Promise.allSettled(ask())).find((one) => one.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  } finally {
    piped.pipeline = false;
  }
}

/** Returns when nothing that was written to the connection lies in this process's memory any more. */
export async function untilTaken(client: pg.ClientBase): Promise<void> {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  if (stream.writableLength > 0 && !stream.destroyed)
    await new Promise<void>((resolve) => stream.write("", () => resolve()));
}

class ByteQuery extends PreparedQuery {
  readonly #take: (fields: RowFields) => void;
  #failure: Error | null = null;

  constructor(config: pg.QueryConfig, take: (fields: RowFields) => void, done: Done) {
    super(config, done);
    this.binary = true;
    this.#take = take;
  }

  override submit(connection: Wire): Error | null {
    rowBytesOf(connection).take = (fields) => {
      try {
        this.#take(fields);
      } catch (error) {
        this.#failure ??= error as Error;
      }
    };
    const messages: Buffer[] = [];
    const refused = super.submit(gatherInto(messages, connection, true));
    if (refused === null) connection._send(Buffer.concat(messages));
    return refused;
  }

  override handleReadyForQuery(connection: Wire): void {
    rowBytesOf(connection).take = null;
    if (this.#failure === null) super.handleReadyForQuery(connection);
    else super.handleError(this.#failure, connection);
  }

  override handleError(error: Error, connection: Wire): void {
    rowBytesOf(connection).take = null;
    super.handleError(error, connection);
  }
}

const rowBytes = new WeakMap<Wire, RowBytes>();

/** From now on all that comes over the connection passes through it. The connection is between two statements. */
function rowBytesOf(connection: Wire): RowBytes {
  const known = rowBytes.get(connection);
  if (known !== undefined) return known;
  const { stream } = connection;
  const [parse, ...others] = stream.listeners("data") as ((bytes: Buffer) => void)[];
  if (parse === undefined || others.length > 0) throw new Error("pg does not read its connection as it used to");
  const bytes = new RowBytes(parse);
  stream.removeListener("data", parse).on("data", (chunk: Buffer) => bytes.push(chunk));
  rowBytes.set(connection, bytes);
  return bytes;
}

class QueryTogether extends PreparedQuery {
  readonly #first: Prepared | null;
  #isFirstDone: boolean;
  #sent: Buffer | null = null;
  #rows: Map<string, unknown> | undefined;

  constructor(first: Prepared | null, config: pg.QueryConfig, done: Done) {
    super(config, done);
    this.#first = first;
    this.#isFirstDone = first === null;
  }

  override submit(connection: Wire): Error | null {
    this.#rows = rowsOf(connection);
    const known = this.name === undefined ? undefined : this.#rows.get(this.name);
    if (known !== undefined) super.handleRowDescription(known);
    const messages: Buffer[] = [];
    const gathering = gatherInto(messages, connection, known !== undefined);
    if (this.#first !== null) {
      gathering.bind({ statement: this.#first.name, values: this.#first.values });
      gathering.execute({});
    }
    const refused = super.submit(gathering);
    // A bug of ours: two texts under one name. Nothing of it is sent.
    if (refused !== null) return refused;
    this.#sent = Buffer.concat(messages);
    for (const message of messages) free(message);
    connection._send(this.#sent);
    return null;
  }

  /** The server has answered, so it has all that was sent: a pushed batch among others. */
  override handleReadyForQuery(connection: Wire): void {
    if (this.#sent !== null) free(this.#sent);
    this.#sent = null;
    super.handleReadyForQuery(connection);
  }

  override handleRowDescription(message: unknown): void {
    if (this.name !== undefined) this.#rows?.set(this.name, message);
    super.handleRowDescription(message);
  }

  /** The first row and the first end are the first statement's. */
  override handleDataRow(message: unknown): void {
    if (this.#isFirstDone) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Wire): void {
    if (this.#isFirstDone) super.handleCommandComplete(message, connection);
    this.#isFirstDone = true;
  }
}

function rowsOf(connection: Wire): Map<string, unknown> {
  const known = knownRows.get(connection);
  if (known !== undefined) return known;
  const rows = new Map<string, unknown>();
  knownRows.set(connection, rows);
  return rows;
}

/** The connection, but that its messages are kept back, and asks for no description where that is known. */
function gatherInto(messages: Buffer[], connection: Wire, isDescribed: boolean): Wire {
  const gathering = Object.create(connection) as Wire;
  gathering._send = (message) => messages.push(message) > 0;
  gathering.stream = unwritten;
  if (isDescribed) gathering.describe = () => undefined;
  return gathering;
}

const unwritten = {
  cork: () => undefined,
  uncork: () => undefined,
  destroy: () => undefined,
} as unknown as Wire["stream"];
