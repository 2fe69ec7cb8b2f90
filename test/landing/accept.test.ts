import { createHash, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { watch } from "node:fs";
import { mkdir, mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import test, { type ExecutionContext } from "ava";
import { createClock } from "../../src/time/clock.ts";
import { createEvents } from "../../src/events.ts";
import {
  acceptFile,
  acceptRequest,
  isRecorded,
  type LandedFile,
  type Landing,
  type PushedRequest,
} from "../../src/landing/accept.ts";
import { findDelivery } from "../../src/deliveries/deliveries.ts";
import { createReceipts, type Receipt } from "../../src/landing/receipt.ts";
import { fileVault } from "../../src/landing/vault.ts";
import { findBatchKey } from "../../src/partners/keys/batch-keys.ts";
import { collect } from "../workers/collecting.ts";
import { SealedFile } from "../../workers/jwe/sealed-file.ts";
import { giveBatchKeys } from "../batch-keys.ts";
import { addDelivery, addPartner } from "../parties.ts";
import { createTestDatabase } from "../world.ts";

test("an accepted request is durable with its body, and queued", async (t) => {
  const { landing, queued } = await openLanding(t);
  const request = pushed();
  const acceptance = await acceptRequest(landing, request);
  if (acceptance.outcome !== "accepted") return t.fail(acceptance.outcome);
  t.deepEqual(queued, [acceptance.deliveryId]);
  const delivery = await findDelivery(landing.database, acceptance.deliveryId);
  t.like(delivery, {
    state: "accepted",
    door: "https",
    format: "request",
    requestId: request.requestId,
    correlationId: "c-1",
  });
  const { rows } = await landing.database.query("select body from delivery_bodies where delivery_id = $1", [
    acceptance.deliveryId,
  ]);
  t.deepEqual(rows, [{ body: request.body }]);
});

test("a request that names users whom the partner does not have is not kept", async (t) => {
  const { landing, queued } = await openLanding(t);
  t.deepEqual(await acceptRequest(landing, pushed({ uids: ["nobody"] })), { outcome: "strangers", uids: ["nobody"] });
  t.deepEqual(queued, []);
  t.is((await acceptRequest(landing, pushed())).outcome, "accepted");
});

test("the same reqId with the same content is repeated, whatever its encryption", async (t) => {
  const { landing, queued } = await openLanding(t);
  const first = await acceptRequest(landing, pushed());
  const again = await acceptRequest(landing, pushed({ body: Buffer.from("encrypted afresh") }));
  t.is(first.outcome, "accepted");
  t.deepEqual(again, { ...first, outcome: "repeated" });
  t.is(queued.length, 1);
});

test("the same reqId with other content is a conflict and leaves nothing", async (t) => {
  const { landing } = await openLanding(t);
  await acceptRequest(landing, pushed());
  t.deepEqual(await acceptRequest(landing, pushed({ contentSha256: digest("other") })), { outcome: "conflict" });
  const { rows } = await landing.database.query("select count(*) as n from deliveries");
  t.deepEqual(rows, [{ n: 1 }]);
});

test("twins that race are accepted once", async (t) => {
  const { landing, queued } = await openLanding(t);
  const outcomes = await Promise.all([1, 2, 3, 4].map(() => acceptRequest(landing, pushed())));
  t.deepEqual(outcomes.map((one) => one.outcome).toSorted(), ["accepted", "repeated", "repeated", "repeated"]);
  t.is(queued.length, 1);
});

test("a reqId belongs to its partner", async (t) => {
  const { landing } = await openLanding(t);
  await addPartner(landing.database, "other");
  await acceptRequest(landing, pushed());
  const acceptance = await acceptRequest(landing, pushed({ partnerId: "other", contentSha256: digest("other") }));
  t.is(acceptance.outcome, "accepted");
});

test("a full staging area answers busy and keeps nothing", async (t) => {
  const { landing, partnerId } = await openLanding(t);
  await addDelivery(landing.database, partnerId, "accepted");
  await addDelivery(landing.database, partnerId, "loading");
  t.deepEqual(await acceptRequest({ ...landing, stagingDepthMax: 2 }, pushed()), {
    outcome: "busy",
    retryAfterSeconds: 5,
  });
  t.is((await acceptRequest({ ...landing, stagingDepthMax: 3 }, pushed())).outcome, "accepted");
});

test("one partner's backlog makes no other partner wait", async (t) => {
  const { landing, partnerId } = await openLanding(t);
  await addPartner(landing.database, "other");
  await addDelivery(landing.database, partnerId, "accepted");
  await addDelivery(landing.database, partnerId, "loading");
  const full = { ...landing, stagingDepthMax: 2, stagingDepthTotalMax: 3 };
  t.is((await acceptRequest(full, pushed())).outcome, "busy");
  t.is((await acceptRequest(full, pushed({ partnerId: "other" }))).outcome, "accepted");
  t.is((await acceptRequest(full, pushed({ partnerId: "other", requestId: randomUUID() }))).outcome, "busy");
});

test("a request that was accepted is answered again however full the staging area is", async (t) => {
  const { landing } = await openLanding(t);
  const first = await acceptRequest({ ...landing, stagingDepthMax: 1 }, pushed());
  t.is(first.outcome, "accepted");
  t.deepEqual(await acceptRequest({ ...landing, stagingDepthMax: 1 }, pushed()), { ...first, outcome: "repeated" });
});

test("a queue that is away does not lose what was accepted", async (t) => {
  const { landing } = await openLanding(t);
  const acceptance = await acceptRequest(
    { ...landing, enqueue: () => Promise.reject(new Error("no queue")) },
    pushed(),
  );
  t.is(acceptance.outcome, "accepted");
});

test("an accepted file lies in the vault with its bytes, and its receipt says accepted", async (t) => {
  const { landing, queued, folder, receipt } = await openLanding(t);
  const { deliveryId, accepted } = await acceptFile(landing, await landed(folder, "day.jsonl", "some lines"));
  t.true(accepted);
  t.deepEqual(queued, [deliveryId]);
  const delivery = await findDelivery(landing.database, deliveryId);
  t.is(await readFile(path.join(landing.vault.directory, delivery?.vaultReference ?? ""), "utf8"), "some lines");
  const found = await receipt("day.jsonl.receipt.json");
  t.like(found, {
    file: "day.jsonl",
    deliveryId,
    state: "accepted",
    sizeBytes: 10,
    sha256: digest("some lines").toString("hex"),
    problemsTotal: 0,
  });
});

test("the same bytes again are refused, and the receipt names the first file", async (t) => {
  const { landing, queued, folder, receipt } = await openLanding(t);
  const first = await acceptFile(landing, await landed(folder, "monday.jsonl", "same"));
  const second = await acceptFile(landing, await landed(folder, "tuesday.jsonl", "same"));
  t.false(second.accepted);
  t.deepEqual(queued, [first.deliveryId]);
  const found = await receipt("tuesday.jsonl.receipt.json");
  t.like(found, {
    state: "refused",
    refusal: {
      code: "FILE_DUPLICATE",
      duplicateOf: { deliveryId: first.deliveryId, file: "monday.jsonl", receipt: "monday.jsonl.receipt.json" },
    },
  });
});

test("a file sent again under its name while the first one waits leads from its receipt to the first one's", async (t) => {
  const { landing, folder, receipt } = await openLanding(t);
  const first = await acceptFile(landing, await landed(folder, "day.jsonl", "same"));
  t.false((await acceptFile(landing, await landed(folder, "day.jsonl", "same"))).accepted);
  const { refusal } = await receipt("day.jsonl.receipt.json");
  t.deepEqual(refusal?.duplicateOf, {
    deliveryId: first.deliveryId,
    file: "day.jsonl",
    receipt: "day.jsonl.1.receipt.json",
  });
  t.like(await receipt(refusal?.duplicateOf?.receipt ?? ""), { deliveryId: first.deliveryId, state: "accepted" });
});

test("a file that was recorded is known by its name and bytes together", async (t) => {
  const { landing, folder } = await openLanding(t);
  const file = await landed(folder, "day.jsonl", "some lines");
  t.false(await isRecorded(landing, file));
  await acceptFile(landing, file);
  t.true(await isRecorded(landing, file));
  t.false(await isRecorded(landing, { ...file, name: "other.jsonl" }));
  t.false(await isRecorded(landing, { ...file, sha256: digest("other") }));
  t.is(await readFile(file.path, "utf8"), "some lines");
});

test("of a file that was recorded before a crash no text stays in the inbox", async (t) => {
  const { landing, folder } = await openLanding(t);
  await giveBatchKeys(landing.database, randomBytes(32), "bank");
  await landing.database.query('update partners set settings = \'{"csv": {"unencrypted": true}}\'');
  for (const [name, content] of Object.entries({
    "accounts_1.csv": "of a table",
    "notes.txt": "of no known format",
    "day.jwe": '[{"uid": "that its sender forgot to encrypt"}]',
  })) {
    const file = await landed(folder, name, content);
    await acceptFile(landing, file);
    // As if the service had died between its record and this.
    await rm(file.path);
    await writeFile(file.path, content);
    t.true(await isRecorded(landing, file), name);
    t.deepEqual(await readFile(file.path), Buffer.alloc(file.sizeBytes), name);
  }
});

test("the same bytes after a refusal count anew", async (t) => {
  const { landing, folder } = await openLanding(t);
  const first = await acceptFile(landing, await landed(folder, "a.jsonl", "same"));
  await landing.database.query(
    "update deliveries set state = 'refused', refusal_code = 'DECRYPTION_ERROR' where id = $1",
    [first.deliveryId],
  );
  t.true((await acceptFile(landing, await landed(folder, "b.jsonl", "same"))).accepted);
});

test("a folder that is called as a file's receipt takes nothing from that receipt", async (t) => {
  const { landing, folder, receipt } = await openLanding(t);
  await acceptFile(landing, await landed(folder, "a.jsonl", "first"));
  await acceptFile(landing, await landed(folder, "a.jsonl.receipt.json/b.jsonl", "second"));
  t.like(await receipt("a.jsonl.receipt.json"), { file: "a.jsonl" });
  t.like(await receipt("a.jsonl.receipt.json~/b.jsonl.receipt.json"), { file: "a.jsonl.receipt.json/b.jsonl" });
});

test("a file whose receipt cannot be written is accepted and queued all the same", async (t) => {
  const { landing, folder, queued } = await openLanding(t);
  const unwritable = { ...landing, receipts: createReceipts(landing.database, "/dev/null") };
  const { accepted, deliveryId } = await acceptFile(unwritable, await landed(folder, "a.jsonl", "content"));
  t.true(accepted);
  t.deepEqual(queued, [deliveryId]);
});

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

test("a name delivered again has the newest receipt at its path and keeps the earlier one beside it", async (t) => {
  const { landing, folder, receipt } = await openLanding(t);
  const first = await acceptFile(landing, await landed(folder, "sub/day.jsonl", "one"));
  const second = await acceptFile(landing, await landed(folder, "sub/day.jsonl", "two"));
  t.is((await receipt("sub/day.jsonl.receipt.json")).deliveryId, second.deliveryId);
  t.is((await receipt("sub/day.jsonl.1.receipt.json")).deliveryId, first.deliveryId);
  await landing.receipts.writeAll([first.deliveryId]);
  t.is((await receipt("sub/day.jsonl.receipt.json")).deliveryId, second.deliveryId);
});

test("a receipt that cannot be written leaves nothing behind, and none is seen unfinished", async (t) => {
  const { landing, folder, partnerId } = await openLanding(t);
  const receipts = path.join(folder, partnerId, "receipts");
  await mkdir(path.join(receipts, "day.jsonl.receipt.json", "in the way"), { recursive: true });
  const seen = new Set<string | null>();
  const watcher = watch(receipts, (_, name) => void seen.add(name));
  t.teardown(() => watcher.close());
  await acceptFile(landing, await landed(folder, "day.jsonl", "one"));
  await acceptFile(landing, await landed(folder, "next.jsonl", "two"));
  while (!seen.has("next.jsonl.receipt.json")) await once(watcher, "change");
  t.deepEqual([...seen], ["next.jsonl.receipt.json"]);
  t.deepEqual(await readdir(path.join(folder, partnerId)), ["receipts"]);
});

type World = {
  landing: Landing;
  queued: string[];
  partnerId: string;
  folder: string;
  receipt(name: string): Promise<Receipt>;
};

async function openLanding(t: ExecutionContext): Promise<World> {
  const { database } = await createTestDatabase(t);
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-landing-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const vaultDirectory = await mkdtemp(path.join(folder, "vault-"));
  const partnerId = await addPartner(database);
  const queued: string[] = [];
  const landing: Landing = {
    database,
    events: createEvents({ level: "silent" }),
    clock: createClock(),
    vault: fileVault(vaultDirectory),
    receipts: createReceipts(database, folder),
    stagingDepthMax: 100,
    enqueue: (ids) => (queued.push(...ids), Promise.resolve()),
  };
  const receipt = async (name: string) =>
    JSON.parse(await readFile(path.join(folder, partnerId, "receipts", name), "utf8")) as Receipt;
  return { landing, queued, partnerId, folder, receipt };
}

function pushed(more: Partial<PushedRequest> = {}): PushedRequest {
  return {
    partnerId: "bank",
    requestId: "7b1f4a50-9f6e-4a53-9f0e-2f9a5a0c8f11",
    body: Buffer.from("encrypted"),
    contentSha256: digest("content"),
    uids: [],
    correlationId: "c-1",
    ...more,
  };
}

async function landed(folder: string, name: string, content: string | Buffer): Promise<LandedFile> {
  const file = path.join(folder, randomUUID());
  await writeFile(file, content);
  return {
    partnerId: "bank",
    door: "sftp",
    name,
    path: file,
    sizeBytes: Buffer.byteLength(content),
    sha256: digest(content),
    correlationId: randomUUID(),
  };
}

function digest(text: string | Buffer): Buffer {
  return createHash("sha256").update(text).digest();
}
