/**
 * Many small files against a running Tideline: node test/outside/many-files.ts [COUNT] COUNT files (15,000 without it)
 * of one encrypted record each: a third by one OpenSSH sftp, a third by eight of them at once, a third mirrored by lftp
 * over eight connections; after each third every file must be loaded. Five hundred come before them, told apart: at the
 * first files after its start the service's threads begin and compile. Prints what it took, beside two floors of the same
 * run and disk: the same files by the same clients to OpenSSH's own server, where the client asks for each file to be
 * synced (`sftp -f`) as Tideline does unasked, and where nobody does. Exit code 1 when a file is missing.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { type BenchServer, makeClientKey, startSshd } from "../bench/sftp/servers.ts";
import { type ForeignSealer, openSealers } from "./sealing/foreign-jose.ts";
import { brandIn, requestIdFor } from "./labelled-set.ts";
import { openSshSftp, sshOptions } from "./clients/open-ssh.ts";
import { onboardPartner, type Partner } from "./partner.ts";
import { prepareService } from "./service.ts";

const count = Number(process.argv[2] ?? 15_000);
const countOfEach = Math.ceil(count / 3);
const firstCount = Math.min(500, countOfEach);
const connections = 8;
/** Loading goes on while files come in; after the last one it has this long. */
const loadedWithinMs = 300_000;
const outputBytesMax = 64 * 1024 * 1024;
let landed = 0;

const service = await prepareService("many-files", ["--no-demo"]);
try {
  await service.start();
  const partner = await onboardPartner(service, "outside-bank", { ...brandIn("DK"), currency: "DKK" });
  await partner.call("POST", "/users", {
    body: { bankUserId: "customer-1", brand: partner.brand.id, locale: partner.brand.locale },
  });
  const [sealer, ...others] = await openSealers(await partner.batchKey());
  if (!sealer) throw new Error("there is no sealer");
  const folders: string[][] = [];
  for (const [name, files, parts] of [
    ["first", firstCount, 1],
    ["one", countOfEach, 1],
    ["eight", countOfEach, connections],
    ["lftp", countOfEach, 1],
  ] as const)
    folders.push(await fill(partner, sealer, name, files, parts));
  for (const one of [sealer, ...others]) one.close();
  const [first = [], one = [], eight = [], lftp = []] = folders;
  const floor = await measureFloor(one, eight, lftp);
  const toTideline = (folder: string) => openSshSftp(partner, [`put ${folder}/* inbox/`]);
  await report("the first files after a start, one connection", firstCount, () => Promise.all(first.map(toTideline)));
  await report("OpenSSH sftp, one connection", countOfEach, () => Promise.all(one.map(toTideline)), floor?.one);
  await report("OpenSSH sftp, eight connections", countOfEach, () => Promise.all(eight.map(toTideline)), floor?.eight);
  await report(
    "lftp mirror, eight connections",
    countOfEach,
    () => mirror(sshOptions(partner), `${partner.id},none`, partner.sftpPort, lftp[0] ?? "", "inbox/mirrored"),
    floor?.lftp,
  );
  await service.stop();
} finally {
  await service.remove();
}

/** One way of sending: how fast, and when all of it was loaded. */
async function report(name: string, files: number, send: () => Promise<unknown>, floor?: FloorRates): Promise<void> {
  const processorMs = await service.processorMs();
  const filesPerSecond = await rate(files, send);
  landed += files;
  const seconds = await untilLoaded(landed);
  const usedMs = ((await service.processorMs()) - processorMs) / files;
  const beside = Object.entries(floor ?? {}).map(
    ([how, of]) => `${(filesPerSecond / of).toFixed(2)} of sshd ${how} at ${of.toFixed(0)}`,
  );
  console.log(
    `${name}: ${files} files at ${filesPerSecond.toFixed(0)} files/s${beside.map((text) => `, ${text}`).join("")}; ` +
      `loaded ${seconds.toFixed(1)} s after the last; processors ${usedMs.toFixed(1)} ms a file until then; memory ${Math.round((await service.memoryBytes()) / 1e6)} MB`,
  );
}

