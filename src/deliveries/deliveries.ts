/** Deliveries as doors, receipts and commands see them. What becomes of one is written in this room, a file each. */
import type { Queryable } from "../database/database.ts";

export const deliveryStates = ["accepted", "loading", "loaded", "refused", "withdrawn"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export type NewDelivery = {
  id: string;
  partnerId: string;
  door: "https" | "sftp" | "direct";
  /** "request"; of a file one of workers/formats/formats.ts, or "unknown". The table's constraint names them all. */
  format: string;
  name: string | null;
  requestId: string | null;
  correlationId: string;
  /** W3C Trace Context of what brought it: the call, or where traces are made its acceptance; absent: none. */
  traceparent?: string;
  sizeBytes: number;
  sha256: Buffer;
  vaultReference: string | null;
  /** Set when the delivery is refused at the door. */
  refusal: { code: string; reason: string; duplicateOf: string | null } | null;
};

/** One row of deliveries. Times are instants, counts are records unless named otherwise. */
export type Delivery = {
  id: string;
  position: number;
  partnerId: string;
  door: string;
  format: string;
  name: string | null;
  requestId: string | null;
  correlationId: string;
  sizeBytes: number;
  sha256: Buffer;
  vaultReference: string | null;
  state: DeliveryState;
  duplicateOf: string | null;
  refusalCode: string | null;
  refusalReason: string | null;
  /** Failures of its own since its last progress. */
  attempts: number;
  batches: number;
  batchesRefused: number;
  records: number;
  recordsNew: number;
  recordsKnown: number;
  recordsConflicting: number;
  /** Among the conflicting ones. */
  recordsCorrected: number;
  recordsRefused: number;
  recordsWaiting: number;
  markers: number;
  acceptedAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  withdrawnAt: Date | null;
  transactionsWithdrawn: number;
  revisitRequestedAt: Date | null;
  revisitAttempts: number;
  /** When its present or last revisit began, and how much that has read so far: records, and of sizeBytes. */
  revisitStartedAt: Date | null;
  revisitRecords: number;
  revisitBytes: number;
  /** Why the latest revisit could not read the original; null when it could. */
  revisitRefusalCode: string | null;
  revisitRefusalReason: string | null;
  quarantineClosedAt: Date | null;
  receiptState: DeliveryState | null;
  /**
   * Which of the file deliveries of its name it is, from 1; stays when earlier ones are removed. Null for a request.
   */
  namePlace: number | null;
  /** When retention removed the landed bytes. */
  bytesRemovedAt: Date | null;
  /** Loads that began and of whose end nobody has heard. */
  breakdowns: number;
  /** Not to be loaded before. */
  retryAt: Date | null;
  /** Of sizeBytes. */
  bytesLoaded: number;
  /** When its present or last run began, and with how many records. */
  runStartedAt: Date | null;
  runStartedRecords: number;
  /** Machine, process and thread of that run, in words; null before the first one. */
  loadedBy: string | null;
};

const columns = {
  id: "id",
  position: "position",
  partnerId: "partner_id",
  door: "door",
  format: "format",
  name: "name",
  requestId: "request_id",
  correlationId: "correlation_id",
  sizeBytes: "size_bytes",
  sha256: "sha256",
  vaultReference: "vault_reference",
  state: "state",
  duplicateOf: "duplicate_of",
  refusalCode: "refusal_code",
  refusalReason: "refusal_reason",
  attempts: "attempts",
  batches: "batches",
  batchesRefused: "batches_refused",
  records: "records",
  recordsNew: "records_new",
  recordsKnown: "records_known",
  recordsConflicting: "records_conflicting",
  recordsCorrected: "records_corrected",
  recordsRefused: "records_refused",
  recordsWaiting: "records_waiting",
  markers: "markers",
  acceptedAt: "accepted_at",
  startedAt: "started_at",
  finishedAt: "finished_at",
  withdrawnAt: "withdrawn_at",
  transactionsWithdrawn: "transactions_withdrawn",
  revisitRequestedAt: "revisit_requested_at",
  revisitAttempts: "revisit_attempts",
  revisitStartedAt: "revisit_started_at",
  revisitRecords: "revisit_records",
  revisitBytes: "revisit_bytes",
  revisitRefusalCode: "revisit_refusal_code",
  revisitRefusalReason: "revisit_refusal_reason",
  quarantineClosedAt: "quarantine_closed_at",
  receiptState: "receipt_state",
  namePlace: "name_place",
  bytesRemovedAt: "bytes_removed_at",
  breakdowns: "breakdowns",
  retryAt: "retry_at",
  bytesLoaded: "bytes_loaded",
  runStartedAt: "run_started_at",
  runStartedRecords: "run_started_records",
  loadedBy: "loaded_by",
} as const satisfies Record<keyof Delivery, string>;

/** Of `deliveries` as the row of a Delivery, for a statement in which no other table has columns called so. */
export const deliveryColumns = Object.entries(columns)
  .map(([name, column]) => (name === column ? column : `${column} as "${name}"`))
  .join(", ");

export async function insertDelivery(database: Queryable, delivery: NewDelivery): Promise<void> {
  await database.query(
    `insert into deliveries (
       id, partner_id, door, format, name, request_id, correlation_id, size_bytes, sha256, vault_reference,
       state, refusal_code, refusal_reason, duplicate_of, traceparent, finished_at, name_place, signing_required
     )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, case when $12::text is null then null else now() end,
             case when $3 = 'sftp' then (select coalesce(max(name_place), 0) + 1 from deliveries where partner_id = $2 and name = $5) end,
             (select settings @> '{"signedBatches": "required"}' from partners where id = $2))`,
    [
      delivery.id,
      delivery.partnerId,
      delivery.door,
      delivery.format,
      delivery.name,
      delivery.requestId,
      delivery.correlationId,
      delivery.sizeBytes,
      delivery.sha256,
      delivery.vaultReference,
      delivery.refusal ? "refused" : "accepted",
      delivery.refusal?.code ?? null,
      delivery.refusal?.reason ?? null,
      delivery.refusal?.duplicateOf ?? null,
      delivery.traceparent ?? null,
    ],
  );
}

export async function findDelivery(database: Queryable, id: string): Promise<Delivery | null> {
  const { rows } = await database.query<Delivery>(`select ${deliveryColumns} from deliveries where id = $1`, [id]);
  return rows[0] ?? null;
}

export async function findDeliveries(database: Queryable, ids: readonly string[]): Promise<Delivery[]> {
  if (ids.length === 0) return [];
  const { rows } = await database.query<Delivery>(
    `select ${deliveryColumns} from deliveries where id = any($1::uuid[]) order by position`,
    [ids],
  );
  return rows;
}

/** The first delivery of the same bytes that was neither refused nor withdrawn: it counts, a later one is a repeat. */
export async function findSameBytes(
  database: Queryable,
  partnerId: string,
  sha256: Buffer,
): Promise<{ id: string; name: string | null } | null> {
  const { rows } = await database.query<{ id: string; name: string | null }>(
    `select id, name
       from deliveries
      where partner_id = $1
        and sha256 = $2
        and state not in ('refused', 'withdrawn')
      order by position
      limit 1`,
    [partnerId, sha256],
  );
  return rows[0] ?? null;
}

/** The latest file that came in under this name with these bytes, accepted or refused. */
export async function findRecordedFile(
  database: Queryable,
  partnerId: string,
  name: string,
  sha256: Buffer,
): Promise<{ format: string; refusalCode: string | null } | null> {
  const { rows } = await database.query<{ format: string; refusalCode: string | null }>(
    `select format, refusal_code as "refusalCode"
       from deliveries
      where partner_id = $1
        and name = $2
        and sha256 = $3
        and door = 'sftp'
      order by position desc
      limit 1`,
    [partnerId, name, sha256],
  );
  return rows[0] ?? null;
}

/** Deliveries of a partner of which held records are due to be read again, oldest first; some hundred at a time. */
export async function findRevisitsDue(database: Queryable, partnerId: string): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `select id
       from deliveries
      where partner_id = $1
        and revisit_requested_at is not null
      order by position
      limit 500`,
    [partnerId],
  );
  return rows.map((row) => row.id);
}
