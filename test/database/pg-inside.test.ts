/** The inside of pg as `pg-inside.ts` reaches for it: whoever upgrades pg reads here what has changed. */
import type { Socket } from "node:net";
import test, { type ExecutionContext } from "ava";
import pg from "pg";
import { askTogether, queryBytes, queryTogether, untilTaken } from "../../src/database/pg-inside.ts";
import { shapeOf } from "../shape.ts";
import { createTestDatabase } from "../world.ts";

const first = { name: "first", values: ["anna", "north"] };

type Watched = { client: pg.Client; writes: Buffer[]; types(): string };

/** A connection that has prepared `first`, and what it writes from then on. */
async function connect(t: ExecutionContext): Promise<Watched> {
  const client = new pg.Client({ connectionString: (await createTestDatabase(t)).url });
  await client.connect();
  t.teardown(() => client.end());
  await client.query({ name: first.name, text: "select set_config('test.who', $1 || $2, true)", values: ["", ""] });
  const writes: Buffer[] = [];
  const { stream } = (client as unknown as { connection: pg.Connection }).connection;
  const write = stream.write.bind(stream);
  stream.write = ((bytes: Buffer) => {
    writes.push(bytes);
    return write(bytes);
  }) as typeof stream.write;
  return { client, writes, types: () => typesOf(Buffer.concat(writes.splice(0))) };
}

/** The letters of the messages: B(ind), D(escribe), E(xecute), P(arse), S(ync). */
function typesOf(bytes: Buffer): string {
  if (bytes.length === 0) return "";
  return bytes.toString("latin1", 0, 1) + typesOf(bytes.subarray(1 + bytes.readUInt32BE(1)));
}

test("a query and a connection have the functions that are replaced", async (t) => {
  t.deepEqual(
    shapeOf(pg.Query.prototype as object, [
      "submit",
      "handleRowDescription",
      "handleDataRow",
      "handleCommandComplete",
      "handleReadyForQuery",
      "handleError",
    ]),
    {
      submit: "function/1",
      handleRowDescription: "function/1",
      handleDataRow: "function/1",
      handleCommandComplete: "function/2",
      handleReadyForQuery: "function/1",
      handleError: "function/2",
    },
  );
  t.deepEqual(shapeOf(pg.Connection.prototype as object, ["_send", "bind", "describe", "execute"]), {
    _send: "function/1",
    bind: "function/1",
    describe: "function/1",
    execute: "function/1",
  });
  const { client } = await connect(t);
  const { stream } = (client as unknown as { connection: pg.Connection }).connection;
  t.deepEqual(shapeOf(stream, ["cork", "uncork", "destroy"]), {
    cork: "function/0",
    uncork: "function/0",
    destroy: "function/2",
  });
  t.is(stream.listenerCount("data"), 1);
});

test("a query is what its fields say, by these names, and those of text alone has nothing else", (t) => {
  const asked = { name: "bytes", text: "select $1", values: [1], binary: true, queryMode: "extended" };
  t.like(new pg.Query(asked as pg.QueryConfig), asked);
  const done = () => undefined;
  const bare = new (pg.Query as unknown as new (text: string, callback: () => void) => Record<string, unknown>)(
    "",
    done,
  );
  t.deepEqual(
    ["text", "callback", "name", "values", "rows", "types", "_rowMode"].map((field) => bare[field]),
    ["", done, undefined, undefined, undefined, undefined, undefined],
  );
});

test("both statements leave in one write before one Sync, and the second one's result is given", async (t) => {
  const { client, writes, types } = await connect(t);
  const { rows } = await queryTogether(client, first, { text: "select current_setting('test.who') as who" });
  t.deepEqual(rows, [{ who: "annanorth" }]);
  t.is(writes.length, 1);
  t.is(types(), "BEPBDES");
});

test("both statements are one transaction", async (t) => {
  const { client } = await connect(t);
  await queryTogether(client, first, { text: "select 1" });
  const { rows } = await client.query("select current_setting('test.who', true) as who");
  t.deepEqual(rows, [{ who: "" }]);
});

test("a named statement is parsed and described once a connection", async (t) => {
  const { client, types } = await connect(t);
  const named = { name: "number", text: "select $1::int as number" };
  t.deepEqual((await queryTogether(client, first, { ...named, values: [1] })).rows, [{ number: 1 }]);
  t.is(types(), "BEPBDES");
  t.deepEqual((await queryTogether(client, first, { ...named, values: [2] })).rows, [{ number: 2 }]);
  t.is(types(), "BEBES");
});

