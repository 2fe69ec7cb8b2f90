/** SQL of the income that a run leaves. The caller owns the transaction. */
import type { Transaction } from "../../database/database.ts";
import type { IncomeModel, KnownIncome } from "./model.ts";

/** Of users on whom a run has left it. */
export async function readKnownIncome(
  transaction: Transaction,
  userIds: readonly number[],
): Promise<(KnownIncome & { userId: number })[]> {
  const { rows } = await transaction.query<KnownIncome & { userId: number }>(
    `select user_id as "userId", series, digest
       from income_models
      where user_id = any($1::bigint[])`,
    [userIds],
  );
  return rows;
}

export async function writeIncomeModels(
  transaction: Transaction,
  models: readonly (IncomeModel & { userId: number })[],
): Promise<void> {
  if (models.length === 0) return;
  await transaction.query(
    `with made as materialized (
       select user_id, document::json as document, series::json as series
         from unnest($1::bigint[], ${texts("$2")}, ${texts("$3")}) as row (user_id, document, series)
     ),
     updated as (
       update income_models
          set document = made.document,
              series = made.series
         from made
        where income_models.user_id = made.user_id
       returning income_models.user_id
     )
     insert into income_models (user_id, document, series)
     select user_id, document, series
       from made
      where user_id not in (select user_id from updated)`,
    [
      models.map(({ userId }) => userId),
      models.map(({ document }) => document).join(separator),
      models.map(({ series }) => series).join(separator),
    ],
  );
}

/** JSON texts travel as one, between them what no JSON has: an array of texts has every quotation mark escaped. */
const separator = "\u001e";

function texts(parameter: string): string {
  return `string_to_array(${parameter}::text, e'\\x1e')`;
}
