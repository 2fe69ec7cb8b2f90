/**
 * Receipts: `receipts/<name>.receipt.json` tells a delivered file's life. The newest delivery of a name owns that path;
 * an earlier one of the same name moves to `<name>.<n>.receipt.json`, n being its place among them.
 */
import { randomUUID } from "node:crypto";
import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Queryable } from "../database.ts";
import { errorCatalogue } from "../errors.ts";
import { type Delivery, findDelivery } from "./deliveries.ts";

export type Problem = { line: number; index: number; field: string; reason: string };

/**
 * What a receipt says. Times are ISO 8601; records = new + known + conflicting + refused + waiting + markers. `corrected`
 * says how many of the conflicting ones replaced what was stored, for partners that correct. While the state is loading
 * the counts are those so far. A withdrawn delivery keeps its counts: they say what had been loaded.
 */
export type Receipt = {
  file: string;
  deliveryId: string;
  correlationId: string;
  state: string;
  format: string;
  sizeBytes: number;
  sha256: string;
  acceptedAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  counts: {
    batches: number;
    batchesRefused: number;
    records: number;
    new: number;
    known: number;
    conflicting: number;
    corrected: number;
    refused: number;
    waiting: number;
    markers: number;
  };
  withdrawal?: { at: string; transactions: number };
  refusal?: { code: string; reason: string; remedy: string; duplicateOf?: { deliveryId: string; file: string } };
  problems: Problem[];
  /** How many there are in all; the list above holds the first ones. */
  problemsTotal: number;
};

export type Receipts = {
  /** Writes the receipt of a file's delivery as it is now; does nothing for requests. Idempotent. */
  write(deliveryId: string): Promise<void>;
};

/** A receipt is read by people and by scripts: past this many, the pattern is clear. */
const problemsShownMax = 1000;

export function createReceipts(database: Queryable, landingDirectory: string): Receipts {
  return {
    async write(deliveryId) {
      const delivery = await findDelivery(database, deliveryId);
      if (!delivery || delivery.name === null || delivery.door !== "sftp") return;
      const folder = path.join(landingDirectory, delivery.partner_id, "receipts");
      const [newest, before] = await findNamesakes(database, delivery);
      const isNewest = newest?.id === delivery.id;
      // The one before the newest must give up the path that it owned until now.
      if (isNewest && before) await writeWhole(path.join(folder, receiptName(delivery.name, before.name_place)), await describeDelivery(database, before));
      await writeWhole(path.join(folder, receiptName(delivery.name, isNewest ? null : delivery.name_place)), await describeDelivery(database, delivery));
      await noteWritten(database, delivery);
    },
  };
}

/** Unless the delivery has moved on since it was read: then its receipt is due again. */
async function noteWritten(database: Queryable, delivery: Delivery): Promise<void> {
  await database.query(
    `update deliveries
        set receipt_state = $2
      where id = $1
        and (state, records_new, records_refused, records_waiting) = ($2, $3::bigint, $4::bigint, $5::bigint)`,
    [delivery.id, delivery.state, delivery.records_new, delivery.records_refused, delivery.records_waiting],
  );
}

/** The receipt as data, for commands too. */
export async function describeDelivery(database: Queryable, delivery: Delivery): Promise<Receipt> {
  const problems = await readProblems(database, delivery.id);
  const refusal = await describeRefusal(database, delivery);
  return {
    file: delivery.name ?? "",
    deliveryId: delivery.id,
    correlationId: delivery.correlation_id,
    state: delivery.state,
    format: delivery.format,
    sizeBytes: delivery.size_bytes,
    sha256: delivery.sha256.toString("hex"),
    acceptedAt: delivery.accepted_at.toISOString(),
    startedAt: delivery.started_at?.toISOString() ?? null,
    finishedAt: delivery.finished_at?.toISOString() ?? null,
    counts: {
      batches: delivery.batches,
      batchesRefused: delivery.batches_refused,
      records: delivery.records,
      new: delivery.records_new,
      known: delivery.records_known,
      conflicting: delivery.records_conflicting,
      corrected: delivery.records_corrected,
      refused: delivery.records_refused,
      waiting: delivery.records_waiting,
      markers: delivery.markers,
    },
    ...(delivery.withdrawn_at ? { withdrawal: { at: delivery.withdrawn_at.toISOString(), transactions: delivery.transactions_withdrawn } } : {}),
    ...(refusal ? { refusal } : {}),
    problems: problems.shown,
    problemsTotal: problems.total,
  };
}

async function describeRefusal(database: Queryable, delivery: Delivery): Promise<Receipt["refusal"]> {
  if (delivery.refusal_code === null) return undefined;
  const entry = Object.entries(errorCatalogue).find(([code]) => code === delivery.refusal_code)?.[1];
  const first = delivery.duplicate_of === null ? null : await findDelivery(database, delivery.duplicate_of);
  return {
    code: delivery.refusal_code,
    reason: delivery.refusal_reason ?? entry?.sentence ?? "",
    remedy: entry?.remedy ?? "",
    ...(first ? { duplicateOf: { deliveryId: first.id, file: first.name ?? "" } } : {}),
  };
}

async function readProblems(database: Queryable, deliveryId: string): Promise<{ shown: Problem[]; total: number }> {
  const { rows } = await database.query<Problem>(
    `select line, index, field, reason
       from delivery_problems
      where delivery_id = $1
      order by line, index, field
      limit $2`,
    [deliveryId, problemsShownMax],
  );
  if (rows.length < problemsShownMax) return { shown: rows, total: rows.length };
  const { rows: counted } = await database.query<{ total: number }>("select count(*) as total from delivery_problems where delivery_id = $1", [deliveryId]);
  return { shown: rows, total: counted[0]?.total ?? rows.length };
}

/** The latest two file deliveries of that name, newest first. */
async function findNamesakes(database: Queryable, delivery: Delivery): Promise<Delivery[]> {
  const { rows } = await database.query<Delivery>(
    "select * from deliveries where partner_id = $1 and name = $2 and door = 'sftp' order by position desc limit 2",
    [delivery.partner_id, delivery.name],
  );
  return rows;
}

/** Below receipts/. @param place among the deliveries of that name; null for the newest */
const ending = ".receipt.json";

/** A folder of the partner's that is called as a receipt of its would be gives way: both need a place. */
export function receiptName(name: string, place: number | null): string {
  const [file = "", ...folders] = name.split("/").toReversed();
  const path = [...folders.toReversed().map((folder) => (folder.endsWith(ending) ? `${folder}~` : folder)), file].join("/");
  return place === null ? `${path}${ending}` : `${path}.${place}${ending}`;
}

/** Readers see the old receipt or the new one, never half of one. */
async function writeWhole(file: string, receipt: Receipt): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const unfinished = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}`);
  await writeFile(unfinished, `${JSON.stringify(receipt, null, 2)}\n`);
  await rename(unfinished, file);
}
