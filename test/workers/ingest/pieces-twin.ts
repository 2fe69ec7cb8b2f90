/**
 * Two partners in one database to whom the same happens, one of whose files are known by their pieces; and all that the
 * database says of one, told so that it can be held against the other.
 */
import { createHash, randomUUIDv7 } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { eraseUsers } from "../../../src/data-subjects/erase.ts";
import { inTransaction } from "../../../src/database/database.ts";
import { insertDelivery } from "../../../src/deliveries/deliveries.ts";
import { keepAccounts } from "../../../src/ledger/account-access.ts";
import { putBalances } from "../../../src/ledger/holdings.ts";
import { removeOldPieces } from "../../../src/partners/loaded-pieces.ts";
import { withdraw } from "../../../src/ledger/withdraw.ts";
import { encryptSecret } from "../../../src/partners/keys/secrets-at-rest.ts";
import { deleteUser } from "../../../src/partners/users.ts";
import type { WorkerContext } from "../../../workers/context.ts";
import { ingestDelivery } from "../../../workers/ingest/ingest.ts";
import type { PieceUse } from "../../../workers/ingest/pieces.ts";
import { addPartner, addUser } from "../../parties.ts";
import { sealToken, type TestKey } from "../sealing.ts";
import { type LoadingWorld, openLoading, transaction } from "../world.ts";

export type Twin = {
  partnerId: string;
  /** @returns the delivery's number, from 0 */
  deliver(records: readonly unknown[], compress: boolean): Promise<number>;
  /** The nth delivery. */
  load(nth: number): Promise<void>;
  withdraw(nth: number): Promise<void>;
  review(uid: string, kept: readonly string[]): Promise<void>;
  rename(uid: string, accountId: string, name: string): Promise<void>;
  deleteUser(uid: string): Promise<void>;
  addUser(uid: string): Promise<void>;
  erase(): Promise<void>;
  /** Time passes: who is loaded for is touched again, pieces that are void go. */
  passTime(): Promise<void>;
  completeImport(uid: string): Promise<void>;
  tell(): Promise<Record<string, string[]>>;
  /** How many are kept of it. */
  piecesKept(): Promise<number>;
};

export async function openTwin(
  world: LoadingWorld,
  key: TestKey,
  {
    partnerId,
    settings,
    pieces,
    format = "jwe",
  }: { partnerId: string; settings: object; pieces: PieceUse | null; format?: "jwe" | "jsonl" },
): Promise<Twin> {
  const { database } = world;
  const context: WorkerContext = { ...world.context, pieces };
  await addPartner(database, partnerId);
  await database.query("update partners set settings = $2 where id = $1", [partnerId, JSON.stringify(settings)]);
  const kid = `key-${partnerId}`;
  await database.query(
    "insert into service_keys (kid, purpose, partner_id, public_jwk, private_sealed) values ($1, 'batch-encryption', $2, $3, $4)",
    [
      kid,
      partnerId,
      JSON.stringify(key.publicKey.export({ format: "jwk" })),
      encryptSecret(context.keyEncryptionKey, kid, key.privateKey.export({ format: "pem", type: "pkcs8" }).toString()),
    ],
  );
  await database.query("insert into feed_followers (name, partner_id, xid, position) values ($1, $1, '0', 0)", [
    partnerId,
  ]);
  const names = new Map<number, string>();
  const deliveries: string[] = [];
  const sealLines = createLineSealer({ ...key, kid });
  const live = async (uid: string): Promise<number | undefined> => {
    const { rows } = await database.query<{ id: number }>(
      "select id from users where partner_id = $1 and bank_user_id = $2 and deleted_at is null",
      [partnerId, uid],
    );
    return rows[0]?.id;
  };
  const twin: Twin = {
    partnerId,
    async deliver(records, compress) {
      const id = randomUUIDv7();
      const bytes =
        format === "jwe"
          ? sealToken({ ...key, kid }, JSON.stringify(records), { compress })
          : sealLines(records, compress);
      await writeFile(path.join(world.settings.vaultDirectory, id), bytes);
      await insertDelivery(database, {
        id,
        partnerId,
        door: "sftp",
        format,
        name: id,
        requestId: null,
        correlationId: "c",
        sizeBytes: bytes.length,
        sha256: createHash("sha256").update(id).digest(),
        vaultReference: id,
        refusal: null,
      });
      return deliveries.push(id) - 1;
    },
    async load(nth) {
      await ingestDelivery(context, { deliveryId: deliveries[nth] as string });
    },
    withdraw: (nth) =>
      inTransaction(database, async (transaction) => {
        await withdraw(transaction, deliveries[nth] as string, "operator");
      }),
    async review(uid, kept) {
      const id = await live(uid);
      if (id !== undefined)
        await inTransaction(database, async (transaction) => {
          await keepAccounts(transaction, { id, partnerId }, kept);
        });
    },
    async rename(uid, accountId, accountName) {
      const id = await live(uid);
      if (id !== undefined)
        await putBalances(database, id, "Europe/Copenhagen", [
          { accountId, accountName, balance: "1", observedTime: "2026-01-01T00:00:00Z" },
        ]);
    },
    async deleteUser(uid) {
      const id = await live(uid);
      if (id !== undefined) await deleteUser(database, id);
    },
    async addUser(uid) {
      if ((await live(uid)) === undefined) names.set(await addUser(database, partnerId, uid), `${uid} (${names.size})`);
    },
    async erase() {
      const { rows } = await database.query<{ id: number }>(
        "select id from users where partner_id = $1 and deleted_at is not null",
        [partnerId],
      );
      await inTransaction(database, async (transaction) => {
        await eraseUsers(
          transaction,
          rows.map(({ id }) => id),
        );
      });
    },
    async passTime() {
      await database.query("update users set last_loaded_at = null where partner_id = $1", [partnerId]);
      await removeOldPieces(database, partnerId, new Date(0));
    },
    async completeImport(uid) {
      await database.query("update users set import_completed_at = now() where partner_id = $1 and bank_user_id = $2", [
        partnerId,
        uid,
      ]);
    },
    tell: () => tellOf(world, partnerId, names, deliveries),
    async piecesKept() {
      const { rows } = await database.query<{ n: number }>(
        "select count(*) as n from loaded_pieces where partner_id = $1",
        [partnerId],
      );
      return rows[0]?.n ?? 0;
    },
  };
  for (const uid of ["u1", "u2", "u3"]) await twin.addUser(uid);
  return twin;
}

