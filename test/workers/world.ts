/**
 * What tests of loading stand on: a partner with a key and users, a vault, and deliveries put there as the doors do.
 */
import { createHash, randomBytes, randomUUID, randomUUIDv7 } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { ExecutionContext } from "ava";
import type { Database } from "../../src/database/database.ts";
import { type Delivery, findDelivery, insertDelivery } from "../../src/deliveries/deliveries.ts";
import { rotatePgpKey } from "../../src/partners/keys/pgp-keys.ts";
import { encryptSecret } from "../../src/partners/keys/secrets-at-rest.ts";
import type { PoolSettings } from "../../src/staging/pools.ts";
import { openContext, type WorkerContext } from "../../workers/context.ts";
import { ingestDelivery } from "../../workers/ingest/ingest.ts";
import { addPartner, addUser } from "../parties.ts";
import { createTestDatabase } from "../world.ts";
import { makeKey, sealToken, type TestKey } from "./sealing.ts";

export type LoadingWorld = {
  database: Database;
  /** As the superuser. */
  url: string;
  /** As threads that load have it: with the loader's login. */
  context: WorkerContext;
  settings: PoolSettings;
  partnerId: string;
  key: TestKey;
  /** Internal ids of the users u1, u2, u3. */
  userIds: number[];
  /** Puts a file into the vault and records it. @returns the delivery's id. */
  deliverFile(format: string, bytes: string | Buffer): Promise<string>;
  /** Records a pushed request. */
  deliverRequest(body: string): Promise<string>;
  /** Delivers a sealed file and loads it. */
  load(records: readonly unknown[]): Promise<Delivery>;
  /** Loads, or reads again what is due. */
  ingest(deliveryId: string): Promise<Delivery>;
  /** Delivers a table in the clear, as the vault keeps it, and loads it. */
  loadCsv(kind: "accounts" | "transactions", text: string): Promise<Delivery>;
  /** The same for a bank's own statements. */
  loadXml(text: string | Buffer): Promise<Delivery>;
  /** Makes an OpenPGP key for the partner. @returns its public half, armoured. */
  addPgpKey(retireEarlierAt?: Date): Promise<string>;
};

/** One key for all tests of a process: making one takes a tenth of a second. */
const key = makeKey("test-key");

export async function openLoading(t: Pick<ExecutionContext, "teardown">, settings: object = {}): Promise<LoadingWorld> {
  const { database, url, urls } = await createTestDatabase(t);
  const vaultDirectory = await mkdtemp(path.join(tmpdir(), "tideline-vault-"));
  const computing = { databaseUrl: urls.jobs, keyEncryptionKey: randomBytes(32), vaultDirectory };
  const context = openContext({ ...computing, databaseUrl: urls.loader });
  t.teardown(async () => {
    await context.database.end();
    await rm(vaultDirectory, { recursive: true });
  });
  const partnerId = await addPartner(database);
  await database.query("update partners set settings = $1", [JSON.stringify(settings)]);
  await addKey(database, context, partnerId);
  const userIds: number[] = [];
  for (const uid of ["u1", "u2", "u3"]) userIds.push(await addUser(database, partnerId, uid));
  const world: LoadingWorld = {
    database,
    url,
    context,
    partnerId,
    key,
    userIds,
    settings: { ...computing, loaderUrl: urls.loader },
    async deliverFile(format, bytes) {
      const id = randomUUIDv7();
      await writeFile(path.join(vaultDirectory, id), bytes);
      await insertDelivery(database, describe(partnerId, id, format, Buffer.from(bytes), id));
      return id;
    },
    async deliverRequest(body) {
      const id = randomUUIDv7();
      await insertDelivery(database, describe(partnerId, id, "request", Buffer.from(body), null));
      await database.query("insert into delivery_bodies (delivery_id, body) values ($1, $2)", [id, Buffer.from(body)]);
      return id;
    },
    load: async (records) => world.ingest(await world.deliverFile("jwe", sealToken(key, JSON.stringify(records)))),
    loadCsv: async (kind, text) => world.ingest(await world.deliverFile(`${kind}.csv`, sealToken(key, text))),
    loadXml: async (text) => world.ingest(await world.deliverFile("camt.xml", sealToken(key, text))),
    addPgpKey: async (retireEarlierAt = new Date()) =>
      (await rotatePgpKey(database, computing.keyEncryptionKey, { id: partnerId, name: "Bank" }, retireEarlierAt))
        .armored,
    async ingest(deliveryId) {
      await ingestDelivery(context, { deliveryId });
      const delivery = await findDelivery(database, deliveryId);
      if (!delivery) throw new Error("the delivery has vanished");
      return delivery;
    },
  };
  return world;
}

async function addKey(database: Database, context: WorkerContext, partnerId: string): Promise<void> {
  const privatePem = key.privateKey.export({ format: "pem", type: "pkcs8" }).toString();
  await database.query(
    "insert into service_keys (kid, purpose, partner_id, public_jwk, private_sealed) values ($1, 'batch-encryption', $2, $3, $4)",
    [
      key.kid,
      partnerId,
      JSON.stringify(key.publicKey.export({ format: "jwk" })),
      encryptSecret(context.keyEncryptionKey, key.kid, privatePem),
    ],
  );
}

