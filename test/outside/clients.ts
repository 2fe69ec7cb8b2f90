/**
 * SFTP clients against a running Tideline: node test/outside/clients.ts [--large] [--many COUNT] [--client NAME] Each
 * uploads one small .jsonl, a second one under a temporary name that it renames, goes on with a third that was broken
 * off, lists the inbox, fetches the receipts until they say loaded, and is refused with a wrong key, outside inbox/,
 * beyond its quota, and under a name that another session is writing; rclone's own check finds no difference. --large
 * adds a file of 1 GiB there and back,
 * --many a folder of so many small files, all of which must be loaded. Prints a table; exit code 1 when one fails.
 * Clients that are missing are listed as such, and so is what a client cannot do: scp neither renames, lists nor goes
 * on, rclone goes on with no upload.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import pg from "pg";
import type { Receipt } from "../../src/landing/receipt.ts";
import { type ForeignSealer, openSealers } from "./sealing/foreign-jose.ts";
import { brandIn, requestIdFor } from "./labelled-set.ts";
import { largeFile, makeMany, meetQuota, smallQuota, twoWriters } from "./clients/hardships.ts";
import { addsUp, openSshSftp } from "./clients/open-ssh.ts";
import { onboardPartner, type Partner } from "./partner.ts";
import { prepareService } from "./service.ts";
import { type SftpClient, sftpClients } from "./clients/sftp-clients.ts";

const { values } = parseArgs({
  options: { large: { type: "boolean", default: false }, many: { type: "string" }, client: { type: "string" } },
});
const many = Number(values.many ?? 0);
const alwaysTried = [
  "upload",
  "rename",
  "resume",
  "list",
  "receipt",
  "wrong key",
  "elsewhere",
  "two at once",
  "quota",
  "check",
] as const;
type Operation = (typeof alwaysTried)[number] | "1 GiB" | "many";
const operations: readonly Operation[] = [
  ...alwaysTried,
  ...(values.large ? (["1 GiB"] as const) : []),
  ...(many > 0 ? (["many"] as const) : []),
];
/** "ok", "-" where the client has no such operation, or what went wrong. */
type Results = Partial<Record<Operation, string>>;

const bankUserId = "customer-1";
/** A receipt follows a small file within a second; a busy machine takes longer. */
const receiptWithinMs = 30_000;
const settingWithinMs = 20_000;
/** Small files are loaded at tens a second on a busy machine. */
const loadedWithinMs = 900_000;
const checkedFiles = 20;
const errorLengthMax = 300;

const service = await prepareService("clients", ["--no-demo"]);
try {
  await service.start();
  const partner = await onboardPartner(service, "outside-bank", { ...brandIn("DK"), currency: "DKK" });
  await partner.call("POST", "/users", { body: { bankUserId, brand: partner.brand.id, locale: partner.brand.locale } });
  const [sealer, ...others] = await openSealers(await partner.batchKey());
  if (!sealer) throw new Error("there is no sealer");
  const unknownPartner = await unknownPartnerTo(partner);
  const small = await onboardPartner(service, "small-bank", { ...brandIn("DK"), currency: "DKK" });
  await service.tideline("partner", "set", small.id, `quota.inboxBytes=${smallQuota}`);
  let failed = false;
  printRow("client", "version", operations);
  for (const client of sftpClients.filter(({ name }) => values.client === undefined || name === values.client)) {
    const version = await client.version();
    if (version === null) {
      printRow(client.name, "-", ["not installed"]);
      continue;
    }
    if (client.needsLegacyMacs?.(version)) for (const one of [partner, small]) await allowLegacyMacs(client, one);
    const results = {
      ...(await tryClient(client, partner, unknownPartner, sealer)),
      ...(await tryHardships(client, partner, small, sealer)),
    };
    printRow(
      client.name,
      version,
      operations.map((operation) => results[operation] ?? "not tried"),
    );
    failed ||= operations.some((operation) => !["ok", "-"].includes(results[operation] ?? ""));
  }
  console.log("-: the client cannot do it (scp neither renames, lists nor resumes; rclone resumes no upload)");
  for (const one of [sealer, ...others]) one.close();
  await service.stop();
  process.exitCode = failed ? 1 : 0;
} finally {
  await service.remove();
}

