/**
 * Pushed requests on their way into the database. While some are being committed, those that arrive wait and then go
 * together: one statement, one round trip and one flush of the log for all of them, and none waits for a clock.
 */
import { type Database, isDatabaseAway, type Queryable } from "../database/database.ts";
import { runFor } from "../database/tenant.ts";
import type { NewDelivery } from "../deliveries/deliveries.ts";

export type NewRequest = {
  delivery: NewDelivery & { requestId: string };
  /** Of the content inside the encryption. */
  contentSha256: Buffer;
  body: Buffer;
  /** Whom it names by the partner's ids. */
  uids: readonly string[];
};

/** Users of a request that its partner does not have. */
export type Strangers = { strangers: string[] };
/** "used": the partner used the reqId before. All but "inserted" change nothing. */
export type Insertion = "inserted" | "used" | Strangers;

/** One commit's bodies: more would only keep its callers waiting, and PostgreSQL from holding them in memory. */
const groupBytesMax = 2 * 1024 * 1024;
/** The second group forms and travels while the first is flushed. */
const groupsAtOnce = 2;

const commitsOf = new WeakMap<Database, Commits>();

/** Durable when it returns. Users are looked for in the same statement, so that a good request is one round trip. */
export async function insertRequest(database: Database, request: NewRequest): Promise<Insertion> {
  const commits = commitsOf.get(database) ?? new Commits((requests) => insertRequests(database, requests));
  commitsOf.set(database, commits);
  return await commits.add(request);
}

type Waiting = { request: NewRequest; resolve(insertion: Insertion): void; reject(reason: unknown): void };
type Insert = (requests: readonly NewRequest[]) => Promise<ReadonlyMap<string, Insertion>>;

class Commits {
  readonly #insert: Insert;
  #waiting: Waiting[] = [];
  #underWay = 0;

  constructor(insert: Insert) {
    this.#insert = insert;
  }

  add(request: NewRequest): Promise<Insertion> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#underWay >= groupsAtOnce || this.#waiting.length === 0) return;
    this.#underWay += 1;
    void this.#commit(this.#takeGroup()).finally(() => {
      this.#underWay -= 1;
      this.#next();
    });
  }

  /**
   * At least one, in the order of their arrival. Of one partner: row-level security lets a statement see the users of
   * no more.
   */
  #takeGroup(): Waiting[] {
    const partnerId = this.#waiting[0]?.request.delivery.partnerId;
    let bytes = 0;
    const isTaken = ({ request }: Waiting): boolean =>
      request.delivery.partnerId === partnerId &&
      ((bytes += request.body.length) <= groupBytesMax || bytes === request.body.length);
    const { taken = [], left = [] } = Object.groupBy(this.#waiting, (one) => (isTaken(one) ? "taken" : "left"));
    this.#waiting = left;
    return taken;
  }

  /** What one of them breaks must not be held against the others: then each goes alone. */
  async #commit(group: readonly Waiting[]): Promise<void> {
    try {
      const insertions = await this.#insert(group.map(({ request }) => request));
      for (const { request, resolve } of group) resolve(insertions.get(request.delivery.id) ?? "used");
    } catch (error) {
      if (group.length === 1 || isDatabaseAway(error)) for (const { reject } of group) reject(error);
      else for (const one of group) await this.#commit([one]);
    }
  }
}

/**
 * Of one partner, all in one transaction; positions follow their order. @returns by delivery's id; none for those whose
 * reqId was used
 */
