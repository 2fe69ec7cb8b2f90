/** The embedded PostgreSQL keeps its data, takes over after a crash, and leaves another version's files alone. */
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import pg from "pg";
import { startCluster } from "../../../src/database/embedded/cluster.ts";
import { stopOrphan } from "../../../src/database/embedded/orphan.ts";
import { freePort } from "../../ports.ts";

test("a cluster keeps its data over stop and start, and stops an orphan or a stale lock before it starts", async (t) => {
  const folder = await temporaryFolder(t);
  const first = await startCluster(folder);
  await query(first.url, "create table kept as select 42 as n");

  // A second start on the same folder finds a server that nobody owns any more, as after kill -9.
  const second = await startCluster(folder);
  t.is(second.orphanPid, first.pid);
  t.regex(await first.lost, /PostgreSQL ended/);
  t.deepEqual(await query(second.url, "select n from kept"), [{ n: 42 }]);

  // Power cut: the server is gone, its lock file names a process that is somebody else's.
  process.kill(second.pid, "SIGKILL");
  await second.lost;
  await writeFile(
    path.join(second.location, "files", "postmaster.pid"),
    `${process.pid}\n${path.join(second.location, "files")}\n`,
  );
  const third = await startCluster(folder);
  t.is(third.orphanPid, null);
  t.deepEqual(await query(third.url, "select n from kept"), [{ n: 42 }]);
  await third.stop();
  t.is(await stopOrphan(path.join(third.location, "files")), null);
});

const testOnLinux = process.platform === "linux" ? test : test.skip;

testOnLinux("an orphan is known by its folder, though the folder was moved or is called by another path", async (t) => {
  const folder = await temporaryFolder(t);
  const moved = `${folder}-moved`;
  t.teardown(() => rm(moved, { recursive: true, force: true }));
  const first = await startCluster(folder);
  await rename(folder, moved);
  const second = await startCluster(moved);
  t.is(second.orphanPid, first.pid);
  t.regex(await first.lost, /PostgreSQL ended/);
  await second.stop();
});

test("a port that another program took in the meantime is given up for another", async (t) => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  t.teardown(() => void other.close());
  const { port: taken } = other.address() as AddressInfo;
  const ports = [taken, taken, await freePort()];
  const cluster = await startCluster(await temporaryFolder(t), { findPort: async () => ports.shift() ?? 0 });
  t.deepEqual([cluster.port !== taken, ports], [true, []]);
  t.deepEqual(await query(cluster.url, "select 1 as n"), [{ n: 1 }]);
  await cluster.stop();
});

test("files of another PostgreSQL version are refused and left as they are", async (t) => {
  const folder = await temporaryFolder(t);
  const cluster = await startCluster(folder);
  await cluster.stop();
  const versionFile = path.join(cluster.location, "files", "PG_VERSION");
  await writeFile(versionFile, "99\n");
  await t.throwsAsync(startCluster(folder), {
    code: "POSTGRES_FORMAT",
    message: /of PostgreSQL 99, this Tideline runs PostgreSQL 18/,
  });
  t.is(await readFile(versionFile, "utf8"), "99\n");
});

async function temporaryFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-cluster-"));
  await chmod(folder, 0o711);
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows ?? [];
  } finally {
    await client.end();
  }
}
