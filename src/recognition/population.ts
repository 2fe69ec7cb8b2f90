/**
 * What was recognised of all users together, as counts: nothing of it names a user's payee. A user's answer is a decision to
 * show or to hide a service; whoever hides one may also just not want to see it, so that hidden ones are candidates.
 */
import type { PaymentFrequency } from "../interface/payment-frequency.ts";
import type { Queryable } from "../database/database.ts";

export type FrequencyCount = {
  paymentFrequency: PaymentFrequency;
  active: number;
  /** Inactive, cancelled or being cancelled. */
  others: number;
  users: number;
};

/** from: the lowest confidence of the tenth, of those that users answered about. stated: its mean. */
export type AnsweredTenth = { from: number; stated: number; shown: number; hidden: number };

export type FalseAlarm = {
  subject: string;
  partnerId: string;
  bankUserId: string;
  serviceId: string;
  paymentFrequency: PaymentFrequency;
  confidence: number;
  decidedAt: Date;
};

export type Population = {
  services: FrequencyCount[];
  answers: AnsweredTenth[];
  falseAlarms: FalseAlarm[];
};

/** The newest answers tell of the algorithm as it is; older ones of earlier ones. */
const answersReadMax = 20_000;

/** @param partnerIds null: of all partners. @param alarms how many of the newest */
export async function readPopulation(
  database: Queryable,
  partnerIds: readonly string[] | null,
  alarms: number,
): Promise<Population> {
  const services = await database.query<FrequencyCount>(
    `select payment_frequency as "paymentFrequency",
            count(*) filter (where status = 'ACTIVE') as active,
            count(*) filter (where status <> 'ACTIVE') as others,
            count(distinct user_id) as users
       from services
      where payment_frequency is not null
        and status is not null
        and ($1::text[] is null or user_id in (select id from users where partner_id = any($1)))
      group by payment_frequency
      order by count(*) desc, payment_frequency`,
    [partnerIds],
  );
  const answers = await database.query<AnsweredTenth>(
    `with answered as (
       select hidden, (document ->> 'confidence')::float8 as confidence
         from services
        where hidden_decided_at is not null
          and hidden is not null
          and document is not null
          and ($1::text[] is null or user_id in (select id from users where partner_id = any($1)))
        order by hidden_decided_at desc
        limit $2
     )
     select least(floor(confidence * 10), 9) / 10 as "from", avg(confidence) as stated,
            count(*) filter (where not hidden) as shown, count(*) filter (where hidden) as hidden
       from answered
      where confidence is not null
      group by 1
      order by 1`,
    [partnerIds, answersReadMax],
  );
  const falseAlarms = await database.query<FalseAlarm>(
    `select users.subject, users.partner_id as "partnerId", users.bank_user_id as "bankUserId", services.id as "serviceId",
            services.payment_frequency as "paymentFrequency", (services.document ->> 'confidence')::float8 as confidence,
            services.hidden_decided_at as "decidedAt"
       from services
       join users on users.id = services.user_id and users.deleted_at is null
      where services.hidden
        and services.hidden_decided_at is not null
        and services.document is not null
        and ($1::text[] is null or users.partner_id = any($1))
      order by services.hidden_decided_at desc, services.id
      limit $2`,
    [partnerIds, alarms],
  );
  return { services: services.rows, answers: answers.rows, falseAlarms: falseAlarms.rows };
}