/** The partner as someone who does not have its key. */
async function unknownPartnerTo(partner: Partner): Promise<Partner> {
  const folder = path.join(partner.folder, "unknownPartner");
  await mkdir(folder);
  await copyFile(path.join(partner.folder, "known_hosts"), path.join(folder, "known_hosts"));
  await promisify(execFile)("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", path.join(folder, "sftp_key")]);
  return { ...partner, folder };
}

/**
 * First shows that the client does not come in without the switch. A changed setting is in force within ten seconds.
 */
async function allowLegacyMacs(client: SftpClient, partner: Partner): Promise<void> {
  const login = async () => await client.list?.(partner, "inbox");
  if ((await outcome(login)) === "ok") throw new Error(`${client.name} needs no switch for old MACs`);
  await service.tideline("partner", "allow-ip", partner.id, "127.0.0.0/8", "--door", "sftp");
  await service.tideline("partner", "set", partner.id, "sftp.legacyMacs=true");
  const deadline = performance.now() + settingWithinMs;
  while ((await outcome(login)) !== "ok" && performance.now() < deadline) await wait(500);
}

async function tryClient(
  client: SftpClient,
  partner: Partner,
  unknownPartner: Partner,
  sealer: ForeignSealer,
): Promise<Results> {
  const slug = slugOf(client);
  const [plain, renamed, resumed] = [`${slug}.jsonl`, `${slug}-renamed.jsonl`, `${slug}-resumed.jsonl`];
  const local = (name: string) => path.join(partner.folder, name);
  for (const name of [plain, renamed, resumed]) await writeFile(local(name), await makeLine(sealer, name));
  const { put, rename, resume, list } = client;
  const sent = [plain, ...(rename ? [renamed] : []), ...(resume ? [resumed] : [])];
  const skipped = async () => "-";
  return {
    upload: await outcome(async () => await put(partner, local(plain), `inbox/${plain}`)),
    rename: rename
      ? await outcome(async () => {
          await put(partner, local(renamed), `inbox/${renamed}.tmp`);
          await rename(partner, `inbox/${renamed}.tmp`, `inbox/${renamed}`);
        })
      : await skipped(),
    resume: resume
      ? await outcome(async () => {
          await breakOff(partner, local(resumed), resumed);
          await resume(partner, local(resumed), `inbox/${resumed}`);
        })
      : await skipped(),
    list: list
      ? await outcome(async () => {
          const listed = await list(partner, "inbox");
          for (const name of sent) if (!listed.includes(name)) throw new Error(`${name} is not in the list`);
        })
      : await skipped(),
    receipt: await outcome(async () => {
      for (const name of sent) await awaitReceipt(client, partner, name, await readFile(local(name)));
    }),
    "wrong key": await refusal(async () => await put(unknownPartner, local(plain), "inbox/unknownPartner.jsonl")),
    elsewhere: await refusal(async () => await put(partner, local(plain), "receipts/forged.jsonl")),
  };
}

async function tryHardships(
  client: SftpClient,
  partner: Partner,
  small: Partner,
  sealer: ForeignSealer,
): Promise<Results> {
  const slug = slugOf(client);
  const [contested, within] = [`${slug}-contested.jsonl`, `${slug}-within.jsonl`];
  const local = (name: string) => path.join(partner.folder, name);
  for (const name of [contested, within]) await writeFile(local(name), await makeLine(sealer, name));
  const { check } = client;
  return {
    "two at once": await outcome(async () => {
      const theirs = await makeLine(sealer, `${contested} of another session`);
      await twoWriters(client, partner, contested, theirs, (content) =>
        awaitReceipt(client, partner, contested, content),
      );
    }),
    quota: await outcome(async () => await meetQuota(client, small, local(within), within)),
    check: check
      ? await outcome(async () => {
          await putMany(client, partner, sealer, `${slug}-checked`, checkedFiles);
          await check(partner, local(`${slug}-checked`), `inbox/${slug}-checked`);
        })
      : "-",
    ...(values.large
      ? { "1 GiB": await outcome(async () => await largeFile(client, partner, `${slug}-large.jwe`, receiptWithinMs)) }
      : {}),
    ...(many > 0
      ? { many: await outcome(async () => await putMany(client, partner, sealer, `${slug}-many`, many)) }
      : {}),
  };
}

