/**
 * The floor of a push, in a thread of its own: the RSA-OAEP private operation, inflating, JSON.parse and one insert
 * that is durable when it returns. Nothing else: no TLS, no HTTP, no tag, no check, no message between threads.
 */
import { constants, createPrivateKey, privateDecrypt } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { inflateRawSync } from "node:zlib";
import pg from "pg";

type FloorSettings = {
  databaseUrl: string;
  privatePem: string;
  encryptedKey: Uint8Array;
  deflated: Uint8Array;
  body: Uint8Array;
  loops: number;
};

const settings = workerData as FloorSettings;
const key = createPrivateKey(settings.privatePem);
const pool = new pg.Pool({ connectionString: settings.databaseUrl, max: settings.loops });
let records = 0;

parentPort?.on("message", async (requests: number) => {
  let left = requests;
  const loop = async () => {
    while (left > 0) {
      left -= 1;
      await takeOne();
    }
  };
  await Promise.all(Array.from({ length: settings.loops }, loop));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  parentPort?.postMessage(records);
});

async function takeOne(): Promise<void> {
  privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha1" }, settings.encryptedKey);
  records += (JSON.parse(inflateRawSync(settings.deflated).toString()) as unknown[]).length;
  await pool.query({ name: "keep", text: "insert into floor (body) values ($1)", values: [settings.body] });
}
