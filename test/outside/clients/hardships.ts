/**
 * What goes wrong between clients and a landing zone, tried with each client: a name that someone else writes, a quota
 * that is met, very many files, a very large one.
 */
import { createHash, randomFillSync } from "node:crypto";
import { mkdir, open, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import ssh2, { type SFTPWrapper } from "ssh2";
import type { Receipt } from "../../../src/landing/receipt.ts";
import type { Partner } from "../partner.ts";
import type { SftpClient } from "./sftp-clients.ts";

const mebibyte = 1024 * 1024;
const largeSizeBytes = 1024 * mebibyte;
/** What the partner `small` may have undelivered, and what is sent to it. */
export const smallQuota = "1MiB";
const tooLargeSizeBytes = 3 * mebibyte;

/**
 * Another session has the name open: the client must be refused, and what the other one writes arrives whole.
 * Afterwards the name is free for the client.
 * @param theirs what the other session writes @param loaded throws unless the file of that name and content is loaded
 */
export async function twoWriters(
  client: SftpClient,
  partner: Partner,
  name: string,
  theirs: string,
  loaded: (content: string | Buffer) => Promise<void>,
): Promise<void> {
  const local = path.join(partner.folder, name);
  const held = await holdOpen(partner, `/inbox/${name}`);
  try {
    await mustFail(() => client.put(partner, local, `inbox/${name}`), "a file that another session writes was taken");
    await held.write(Buffer.from(theirs));
  } finally {
    await held.end();
  }
  await loaded(theirs);
  await client.put(partner, local, `inbox/${name}`);
  await loaded(await readFile(local));
}

/** A file beyond the quota must fail, one within it must not; what was broken off is removed as an operator would. */
export async function meetQuota(client: SftpClient, partner: Partner, local: string, name: string): Promise<void> {
  const tooLarge = path.join(partner.folder, `${name}.large`);
  await writeFile(tooLarge, randomFillSync(Buffer.allocUnsafe(tooLargeSizeBytes)));
  await mustFail(() => client.put(partner, tooLarge, `inbox/${name}.jwe`), "a file beyond the quota was taken");
  await removeBrokenOff(partner);
  await client.put(partner, local, `inbox/${name}`);
}

async function mustFail(work: () => Promise<unknown>, otherwise: string): Promise<void> {
  const failed = await work().then(
    () => false,
    () => true,
  );
  if (!failed) throw new Error(otherwise);
}

type Held = { write(content: Buffer): Promise<void>; end(): Promise<void> };

async function holdOpen(partner: Partner, remote: string): Promise<Held> {
  const { ssh, sftp } = await connect(partner);
  const handle = await call<Buffer>((done) => sftp.open(remote, "w", done));
  return {
    write: async (content) => await call<void>((done) => sftp.write(handle, content, 0, content.length, 0, done)),
    async end() {
      await call<void>((done) => sftp.close(handle, done)).finally(() => ssh.end());
    },
  };
}

/** What a client leaves behind that was refused in the middle. */
async function removeBrokenOff(partner: Partner): Promise<void> {
  const { ssh, sftp } = await connect(partner);
  try {
    const entries = await call<{ filename: string; attrs: { mode: number } }[]>((done) => sftp.readdir("/inbox", done));
    const writable = entries.filter(({ attrs }) => (attrs.mode & 0o200) !== 0);
    for (const { filename } of writable) await call<void>((done) => sftp.unlink(`/inbox/${filename}`, done));
  } finally {
    ssh.end();
  }
}

async function connect(partner: Partner): Promise<{ ssh: ssh2.Client; sftp: SFTPWrapper }> {
  const ssh = new ssh2.Client();
  const privateKey = await readFile(path.join(partner.folder, "sftp_key"), "utf8");
  await new Promise<void>((resolve, reject) => {
    ssh.once("ready", resolve);
    ssh.on("error", reject);
    ssh.connect({ host: "127.0.0.1", port: partner.sftpPort, username: partner.id, privateKey });
  });
  return { ssh, sftp: await call<SFTPWrapper>((done) => ssh.sftp(done)) };
}

async function call<Result>(
  start: (done: (error: Error | null | undefined, result: Result) => void) => unknown,
): Promise<Result> {
  return await new Promise((resolve, reject) => {
    start((error, result) => (error ? reject(error) : resolve(result)));
  });
}

/**
 * A gibibyte of noise, as encrypted bytes look: refused as no JWE, but every byte must have arrived, and comes back.
 */
export async function largeFile(client: SftpClient, partner: Partner, name: string, withinMs: number): Promise<void> {
  const local = path.join(partner.folder, name);
  const sha256 = await makeNoise(local);
  await client.put(partner, local, `inbox/${name}`);
  const receiptFile = `${local}.receipt.json`;
  const deadline = performance.now() + withinMs;
  let receipt: Receipt | null = null;
  while (receipt === null && performance.now() < deadline) {
    await client.get(partner, `receipts/${name}.receipt.json`, receiptFile).catch(() => wait(500));
    receipt = await readFile(receiptFile, "utf8").then(
      (text) => JSON.parse(text) as Receipt,
      () => null,
    );
  }
  if (receipt?.sha256 !== sha256 || receipt.sizeBytes !== largeSizeBytes)
    throw new Error(`the receipt tells of other bytes: ${receipt?.sizeBytes}`);
  await client.get(partner, `inbox/${name}`, `${local}.back`);
  if ((await digestOf(`${local}.back`)) !== sha256) throw new Error("what came back differs");
}

async function makeNoise(local: string): Promise<string> {
  const hash = createHash("sha256");
  const file = await open(local, "w");
  const block = Buffer.allocUnsafe(mebibyte);
  for (let written = 0; written < largeSizeBytes; written += block.length) {
    hash.update(randomFillSync(block));
    await file.write(block);
  }
  await file.close();
  return hash.digest("hex");
}

async function digestOf(local: string): Promise<string> {
  const hash = createHash("sha256");
  const file = await open(local);
  for await (const chunk of file.createReadStream()) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

/** A folder of files of one line each. @returns their names */
export async function makeMany(
  folder: string,
  count: number,
  line: (name: string) => Promise<string>,
): Promise<string[]> {
  await mkdir(folder);
  const names = Array.from({ length: count }, (_, index) => `${path.basename(folder)}-${index}.jsonl`);
  for (const name of names) await writeFile(path.join(folder, name), await line(name));
  return names;
}
