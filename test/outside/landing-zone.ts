/**
 * The landing zone as its operator runs it, with OpenSSH's client and the operator's commands against a running
 * Tideline: node test/outside/landing-zone.ts
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { openSealers } from "./sealing/foreign-jose.ts";
import { brandIn, requestIdFor } from "./labelled-set.ts";
import { openSshSftp } from "./clients/open-ssh.ts";
import { onboardPartner, type Partner } from "./partner.ts";
import { prepareService } from "./service.ts";

const run = promisify(execFile);
const service = await prepareService("landing-zone", ["--no-demo"]);
/** The scheduler looks each half minute, the door at host keys each two seconds. */
const [expectedWithinMs, hostKeysWithinMs] = [45_000, 10_000];

try {
  await service.start();
  const partner = await onboardPartner(service, "outside-bank", { ...brandIn("DK"), currency: "DKK" });
  await expectYesterday();
  await checkQuota(partner);
  await checkDefence(partner);
  await checkNetworks(partner);
  await checkHostKeys(partner);
  await checkMissing();
  await checkRetention();
  await checkKeys(partner);
  await checkAudit();
  await checkFullDisk(partner);
  console.log("landing zone: all as it should be");
} finally {
  await service.remove();
}

async function checkQuota(partner: Partner): Promise<void> {
  await service.tideline("partner", "set", partner.id, "quota.inboxBytes=1MB");
  await writeFile(path.join(partner.folder, "large.jwe"), "");
  await truncate(path.join(partner.folder, "large.jwe"), 2_000_000);
  await writeFile(path.join(partner.folder, "small.jwe"), "small");
  await assert.rejects(openSshSftp(partner, ["put large.jwe inbox/large.jwe"]), "an upload beyond the quota fails");
  await openSshSftp(partner, ["rm inbox/large.jwe", "put small.jwe inbox/small.jwe"]);
  await service.tideline("partner", "set", partner.id, "quota.inboxBytes=");
  console.log("quota: 2 MB refused at 1 MB, a small file delivered after it");
}

async function checkDefence(partner: Partner): Promise<void> {
  await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", path.join(partner.folder, "wrong_key")]);
  const guess = () =>
    openSshSftp(partner, ["pwd"], ["-i", path.join(partner.folder, "wrong_key"), "-o", "User=admin"]).catch(
      () => undefined,
    );
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: 12 }, guess));
  const guessedMs = performance.now() - startedAt;
  await openSshSftp(partner, ["pwd"]);
  console.log(
    `defence: 12 wrong logins took ${(guessedMs / 1000).toFixed(1)} s, the good key behind the same address then ${((performance.now() - startedAt - guessedMs) / 1000).toFixed(1)} s`,
  );
}

async function checkNetworks(partner: Partner): Promise<void> {
  await service.tideline("partner", "allow-ip", partner.id, "192.0.2.0/24", "--door", "sftp");
  await assert.rejects(openSshSftp(partner, ["pwd"]), "from elsewhere nobody logs in");
  await service.tideline("partner", "allow-ip", partner.id, "127.0.0.0/8", "--door", "sftp");
  await openSshSftp(partner, ["pwd"]);
  console.log("networks: refused from outside the list, taken from within");
}

async function checkHostKeys(partner: Partner): Promise<void> {
  const update = ["-o", "UpdateHostKeys=yes"];
  const known = async () =>
    (await readFile(path.join(partner.folder, "known_hosts"), "utf8")).trim().split("\n").length;
  const learns = async (keys: number) => {
    const deadline = performance.now() + hostKeysWithinMs;
    while (performance.now() < deadline) {
      await openSshSftp(partner, ["pwd"], update);
      if ((await known()) === keys) return;
      await wait(500);
    }
    assert.fail(`known_hosts holds ${await known()} keys, not ${keys}`);
  };
  await service.tideline("host-keys", "prepare");
  await learns(4);
  await service.tideline("host-keys", "promote");
  await wait(3000);
  await openSshSftp(partner, ["pwd"], update);
  await service.tideline("host-keys", "retire");
  await learns(2);
  console.log("host keys: prepared, learned by OpenSSH, promoted, retired, without a question");
}