/** @returns so many folders with the files of one way */
async function fill(
  partner: Partner,
  sealer: ForeignSealer,
  name: string,
  files: number,
  parts: number,
): Promise<string[]> {
  const folders = Array.from({ length: parts }, (_, part) => path.join(partner.folder, `${name}-${part}`));
  await Promise.all(folders.map((folder) => mkdir(folder)));
  for (let index = 0; index < files; index += 1) {
    const tx = {
      txid: `${name}-${index}`,
      description: "Coffee",
      txTime: "2026-01-15",
      type: "CARD_PURCHASE",
      amount: -32.5,
      currency: "DKK",
    };
    const plaintext = JSON.stringify([{ uid: "customer-1", type: "TX", tx }]);
    await writeFile(
      path.join(folders[index % parts] ?? "", `${name}-${index}.jsonl`),
      `${JSON.stringify({ reqId: requestIdFor(plaintext), txs: await sealer.seal(plaintext) })}\n`,
    );
  }
  return folders;
}

async function mirror(
  options: readonly string[],
  user: string,
  port: number,
  folder: string,
  to: string,
): Promise<void> {
  const connect = `set net:max-retries 1; set sftp:connect-program "ssh -a -x ${options.join(" ")}"; open -p ${port} -u ${user} sftp://127.0.0.1`;
  await promisify(execFile)("lftp", ["-c", `${connect}; mirror -R --parallel=8 --no-perms ${folder} ${to}`], {
    maxBuffer: outputBytesMax,
  });
}

/** Files a second to OpenSSH's server. lftp cannot ask for a sync. */
type FloorRates = { synced?: number; unsynced: number };
type Floor = { one: FloorRates; eight: FloorRates; lftp: FloorRates };

/** On the same disk; null where it is not installed. */
async function measureFloor(one: string[], eight: string[], lftp: string[]): Promise<Floor | null> {
  await makeClientKey(service.folder);
  const sshd = await startSshd(service.folder);
  if (!sshd) {
    console.log("SKIPPED: the floor of OpenSSH's server, which is not installed");
    return null;
  }
  let measured = 0;
  // What was sent stays where it is until all is measured: a file system without a journal looks past files that were removed
  // in the last minutes for each new one's place, so that who comes later would pay for what was removed before him.
  const measure = async (folders: string[], flags: string[]) => {
    measured += 1;
    const into = path.join(sshd.remoteFolder, `floor-${measured}`);
    await mkdir(into);
    return await rate(countOfEach, () =>
      Promise.all(folders.map((folder) => putWithOpenSsh(sshd, folder, into, flags))),
    );
  };
  try {
    return {
      one: { synced: await measure(one, ["-f"]), unsynced: await measure(one, []) },
      eight: { synced: await measure(eight, ["-f"]), unsynced: await measure(eight, []) },
      lftp: {
        unsynced: await rate(countOfEach, () =>
          mirror(floorOptions(), `${sshd.user},none`, sshd.port, lftp[0] ?? "", `${sshd.remoteFolder}mirrored`),
        ),
      },
    };
  } finally {
    await sshd.stop();
  }
}

async function putWithOpenSsh(
  sshd: BenchServer,
  folder: string,
  into: string,
  flags: readonly string[],
): Promise<void> {
  const running = promisify(execFile)(
    "sftp",
    ["-q", "-b", "-", ...flags, ...floorOptions(), "-P", String(sshd.port), `${sshd.user}@127.0.0.1`],
    { maxBuffer: outputBytesMax },
  );
  running.child.stdin?.end(`put ${folder}/* ${into}/\n`);
  await running;
}

function floorOptions(): string[] {
  const options = [
    "IdentitiesOnly=yes",
    "BatchMode=yes",
    "StrictHostKeyChecking=no",
    "UserKnownHostsFile=/dev/null",
    "LogLevel=ERROR",
  ];
  return [
    "-F",
    "/dev/null",
    "-i",
    path.join(service.folder, "partner"),
    ...options.flatMap((option) => ["-o", option]),
  ];
}

/** @returns files a second */
async function rate(files: number, work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return files / ((performance.now() - startedAt) / 1000);
}

/** @returns seconds that it took */
async function untilLoaded(expected: number): Promise<number> {
  const startedAt = performance.now();
  const database = new pg.Client({ connectionString: await service.databaseUrl() });
  await database.connect();
  try {
    for (;;) {
      const { rows } = await database.query<{ loaded: number; files: number }>(
        "select count(*) filter (where state = 'loaded')::int as loaded, count(*)::int as files from deliveries",
      );
      if (rows[0]?.loaded === expected) break;
      assert.ok(
        performance.now() - startedAt < loadedWithinMs,
        `${rows[0]?.loaded} of ${rows[0]?.files} files are loaded, ${expected} were sent`,
      );
      await wait(200);
    }
    const { rows } = await database.query<{ count: number }>("select count(*)::int as count from transactions");
    assert.equal(rows[0]?.count, expected);
  } finally {
    await database.end();
  }
  return (performance.now() - startedAt) / 1000;
}
