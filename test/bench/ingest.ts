/**
 * How fast does a landed file become committed rows? The floor, measured in the same run: COPY of the same rows as ready
 * text over one connection into the same table with the same index, which is what psql's \copy does.
 */
import { createHash, randomUUID, randomUUIDv7 } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { createGzip } from "node:zlib";
import pg from "pg";
import { Piscina } from "piscina";
import { type Database, inTransaction, openDatabase } from "../../src/database.ts";
import { insertDelivery } from "../../src/landing/deliveries.ts";
import { from as copyFrom } from "pg-copy-streams";
import { migrate } from "../../src/migrate.ts";
import { rotateBatchKey } from "../../src/partners/batch-keys.ts";
import { rotatePgpKey } from "../../src/partners/pgp-keys.ts";
import { createSealer, type Sealer } from "../../src/sender/sealing.ts";
import { addPartner } from "../parties.ts";

const formats = ["jwe", "jsonl", "transactions.csv", "transactions.csv.pgp", "transactions.csv.gz.pgp"] as const;
type Format = (typeof formats)[number];

const sizes = [50_000, 200_000];
const rounds = 3;
const recordsPerUser = 400;
const recordsPerLine = 750;
const pieceCharacters = 64 * 1024;

export async function bench(clusterUrl: string, folder: string): Promise<void> {
  const world = await openWorld(clusterUrl, folder);
  try {
    for (const size of sizes) await compare(world, size);
  } finally {
    await world.pool.destroy();
    await world.database.end();
  }
}

type World = { database: Database; pool: Piscina; sealer: Sealer; pgpKey: string; partnerId: string; vaultDirectory: string; userIds: Map<string, number> };

async function compare(world: World, size: number): Promise<void> {
  const files = {
    jwe: await writeJwe(world, size), jsonl: await writeLines(world, size), "transactions.csv": await writeClearTable(world, size),
    "transactions.csv.pgp": await writePgpTable(world, size, false), "transactions.csv.gz.pgp": await writePgpTable(world, size, true),
  };
  const floors: number[] = [];
  const known: number[] = [];
  const rates = new Map<Format, number[]>(formats.map((format) => [format, []]));
  const growths = new Map<Format, number>();
  for (let round = 0; round < rounds; round += 1) {
    floors.push(size / (await copyAll(world, size)));
    for (const format of formats) {
      await empty(world.database);
      await nameAccounts(world);
      const { seconds, growthBytes } = await load(world, format, files[format], "records_new", size);
      rates.get(format)?.push(size / seconds);
      growths.set(format, Math.max(growths.get(format) ?? 0, growthBytes));
    }
    known.push(size / (await load(world, "jwe", files.jwe, "records_known", size)).seconds);
  }
  const floor = median(floors);
  console.log(`${size} rows: COPY ${perSecond(floor)}`);
  for (const format of formats) {
    const rate = median(rates.get(format) ?? []);
    console.log(`  .${format} ${perSecond(rate)}, ratio ${(rate / floor).toFixed(2)}, memory grew by at most ${Math.round((growths.get(format) ?? 0) / 1024 / 1024)} MiB`);
  }
  console.log(`  .jwe of which every record is known ${perSecond(median(known))}`);
}

/** Seconds of the floor; the rows are encoded before. */
async function copyAll({ database, userIds }: World, size: number): Promise<number> {
  await empty(database);
  const pieces = plainText(size, userIds);
  return await inTransaction(database, async (transaction) => {
    const startedAt = performance.now();
    await pipeline(Readable.from(pieces, { objectMode: false }), transaction.query(copyFrom(`copy transactions (${textColumns}) from stdin`)));
    await transaction.query("commit");
    return (performance.now() - startedAt) / 1000;
  });
}

/** Loads a file whose records must all be counted as `outcome`. */
async function load(
  { database, pool, partnerId, vaultDirectory }: World, format: Format, file: string, outcome: "records_new" | "records_known", size: number,
): Promise<{ seconds: number; growthBytes: number }> {
  const id = randomUUIDv7();
  await insertDelivery(database, {
    id, partnerId, door: "sftp", format, name: id, requestId: null, correlationId: "bench", sizeBytes: (await stat(path.join(vaultDirectory, file))).size,
    sha256: createHash("sha256").update(id).digest(), vaultReference: file, refusal: null,
  });
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let peak = before;
  const sampler = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20);
  const startedAt = performance.now();
  await pool.run({ deliveryId: id }, { name: "ingest" });
  const seconds = (performance.now() - startedAt) / 1000;
  clearInterval(sampler);
  const { rows } = await database.query<{ counted: number }>(`select ${outcome} as counted from deliveries where id = $1`, [id]);
  if (rows[0]?.counted !== size) throw new Error(`${rows[0]?.counted} of ${size} rows were loaded`);
  return { seconds, growthBytes: peak - before };
}