const recordsPerLine = 6;

/**
 * Records as lines. One that came before comes as it was, or sealed anew, half of these with a reqId of their own; the
 * reqIds of some lines stand for others, too.
 */
function createLineSealer(key: TestKey): (records: readonly unknown[], asBefore: boolean) => string {
  const sealed = new Map<string, string>();
  return (records, asBefore) => {
    const lines: string[] = [];
    for (let from = 0; from < records.length; from += recordsPerLine) {
      const content = JSON.stringify(records.slice(from, from + recordsPerLine));
      const before = sealed.get(content);
      const hasOwnId = before !== undefined && !asBefore && content.length % 2 === 0;
      const named = content.length % 5 === 0 ? content.slice(0, 60) : `${content}${hasOwnId ? lines.length : ""}`;
      const line =
        before !== undefined && asBefore
          ? before
          : JSON.stringify({ reqId: uuidOf(named), txs: sealToken(key, content) });
      sealed.set(content, line);
      lines.push(line);
    }
    return lines.join("\n");
  };
}

function uuidOf(text: string): string {
  const digits = createHash("sha256").update(text).digest("hex");
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20, 32),
  ].join("-");
}

/** Tables of the shortcut itself, and keys, which are each partner's own. */
const ownTables = ["loaded_pieces", "piece_epochs", "service_keys", "partners", "feed_followers"];
/** Numbers of the database's own, and what differs between two sealed files of one content. */
const ownColumns = ["version", "xid", "subject", "sha256", "statement", "loaded_by", "correlation_id", "wire_id"];

type Row = Record<string, unknown>;

/** Every row about the partner, its users and deliveries, by table; what numbers, names and times they bear is told alike. */
async function tellOf(
  { database }: LoadingWorld,
  partnerId: string,
  names: ReadonlyMap<number, string>,
  deliveries: readonly string[],
): Promise<Record<string, string[]>> {
  const { rows: placed } = await database.query<{ id: string; position: number }>(
    "select id, position from deliveries where partner_id = $1",
    [partnerId],
  );
  const places = new Map(placed.map(({ id, position }) => [position, deliveries.indexOf(id)]));
  const tables = await database.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = current_schema() order by 1",
  );
  const told: Record<string, string[]> = {};
  for (const { name } of tables.rows.filter((one) => !ownTables.includes(one.name))) {
    const { rows } = await database.query<{ row: Row }>(`select to_jsonb(one) as row from ${name} as one`);
    const isOwn = (row: Row): boolean =>
      row["partner_id"] !== undefined
        ? row["partner_id"] === partnerId
        : names.has(row["user_id"] as number) ||
          deliveries.includes((row["delivery_id"] ?? "") as string) ||
          (name === "deliveries" && deliveries.includes(row["id"] as string));
    const tellValue = (column: string, value: unknown): unknown => {
      if (value === null) return null;
      if (column === "user_id" || (name === "users" && column === "id")) return names.get(value as number);
      if (column === "user_ids") return (value as number[]).map((id) => names.get(id));
      if (/^delivery_position$|^removed_after$/.test(column) || (column === "position" && name !== "feed_changes"))
        return places.get(value as number) ?? value;
      if (typeof value === "number" && (column === "id" || (name === "feed_changes" && column === "position")))
        return "a number";
      if (typeof value !== "string") return value;
      if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+/.test(value)) return "a time";
      const text = deliveries.reduce((left, id, at) => left.replaceAll(id, `delivery ${at}`), value);
      return text.replaceAll(partnerId, "partner");
    };
    const own = rows
      .map(({ row }) => row)
      .filter(isOwn)
      .map((row) =>
        JSON.stringify(
          Object.fromEntries(
            Object.entries(row)
              .filter(([column]) => !ownColumns.includes(column))
              .map(([column, value]) => [column, tellValue(column, value)]),
          ),
        ),
      );
    if (own.length > 0) told[name] = own.toSorted();
  }
  return told;
}

export const small = {
  fromBytes: 0,
  rules: { recordsMin: 2, recordsMax: 12, bytesMax: 8192, oneIn: 4, piecesMax: 10_000 },
};

export async function openCutting(t: Parameters<typeof openLoading>[0], settings?: object): Promise<LoadingWorld> {
  const world = await openLoading(t, settings);
  world.context.pieces = small;
  return world;
}

export const many = (uid: string, count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => transaction(uid, `t${from + n}`));

/** Has the ledger lose everything behind the triggers' back: from then on whatever is known was not read. */
export async function loseLedger({ database }: LoadingWorld): Promise<void> {
  await database.query("alter table transactions disable trigger user");
  await database.query("delete from transactions");
  await database.query("alter table transactions enable trigger user");
}
