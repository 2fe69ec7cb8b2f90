/** Requests by reqId, which means one content, whichever door it comes through; and the rows of pushed ones. */
import type { Queryable, Transaction } from "../database/database.ts";
import { free } from "../machine/free.ts";
import { runFor } from "../database/tenant.ts";
import type { NewDelivery } from "./deliveries.ts";

/** What a reqId stands for. */
export type RequestUse = { deliveryId: string; contentSha256: Buffer };

/** Null: the partner has not used it. */
export async function findRequest(
  database: Queryable,
  partnerId: string,
  requestId: string,
): Promise<RequestUse | null> {
  const { rows } = await database.query<RequestUse>(
    `select delivery_id as "deliveryId", content_sha256 as "contentSha256"
       from requests
      where partner_id = $1
        and request_id = $2`,
    [partnerId, requestId],
  );
  return rows[0] ?? null;
}

export type RequestIdentity = { id: string; contentSha256: Buffer };

/** The recorded content of those reqIds that are already used, as hex by reqId. */
export async function findUsedRequests(
  database: Queryable,
  partnerId: string,
  requestIds: readonly string[],
): Promise<Map<string, string>> {
  if (requestIds.length === 0) return new Map();
  const { rows } = await database.query<{ requestId: string; content: string }>(
    `select request_id as "requestId", encode(content_sha256, 'hex') as content
       from requests
      where partner_id = $1
        and request_id = any($2::uuid[])`,
    [partnerId, requestIds],
  );
  return new Map(rows.map((row) => [row.requestId, row.content]));
}

/** A reqId of a line, and the delivery whose line it is. */
export type ClaimedRequest = RequestIdentity & { deliveryId: string };

/**
 * Records the reqIds of lines that are about to be loaded. Ordered by id, so that two loaders wait for each other
 * instead of deadlocking.
 * @returns false when one of them came to mean another content since it was looked up.
 */
export async function claimRequests(
  transaction: Transaction,
  partnerId: string,
  requests: readonly ClaimedRequest[],
): Promise<boolean> {
  if (requests.length === 0) return true;
  const ordered = requests.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const ids = ordered.map((request) => request.id);
  await transaction.query(
    `insert into requests (partner_id, request_id, content_sha256, delivery_id)
     select $1, id, content, delivery_id
       from unnest($2::uuid[], $3::bytea[], $4::uuid[]) as request (id, content, delivery_id)
     on conflict do nothing`,
    [partnerId, ids, ordered.map((request) => request.contentSha256), ordered.map((request) => request.deliveryId)],
  );
  const used = await findUsedRequests(transaction, partnerId, ids);
  return ordered.every((request) => used.get(request.id) === request.contentSha256.toString("hex"));
}

/** Of a withdrawn delivery: its reqIds can be sent again, with whatever content. */
export async function forgetRequests(transaction: Transaction, partnerId: string, deliveryId: string): Promise<void> {
  await transaction.query("delete from requests where partner_id = $1 and delivery_id = $2", [partnerId, deliveryId]);
}

export type NewRequest = {
  delivery: NewDelivery & { requestId: string };
  /** Of the content inside the encryption. */
  contentSha256: Buffer;
  body: Buffer;
  /** Whom it names by the partner's ids. */
  uids: readonly string[];
};

/** Users of a request that its partner does not have. */
export type UnknownUsers = { unknownUsers: string[] };
/** "used": the partner used the reqId before. All but "inserted" change nothing. */
export type Insertion = "inserted" | "used" | UnknownUsers;

/** Part of a statement in which `bodies` has ids of deliveries and what landed. */
export const keepGivenBodies = "insert into delivery_bodies (delivery_id, body) select id, body from bodies";

/**
 * Accepts pushed requests of one partner, rows, bodies and reqIds in one statement; positions follow their order.
 * @returns by delivery's id; none, or "used", for those whose reqId was used
 */
export async function insertRequests(
  database: Queryable,
  requests: readonly NewRequest[],
): Promise<Map<string, Insertion>> {
  const [request] = requests;
  if (request !== undefined && requests.length === 1)
    return new Map([[request.delivery.id, await insertOne(database, request)]]);
  return await insertSeveral(database, requests);
}

/** Most come alone; a third of the server's work is then spared (migrations/240_accept_request.ts). */
async function insertOne(database: Queryable, request: NewRequest): Promise<Insertion> {
  const { delivery, contentSha256, body, uids } = request;
  const { rows } = await runFor({ partnerId: delivery.partnerId, subject: null }, () =>
    database.query<{ unknown: number[] | null }>({
      name: "accept-request",
      text: "select accept_request($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as unknown",
      values: [
        delivery.partnerId,
        delivery.id,
        delivery.requestId,
        delivery.correlationId,
        delivery.sizeBytes,
        delivery.sha256,
        contentSha256,
        delivery.traceparent ?? null,
        body,
        uids,
      ],
    }),
  );
  const unknown = rows[0]?.unknown ?? null;
  if (unknown === null) return "inserted";
  return unknown.length === 0 ? "used" : { unknownUsers: unknown.map((place) => uids[place - 1] ?? "") };
}