async function empty(database: Database): Promise<void> {
  await database.query("truncate transactions, accounts, cards, changed_users, requests, account_owners, deliveries cascade");
  await database.query("checkpoint");
}

async function openWorld(clusterUrl: string, folder: string): Promise<World> {
  const url = new URL(clusterUrl);
  url.pathname = "/bench";
  const administrator = new pg.Client({ connectionString: clusterUrl });
  await administrator.connect();
  await administrator.query("create database bench");
  await administrator.end();
  await migrate(url.href);
  const database = openDatabase(url.href, { sizeMax: 2, applicationName: "bench" });
  const vaultDirectory = path.join(folder, "vault");
  await mkdir(vaultDirectory);
  const partnerId = await addPartner(database);
  const keyEncryptionKey = Buffer.alloc(32, 1);
  const sealer = await createSealer(await rotateBatchKey(database, keyEncryptionKey, partnerId, new Date()));
  const { rows } = await database.query<{ bank_user_id: string; id: number }>(
    `insert into users (partner_id, brand_id, bank_user_id, locale)
     select $1, 'bank-dk', 'user-' || n, 'da-DK' from generate_series(0, $2) as n
     returning bank_user_id, id`,
    [partnerId, Math.ceil(Math.max(...sizes) / recordsPerUser)],
  );
  const pool = new Piscina({
    filename: new URL("../../workers/main.ts", import.meta.url).href, maxThreads: 1, workerData: { databaseUrl: url.href, keyEncryptionKey, vaultDirectory },
  });
  const { armored: pgpKey } = await rotatePgpKey(database, keyEncryptionKey, { id: partnerId, name: "Bank" }, new Date());
  return { database, pool, sealer, pgpKey, partnerId, vaultDirectory, userIds: new Map(rows.map((row) => [row.bank_user_id, row.id])) };
}

async function writeJwe({ sealer, vaultDirectory }: World, size: number): Promise<string> {
  await pipeline(sealer.sealStream(asArray(size)), createWriteStream(path.join(vaultDirectory, `${size}.jwe`)));
  return `${size}.jwe`;
}

async function* asArray(size: number): AsyncGenerator<string> {
  let separator = "[";
  for (const record of records(size)) {
    yield separator + JSON.stringify(record);
    separator = ",";
  }
  yield "]";
}

async function writeLines({ sealer, vaultDirectory }: World, size: number): Promise<string> {
  const lines = async function* () {
    const all = [...records(size)];
    for (let from = 0; from < size; from += recordsPerLine) {
      yield `${JSON.stringify({ reqId: randomUUID(), txs: await sealer.seal(JSON.stringify(all.slice(from, from + recordsPerLine))) })}\n`;
    }
  };
  await pipeline(Readable.from(lines()), createWriteStream(path.join(vaultDirectory, `${size}.jsonl`)));
  return `${size}.jsonl`;
}

/** As the vault keeps a table that came in the clear. */
async function writeClearTable({ sealer, vaultDirectory }: World, size: number): Promise<string> {
  await pipeline(sealer.sealStream(asTable(size)), createWriteStream(path.join(vaultDirectory, `${size}.csv`)));
  return `${size}.csv`;
}

async function writePgpTable({ pgpKey, vaultDirectory }: World, size: number, zipped: boolean): Promise<string> {
  const { createMessage, encrypt, readKey } = await import("openpgp");
  const text = Readable.from(asTable(size)).pipe(zipped ? createGzip() : new PassThrough());
  const message = await createMessage({ binary: Readable.toWeb(text) as ReadableStream<Uint8Array> });
  const encrypted = await encrypt({ message, encryptionKeys: await readKey({ armoredKey: pgpKey }), format: "binary" });
  const name = `${size}.csv${zipped ? ".gz" : ""}.pgp`;
  await pipeline(Readable.fromWeb(encrypted as ReadableStream<Uint8Array>), createWriteStream(path.join(vaultDirectory, name)));
  return name;
}

/** In large pieces, as GnuPG reads a file: OpenPGP.js makes a packet part of each piece, and small ones cost it dearly. */
async function* asTable(size: number): AsyncGenerator<string> {
  let text = "";
  for (const line of tableLines(size)) {
    text += line;
    if (text.length < pieceCharacters) continue;
    yield text;
    text = "";
  }
  yield text;
}

