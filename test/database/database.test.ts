/** A lost, silent or overfull database fails its statements as away, and the process goes on. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import test, { type ExecutionContext } from "ava";
import { type Database, inTransaction, isDatabaseAway, openDatabase } from "../../src/database/database.ts";
import { createTestDatabase } from "../world.ts";

test("a connection that breaks between two statements fails the next one, and its process goes on", async (t) => {
  const { database } = await createTestDatabase(t);
  const error = await t.throwsAsync(
    inTransaction(database, async (transaction) => {
      const { rows } = await transaction.query<{ pid: number }>("select pg_backend_pid() as pid");
      const broken = new Promise<void>((resolve) => transaction.once("end", () => resolve()));
      await cut(database, rows[0]?.pid ?? 0);
      await broken;
      await transaction.query("select 1");
    }),
  );
  t.true(isDatabaseAway(error));
  t.deepEqual((await database.query("select 1 as alive")).rows, [{ alive: 1 }]);
});

test("what says that the database is away is told from what says that a statement is wrong", (t) => {
  const coded = (code: string) => Object.assign(new Error("said by the driver"), { code });
  for (const code of [
    "57P01",
    "57014",
    "08006",
    "53300",
    "25006",
    "ECONNREFUSED",
    "EHOSTUNREACH",
    "ENETUNREACH",
    "EAI_AGAIN",
  ])
    t.true(isDatabaseAway(coded(code)), code);
  t.true(isDatabaseAway(new Error("Connection terminated unexpectedly")));
  for (const code of ["23505", "22P02", "40P01", "VAULT_GONE"]) t.false(isDatabaseAway(coded(code)), code);
});

test("a pool whose callers wait gives up a statement that is held up, as if the database were away", async (t) => {
  const { database, url } = await createTestDatabase(t);
  const asked = openDatabase(url, { sizeMax: 1, applicationName: "test", answersWithinMs: 50 });
  t.teardown(() => asked.end());
  await inTransaction(database, async (holder) => {
    await holder.query("lock table partners");
    const error = await t.throwsAsync(asked.query("select 1 from partners"));
    t.true(isDatabaseAway(error));
  });
  t.is(await askUntilAnswered(asked, "select 1 from partners"), 0);
});

test("a server that says nothing any more is given up too", async (t) => {
  const { url } = await createTestDatabase(t);
  const { port, silence } = await openSilencer(t, url);
  const silenced = new URL(url);
  silenced.port = String(port);
  const asked = openDatabase(silenced.href, { sizeMax: 1, applicationName: "test", answersWithinMs: 50 });
  t.teardown(() => asked.end());
  await askUntilAnswered(asked, "select 1");
  silence();
  t.true(isDatabaseAway(await t.throwsAsync(asked.query("select 1"))));
});

/** A machine that is busy may itself be slower than the pool's short time. @returns the number of rows */
async function askUntilAnswered(asked: Database, statement: string): Promise<number | null> {
  for (;;) {
    try {
      return (await asked.query(statement)).rowCount;
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
    }
  }
}

/** A way to the server on which nothing passes any more once it is told so. */
async function openSilencer(t: ExecutionContext, url: string): Promise<{ port: number; silence(): void }> {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) socket.on("error", () => undefined);
    sockets.push(near, far);
    near.pipe(far).pipe(near);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const silence = () => {
    for (const socket of sockets) socket.unpipe().pause();
  };
  return { port: (server.address() as AddressInfo).port, silence };
}

async function cut(database: Database, backendPid: number): Promise<void> {
  await database.query("select pg_terminate_backend($1)", [backendPid]);
}