async function insertSeveral(database: Queryable, requests: readonly NewRequest[]): Promise<Map<string, Insertion>> {
  const deliveries = requests.map(({ delivery }) => delivery);
  const named = requests.flatMap(({ uids }, ordinal) => uids.map((uid) => ({ uid, ordinal: ordinal + 1 })));
  // Whoever's call begins it, the statement is the senders'.
  const partnerId = deliveries[0]?.partnerId ?? null;
  const bodies = byteaArray(requests.map(({ body }) => body));
  const { rows } = await runFor({ partnerId, subject: null }, () =>
    database.query<{ id: string; unknownUser: number | null }>({
      name: "insert-requests",
      // In one order for all who claim reqIds, so that twins wait for each other and never in a circle. The arrays are
      // selected so that the planner does not see their lengths: it would make a plan for each statement, 0.9 instead
      // of 0.55 ms of the server's time.
      text: `with given as materialized (
       select *
         from unnest(
                (select $1::uuid[]), (select $2::text[]), (select $3::uuid[]), (select $4::text[]), (select $5::bigint[]), (select $6::bytea[]), (select $7::bytea[]), (select $11::text[])
              )
              with ordinality as given (id, partner_id, request_id, correlation_id, size_bytes, sha256, content_sha256, traceparent, ordinal)
     ),
     unknown_users as materialized (
       select given.id, named.ordinal, named.number
         from unnest((select $9::integer[]), (select $10::text[])) with ordinality as named (ordinal, uid, number)
         join given on given.ordinal = named.ordinal
        -- Not as an anti-join: of a table that was never analysed the planner would read all users for it.
        where (
          select true from users where users.partner_id = given.partner_id and users.bank_user_id = named.uid and users.deleted_at is null limit 1
        ) is null
     ),
     claimed as (
       insert into requests (partner_id, request_id, content_sha256, delivery_id)
       select partner_id, request_id, content_sha256, id
         from given
        where ordinal not in (select ordinal from unknown_users)
        order by partner_id, request_id, ordinal
       on conflict do nothing
       returning delivery_id
     ),
     delivered as (
       insert into deliveries (id, partner_id, door, format, request_id, correlation_id, traceparent, size_bytes, sha256, signing_required)
       select id, partner_id, 'https', 'request', request_id, correlation_id, traceparent, size_bytes, sha256,
              (select settings @> '{"signedBatches": "required"}' from partners where partners.id = given.partner_id)
         from given
        where id in (select delivery_id from claimed)
        order by ordinal
     ),
     bodies as (
       select id, body
         from unnest((select $1::uuid[]), (select $8::bytea[])) as bodies (id, body)
        where id in (select delivery_id from claimed)
     ),
     kept as (
       ${keepGivenBodies}
     )
     select delivery_id as id, null::integer as "unknownUser" from claimed
      union all
     select id, number::integer from unknown_users
      order by "unknownUser"`,
      values: [
        deliveries.map(({ id }) => id),
        deliveries.map(({ partnerId }) => partnerId),
        deliveries.map(({ requestId }) => requestId),
        deliveries.map(({ correlationId }) => correlationId),
        deliveries.map(({ sizeBytes }) => sizeBytes),
        byteaArray(deliveries.map(({ sha256 }) => sha256)),
        byteaArray(requests.map(({ contentSha256 }) => contentSha256)),
        bodies,
        named.map(({ ordinal }) => ordinal),
        named.map(({ uid }) => uid),
        deliveries.map(({ traceparent }) => traceparent ?? null),
      ],
    }),
  );
  free(bodies);
  return insertionsOf(
    rows.map(({ id, unknownUser: user }) => ({ id, uid: user === null ? null : (named[user - 1]?.uid ?? "") })),
  );
}

/** @param rows one for each request that was inserted, and one for each unknown user of those that were not */
function insertionsOf(rows: readonly { id: string; uid: string | null }[]): Map<string, Insertion> {
  const insertions = new Map<string, Insertion>();
  for (const { id, uid } of rows) {
    const known = insertions.get(id);
    if (uid === null) insertions.set(id, "inserted");
    else if (typeof known === "object") known.unknownUsers.push(uid);
    else insertions.set(id, { unknownUsers: [uid] });
  }
  return insertions;
}

const byteaOid = 17;

/**
 * A bytea[] as PostgreSQL's array_recv reads it: dimensions, no nulls, the elements' type; of the one dimension length
 * and lower bound; each element with its length. pg would write bytes in an array as hexadecimal text.
 */
export function byteaArray(elements: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(20);
  for (const [index, number] of [1, 0, byteaOid, elements.length, 1].entries()) head.writeInt32BE(number, index * 4);
  return Buffer.concat([head, ...elements.flatMap((element) => [lengthOf(element), element])]);
}

function lengthOf(element: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(element.length);
  return length;
}
