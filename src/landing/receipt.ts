/**
 * Receipts: `receipts/<name>.receipt.json` tells a delivered file's life. The newest delivery of a name owns that path;
 * an earlier one of the same name moves to `<name>.<n>.receipt.json`, n being its ordinal among them. Each has its signature
 * beside it (deliveries/receipt-files/signature.ts).
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Queryable } from "../database/database.ts";
import { errorCatalogue } from "../errors.ts";
import { type LoadResult, resultOf } from "../deliveries/load-result.ts";
import { type LoadProgress, progressOf } from "../deliveries/load-progress.ts";
import { type Delivery, deliveryColumns, findDelivery } from "../deliveries/deliveries.ts";
import { readStatements, type ToldStatement } from "../deliveries/statements.ts";
import type { WrittenReceipt } from "../deliveries/receipts.ts";
import type { FindReceiptKey } from "../deliveries/receipt-files/key.ts";
import { signatureEnding } from "../deliveries/receipt-files/signature.ts";
import {
  realDisk,
  type ReceiptDisk,
  type ReceiptFile,
  signed,
  type WriteGroup,
} from "../deliveries/receipt-files/writing.ts";
import { type Described, type Keeping, keepReceipts, oneAfterTheOther } from "./receipt-groups.ts";

export type Problem = { line: number; index: number; field: string; reason: string };

/**
 * What a receipt says. Times are ISO 8601; records = new + known + conflicting + refused + waiting + markers.
 * `corrected` says how many of the conflicting ones replaced what was stored, for partners that correct. While the
 * state is loading the counts are those so far. A withdrawn delivery keeps its counts: they say what had been loaded.
 */
export type Receipt = {
  file: string;
  deliveryId: string;
  correlationId: string;
  state: string;
  /** Of a loaded delivery: how much of it is in the ledger. */
  result?: LoadResult;
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
  /** While it is being loaded, or read again. */
  progress?: LoadProgress;
  withdrawal?: { at: string; transactions: number };
  refusal?: { code: string; reason: string; remedy: string; duplicateOf?: FirstDelivery };
  /** Why what is held could not be read again, when that was asked for last. */
  revisitRefusal?: { code: string; reason: string; remedy: string };
  /** Of a bank's own statements, the first ones, in the file's order; and how many they are. */
  statements?: ToldStatement[];
  statementsTotal?: number;
  problems: Problem[];
  /**
   * How many are kept, of which the list above holds the first ones; those beyond ten thousand show in the counts only.
   */
  problemsTotal: number;
};

/**
 * Of which a later one is a duplicate. `receipt`, where that one came as a file, is where its life is told below
 * receipts/.
 */
export type FirstDelivery = { deliveryId: string; file: string; receipt?: string };

export type Receipts = {
  /** Writes the receipt of a file's delivery as it is now; does nothing for requests. Idempotent. */
  write(deliveryId: string): Promise<void>;
  /**
   * The same for several that came or ended just now, without waiting for the disk: what a power cut takes of receipts
   * of the last hour is written anew (`mendAll`). Never rejects. @returns why it failed, by delivery
   */
  writeAll(deliveryIds: readonly string[]): Promise<ReadonlyMap<string, unknown>>;
  /** As `writeAll`, but for those that have no receipt yet. */
  writeFirst(deliveryIds: readonly string[]): Promise<ReadonlyMap<string, unknown>>;
  /**
   * Writes those that do not say what the database does, for instance since a power cut emptied them. Never rejects.
   * @returns which ones, and why others could not be, by delivery
   */
  mendAll(deliveryIds: readonly string[]): Promise<{ mended: string[]; failures: ReadonlyMap<string, unknown> }>;
};

/** A receipt is read by people and by scripts: past this many, the pattern is clear. */
const problemsShownMax = 1000;
const statementsShownMax = 1000;

/**
 * @param findKey null: receipts are not signed, which is for tests of other things
 * @param writeGroup null: whatever is written is written here
 */
