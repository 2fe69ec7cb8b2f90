/** What drawings show of a user, as it is served. SQL; the caller owns the transaction, in one state of everything. */
import type { Transaction } from "../../database/database.ts";
import type { Service } from "../../interface/services.ts";
import { readHistory } from "../../ledger/history.ts";
import { toNumber } from "../../money.ts";
import type { Convert } from "../../rates/rates.ts";
import type { Day } from "../../time/calendar.ts";
import { explainSubject } from "../explain/explanation.ts";
import type { PlottedService } from "./service-plot.ts";
import type { PlottedUser } from "./user-plot.ts";

type Owner = { userId: number; partnerId: string; bankUserId: string; currency: string; asOf: Day };

const ownerColumns = `users.id as "userId", users.partner_id as "partnerId", users.bank_user_id as "bankUserId",
            brands.currency, read_models.computed_for as "asOf"`;
const ownerTables = `users
       join brands on brands.partner_id = users.partner_id and brands.id = users.brand_id
       join read_models on read_models.user_id = users.id`;

/** Users so called who have figures, by partner: several partners may each have one. */
export async function findPlottedUsers(
  transaction: Transaction,
  partnerId: string | null,
  bankUserId: string,
): Promise<Owner[]> {
  const { rows } = await transaction.query<Owner>(
    `select ${ownerColumns}
       from ${ownerTables}
      where users.bank_user_id = $1
        and ($2::text is null or users.partner_id = $2)
        and users.deleted_at is null
      order by users.partner_id`,
    [bankUserId, partnerId],
  );
  return rows;
}

export async function readPlottedUser(transaction: Transaction, owner: Owner, convert: Convert): Promise<PlottedUser> {
  const { rows } = await transaction.query<{ document: Service }>(
    "select document from services where user_id = $1 and document is not null",
    [owner.userId],
  );
  const history = (await readHistory(transaction, [owner.userId])).get(owner.userId) ?? [];
  const { bankUserId, partnerId, currency, asOf } = owner;
  return {
    bankUserId,
    partnerId,
    currency,
    asOf,
    services: rows.map(({ document }) => document),
    paid: history.flatMap(({ txid, day, amountMinor, currency: paidIn }) => {
      if (amountMinor >= 0 || day > asOf) return [];
      const cost = { minor: -amountMinor, currency: paidIn };
      const amount = paidIn === currency ? cost : convert(cost, currency, day);
      return amount === null ? [] : [{ txid, day, amount: toNumber(amount) }];
    }),
  };
}

/** Null: there is no such service now. @param serviceId a UUID's text */
export async function readPlottedService(
  transaction: Transaction,
  serviceId: string,
): Promise<(PlottedService & { userId: number }) | null> {
  const { rows } = await transaction.query<Owner & { document: Service }>(
    `select ${ownerColumns}, services.document
       from services
       join ${ownerTables} on users.id = services.user_id
      where services.id = $1
        and services.document is not null
        and users.deleted_at is null`,
    [serviceId],
  );
  const [found] = rows;
  if (found === undefined) return null;
  const { userId, bankUserId, partnerId, asOf, document } = found;
  const { text } = await explainSubject(transaction, { userId, serviceId, txid: null }, () => asOf);
  return { userId, bankUserId, partnerId, asOf, service: document, explanation: text };
}