async function insertRequests(database: Queryable, requests: readonly NewRequest[]): Promise<Map<string, Insertion>> {
  const deliveries = requests.map(({ delivery }) => delivery);
  const named = requests.flatMap(({ uids }, place) => uids.map((uid) => ({ uid, place: place + 1 })));
  // Whoever's call begins it, the statement is the senders'.
  const partnerId = deliveries[0]?.partnerId ?? null;
  const { rows } = await runFor({ partnerId, subject: null }, () =>
    database.query<{ id: string; stranger: number | null }>({
      name: "insert-requests",
      // In one order for all who claim reqIds, so that twins wait for each other and never in a circle. The arrays are
      // selected so that the planner does not see their lengths: it would make a plan for each statement, 0.9 instead
      // of 0.55 ms of the server's time.
      text: `with given as materialized (
       select *
         from unnest(
                (select $1::uuid[]), (select $2::text[]), (select $3::uuid[]), (select $4::text[]), (select $5::bigint[]), (select $6::bytea[]), (select $7::bytea[])
              )
              with ordinality as given (id, partner_id, request_id, correlation_id, size_bytes, sha256, content_sha256, place)
     ),
     strangers as materialized (
       select given.id, named.place, named.number
         from unnest((select $9::integer[]), (select $10::text[])) with ordinality as named (place, uid, number)
         join given on given.place = named.place
        where not exists (
          select 1 from users where users.partner_id = given.partner_id and users.bank_user_id = named.uid and users.deleted_at is null
        )
     ),
     claimed as (
       insert into requests (partner_id, request_id, content_sha256, delivery_id)
       select partner_id, request_id, content_sha256, id
         from given
        where place not in (select place from strangers)
        order by partner_id, request_id, place
       on conflict do nothing
       returning delivery_id
     ),
     delivered as (
       insert into deliveries (id, partner_id, door, format, request_id, correlation_id, size_bytes, sha256, signing_required)
       select id, partner_id, 'https', 'request', request_id, correlation_id, size_bytes, sha256,
              (select settings @> '{"signedBatches": "required"}' from partners where partners.id = given.partner_id)
         from given
        where id in (select delivery_id from claimed)
        order by place
     ),
     kept as (
       insert into delivery_bodies (delivery_id, body)
       select id, body
         from unnest((select $1::uuid[]), (select $8::bytea[])) as bodies (id, body)
        where id in (select delivery_id from claimed)
     )
     select delivery_id as id, null::integer as stranger from claimed
      union all
     select id, number::integer from strangers
      order by stranger`,
      values: [
        deliveries.map(({ id }) => id),
        deliveries.map(({ partnerId }) => partnerId),
        deliveries.map(({ requestId }) => requestId),
        deliveries.map(({ correlationId }) => correlationId),
        deliveries.map(({ sizeBytes }) => sizeBytes),
        byteaArray(deliveries.map(({ sha256 }) => sha256)),
        byteaArray(requests.map(({ contentSha256 }) => contentSha256)),
        byteaArray(requests.map(({ body }) => body)),
        named.map(({ place }) => place),
        named.map(({ uid }) => uid),
      ],
    }),
  );
  return insertionsOf(
    rows.map(({ id, stranger }) => ({ id, stranger: stranger === null ? null : (named[stranger - 1]?.uid ?? "") })),
  );
}

/** @param rows one for each request that was inserted, and one for each stranger of those that were not */
function insertionsOf(rows: readonly { id: string; stranger: string | null }[]): Map<string, Insertion> {
  const insertions = new Map<string, Insertion>();
  for (const { id, stranger } of rows) {
    const known = insertions.get(id);
    if (stranger === null) insertions.set(id, "inserted");
    else if (typeof known === "object") known.strangers.push(stranger);
    else insertions.set(id, { strangers: [stranger] });
  }
  return insertions;
}

const byteaOid = 17;

/**
 * A bytea[] as PostgreSQL's array_recv reads it: dimensions, no nulls, the elements' type; of the one dimension length
 * and lower bound; each element with its length. pg would write bytes in an array as hexadecimal text.
 */
function byteaArray(elements: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(20);
  for (const [place, number] of [1, 0, byteaOid, elements.length, 1].entries()) head.writeInt32BE(number, place * 4);
  return Buffer.concat([head, ...elements.flatMap((element) => [lengthOf(element), element])]);
}

function lengthOf(element: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(element.length);
  return length;
}
