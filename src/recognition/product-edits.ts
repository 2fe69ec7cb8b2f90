/**
 * Products as operators edit them over the shipped catalogue: kept as they were made one after the other, so that who
 * changed what can be read, and numbered, so that every thread and every user's figures tell whether they know the
 * newest.
 */
import type { Queryable } from "../database/database.ts";
import { catalogueVersion, type Product, type ProductEdit, useEdits } from "../payments/catalogue.ts";

/** `put` is the product as it is from then on, `removed` that there is none, `reset` that it is as it was shipped. */
export type EditKind = "put" | "removed" | "reset";

export type MadeEdit = {
  version: number;
  productId: string;
  kind: EditKind;
  product: Product | null;
  words: readonly string[];
  actor: string;
  at: Date;
};

/** SQL of the newest version, for statements that compare. */
export const newestEdit = "coalesce((select max(version) from product_edits), 0)";

const columns = 'version, product_id as "productId", kind, product, words, actor, at';

/** Those in force, the newest first: what was reset is as it was shipped. */
export async function readEdits(database: Queryable): Promise<MadeEdit[]> {
  const { rows } = await database.query<MadeEdit>(
    `select *
       from (select distinct on (product_id) ${columns}
               from product_edits
              order by product_id, version desc) as latest
      where kind <> 'reset'
      order by version desc`,
  );
  return rows;
}

/** Of one product, or of all, the newest first. */
export async function listEdits(database: Queryable, productId: string | null, limit: number): Promise<MadeEdit[]> {
  const { rows } = await database.query<MadeEdit>(
    `select ${columns}
       from product_edits
      where $1::text is null or product_id = $1
      order by version desc
      limit $2`,
    [productId, limit],
  );
  return rows;
}

/**
 * Has this thread know products as they are edited now. One small query where nothing has changed.
 * @returns the version that is in use from here on
 */
export async function useCurrentProducts(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ newest: number }>(`select ${newestEdit} as newest`);
  const newest = rows[0]?.newest ?? 0;
  if (newest === catalogueVersion()) return newest;
  // What came in between is there already, and is found to be newer with the next look.
  const edits = await readEdits(database);
  useEdits(
    newest,
    edits.map(({ productId, product, words }) => ({ id: productId, product, words }) satisfies ProductEdit),
  );
  return newest;
}