export function createReceipts(
  database: Queryable,
  landingDirectory: string,
  disk: ReceiptDisk = realDisk,
  findKey: FindReceiptKey | null = null,
  writeGroup: WriteGroup | null = null,
): Receipts {
  const inTurn = oneAfterTheOther();
  const durably: Keeping = { database, disk, isDurable: true, onlyFirst: false, findKey, writeGroup };
  const quickly: Keeping = { ...durably, isDurable: false };
  const describe = (delivery: Filed) => describeFiles(database, landingDirectory, delivery);
  const write = async (keeping: Keeping, ids: readonly string[], what = describe) =>
    await inTurn(ids, async () => keepReceipts(keeping, ids, () => findFiled(database, ids, keeping.onlyFirst), what));
  return {
    async write(deliveryId) {
      const { failures } = await write(durably, [deliveryId]);
      if (failures.size > 0) throw failures.get(deliveryId);
    },
    async writeAll(deliveryIds) {
      const { failures } = await write(quickly, deliveryIds);
      return failures;
    },
    async writeFirst(deliveryIds) {
      const { failures } = await write({ ...quickly, onlyFirst: true }, deliveryIds);
      return failures;
    },
    async mendAll(deliveryIds) {
      const { kept, failures } = await write(durably, deliveryIds, async (delivery) => {
        const described = await describe(delivery);
        const key = (await findKey?.()) ?? null;
        const expected = described.files.flatMap((file) => signed(file, key));
        const isWhole = (await Promise.all(expected.map(isKept))).every(Boolean);
        return isWhole ? { files: [], told: [] } : described;
      });
      return { mended: kept, failures };
    },
  };
}

async function isKept({ file, text }: ReceiptFile): Promise<boolean> {
  return (await readFile(file, "utf8").catch(() => null)) === text;
}

/** A file's delivery, whether others have its name, and whether anything is wrong with it. */
type Filed = Delivery & { hasNamesakes: boolean; hasProblems: boolean };

async function findFiled(database: Queryable, ids: readonly string[], onlyFirst: boolean): Promise<Filed[]> {
  const { rows } = await database.query<Filed>(
    `select ${deliveryColumns},
            exists (select 1
                      from deliveries as other
                     where other.partner_id = deliveries.partner_id
                       and other.name = deliveries.name
                       and other.door = 'sftp'
                       and other.id <> deliveries.id) as "hasNamesakes",
            exists (select 1 from delivery_problems where delivery_id = deliveries.id) as "hasProblems"
       from deliveries
      where id = any($1::uuid[])
        and name is not null
        and door = 'sftp'
        and (not $2 or receipt_state is null)`,
    [ids, onlyFirst],
  );
  return rows;
}

async function describeFiles(database: Queryable, landingDirectory: string, delivery: Filed): Promise<Described> {
  const name = delivery.name ?? "";
  const partnerFolder = path.join(landingDirectory, delivery.partnerId);
  const describe = async (one: Delivery, place: number | null): Promise<ReceiptFile> => {
    const receipt = await buildReceipt(database, one, one.id === delivery.id ? delivery.hasProblems : undefined);
    return {
      partnerFolder,
      file: path.join(partnerFolder, "receipts", receiptName(name, place)),
      text: `${JSON.stringify(receipt, null, 2)}\n`,
    };
  };
  const [newest, before] = delivery.hasNamesakes ? await findNamesakes(database, delivery) : [delivery];
  const newestPosition = newest?.position ?? delivery.position;
  const isNewest = newest?.id === delivery.id;
  const files: ReceiptFile[] = [];
  const told: WrittenReceipt[] = [];
  // The one before the newest must give up the path that it owned until now.
  if (isNewest && before) {
    files.push(await describe(before, before.namePlace));
    told.push({ delivery: before, newestPosition });
  }
  files.push(await describe(delivery, isNewest ? null : delivery.namePlace));
  told.push({ delivery, newestPosition });
  return { files, told };
}

/**
 * The receipt as data, for commands too.
 * @param hasProblems default: unless nobody has begun to read it
 */
