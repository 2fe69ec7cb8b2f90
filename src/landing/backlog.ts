/**
 * Whether the staging area has room for one more request. Counting a long backlog takes a millisecond, as long as all
 * else that a request asks of the database; so what was counted is remembered for a moment, and what was reserved since is
 * added. One count is under way at a time, and nobody waits for it who has room in the one before: with sixteen pushes at
 * once each of them counted for itself, once a second, on a connection of its own.
 */
import type { Database, Queryable } from "../database/database.ts";

/** Accepted deliveries that wait or load. */
export type Depths = { ofPartner: number; ofAll: number };

/** What leaves the staging area makes room after so long at most; what comes in elsewhere is counted after so long. */
const rememberedMs = 1000;
/** An older count is not even good until the next one is there. */
const goodMeanwhileMs = 2000;

type Counted = Depths & { countedAtMs: number; reserved: number; reservedOfAllBefore: number };

export class Backlog {
  readonly #database: Queryable;
  readonly #now: () => number;
  readonly #counts = new Map<string, Counted>();
  readonly #underWay = new Map<string, Promise<Counted>>();
  #reservedOfAll = 0;

  constructor(database: Queryable, now: () => number = () => performance.now()) {
    this.#database = database;
    this.#now = now;
  }

  /** True: there is room, and it is reserved. False only after a look at what is there now. */
  async reserve(partnerId: string, limits: Depths): Promise<boolean> {
    const known = this.#counts.get(partnerId);
    const ageMs = known === undefined ? Infinity : this.#now() - known.countedAtMs;
    if (known !== undefined && ageMs < goodMeanwhileMs) {
      // One that fails is made again by the next who reserves, and waited for once this one is too old.
      if (ageMs >= rememberedMs) this.#count(partnerId, limits).catch(() => undefined);
      if (this.#reserveIn(known, limits)) return true;
    }
    return this.#reserveIn(await this.#count(partnerId, limits), limits);
  }

  #reserveIn(counted: Counted, limits: Depths): boolean {
    const ofAll = counted.ofAll + this.#reservedOfAll - counted.reservedOfAllBefore;
    if (counted.ofPartner + counted.reserved >= limits.ofPartner || ofAll >= limits.ofAll) return false;
    counted.reserved += 1;
    this.#reservedOfAll += 1;
    return true;
  }

  /** The count that is under way, or a new one. */
  #count(partnerId: string, limits: Depths): Promise<Counted> {
    const underWay = this.#underWay.get(partnerId);
    if (underWay !== undefined) return underWay;
    const counting = this.#countNow(partnerId, limits).finally(() => this.#underWay.delete(partnerId));
    this.#underWay.set(partnerId, counting);
    return counting;
  }

  async #countNow(partnerId: string, limits: Depths): Promise<Counted> {
    const before = this.#counts.get(partnerId);
    const [reservedBefore, reservedOfAllBefore] = [before?.reserved ?? 0, this.#reservedOfAll];
    const depths = await count(this.#database, partnerId, limits);
    // What was reserved meanwhile may be in the count, or not yet.
    const reserved = (before?.reserved ?? 0) - reservedBefore;
    const counted = { ...depths, countedAtMs: this.#now(), reserved, reservedOfAllBefore };
    this.#counts.set(partnerId, counted);
    return counted;
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