/** Uploads a folder of small files, and waits until every one is loaded. */
async function putMany(
  client: SftpClient,
  partner: Partner,
  sealer: ForeignSealer,
  name: string,
  count: number,
): Promise<void> {
  const folder = path.join(partner.folder, name);
  await makeMany(folder, count, (file) => makeLine(sealer, file));
  await openSshSftp(partner, [`mkdir inbox/${name}`]);
  await client.putFolder(partner, folder, `inbox/${name}`);
  await untilLoaded(`${name}/`, count);
}

async function untilLoaded(prefix: string, count: number): Promise<void> {
  const database = new pg.Client({ connectionString: await service.databaseUrl() });
  await database.connect();
  try {
    const deadline = performance.now() + loadedWithinMs;
    for (;;) {
      const { rows } = await database.query<{ loaded: number }>(
        "select count(*)::int as loaded from deliveries where starts_with(name, $1) and state = 'loaded'",
        [prefix],
      );
      if (rows[0]?.loaded === count) return;
      if (performance.now() > deadline) throw new Error(`${rows[0]?.loaded} of ${count} files are loaded`);
      await wait(200);
    }
  } finally {
    await database.end();
  }
}

function slugOf({ name }: SftpClient): string {
  return name.replaceAll(/\W+/g, "-").toLowerCase();
}

/** Half of a file under its final name, as a connection that broke leaves it. */
async function breakOff(partner: Partner, local: string, name: string): Promise<void> {
  const content = await readFile(local);
  const landed = path.join(service.dataDir, "landing", partner.id, "inbox", name);
  await writeFile(landed, content.subarray(0, content.length / 2), { mode: 0o600 });
}

async function makeLine(sealer: ForeignSealer, name: string): Promise<string> {
  const tx = {
    txid: name,
    description: "Coffee",
    txTime: "2026-01-15",
    type: "CARD_PURCHASE",
    amount: -32.5,
    currency: "DKK",
  };
  const plaintext = JSON.stringify([{ uid: bankUserId, type: "TX", tx }]);
  return `${JSON.stringify({ reqId: requestIdFor(plaintext), txs: await sealer.seal(plaintext) })}\n`;
}

/** Until the file of that content is loaded: an earlier one of its name has its receipt there before. */
async function awaitReceipt(
  client: SftpClient,
  partner: Partner,
  name: string,
  content: string | Buffer,
): Promise<void> {
  const local = path.join(partner.folder, `${name}.receipt.json`);
  const sha256 = createHash("sha256").update(content).digest("hex");
  const deadline = performance.now() + receiptWithinMs;
  let state = "nothing of it";
  while (performance.now() < deadline) {
    await client.get(partner, `receipts/${name}.receipt.json`, local);
    const receipt = JSON.parse(await readFile(local, "utf8")) as Receipt;
    if (receipt.sha256 === sha256) state = receipt.state;
    if (state === "loaded" && addsUp(receipt) && receipt.counts.new === 1) return;
    if (state === "loaded" || state === "refused")
      throw new Error(`the receipt of ${name} says ${state}: ${JSON.stringify(receipt.counts)}`);
    await wait(200);
  }
  throw new Error(`the receipt of ${name} still says ${state}`);
}

async function outcome(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return "ok";
  } catch (error) {
    const { message, stderr } = error as Error & { stderr?: string };
    return `FAILED: ${(stderr || message).trim().replaceAll(/\s+/g, " ").slice(-errorLengthMax)}`;
  }
}

async function refusal(work: () => Promise<unknown>): Promise<string> {
  return (await outcome(work)) === "ok" ? "FAILED: it was not refused" : "ok";
}

function printRow(name: string, version: string, cells: readonly string[]): void {
  console.log([name.padEnd(17), version.padEnd(16), ...cells.map((cell) => cell.padEnd(10))].join(" ").trimEnd());
}
