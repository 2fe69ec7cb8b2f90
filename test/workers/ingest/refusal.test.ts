/**
 * A delivery that is damaged, not as its manifest says, or not signed as its partner must, is refused whole with its
 * reason.
 */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { rm } from "node:fs/promises";
import path from "node:path";
import test from "ava";
import { CompactSign } from "jose";
import { chunkRecordsMax } from "../../../config/limits.ts";
import { codeOf } from "../../../src/database/database.ts";
import { flipBit, replaceSegment, sealToken } from "../sealing.ts";
import {
  countsOf,
  gzipped,
  ledgerSize,
  lineFile,
  type LoadingWorld,
  openLoading,
  problemsOf,
  request,
  transaction,
  transactions,
} from "../world.ts";

/** More than one chunk, so that a loader that did not look ahead would have committed some. */
const manyRecords = JSON.stringify(transactions("u1", chunkRecordsMax + 1000));

const broken: [
  name: string,
  make: (world: LoadingWorld) => string | Buffer,
  format: "jwe" | "jsonl" | "jsonl.gz",
  code: string,
  reason: string,
][] = [
  ["a file that is no JWE", () => manyRecords, "jwe", "DECRYPTION_ERROR", "The file cannot be decrypted."],
  [
    "a flipped bit",
    (world) => replaceSegment(sealToken(world.key, manyRecords), 3, (text) => flipBit(text, 500_001)),
    "jwe",
    "DECRYPTION_ERROR",
    "The file cannot be decrypted.",
  ],
  [
    "a truncated file",
    (world) => sealToken(world.key, manyRecords).slice(0, -5000),
    "jwe",
    "DECRYPTION_ERROR",
    "The file cannot be decrypted.",
  ],
  [
    "an array that does not end",
    (world) => sealToken(world.key, manyRecords.slice(0, -1)),
    "jwe",
    "TX_DATA_ERROR",
    "The file's content is not a JSON array: the array does not end.",
  ],
  [
    "an array with something behind it",
    (world) => sealToken(world.key, `${manyRecords}[]`),
    "jwe",
    "TX_DATA_ERROR",
    "The file's content is not a JSON array: something stands outside the array.",
  ],
  [
    "an object",
    (world) => sealToken(world.key, `{"txs":${manyRecords}}`),
    "jwe",
    "TX_DATA_ERROR",
    "The file's content is not a JSON array: something stands outside the array.",
  ],
  [
    "nothing",
    (world) => sealToken(world.key, ""),
    "jwe",
    "TX_DATA_ERROR",
    "The file's content is not a JSON array: the array does not end.",
  ],
  [
    "a bomb behind good records",
    (world) => sealToken(world.key, `${manyRecords.slice(0, -1)},"${" ".repeat(512 * 1024 * 1024 - 10_000_000)}"]`),
    "jwe",
    "DECRYPTION_ERROR",
    "The file cannot be decrypted.",
  ],
  [
    "a wrong count in the manifest",
    () => lineFile([request([transaction("u1", "t1")])], true).replace('"batches":1', '"batches":2'),
    "jsonl",
    "MANIFEST_MISMATCH",
    "Batches that the manifest names: 2; lines that stand before it: 1.",
  ],
  [
    "a wrong digest in the manifest",
    () => lineFile([request([transaction("u1", "t1")])], true).replace("\n", " \n"),
    "jsonl",
    "MANIFEST_MISMATCH",
    "The manifest's SHA-256 is not that of the lines before it.",
  ],
  [
    "a truncated gzip file",
    () => gzipped(lineFile(Array.from({ length: 50 }, () => request(transactions("u1", 500))))).subarray(0, -100),
    "jsonl.gz",
    "FILE_DAMAGED",
    "The file is no whole gzip file.",
  ],
  [
    "a gzip file that is none",
    () => lineFile([request([transaction("u1", "t1")])]),
    "jsonl.gz",
    "FILE_DAMAGED",
    "The file is no whole gzip file.",
  ],
  [
    "a gzip bomb",
    () => gzipped("x".repeat(100_000_000)),
    "jsonl.gz",
    "FILE_DAMAGED",
    "The file decompresses to more than is allowed.",
  ],
];

const closers: (() => unknown)[] = [];
let shared: Promise<LoadingWorld> | undefined;
/** One world for all files that are refused whole, one after the other: none leaves anything in the ledger. */
const openShared = () => (shared ??= openLoading({ teardown: (close) => void closers.unshift(close) }));
test.after.always(async () => {
  for (const close of closers) await close();
});

for (const [name, make, format, code, reason] of broken) {
  test.serial(`refused whole: ${name}`, async (t) => {
    const world = await openShared();
    const delivery = await world.ingest(await world.deliverFile(format, make(world)));
    t.like(delivery, { state: "refused", refusalCode: code, refusalReason: reason });
    t.deepEqual(countsOf(delivery), {});
    t.is(await ledgerSize(world.database), 0);
    t.deepEqual(await problemsOf(world.database, delivery.id), []);
    t.like(await world.ingest(delivery.id), { state: "refused", attempts: 0 });
  });
}

test.serial("a manifest can be required", async (t) => {
  const world = await openLoading(t, { manifest: "required" });
  const lines = [request([transaction("u1", "t1")])];
  t.like(await world.ingest(await world.deliverFile("jsonl", lineFile(lines))), {
    state: "refused",
    refusalCode: "MANIFEST_MISMATCH",
  });
  t.like(await world.ingest(await world.deliverFile("jsonl", lineFile(lines, true))), {
    state: "loaded",
    recordsNew: 1,
  });
});