function* tableLines(size: number): Generator<string> {
  yield tableLine(["bank_id", "account_number", "account_name", "iban", "transaction_id", "transaction_date", "type", "currency", "amount", "description",
    "merchant_name", "merchant_city", "merchant_post_code", "merchant_country", "mcc", "card_id", "card_pan4", "card_type"]);
  for (const { account, card, tx } of records(size)) {
    const { merchant } = tx;
    yield tableLine([
      "bank", account.id, account.name, account.iban, tx.txid, tx.txTime.slice(0, 10), tx.type, tx.currency, String(tx.amount), tx.description,
      merchant.name, merchant.city ?? "", merchant.postCode ?? "", merchant.country ?? "", String(merchant.mcc), card?.id ?? "", card?.pan4 ?? "", card?.cardType ?? "",
    ]);
  }
}

function tableLine(fields: string[]): string {
  return `"${fields.join('";"')}"\n`;
}

async function nameAccounts({ database, partnerId }: World): Promise<void> {
  await database.query(
    `insert into account_owners (partner_id, bank_id, account_number, user_id, delivery_position)
     select partner_id, 'bank', replace(bank_user_id, 'user-', 'account-'), id, 1 from users where partner_id = $1`,
    [partnerId],
  );
}

type BenchRecord = {
  uid: string;
  type: "TX";
  account: { id: string; name: string; iban: string };
  card?: { id: string; pan4: string; cardType: string; paymentNetwork: string };
  tx: {
    txid: string; description: string; txTime: string; type: string; amount: number; currency: string;
    merchant: { name: string; city?: string; postCode?: string; country?: string; mcc: number };
  };
};

/** Records as a bank sends them: user after user, some 500 bytes each, every third with a card and a merchant's place. */
function* records(size: number): Generator<BenchRecord> {
  for (let n = 0; n < size; n += 1) {
    const user = Math.floor(n / recordsPerUser);
    const day = String((n % 28) + 1).padStart(2, "0");
    const month = String((Math.floor(n / 28) % 12) + 1).padStart(2, "0");
    yield {
      uid: `user-${user}`,
      type: "TX",
      account: { id: `account-${user}`, name: "Lønkonto", iban: `DK5000400440${String(user).padStart(6, "0")}` },
      ...(n % 3 === 0 ? { card: { id: `card-${user}`, pan4: "1234", cardType: "DEBIT", paymentNetwork: "DK" } } : {}),
      tx: {
        txid: createHash("md5").update(String(n)).digest("hex"),
        description: `DANKORT-NOTA BUTIK ${n % 97} ${String(n * 7919 % 1_000_000).padStart(6, "0")}`,
        txTime: `2025-${month}-${day}T00:00:00Z`,
        type: "CARD_PURCHASE",
        amount: -((n * 7919) % 100_000) / 100,
        currency: "DKK",
        merchant: { name: `Butik ${n % 97}`, ...(n % 3 === 0 ? { city: "København", postCode: "2100", country: "DK" } : {}), mcc: 5411 },
      },
    };
  }
}

const textColumns = "user_id, txid, booked_on, tx_time, raw_type, description, amount, currency, merchant_name, merchant_city, merchant_post_code, merchant_country, merchant_mcc, account_id, card_id, delivery_position, original_amount, original_currency, merchant_cid, merchant_address";

/** The floor's rows, as psql sends a file of plain text: in pieces, in the order of the index. */
function plainText(size: number, userIds: ReadonlyMap<string, number>): Buffer[] {
  const lines = [...records(size)].map(({ uid, account, card, tx }) => ({ uid: userIds.get(uid) ?? 0, txid: tx.txid, rest: [
    tx.txTime.slice(0, 10), tx.txTime, tx.type, tx.description, tx.amount, tx.currency, tx.merchant.name, tx.merchant.city ?? "\\N", tx.merchant.postCode ?? "\\N",
    tx.merchant.country ?? "\\N", tx.merchant.mcc, account.id, card?.id ?? "\\N", 1, "\\N", "\\N", "\\N", "\\N",
  ] }));
  const pieces: Buffer[] = [];
  for (let from = 0; from < size; from += 1000) {
    pieces.push(Buffer.from(lines.slice(from, from + 1000).map(({ uid, txid, rest }) => `${[uid, txid, ...rest].join("\t")}\n`).join("")));
  }
  return pieces;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function perSecond(rowsPerSecond: number): string {
  return `${Math.round(rowsPerSecond / 1000)} k rows/s`;
}
