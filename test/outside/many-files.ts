/**
 * Many small files against a running Tideline: node test/outside/many-files.ts [COUNT]
 * COUNT files (10,000 without it) of one encrypted record each, half by one OpenSSH sftp, half mirrored by lftp over eight connections; then every
 * one must be loaded. Prints what it took; exit code 1 when a file is missing.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { type ForeignSealer, openSealers } from "./foreign-jose.ts";
import { describeCountry, requestIdFor } from "./labelled-set.ts";
import { openSshSftp, sshOptions } from "./open-ssh.ts";
import { onboardPartner, type Partner } from "./partner.ts";
import { prepareService } from "./service.ts";

const count = Number(process.argv[2] ?? 10_000);
/** Loading goes on while files come in; after the last one it has this long. */
const loadedWithinMs = 300_000;
const outputBytesMax = 64 * 1024 * 1024;

const service = await prepareService("many-files", ["--no-demo"]);
try {
  await service.start();
  const partner = await onboardPartner(service, "outside-bank", { ...describeCountry("DK"), currency: "DKK" });
  await partner.call("POST", "/users", { body: { bankUserId: "customer-1", brand: partner.brand.id, locale: partner.brand.locale } });
  const [sealer, ...others] = await openSealers(await partner.batchKey());
  if (!sealer) throw new Error("there is no sealer");
  const folders = await Promise.all(["openssh", "lftp"].map((name) => fill(partner, sealer, name, count / 2)));
  for (const one of [sealer, ...others]) one.close();
  const [openSshFolder = "", lftpFolder = ""] = folders;
  await timed("OpenSSH sftp, one connection", () => openSshSftp(partner, [`put ${openSshFolder}/* inbox/`]));
  await timed("lftp mirror, eight connections", () => mirror(partner, lftpFolder));
  const seconds = await untilLoaded(count);
  console.log(`all ${count} files loaded ${seconds.toFixed(0)} s after the last upload`);
  await service.stop();
} finally {
  await service.remove();
}

async function fill(partner: Partner, sealer: ForeignSealer, name: string, files: number): Promise<string> {
  const folder = path.join(partner.folder, name);
  await mkdir(folder);
  for (let index = 0; index < files; index += 1) {
    const tx = { txid: `${name}-${index}`, description: "Coffee", txTime: "2026-01-15", type: "CARD_PURCHASE", amount: -32.5, currency: "DKK" };
    const plaintext = JSON.stringify([{ uid: "customer-1", type: "TX", tx }]);
    await writeFile(path.join(folder, `${name}-${index}.jsonl`), `${JSON.stringify({ reqId: requestIdFor(plaintext), txs: await sealer.seal(plaintext) })}\n`);
  }
  return folder;
}

async function mirror(partner: Partner, folder: string): Promise<void> {
  const connect = `set net:max-retries 1; set sftp:connect-program "ssh -a -x ${sshOptions(partner).join(" ")}"; open -p ${partner.sftpPort} -u ${partner.id},none sftp://127.0.0.1`;
  await promisify(execFile)("lftp", ["-c", `${connect}; mirror -R --parallel=8 --no-perms ${folder} inbox/mirrored`], { maxBuffer: outputBytesMax });
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  await work();
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`${what}: ${count / 2} files in ${seconds.toFixed(1)} s, ${(count / 2 / seconds).toFixed(0)} files/s; memory ${Math.round((await service.memoryBytes()) / 1e6)} MB`);
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
      assert.ok(performance.now() - startedAt < loadedWithinMs, `${rows[0]?.loaded} of ${rows[0]?.files} files are loaded, ${expected} were sent`);
      await wait(1000);
    }
    const { rows } = await database.query<{ count: number }>("select count(*)::int as count from transactions");
    assert.equal(rows[0]?.count, expected);
  } finally {
    await database.end();
  }
  return (performance.now() - startedAt) / 1000;
}