async function expectYesterday(): Promise<void> {
  const since = new Date(Date.now() - 2 * 86_400_000).toISOString();
  const nightly = {
    name: "nightly",
    pattern: "tx-{YYYY}{MM}{DD}.jwe",
    cutoff: "00:00",
    timeZone: "UTC",
    days: "daily",
    graceMinutes: 0,
    since,
  };
  await service.tideline("partner", "set", "outside-bank", `expectedFiles=${JSON.stringify([nightly])}`);
}

async function checkMissing(): Promise<void> {
  const deadline = performance.now() + expectedWithinMs;
  while (performance.now() < deadline) {
    const { missingFiles } = JSON.parse(await service.tideline("status", "--json")) as {
      missingFiles: { name: string; dueDay: string }[];
    };
    if (missingFiles.length > 0)
      return void console.log(
        `expected files: ${missingFiles.length} missing, the first of ${missingFiles[0]?.dueDay}`,
      );
    await wait(1000);
  }
  assert.fail("the missing file is not in the status");
}

async function checkRetention(): Promise<void> {
  const removal = JSON.parse(await service.tideline("retention", "run", "--dry-run", "--json")) as {
    partners: { deliveries: number }[];
    orphans: { files: number };
  };
  assert.deepEqual(
    [removal.partners[0]?.deliveries, removal.orphans.files],
    [0, 0],
    "nothing of today is past its age",
  );
}

async function checkKeys(partner: Partner): Promise<void> {
  const { sftpKeys } = JSON.parse(await service.tideline("partner", "show", partner.id, "--json")) as {
    sftpKeys: { fingerprint: string }[];
  };
  await service.tideline("partner", "sftp-key", "remove", partner.id, sftpKeys[0]?.fingerprint ?? "");
  await assert.rejects(openSshSftp(partner, ["pwd"]), "a removed key does not log in");
  await service.tideline("partner", "sftp-key", "add", partner.id, path.join(partner.folder, "sftp_key.pub"));
  await openSshSftp(partner, ["pwd"]);
  console.log("keys: removed and refused, added and taken");
}

async function checkAudit(): Promise<void> {
  const found = JSON.parse(await service.tideline("audit", "--since", "1h", "--limit", "1000", "--json")) as {
    event: string;
  }[];
  const events = new Set(found.map((one) => one.event));
  for (const event of [
    "sftp.login-accepted",
    "sftp.login-refused",
    "sftp.quota-refused",
    "sftp.file-removed",
    "sftp.file-uploaded",
    "sftp.file-delivered",
    "sftp.session-ended",
    "partner.settings-changed",
    "partner.network-allowed",
    "partner.sftp-key-removed",
    "host-keys.prepared",
    "host-keys.promoted",
    "host-keys.retired",
  ])
    assert.ok(events.has(event), `${event} is in the audit trail`);
  console.log(`audit trail: ${found.length} events of ${events.size} kinds`);
}

/** With a floor above every disk. */
async function checkFullDisk(partner: Partner): Promise<void> {
  await partner.call("POST", "/users", {
    body: { bankUserId: "anna", brand: partner.brand.id, locale: partner.brand.locale },
  });
  const [sealer, ...others] = await openSealers(await partner.batchKey());
  assert.ok(sealer);
  await service.stop();
  process.env.TIDELINE_DISK_FREE_BYTES_MIN = "1000000000000000";
  await service.start();
  await assert.rejects(openSshSftp(partner, ["put small.jwe inbox/other.jwe"]), "no file is taken");
  await openSshSftp(partner, ["ls receipts"]);
  const plaintext = JSON.stringify([{ uid: "anna", type: "IMPORT_COMPLETED" }]);
  const answer = await partner.call("POST", "/transactions", {
    body: { reqId: requestIdFor(plaintext), txs: await sealer.seal(plaintext) },
  });
  assert.deepEqual([answer.status, answer.headers["retry-after"]], [503, "60"], "no batch is taken");
  for (const one of [sealer, ...others]) one.close();
  await service.stop();
  console.log("full disk: files and batches refused, reading goes on");
}
