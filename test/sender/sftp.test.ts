/** Records become one file with a manifest over SFTP, from a known host, and its receipt is waited for. */
import { generateKeyPairSync } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { compactDecrypt } from "jose";
import { type Credentials, readCredentials, readSftpCredentials } from "../../src/sender/credentials.ts";
import { sendDirectory, sendRecords } from "../../src/sender/send-records.ts";
import { waitForReceipt } from "../../src/sender/upload.ts";
import { createHash } from "node:crypto";
import { type DoorWorld, openDoorWorld } from "../landing/sftp/world.ts";
import { purchases } from "./records.ts";

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** A door, and the credentials folder of its partner; nothing answers over HTTPS. */
async function openWorld(t: ExecutionContext): Promise<{ world: DoorWorld; credentials: Credentials }> {
  const world = await openDoorWorld(t);
  const folder = path.join(world.folder, "credentials");
  await mkdir(folder);
  const partner = {
    partnerId: "demo",
    baseUrl: "https://127.0.0.1:1",
    sftpHost: "127.0.0.1",
    sftpPort: world.door.port,
    sftpUser: "demo",
  };
  await writeFile(path.join(folder, "partner.json"), JSON.stringify(partner));
  await writeFile(
    path.join(folder, "jwe-public.jwk.json"),
    JSON.stringify({ ...publicKey.export({ format: "jwk" }), kid: "key-1" }),
  );
  await writeFile(path.join(folder, "sftp_key"), world.key.privateKey);
  await writeFile(path.join(folder, "known_hosts"), world.knownHosts);
  return { world, credentials: await readCredentials(folder) };
}

const open = async (token: string): Promise<unknown> =>
  JSON.parse(
    new TextDecoder().decode(
      (await compactDecrypt(token, privateKey, { maxDecompressedLength: 10_000_000 })).plaintext,
    ),
  );

test.serial("records become one .jsonl file with a manifest, delivered once under its final name", async (t) => {
  const { world, credentials } = await openWorld(t);
  const summary = await sendRecords({
    records: purchases(1000),
    credentials,
    via: "sftp",
    name: "nightly run",
    complete: false,
  });
  t.is(world.deliveries.length, 1);
  t.regex(world.deliveries[0]?.name ?? "", /^nightly-run-\d{8}T\d{6}Z-[0-9a-f]{6}\.jsonl$/);
  t.is(summary.file?.name, world.deliveries[0]?.name);
  t.is(summary.recordsSent, 1000);
  const text = (await world.vaulted(0)).toString();
  const [first = "", second = "", manifest = ""] = text.split("\n");
  const batches = [first, second].map((line) => JSON.parse(line) as { reqId: string; txs: string });
  t.deepEqual(
    [...((await open(batches[0]?.txs ?? "")) as object[]), ...((await open(batches[1]?.txs ?? "")) as object[])],
    purchases(1000),
  );
  const sha256 = createHash("sha256").update(`${first}\n${second}\n`).digest("hex");
  t.deepEqual(JSON.parse(manifest), { manifest: { batches: 2, sha256 } });
  t.deepEqual(await readdir(sendDirectory(credentials)), []);
});

test.serial("as .jwe they become one encrypted array", async (t) => {
  const { world, credentials } = await openWorld(t);
  await sendRecords({ records: purchases(1600), credentials, via: "sftp", format: "jwe", complete: false });
  t.true(world.deliveries[0]?.name.endsWith(".jwe"));
  t.deepEqual(await open((await world.vaulted(0)).toString()), purchases(1600));
});

test.serial("nothing to send delivers no file", async (t) => {
  const { world, credentials } = await openWorld(t);
  const summary = await sendRecords({ records: [], credentials, via: "sftp", complete: true });
  t.is(summary.file, null);
  t.deepEqual(world.deliveries, []);
});

test.serial("an unknown host key is refused before anything is sent", async (t) => {
  const { world, credentials } = await openWorld(t);
  await writeFile(path.join(credentials.directory, "known_hosts"), world.knownHosts.replaceAll("AAAA", "AAAB"));
  await t.throwsAsync(sendRecords({ records: purchases(1), credentials, via: "sftp", complete: false }), {
    code: "HOST_KEY_UNKNOWN",
  });
});

test.serial("a refused login is a fault", async (t) => {
  const { world, credentials } = await openWorld(t);
  await writeFile(path.join(credentials.directory, "sftp_key"), world.otherKey.privateKey);
  await t.throwsAsync(sendRecords({ records: purchases(1), credentials, via: "sftp", complete: false }), {
    code: "SERVICE_REFUSED",
  });
});

test.serial("missing parts of the folder are named", async (t) => {
  const { credentials } = await openWorld(t);
  await t.throwsAsync(readSftpCredentials({ ...credentials, directory: "/nowhere" }), {
    code: "CREDENTIALS_INVALID",
    message: /sftp_key and known_hosts/,
  });
  await t.throwsAsync(readCredentials("/nowhere"), {
    code: "CREDENTIALS_INVALID",
    message: /no partner\.json in \/nowhere/,
  });
});

test.serial("the receipt is waited for until the file's life is over", async (t) => {
  const { world, credentials } = await openWorld(t);
  const sftp = await readSftpCredentials(credentials);
  const receipts = path.join(world.landing, "demo", "receipts");
  await mkdir(receipts, { recursive: true });
  const counts = { records: 2, new: 1, known: 1, conflicting: 0, refused: 0, waiting: 0, markers: 0 };
  await writeFile(path.join(receipts, "f.jsonl.receipt.json"), JSON.stringify({ state: "loaded", counts, more: true }));
  const receipt = await waitForReceipt(sftp, "f.jsonl");
  t.like(receipt, { state: "loaded", counts });
  t.like(JSON.parse(await readFile(path.join(receipts, "f.jsonl.receipt.json"), "utf8")), { more: true });
});