function describe(partnerId: string, id: string, format: string, bytes: Buffer, vaultReference: string | null) {
  return {
    id,
    partnerId,
    door: format === "request" ? ("https" as const) : ("sftp" as const),
    format,
    name: vaultReference,
    requestId: null,
    correlationId: "c-1",
    sizeBytes: bytes.length,
    sha256: createHash("sha256").update(bytes).digest(),
    vaultReference,
    refusal: null,
  };
}

/** A record of a user; `more` goes into tx. */
export function transaction(uid: string, txid: string, more: object = {}) {
  return {
    uid,
    type: "TX",
    tx: {
      txid,
      description: `Payment ${txid}`,
      txTime: "2026-01-31T10:00:00Z",
      type: "CARD_PURCHASE",
      amount: -12.5,
      currency: "DKK",
      ...more,
    },
  };
}

export function transactions(uid: string, count: number, prefix = "t"): unknown[] {
  return Array.from({ length: count }, (_, index) => transaction(uid, `${prefix}${index}`));
}

/** A TransactionsRequest as text. */
export function request(records: readonly unknown[], reqId: string = randomUUID()): string {
  return JSON.stringify({ reqId, txs: sealToken(key, JSON.stringify(records)) });
}

/** Lines and, when asked, the manifest that fits them. */
export function lineFile(lines: readonly string[], manifest = false): string {
  const text = lines.map((line) => `${line}\n`).join("");
  if (!manifest) return text;
  return `${text}${JSON.stringify({ manifest: { batches: lines.length, sha256: createHash("sha256").update(text).digest("hex") } })}\n`;
}

export const gzipped = (text: string): Buffer => gzipSync(text);

/** A table as a bank writes it: every field in double quotes, `;` between them, a header row. */
export function csv(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (fields: readonly string[]) =>
    `${fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(";")}\n`;
  return [header, ...rows].map(line).join("");
}

/** Who owns which account of bank b1. */
export function accountsCsv(owners: Readonly<Record<string, string>>, completed: readonly string[] = []): string {
  const rows = Object.entries(owners).map(([account, uid]) => [
    "b1",
    uid,
    account,
    completed.includes(uid) ? "true" : "",
  ]);
  return csv(["bank_id", "user_id", "account_number", "import_completed"], rows);
}

const transactionColumns = [
  "bank_id",
  "account_number",
  "transaction_id",
  "transaction_date",
  "type",
  "currency",
  "amount",
  "original_currency",
  "original_amount",
  "description",
  "merchant_name",
  "merchant_id",
  "merchant_address",
  "merchant_city",
  "merchant_post_code",
  "merchant_country",
  "mcc",
  "card_id",
  "card_pan4",
  "card_type",
  "iban",
  "account_name",
] as const;

export type TransactionFields = Partial<Record<(typeof transactionColumns)[number], string>>;

/** Card purchases in accounts of bank b1. */
export function transactionsCsv(rows: readonly TransactionFields[]): string {
  const usual: TransactionFields = {
    bank_id: "b1",
    account_number: "a1",
    transaction_date: "2026-01-31",
    type: "CARD_PURCHASE",
    currency: "DKK",
    amount: "-12.50",
    description: "Payment",
  };
  return csv(
    transactionColumns,
    rows.map((row) => transactionColumns.map((column) => ({ ...usual, ...row })[column] ?? "")),
  );
}

/** The counts of a delivery, without zeros; fails when they do not add up. */
export function countsOf(delivery: Delivery): Record<string, number> {
  const {
    batches,
    batchesRefused,
    records,
    recordsNew,
    recordsKnown,
    recordsConflicting,
    recordsRefused,
    recordsWaiting,
    markers,
  } = delivery;
  const parts = recordsNew + recordsKnown + recordsConflicting + recordsRefused + recordsWaiting + markers;
  if (parts !== records) throw new Error(`counts do not add up: ${records} against ${parts}`);
  const all = {
    batches,
    batchesRefused,
    records,
    new: recordsNew,
    known: recordsKnown,
    conflicting: recordsConflicting,
    corrected: delivery.recordsCorrected,
    refused: recordsRefused,
    waiting: recordsWaiting,
    markers,
  };
  return Object.fromEntries(Object.entries(all).filter(([, count]) => count !== 0));
}

export async function ledgerSize(database: Database): Promise<number> {
  const { rows } = await database.query<{ n: number }>("select count(*) as n from transactions");
  return rows[0]?.n ?? 0;
}

export async function problemsOf(database: Database, deliveryId: string): Promise<unknown[]> {
  const { rows } = await database.query(
    "select line, index, field, reason from delivery_problems where delivery_id = $1 order by line, index, field",
    [deliveryId],
  );
  return rows;
}
