/** What a user takes on the disk beside the ledger: what recognition keeps, read models, a budget; the user, its accounts. */
import type { Database } from "../../../src/database/database.ts";
import { type Measuring, note } from "./figures.ts";

/** Bytes of each table with its indexes and what lies beside it. */
export type Sizes = ReadonlyMap<string, number>;

/** Tables that are not about single users' figures, or are the bench's own. */
const others = ["transactions", "changed_users", "copies", "generated", "made_later", "filled"];

export async function sizesOf(database: Database): Promise<Sizes> {
  const { rows } = await database.query<{ name: string; bytes: number }>(
    `select relname as name, pg_total_relation_size(oid) as bytes
       from pg_class
      where relnamespace = 'public'::regnamespace
        and relkind = 'r'
        and relname <> all($1)`,
    [others],
  );
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

/** @param before when nothing was known of these users but who they are */
export async function measureDisk(measuring: Measuring, before: Sizes): Promise<void> {
  const { database, userIds } = measuring;
  const lying = grown(before, await sizesOf(database));
  const written = lying.keys().toArray();
  for (const name of written) await database.query(`vacuum full ${name}`);
  const packed = grown(before, await sizesOf(database));
  const kilobytes = (sizes: Sizes) => sizes.values().reduce((sum, bytes) => sum + bytes, 0) / 1000 / userIds.length;
  note(measuring, "beside the ledger, as it lies after three days", kilobytes(lying), "kB a user");
  note(measuring, "the same packed", kilobytes(packed), "kB a user");
  const largest = packed
    .entries()
    .toArray()
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 5);
  console.log(
    `  ${largest.map(([name, bytes]) => `${name} ${(bytes / 1000 / userIds.length).toFixed(1)}`).join(", ")}`,
  );
  const { rows } = await database.query<{ bytes: number }>(
    "select (pg_total_relation_size('users') + pg_total_relation_size('accounts'))::float8 / (select count(*) from users) as bytes",
  );
  note(measuring, "the user and its accounts", (rows[0]?.bytes ?? Number.NaN) / 1000, "kB a user");
}

function grown(before: Sizes, after: Sizes): Sizes {
  const by = after.entries().map(([name, bytes]) => [name, bytes - (before.get(name) ?? 0)] as const);
  return new Map(by.filter(([, bytes]) => bytes > 0));
}
