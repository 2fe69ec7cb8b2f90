/** The proxy cuts a database connection exactly before or after COMMIT, and otherwise passes everything as it is. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import test, { type ExecutionContext } from "ava";
import pg from "pg";
import fc from "../property.ts";
import { createTestDatabase } from "../world.ts";
import { DatabaseProxy, Messages } from "./database-proxy.ts";

async function openProxied(t: ExecutionContext): Promise<{ proxy: DatabaseProxy; client: pg.Client; direct: pg.Pool }> {
  const { url, database } = await createTestDatabase(t);
  await database.query("create table written (n integer)");
  const proxy = await DatabaseProxy.open(Number(new URL(url).port));
  t.teardown(() => proxy.close());
  const proxied = new URL(url);
  proxied.port = String(proxy.port);
  const client = new pg.Client({ connectionString: proxied.href });
  client.on("error", () => undefined);
  await client.connect();
  return { proxy, client, direct: database };
}

const countWritten = async (direct: pg.Pool) =>
  (await direct.query<{ n: number }>("select count(*)::int as n from written")).rows[0]?.n;

test("between COMMIT and its reply, the server has committed and its client hears nothing", async (t) => {
  const { proxy, client, direct } = await openProxied(t);
  const made = proxy.cut({ at: "committed", commits: 1 });
  await client.query("begin");
  await client.query("insert into written values (1)");
  await t.throwsAsync(client.query("commit"));
  await made;
  t.is(await countWritten(direct), 1);
});

test("before COMMIT, nothing is committed", async (t) => {
  const { proxy, client, direct } = await openProxied(t);
  const made = proxy.cut({ at: "commit", commits: 1 });
  await client.query("begin");
  await client.query("insert into written values (1)");
  await t.throwsAsync(client.query("commit"));
  await made;
  t.is(await countWritten(direct), 0);
});

test("without a cut everything passes as it is", async (t) => {
  const { client, direct } = await openProxied(t);
  await client.query("insert into written select generate_series(1, 50000)");
  const { rows } = await client.query("select n from written");
  await client.end();
  t.is(rows.length, 50_000);
  t.is(await countWritten(direct), 50_000);
});

test("messages are the same wherever the stream is cut", (t) => {
  const message = (type: string, body: string) =>
    Buffer.concat([Buffer.from(type), Buffer.from([0, 0, 0, body.length + 4]), Buffer.from(body)]);
  const startup = Buffer.concat([Buffer.from([0, 0, 0, 9]), Buffer.from("start")]);
  const stream = Buffer.concat([
    startup,
    message("Q", "begin\0"),
    message("d", "x".repeat(200)),
    message("Q", "commit\0"),
    message("X", ""),
  ]);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: stream.length }), { maxLength: 8 }), (cuts) => {
      const messages = new Messages(true);
      const places = [0, ...cuts.toSorted((a, b) => a - b), stream.length];
      const found = places.slice(1).flatMap((to, index) => messages.read(stream.subarray(places[index], to)));
      t.deepEqual(
        found.map(({ type, text }) => `${String.fromCharCode(type)} ${text.slice(0, 7)}`),
        ["Q begin\0", "d xxxxxxx", "Q commit\0", "X "],
      );
    }),
  );
});

test("a server that goes away takes its clients along", async (t) => {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const proxy = await DatabaseProxy.open((server.address() as AddressInfo).port);
  t.teardown(() => proxy.close());
  const arrived = once(server, "connection") as Promise<[Socket]>;
  const client = connect(proxy.port, "127.0.0.1");
  const closed = once(client, "close");
  (await arrived)[0].destroy();
  server.close();
  await t.notThrowsAsync(closed);
});
