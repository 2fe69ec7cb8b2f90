/**
 * Pushed requests on their way into the database. While some are being committed, those that arrive wait and then go
 * together: one statement, one round trip and one flush of the log for all of them, and none waits for a clock.
 */
import { type Database, isDatabaseAway } from "../database/database.ts";
import { type Insertion, insertRequests, type NewRequest } from "../deliveries/requests.ts";

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
    void this.#commit(this.#nextGroup()).finally(() => {
      this.#underWay -= 1;
      this.#next();
    });
  }

  /**
   * At least one, in the order of their arrival. Of one partner: row-level security lets a statement see the users of
   * no more.
   */
  #nextGroup(): Waiting[] {
    const partnerId = this.#waiting[0]?.request.delivery.partnerId;
    let bytes = 0;
    const fits = ({ request }: Waiting): boolean =>
      request.delivery.partnerId === partnerId &&
      ((bytes += request.body.length) <= groupBytesMax || bytes === request.body.length);
    const { taken = [], left = [] } = Object.groupBy(this.#waiting, (one) => (fits(one) ? "taken" : "left"));
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
