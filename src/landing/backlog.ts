/**
 * Whether the staging area has room for one more request. Counting a long backlog takes a millisecond, as long as all
 * else that a request asks of the database; so what was counted is remembered for a moment, and what was reserved since is
 * added.
 */
import type { Database, Queryable } from "../database/database.ts";

/** Accepted deliveries that wait or load. */
export type Depths = { ofPartner: number; ofAll: number };

/** What leaves the staging area makes room after so long at most; what comes in elsewhere is counted after so long. */
const rememberedMs = 1000;

type Counted = Depths & { countedAtMs: number; reserved: number; reservedOfAllBefore: number };

class Backlog {
  readonly #database: Queryable;
  readonly #counts = new Map<string, Counted>();
  #reservedOfAll = 0;

  constructor(database: Queryable) {
    this.#database = database;
  }

  /** True: there is room, and it is reserved. False only after a look at what is there now. */
  async reserve(partnerId: string, limits: Depths): Promise<boolean> {
    const known = this.#counts.get(partnerId);
    if (known && performance.now() - known.countedAtMs < rememberedMs && this.#reserveIn(known, limits)) return true;
    const reservedOfAllBefore = this.#reservedOfAll;
    const counted = {
      ...(await count(this.#database, partnerId, limits)),
      countedAtMs: performance.now(),
      reserved: 0,
      reservedOfAllBefore,
    };
    this.#counts.set(partnerId, counted);
    return this.#reserveIn(counted, limits);
  }

  #reserveIn(counted: Counted, limits: Depths): boolean {
    const ofAll = counted.ofAll + this.#reservedOfAll - counted.reservedOfAllBefore;
    if (counted.ofPartner + counted.reserved >= limits.ofPartner || ofAll >= limits.ofAll) return false;
    counted.reserved += 1;
    this.#reservedOfAll += 1;
    return true;
  }
}

const backlogOf = new WeakMap<Database, Backlog>();

/** Whether there is room for one more; then it is counted as there. */
export async function reserveRoom(database: Database, partnerId: string, limits: Depths): Promise<boolean> {
  const backlog = backlogOf.get(database) ?? new Backlog(database);
  backlogOf.set(database, backlog);
  return await backlog.reserve(partnerId, limits);
}

/** Up to the limits only. */
async function count(database: Queryable, partnerId: string, limits: Depths): Promise<Depths> {
  const { rows } = await database.query<Depths>(
    `select (select count(*) from (select 1 from deliveries where partner_id = $1 and state in ('accepted', 'loading') limit $2) as bounded) as "ofPartner",
            open_deliveries($3) as "ofAll"`,
    [partnerId, limits.ofPartner, limits.ofAll],
  );
  return rows[0] ?? limits;
}
