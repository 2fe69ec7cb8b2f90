/**
 * The audit trail's chain: one writer takes what is new, some seconds late, into a batch whose digest covers the batch
 * before it, and signs it. Whoever owns the database can change rows, and cannot sign: `verifyAudit` finds what was
 * changed, removed, exchanged or put in, and with an anchor that was kept elsewhere also an end that was cut off.
 */
import { createHash, type KeyObject, sign, verify } from "node:crypto";
import { type Database, inTransaction, type Queryable } from "../database/database.ts";
import { doorEvents } from "./audit.ts";
import { currentSigningKey, type SigningKey, trustedPublicKeys } from "./keys/signing-keys.ts";

/** Held by whoever chains. Any number that no other lock uses. */
const chainLock = 7_431_003;
/** Events of one batch; a busy hour's worth. */
const batchMax = 5_000;
/** A transaction that began before others and ends after them brings a lower number late: looked for over so long. */
const lateWithin = "1 day";
/** What is not chained after this was put in behind the chain's back, or nothing chains any more. */
const chainedWithinMinutes = 10;

export type Anchor = { number: number; digest: string };

type Event = { id: string; at: string; partnerId: string | null; actor: string; event: string; details: string };

/** Instants to the microsecond and details as the database writes them: equal rows give equal text. */
const selectEvents = `select id::text, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, partner_id as "partnerId", actor, event, details::text from audit_events`;

/** Chains what is new. @returns the newest batch, or null when nothing was */
export async function chainAudit(database: Database, keyEncryptionKey: Buffer): Promise<Anchor | null> {
  const key = await currentSigningKey(database, keyEncryptionKey, "audit-signing");
  return await inTransaction(database, async (transaction) => {
    const { rows } = await transaction.query<{ taken: boolean }>("select pg_try_advisory_xact_lock($1) as taken", [
      chainLock,
    ]);
    if (rows[0]?.taken !== true) return null;
    const last = await lastBatch(transaction);
    const events = await findUnchained(transaction);
    return events.length === 0 ? null : await appendBatch(transaction, key, last, events);
  });
}

async function findUnchained(transaction: Queryable): Promise<Event[]> {
  const { rows } = await transaction.query<Event>(
    `with recent as (select unnest(event_ids) as id from audit_batches where chained_at > now() - interval '${lateWithin}'),
          before as (select coalesce(max(one), 0) as id from audit_batches, unnest(event_ids) as one where chained_at <= now() - interval '${lateWithin}'
                        and number >= (select coalesce(max(number), 0) from audit_batches where chained_at <= now() - interval '${lateWithin}'))
     ${selectEvents}
      where id > (select id from before)
        and id not in (select id from recent)
      order by id
      limit ${batchMax}`,
  );
  return rows;
}

async function appendBatch(
  transaction: Queryable,
  key: SigningKey,
  last: Anchor | null,
  events: readonly Event[],
): Promise<Anchor> {
  const number = (last?.number ?? 0) + 1;
  const lines = events.map(lineOf).join("\n");
  const digest = digestOf(last?.digest ?? "", number, lines);
  await transaction.query(
    "insert into audit_batches (number, event_ids, lines, digest, kid, signature) values ($1, $2::bigint[], $3, $4, $5, $6)",
    [number, events.map(({ id }) => id), lines, Buffer.from(digest, "hex"), key.kid, signed(key, `batch ${digest}`)],
  );
  return { number, digest };
}

/** The chain's end, for keeping elsewhere; null before the first batch. */
export async function lastBatch(database: Queryable): Promise<Anchor | null> {
  const { rows } = await database.query<Anchor>(
    "select number, encode(digest, 'hex') as digest from audit_batches order by number desc limit 1",
  );
  return rows[0] ?? null;
}

function lineOf(event: Event): string {
  const { id, at, event: name } = event;
  return `${id} ${at} ${name} ${sha256(JSON.stringify([id, at, event.partnerId, event.actor, name, event.details]))}`;
}