export async function buildReceipt(
  database: Queryable,
  delivery: Delivery,
  hasProblems: boolean = delivery.startedAt !== null,
): Promise<Receipt> {
  const problems = hasProblems ? await readProblems(database, delivery.id) : { shown: [], total: 0 };
  const refusal = await refusalOf(database, delivery);
  const progress = progressOf(delivery, new Date());
  const statements = delivery.format.startsWith("camt.")
    ? await readStatements(database, delivery.id, statementsShownMax)
    : null;
  return {
    file: delivery.name ?? "",
    deliveryId: delivery.id,
    correlationId: delivery.correlationId,
    state: delivery.state,
    ...(delivery.state === "loaded" ? { result: resultOf(delivery) } : {}),
    format: delivery.format,
    sizeBytes: delivery.sizeBytes,
    sha256: delivery.sha256.toString("hex"),
    acceptedAt: delivery.acceptedAt.toISOString(),
    startedAt: delivery.startedAt?.toISOString() ?? null,
    finishedAt: delivery.finishedAt?.toISOString() ?? null,
    counts: {
      batches: delivery.batches,
      batchesRefused: delivery.batchesRefused,
      records: delivery.records,
      new: delivery.recordsNew,
      known: delivery.recordsKnown,
      conflicting: delivery.recordsConflicting,
      corrected: delivery.recordsCorrected,
      refused: delivery.recordsRefused,
      waiting: delivery.recordsWaiting,
      markers: delivery.markers,
    },
    ...(progress ? { progress } : {}),
    ...(delivery.withdrawnAt
      ? { withdrawal: { at: delivery.withdrawnAt.toISOString(), transactions: delivery.transactionsWithdrawn } }
      : {}),
    ...(refusal ? { refusal } : {}),
    ...(delivery.revisitRefusalCode === null
      ? {}
      : { revisitRefusal: explain(delivery.revisitRefusalCode, delivery.revisitRefusalReason) }),
    ...(statements === null ? {} : { statements: statements.shown, statementsTotal: statements.total }),
    problems: problems.shown,
    problemsTotal: problems.total,
  };
}

async function refusalOf(database: Queryable, delivery: Delivery): Promise<Receipt["refusal"]> {
  if (delivery.refusalCode === null) return undefined;
  const first = delivery.duplicateOf === null ? null : await findDelivery(database, delivery.duplicateOf);
  return {
    ...explain(delivery.refusalCode, delivery.refusalReason),
    ...(first ? { duplicateOf: await firstDeliveryOf(database, first) } : {}),
  };
}

/**
 * A file that was sent twice under one name has the duplicate's receipt at its path: whoever looks there must find the
 * first one's too.
 */
async function firstDeliveryOf(database: Queryable, first: Delivery): Promise<FirstDelivery> {
  const named = { deliveryId: first.id, file: first.name ?? "" };
  if (first.name === null || first.door !== "sftp") return named;
  const [newest] = await findNamesakes(database, first);
  return { ...named, receipt: receiptName(first.name, newest?.id === first.id ? null : first.namePlace) };
}

function explain(code: string, reason: string | null): { code: string; reason: string; remedy: string } {
  const entry = Object.entries(errorCatalogue).find(([known]) => known === code)?.[1];
  return { code, reason: reason ?? entry?.sentence ?? "", remedy: entry?.remedy ?? "" };
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
  const { rows: counted } = await database.query<{ total: number }>(
    "select count(*) as total from delivery_problems where delivery_id = $1",
    [deliveryId],
  );
  return { shown: rows, total: counted[0]?.total ?? rows.length };
}

/** The latest two file deliveries of that name, newest first. */
async function findNamesakes(database: Queryable, delivery: Delivery): Promise<Delivery[]> {
  const { rows } = await database.query<Delivery>(
    `select ${deliveryColumns}
       from deliveries
      where partner_id = $1
        and name = $2
        and door = 'sftp'
      order by position desc
      limit 2`,
    [delivery.partnerId, delivery.name],
  );
  return rows;
}

const ending = ".receipt.json";

/**
 * Below receipts/. A folder of the partner's that is called as a receipt of its would be gives way: both need a name.
 * @param ordinal among the deliveries of that name; null for the newest
 */
export function receiptName(name: string, ordinal: number | null): string {
  const [file = "", ...folders] = name.split("/").toReversed();
  const path = [
    ...folders
      .toReversed()
      .map((folder) =>
        folder.endsWith(ending) || folder.endsWith(`${ending}${signatureEnding}`) ? `${folder}~` : folder,
      ),
    file,
  ].join("/");
  return ordinal === null ? `${path}${ending}` : `${path}.${ordinal}${ending}`;
}
