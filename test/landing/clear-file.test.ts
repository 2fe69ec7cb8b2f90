/**
 * A file in the clear, whole or in part, is refused and its text stays nowhere, unless its partner may send tables so.
 */
import { randomBytes } from "node:crypto";
import { readFile, readdir, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import test from "ava";
import { acceptFile } from "../../src/landing/accept.ts";
import { findDelivery } from "../../src/deliveries/deliveries.ts";
import { findBatchKey } from "../../src/partners/keys/batch-keys.ts";
import { collect } from "../workers/collecting.ts";
import { SealedFile } from "../../workers/jwe/sealed-file.ts";
import { giveBatchKeys } from "../batch-keys.ts";
import { openLanding, landed, digest } from "./world.ts";

test("an empty file and an unknown format are refused by receipt and kept out of the vault, and what may be text stays nowhere", async (t) => {
  const { landing, queued, folder, receipt } = await openLanding(t);
  await acceptFile(landing, await landed(folder, "empty.jsonl", ""));
  const notes = await landed(folder, "notes.txt", "in the clear");
  await acceptFile(landing, notes);
  t.is(await readFile(notes.path, "latin1"), "\0".repeat(12));
  t.deepEqual(queued, []);
  t.is((await receipt("empty.jsonl.receipt.json")).refusal?.code, "FILE_EMPTY");
  t.is((await receipt("notes.txt.receipt.json")).refusal?.code, "FILE_FORMAT_UNKNOWN");
  t.deepEqual(await readdir(landing.vault.directory), []);
});

test("a table in the clear is refused unless the partner may, and its text stays nowhere", async (t) => {
  const { landing, queued, folder, receipt } = await openLanding(t);
  const file = await landed(folder, "accounts_1.csv", "secret text");
  t.false((await acceptFile(landing, file)).accepted);
  t.is((await receipt("accounts_1.csv.receipt.json")).refusal?.code, "FILE_UNENCRYPTED");
  t.deepEqual(queued, []);
  t.deepEqual(await readdir(landing.vault.directory), []);
  t.is(await readFile(file.path, "latin1"), "\0".repeat(11));
});

test("a table in the clear of a partner that may is sealed into the vault, and leaves a hole of its size, time and name", async (t) => {
  const { landing, queued, partnerId, folder } = await openLanding(t);
  const keyEncryptionKey = randomBytes(32);
  await giveBatchKeys(landing.database, keyEncryptionKey, partnerId);
  await landing.database.query('update partners set settings = \'{"csv": {"unencrypted": true}}\'');
  const file = await landed(folder, "accounts_1.csv", "secret text");
  const modified = new Date("2026-01-31T10:00:00Z");
  await utimes(file.path, modified, modified);
  const { deliveryId, accepted } = await acceptFile(landing, file);
  t.true(accepted);
  t.deepEqual(queued, [deliveryId]);
  const hole = await stat(file.path);
  t.deepEqual([hole.size, hole.mtimeMs, hole.mode & 0o777], [11, modified.getTime(), 0o440]);
  t.is(await readFile(file.path, "latin1"), "\0".repeat(11));
  const delivery = await findDelivery(landing.database, deliveryId);
  const kept = path.join(landing.vault.directory, delivery?.vaultReference ?? "");
  t.false((await readFile(kept, "latin1")).includes("secret"));
  const sealed = await SealedFile.open(kept, (kid) =>
    findBatchKey(landing.database, keyEncryptionKey, partnerId, kid, new Date()),
  );
  await sealed.verify();
  t.is((await collect(sealed.plaintext())).toString(), "secret text");
  t.like(delivery, { sizeBytes: 11, sha256: digest("secret text") });
  const again = await landed(folder, "accounts_2.csv", "secret text");
  t.false((await acceptFile(landing, again)).accepted);
  t.is(await readFile(again.path, "latin1"), "\0".repeat(11));
});

const record = '{"uid":"anna","type":"IMPORT_COMPLETED"}';

const forgotten: Record<string, string | Buffer> = {
  "day.jwe": `[${record}]`,
  "indented.jwe": `\n[\n  ${record}\n]`,
  "day.jsonl": `${record}\n${record}\n`,
  "array.jsonl": `\ufeff[${record}]`,
  "day.jsonl.gz": gzipSync(`${record}\n`),
  "accounts_1.csv.pgp": '"bank_id";"user_id"',
  "accounts_1.csv.gz.pgp": gzipSync('"bank_id";"user_id"'),
  "accounts_clearsigned.csv.asc": '-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n"bank_id";"user_id"\n',
  "accounts_literal.csv.gpg": Buffer.from('\xcb\x13b\0\0\0\0\0"bank_id"', "latin1"),
  "accounts_compressed.csv.gpg": Buffer.from("a30102789c", "hex"),
  "accounts_signed.csv.pgp": Buffer.from("900d03000a01", "hex"),
  "accounts_signed.csv.asc": "-----BEGIN PGP MESSAGE-----\nVersion: GnuPG v2\n\nkA0DAAoBzkR0\n",
};

const sealedLine = `${JSON.stringify({ reqId: "0f8fad5b-d9cb-469f-a165-70867728950e", txs: `eyJhbGciOiJSU0EtT0FFUCJ9.${randomBytes(45_000).toString("base64url")}.c.d.e` })}\n`;

const transaction = '{"uid":"anna","type":"TX","tx":{"txid":"7","description":"Coffee"}}';

const partly: Record<string, string> = {
  "a transaction": `${transaction}\n`,
  "a marker": `${record}\n`,
  "an array": ` [ ${transaction} ]\n`,
  "a request whose txs are an array": `{"reqId":"x","txs":[${transaction}]}`,
  "a request whose txs are its text": JSON.stringify({ reqId: "x", txs: `[${transaction}]` }),
};

for (const before of [1, 60]) {
  test(`a file of lines with one in the clear behind sealed ones (${before}) is refused, and its text stays nowhere`, async (t) => {
    const { landing, queued, folder, receipt } = await openLanding(t);
    for (const [name, content] of Object.entries(partly)) {
      const text = sealedLine.repeat(before) + content;
      for (const [ending, bytes] of [
        ["jsonl", text],
        ["jsonl.gz", gzipSync(text)],
      ] as const) {
        const file = await landed(folder, `${name}.${ending}`, bytes);
        t.false((await acceptFile(landing, file)).accepted, file.name);
        t.is((await receipt(`${file.name}.receipt.json`)).refusal?.code, "FILE_UNENCRYPTED");
        t.true(Buffer.alloc(file.sizeBytes).equals(await readFile(file.path)));
      }
    }
    t.deepEqual([queued, await readdir(landing.vault.directory)], [[], []]);
  });
}

test("a record in the clear across two pieces of a file is found", async (t) => {
  const { landing, folder } = await openLanding(t);
  const pieceBytes = 1024 * 1024;
  for (let shift = 0; shift < record.length; shift += 3) {
    const name = `${shift}.jsonl`;
    const text = `${sealedLine}${" ".repeat(pieceBytes - sealedLine.length - shift)}${record}`;
    t.false((await acceptFile(landing, await landed(folder, name, text))).accepted, name);
  }
});

for (const [name, content] of Object.entries(forgotten)) {
  test(`${name} that its sender forgot to encrypt is refused, and its text stays nowhere`, async (t) => {
    const { landing, queued, folder, receipt } = await openLanding(t);
    const file = await landed(folder, name, content);
    t.false((await acceptFile(landing, file)).accepted);
    t.is((await receipt(`${name}.receipt.json`)).refusal?.code, "FILE_UNENCRYPTED");
    t.true(Buffer.alloc(file.sizeBytes).equals(await readFile(file.path)));
    t.deepEqual([queued, await readdir(landing.vault.directory)], [[], []]);
  });
}

test("what is damaged, empty of meaning or sealed is not taken for plain text", async (t) => {
  const { landing, folder } = await openLanding(t);
  const line = '{"reqId":"x","txs":"y","uid":"z"}\n';
  const contents: Record<string, string | Buffer> = {
    "a.jwe": "eyJhbGciOiJSU0EtT0FFUCJ9.a.b.c.d",
    "b.jwe": Buffer.from([0x5b, 0x80, 0x7b]),
    "a.jsonl": "no json\n",
    "b.jsonl": line,
    "c.jsonl": '{"manifest":{"batches":0}}',
    "d.jsonl": sealedLine.repeat(60),
    "d.jsonl.gz": gzipSync(sealedLine.repeat(60)),
    "cut.jsonl.gz": gzipSync(sealedLine.repeat(20)).subarray(0, 70_000),
    "blanks.jsonl.gz": gzipSync(`${line}${"\n".repeat(20_000_000)}`),
    "a.jsonl.gz": gzipSync(line),
    "b.jsonl.gz": "no gzip",
    "accounts_1.csv.pgp": Buffer.from([0xc1, 0x0d]),
    "accounts_2.csv.pgp": "\n-----BEGIN PGP MESSAGE-----\n",
    "accounts_3.csv.asc": "-----BEGIN PGP MESSAGE-----\n\nhQEMA3OI\n",
  };
  for (const [name, content] of Object.entries(contents))
    t.true((await acceptFile(landing, await landed(folder, name, content))).accepted, name);
});

test("a table in OpenPGP is kept as it is", async (t) => {
  const { landing, folder } = await openLanding(t);
  const armoured = "-----BEGIN PGP MESSAGE-----\n";
  const file = await landed(folder, "accounts_1.csv.pgp", armoured);
  const { deliveryId } = await acceptFile(landing, file);
  t.is(
    await readFile(
      path.join(landing.vault.directory, (await findDelivery(landing.database, deliveryId))?.vaultReference ?? ""),
      "utf8",
    ),
    armoured,
  );
  t.is(await readFile(file.path, "utf8"), armoured);
});