function digestOf(before: string, number: number, lines: string): string {
  return sha256(`${before}\n${number}\n${lines}`);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function signed({ privateKey }: SigningKey, statement: string): Buffer {
  return sign(null, Buffer.from(statement), privateKey);
}

/**
 * Removes what the doors wrote before an instant, behind a signed checkpoint. What is not chained yet is chained first.
 * @returns how many went
 */
export async function removeDoorEvents(database: Database, keyEncryptionKey: Buffer, wanted: Date): Promise<number> {
  while ((await chainAudit(database, keyEncryptionKey)) !== null);
  const key = await currentSigningKey(database, keyEncryptionKey, "audit-signing");
  const before = new Date(Math.min(wanted.getTime(), Date.now() - youngestRemovedMs));
  return await inTransaction(database, async (transaction) => {
    const { rows } = await transaction.query<{ removed: number }>("select remove_door_events($1) as removed", [before]);
    const removed = rows[0]?.removed ?? 0;
    if (removed === 0) return 0;
    const statement = `removed ${doorEvents.join(" ")} before ${before.toISOString()}`;
    await transaction.query(
      "insert into audit_removals (removed_before, statement, kid, signature) values ($1, $2, $3, $4)",
      [before, statement, key.kid, signed(key, statement)],
    );
    return removed;
  });
}

/** Reads an anchor as `tideline audit anchor` prints it; null: the text is none. */
export function parseAnchor(text: string): Anchor | null {
  const found = /"number":\s*(\d+),\s*"digest":\s*"([0-9a-f]{64})"/.exec(text);
  return found === null ? null : { number: Number(found[1]), digest: found[2] ?? "" };
}

export type Verification = {
  batches: number;
  events: number;
  /** Of those, removed by rule. */
  removed: number;
  /** Sentences; empty: the trail is as it was written. */
  faults: string[];
};

/** Ids read at once. */
const pageMax = 50_000;
/** Retention's least age, which the database holds too: nothing younger goes. */
const youngestRemovedMs = 30 * 24 * 3600 * 1000;
/** Faults told by name; beyond so many one reads the first. */
const faultsMax = 50;

/** @param anchor of an earlier day, from elsewhere; null: an end that was cut off is not found */
export async function verifyAudit(
  database: Database,
  keyEncryptionKey: Buffer,
  anchor: Anchor | null,
): Promise<Verification> {
  const keys = await trustedPublicKeys(database, keyEncryptionKey, "audit-signing");
  const found: Verification = { batches: 0, events: 0, removed: 0, faults: [] };
  const tell = (fault: string) => void (found.faults.length < faultsMax && found.faults.push(fault));
  const removedBefore = await verifiedRemoval(database, keys, tell);
  const seen = new Set<string>();
  let before = "";
  for (;;) {
    const batch = await nextBatch(database, found.batches);
    if (batch === null) break;
    found.batches += 1;
    if (batch.number !== found.batches) {
      tell(`batch ${found.batches} is missing`);
      found.batches = batch.number;
    }
    const digest = digestOf(before, batch.number, batch.lines);
    if (digest !== batch.digest) tell(`batch ${batch.number} does not continue the one before it`);
    const key = keys.get(batch.kid);
    if (key === undefined || !verify(null, Buffer.from(`batch ${batch.digest}`), key, batch.signature))
      tell(`batch ${batch.number} is not signed by this service`);
    if (anchor?.number === batch.number && anchor.digest !== batch.digest)
      tell(`batch ${batch.number} is another than the anchor's`);
    before = batch.digest;
    await compareEvents(database, batch.lines, { seen, removedBefore, found, tell });
  }
  if (anchor !== null && anchor.number > found.batches)
    tell(`the trail ends with batch ${found.batches}, and the anchor knows ${anchor.number}`);
  await tellUnchained(database, seen, tell);
  return found;
}

type Batch = { number: number; lines: string; digest: string; kid: string; signature: Buffer };

async function nextBatch(database: Queryable, after: number): Promise<Batch | null> {
  const { rows } = await database.query<Batch>(
    `select number, lines, encode(digest, 'hex') as digest, kid, signature
       from audit_batches where number > $1 order by number limit 1`,
    [after],
  );
  return rows[0] ?? null;
}

/** The latest instant before which events of the doors were removed by rule. */
async function verifiedRemoval(
  database: Queryable,
  keys: ReadonlyMap<string, KeyObject>,
  tell: (fault: string) => void,
): Promise<string> {
  const { rows } = await database.query<{ before: Date; statement: string; kid: string; signature: Buffer }>(
    "select removed_before as before, statement, kid, signature from audit_removals order by id",
  );
  let latest = "";
  for (const { before, statement, kid, signature } of rows) {
    const key = keys.get(kid);
    const isOurs = key !== undefined && verify(null, Buffer.from(statement), key, signature);
    if (!isOurs || !statement.endsWith(` before ${before.toISOString()}`))
      tell(`the removal before ${before.toISOString()} is not signed by this service`);
    else if (before.toISOString() > latest) latest = before.toISOString();
  }
  return latest;
}

type Comparing = {
  seen: Set<string>;
  removedBefore: string;
  found: Verification;
  tell(fault: string): void;
};

async function compareEvents(database: Queryable, lines: string, comparing: Comparing): Promise<void> {
  const { seen, removedBefore, found, tell } = comparing;
  const expected = lines.split("\n");
  const idOf = (line: string): string => line.slice(0, line.indexOf(" "));
  const { rows } = await database.query<Event>(`${selectEvents} where id = any($1::bigint[])`, [expected.map(idOf)]);
  const present = new Map(rows.map((event) => [event.id, lineOf(event)]));
  for (const line of expected) {
    const [id = "", at = "", name = ""] = line.split(" ");
    found.events += 1;
    if (seen.has(id)) tell(`event ${id} is chained twice`);
    seen.add(id);
    const now = present.get(id);
    if (now === line) continue;
    if (now !== undefined) tell(`event ${id} (${name}, ${at}) was changed`);
    else if (at < removedBefore && doorEvents.some((door) => name.startsWith(door))) found.removed += 1;
    else tell(`event ${id} (${name}, ${at}) was removed`);
  }
}

async function tellUnchained(database: Queryable, seen: ReadonlySet<string>, tell: (fault: string) => void) {
  for (let after = "0"; ;) {
    const { rows } = await database.query<{ id: string }>(
      `select id::text from audit_events
        where id > $1 and at < now() - interval '${chainedWithinMinutes} minutes'
        order by audit_events.id limit ${pageMax}`,
      [after],
    );
    for (const { id } of rows) if (!seen.has(id)) tell(`event ${id} was never chained`);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}
