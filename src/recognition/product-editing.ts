/** Writing an edit of a product: apart from reading them, which callers' connections reach and may not write. */
import type { Transaction } from "../database/database.ts";
import type { MadeEdit } from "./product-edits.ts";

/** The caller owns the transaction. */
export async function insertEdit(
  transaction: Transaction,
  edit: Omit<MadeEdit, "version" | "at">,
): Promise<{ version: number }> {
  // A version is told once all below it are: nobody may see a later one first.
  await transaction.query("lock table product_edits in share row exclusive mode");
  const { rows } = await transaction.query<{ version: number }>(
    `insert into product_edits (product_id, kind, product, words, actor)
     values ($1, $2, $3, $4, $5)
     returning version`,
    [edit.productId, edit.kind, edit.product === null ? null : JSON.stringify(edit.product), edit.words, edit.actor],
  );
  return { version: rows[0]?.version ?? 0 };
}
