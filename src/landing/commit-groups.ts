/**
 * What doors have committed, in groups. While some is being committed, what arrives waits and then goes together: one
 * statement, one round trip and one flush of the log for all of it, and none waits for a clock.
 */
import { isDatabaseAway } from "../database/database.ts";

export type CommitSettings<Item, Result> = {
  /** In one statement. @returns a result for each, in their order */
  insert(items: readonly Item[]): Promise<Result[]>;
  bytesOf(item: Item): number;
  /** Whether it may go with those that were taken before it: they are never none. */
  goesWith(item: Item, taken: readonly Item[]): boolean;
};

/** One commit's bytes: more would only keep its callers waiting, and PostgreSQL from holding them in memory. */
const groupBytesMax = 2 * 1024 * 1024;
/** The second group forms and travels while the first is flushed. */
const groupsAtOnce = 2;

type Waiting<Item, Result> = { item: Item; resolve(result: Result): void; reject(reason: unknown): void };

export class CommitGroups<Item, Result> {
  readonly #settings: CommitSettings<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  #underWay = 0;

  constructor(settings: CommitSettings<Item, Result>) {
    this.#settings = settings;
  }

  /** Durable when it resolves. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
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

  /** At least one, in the order of their arrival. */
  #nextGroup(): Waiting<Item, Result>[] {
    const { bytesOf, goesWith } = this.#settings;
    const taken: Waiting<Item, Result>[] = [];
    const left: Waiting<Item, Result>[] = [];
    const items: Item[] = [];
    let bytes = 0;
    for (const one of this.#waiting) {
      const fits = taken.length === 0 || (bytes + bytesOf(one.item) <= groupBytesMax && goesWith(one.item, items));
      (fits ? taken : left).push(one);
      if (!fits) continue;
      items.push(one.item);
      bytes += bytesOf(one.item);
    }
    this.#waiting = left;
    return taken;
  }

  /** What one of them breaks must not be held against the others: then each goes alone. */
  async #commit(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#settings.insert(group.map(({ item }) => item));
      for (const [place, { resolve }] of group.entries()) resolve(results[place] as Result);
    } catch (error) {
      if (group.length === 1 || isDatabaseAway(error)) for (const { reject } of group) reject(error);
      else for (const one of group) await this.#commit([one]);
    }
  }
}