test.serial("a partner can take files whole or not at all", async (t) => {
  const world = await openLoading(t, { allOrNothing: true });
  const records = [...transactions("u1", chunkRecordsMax), transaction("nobody", "t"), 7];
  const refused = await world.load(records);
  t.like(refused, {
    state: "refused",
    refusalCode: "TX_DATA_ERROR",
    refusalReason: `2 of ${records.length} records cannot be loaded, and the partner's files are taken whole or not at all.`,
  });
  t.deepEqual(countsOf(refused), { batches: 1, batchesRefused: 1, records: records.length, refused: records.length });
  t.is((await problemsOf(world.database, refused.id)).length, 2);
  t.is(await ledgerSize(world.database), 0);
  t.deepEqual(countsOf(await world.load(records.slice(0, -2))), {
    batches: 1,
    records: chunkRecordsMax,
    new: chunkRecordsMax,
  });
  const lines = lineFile([request([transaction("u1", "x")]), "bad"]);
  t.like(await world.ingest(await world.deliverFile("jsonl", lines)), {
    state: "refused",
    records: 1,
    recordsRefused: 1,
    batches: 2,
    batchesRefused: 2,
  });
});

test.serial("a partner that must sign is refused what it did not sign", async (t) => {
  const world = await openLoading(t, { signedBatches: "required" });
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const foreignKey = generateKeyPairSync("rsa", { modulusLength: 2048 });
  await world.database.query(
    "insert into login_keys (partner_id, kid, algorithm, public_key_pem) values ($1, null, 'RS256', $2)",
    [world.partnerId, publicKey.export({ format: "pem", type: "spki" })],
  );
  const content = JSON.stringify([transaction("u1", "t1")]);
  const file = async (plaintext: string) =>
    world.ingest(await world.deliverFile("jwe", sealToken(world.key, plaintext, { header: { cty: "JWT" } })));
  for (const plaintext of [
    content,
    await sign(content, foreignKey.privateKey),
    (await sign(content, privateKey)).replace(".W3", ".W4"),
    "a.b.c",
    "",
  ]) {
    t.like(await file(plaintext), { state: "refused", refusalCode: "SIGNATURE_ERROR" });
  }
  t.like(await file(await sign(content, privateKey)), { state: "loaded", recordsNew: 1 });
  const line = JSON.stringify({
    reqId: crypto.randomUUID(),
    txs: sealToken(world.key, await sign(content, privateKey)),
  });
  t.like(await world.ingest(await world.deliverFile("jsonl", lineFile([line, request([transaction("u1", "t2")])]))), {
    state: "loaded",
    batches: 2,
    batchesRefused: 1,
    recordsKnown: 1,
  });
});

test.serial("a request that its door took is loaded whatever became of keys and rules since", async (t) => {
  const world = await openLoading(t);
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  await world.database.query(
    "insert into login_keys (partner_id, kid, algorithm, public_key_pem) values ($1, null, 'RS256', $2)",
    [world.partnerId, publicKey.export({ format: "pem", type: "spki" })],
  );
  const body = async (plaintext: string) =>
    JSON.stringify({ reqId: crypto.randomUUID(), txs: sealToken(world.key, plaintext) });
  const unsigned = await world.deliverRequest(await body(JSON.stringify([transaction("u1", "t1")])));
  await world.database.query('update partners set settings = \'{"signedBatches": "required"}\'');
  const signed = await world.deliverRequest(
    await body(await sign(JSON.stringify([transaction("u1", "t2")]), privateKey)),
  );
  await world.database.query("update login_keys set revoked_at = now() - interval '1 hour'");
  await world.database.query("update service_keys set retired_at = now() - interval '1 hour'");
  t.like(await world.ingest(unsigned), { state: "loaded", recordsNew: 1 });
  t.like(await world.ingest(signed), { state: "loaded", recordsNew: 1 });
});

test.serial("a file keeps the rule and the keys that held when it was accepted", async (t) => {
  const world = await openLoading(t);
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  await world.database.query(
    "insert into login_keys (partner_id, kid, algorithm, public_key_pem) values ($1, null, 'RS256', $2)",
    [world.partnerId, publicKey.export({ format: "pem", type: "spki" })],
  );
  const unsigned = await world.deliverFile("jwe", sealToken(world.key, JSON.stringify([transaction("u1", "t1")])));
  await world.database.query('update partners set settings = \'{"signedBatches": "required"}\'');
  const signed = await world.deliverFile(
    "jwe",
    sealToken(world.key, await sign(JSON.stringify([transaction("u1", "t2")]), privateKey)),
  );
  await world.database.query("update login_keys set revoked_at = now()");
  const late = await world.deliverFile(
    "jwe",
    sealToken(world.key, await sign(JSON.stringify([transaction("u1", "t3")]), privateKey)),
  );
  t.like(await world.ingest(unsigned), { state: "loaded", recordsNew: 1 });
  t.like(await world.ingest(signed), { state: "loaded", recordsNew: 1 });
  t.like(await world.ingest(late), { state: "refused", refusalCode: "SIGNATURE_ERROR" });
});

test.serial("bytes that are gone from the vault are a fault, not a refusal", async (t) => {
  const world = await openLoading(t);
  const id = await world.deliverFile("jwe", "x");
  await rm(path.join(world.settings.vaultDirectory, id));
  const error = await t.throwsAsync(world.ingest(id));
  t.is(error && codeOf(error), "VAULT_GONE");
});

async function sign(content: string, key: KeyObject): Promise<string> {
  return await new CompactSign(Buffer.from(content)).setProtectedHeader({ alg: "RS256" }).sign(key);
}
