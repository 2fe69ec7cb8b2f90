/** What was recognised of one user, as an operator looks at it. */
import type { Service, UpcomingPayment } from "../interface/services.ts";
import type { Queryable } from "../database/database.ts";

export type UserOverview = {
  id: number;
  partnerId: string;
  bankUserId: string;
  brandId: string;
  timeZone: string;
  createdAt: Date;
  deletedAt: Date | null;
  /** Null: nothing was recognised yet. */
  computedFor: string | null;
  computedAt: Date | null;
  importComplete: boolean | null;
  isBehind: boolean;
  upcoming: UpcomingPayment[];
};

/** Null: nobody of these partners. @param subject a UUID text. @param partnerIds null: all */
export async function readUserOverview(
  database: Queryable,
  subject: string,
  partnerIds: readonly string[] | null,
): Promise<UserOverview | null> {
  const { rows } = await database.query<UserOverview>(
    `select u.id, u.partner_id as "partnerId", u.bank_user_id as "bankUserId", u.brand_id as "brandId",
            b.time_zone as "timeZone", u.created_at as "createdAt", u.deleted_at as "deletedAt",
            r.computed_for as "computedFor", r.computed_at as "computedAt", r.import_complete as "importComplete",
            exists (select 1 from changed_users where user_id = u.id) as "isBehind",
            coalesce(r.upcoming, '[]') as upcoming
       from users u
       join brands b on b.partner_id = u.partner_id and b.id = u.brand_id
       left join read_models r on r.user_id = u.id
      where u.subject = $1
        and ($2::text[] is null or u.partner_id = any($2))`,
    [subject, partnerIds],
  );
  return rows[0] ?? null;
}

/** Those that are shown or hidden now, next payment first. */
export async function listServices(database: Queryable, userId: number): Promise<Service[]> {
  const { rows } = await database.query<{ document: Service }>(
    `select document
       from services
      where user_id = $1
        and document is not null
      order by document ->> 'status', document ->> 'nextExpectedTransactionDate', id`,
    [userId],
  );
  return rows.map(({ document }) => document);
}

export type FoundUser = { subject: string; partnerId: string; brandId: string; bankUserId: string; createdAt: Date };

/** By the partner's own id of the user, of each partner that has one so called; live ones alone. */
export async function findUsers(
  database: Queryable,
  partnerIds: readonly string[] | null,
  partnerId: string | null,
  bankUserId: string,
): Promise<FoundUser[]> {
  const { rows } = await database.query<FoundUser>(
    `select u.subject, u.partner_id as "partnerId", u.brand_id as "brandId", u.bank_user_id as "bankUserId", u.created_at as "createdAt"
       from partners p
       join users u on u.partner_id = p.id and u.bank_user_id = $3 and u.deleted_at is null
      where ($1::text[] is null or p.id = any($1))
        and ($2::text is null or p.id = $2)
      order by u.partner_id
      limit 100`,
    [partnerIds, partnerId, bankUserId],
  );
  return rows;
}