test("a statement that is refused before it is sent sends nothing", async (t) => {
  const { client, types } = await connect(t);
  await queryTogether(client, first, { name: "one", text: "select 1" });
  types();
  await t.throwsAsync(queryTogether(client, first, { name: "one", text: "select 2" }), { message: /must be unique/ });
  t.is(types(), "");
});

test("statements that are asked together leave before the first is answered, and run in their order", async (t) => {
  const { client, types } = await connect(t);
  const seen: unknown[] = [];
  const ask = async (text: string) => seen.push((await client.query(text, [2])).rows[0]);
  await client.query("create temporary table numbers as select 1::int as number");
  types();
  await askTogether(client, () => {
    const asked = [
      ask("update numbers set number = number + $1 returning number"),
      ask("update numbers set number = number * $1 returning number"),
      ask("select number + $1 as number from numbers"),
    ];
    t.is(types(), "PBDESPBDESPBDES");
    return asked;
  });
  t.deepEqual(seen, [{ number: 3 }, { number: 6 }, { number: 8 }]);
  // What a client that always sends ahead refuses.
  const { rows } = await queryTogether(client, first, { text: "select current_setting('test.who') as who" });
  t.deepEqual(rows, [{ who: "annanorth" }]);
});

test("of statements that are asked together the first failure is told when all are over", async (t) => {
  const { client } = await connect(t);
  await client.query("begin");
  await client.query("savepoint before");
  const ask = (text: string) => client.query(text, [0]);
  await t.throwsAsync(
    askTogether(client, () => [ask("select $1::int"), ask("select 1 / $1"), ask("select $1::int")]),
    { code: "22012" },
  );
  await client.query("rollback to savepoint before");
  t.deepEqual((await client.query("select 1 as one")).rows, [{ one: 1 }]);
  await client.query("commit");
});

test("rows come as bytes, one by one, also where one is larger than what is read at once", async (t) => {
  const { client, types } = await connect(t);
  const statement = {
    name: "bytes",
    text: "select n, case when n <> 2 then decode(repeat('00ff', n * 100000), 'hex') end from generate_series(1, $1) as n",
  };
  for (const expected of ["PBES", "BES"]) {
    const rows: (readonly (Buffer | null)[])[] = [];
    await queryBytes(client, { ...statement, values: [3] }, (fields) => rows.push(fields));
    t.deepEqual(
      rows.map(([n]) => n?.readInt32BE()),
      [1, 2, 3],
    );
    t.is(rows[1]?.[1], null);
    for (const [at, length] of [
      [0, 200_000],
      [2, 600_000],
    ] as const)
      t.true(rows[at]?.[1]?.equals(Buffer.alloc(length, Buffer.of(0, 255))));
    t.is(types(), expected);
  }
  t.deepEqual((await client.query("select 1 as one")).rows, [{ one: 1 }]);
});

test("a statement that fails among its rows, or whose rows cannot be taken, fails and leaves the connection as it was", async (t) => {
  const { client } = await connect(t);
  const taken: unknown[] = [];
  const text = "select repeat('x', 9000), 1 / (3 - n) from generate_series(1, $1) as n";
  await t.throwsAsync(
    queryBytes(client, { text, values: [3] }, (fields) => taken.push(fields)),
    { code: "22012" },
  );
  t.deepEqual((await queryTogether(client, first, { text: "select 2 as two" })).rows, [{ two: 2 }]);
  await t.throwsAsync(
    queryBytes(client, { text, values: [2] }, () => {
      throw new Error("not taken");
    }),
    { message: "not taken" },
  );
  t.deepEqual((await client.query("select 3 as three")).rows, [{ three: 3 }]);
  await queryBytes(client, { text, values: [2] }, (fields) => taken.push(fields));
  t.is(taken.length, 4);
});

test("a connection tells when the system has taken all that was written to it", async (t) => {
  const client = new pg.Client({ connectionString: (await createTestDatabase(t)).url });
  await client.connect();
  t.teardown(() => client.end());
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  await untilTaken(client);
  // More than the system takes at once.
  const length = client.query("select length($1) as length", ["x".repeat(2 ** 26)]);
  while (stream.writableLength === 0) await new Promise((resolve) => process.nextTick(resolve));
  await untilTaken(client);
  t.is(stream.writableLength, 0);
  t.deepEqual((await length).rows, [{ length: 2 ** 26 }]);
});
