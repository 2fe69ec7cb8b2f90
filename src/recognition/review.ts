/**
 * The operator's review list: payees that users call subscriptions, as counts. A product enters the catalogue by hand (product-edits.ts).
 */
import type { Queryable } from "../database/database.ts";

/** Counts of submissions and nothing of the users who made them. */
export type ReviewedPayee = {
  /** Null: payees without a name, and those that may be persons, together. */
  payeeKey: string | null;
  users: number;
  success: number;
  notSubscription: number;
  technicalLimitation: number;
  /** Frequencies that users gave, with their counts. */
  frequencies: Record<string, number>;
};

/** Most often named first. @param limit rows at most. */
export async function reviewSubmissions(database: Queryable, limit: number): Promise<ReviewedPayee[]> {
  const { rows } = await database.query<ReviewedPayee>(
    `with by_frequency as (
       select payee_key, payment_frequency, count(*) as submissions
         from submissions
        where outcome is not null
        group by payee_key, payment_frequency
     )
     select payee_key as "payeeKey",
            count(distinct user_id) as users,
            count(*) filter (where outcome = 'SUCCESS') as success,
            count(*) filter (where outcome = 'NOT_SUBSCRIPTION') as "notSubscription",
            count(*) filter (where outcome = 'TECHNICAL_LIMITATION') as "technicalLimitation",
            coalesce((select jsonb_object_agg(payment_frequency, submissions)
                        from by_frequency
                       where by_frequency.payee_key is not distinct from submissions.payee_key
                         and payment_frequency is not null), '{}') as frequencies
       from submissions
      where outcome is not null
      group by payee_key
      order by count(*) desc, payee_key
      limit $1`,
    [limit],
  );
  return rows;
}
