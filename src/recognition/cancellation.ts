/**
 * Cancellation cases: how a service's cancellation goes, as operators write it down. One table for every way in.
 * The status that follows from a case is service.ts' business. Source: services.md, "Status machine".
 */
import type { Day } from "../time/calendar.ts";
import type { Queryable } from "../database/database.ts";
import { marksSettled } from "../partners/changed-users.ts";
import type { TypeAbout } from "../interface/notification.ts";
import type { CancellationAbortReason, Service } from "../interface/services.ts";

/** What an operator may write down; absent: stays as it is. */
export type CaseFacts = {
  equipmentBack?: boolean;
  moneyBack?: boolean;
  freeTextMessage?: string;
  confirmationContent?: string;
  /** The last payment, as the holder of the service or the user reported it. */
  endDate?: Day;
  abortReason?: CancellationAbortReason;
};

export const steps = ["open", "ask", "answer", "confirm", "abort"] as const;
export type Step = (typeof steps)[number];

type Transition = {
  from: readonly Service["status"][];
  event: string;
  state: "OPEN" | "CONFIRMED" | "ABORTED";
  asks: boolean;
  /** What the user is told of the step; null: it is none of the user's business. */
  tells: TypeAbout<"SUBSCRIPTION"> | null;
};

/** The whole machine: in which statuses of the service a step is taken, and how the case stands after it. */
export const transitions: Readonly<Record<Step, Transition>> = {
  open: { from: ["ACTIVE", "INACTIVE"], event: "cancellation.opened", state: "OPEN", asks: false, tells: null },
  ask: {
    from: ["UNDER_CANCELLATION"],
    event: "cancellation.information-asked",
    state: "OPEN",
    asks: true,
    tells: "CANCELLATION_MOREINFOREQUIRED",
  },
  answer: {
    from: ["UNDER_CANCELLATION"],
    event: "cancellation.information-given",
    state: "OPEN",
    asks: false,
    tells: null,
  },
  confirm: {
    from: ["UNDER_CANCELLATION"],
    event: "cancellation.confirmed",
    state: "CONFIRMED",
    asks: false,
    tells: "CANCELLATION_COMPLETED",
  },
  abort: {
    from: ["UNDER_CANCELLATION"],
    event: "cancellation.aborted",
    state: "ABORTED",
    asks: false,
    tells: "CANCELLATION_ABORTED",
  },
};

/** A service as a case is about it. */
export type CancellableService = {
  id: string;
  userId: number;
  partnerId: string;
  title: string;
  product: Service["product"];
  /** Of the expected payment. */
  amount: number;
  currency: string;
  /** Running subscriptions that the user is shown. */
  subscriptionCount: number;
  status: Service["status"];
  businessDay: Day;
};

/**
 * The service of a live user, its user held back from recognition until the transaction ends, so that nobody else takes
 * a step meanwhile and the step is in the next run. Null: there is none, or it is no longer found.
 */
export async function lockService(transaction: Queryable, serviceId: string): Promise<CancellableService | null> {
  await transaction.query(
    // Nothing has to settle before the step is told.
    marksSettled("user_id", "from services where id = $1"),
    [serviceId],
  );
  const { rows } = await transaction.query<CancellableService>(
    `select services.id, services.user_id as "userId", users.partner_id as "partnerId", services.document -> 'product' ->> 'title' as title,
            services.document -> 'product' as product,
            services.document -> 'amount' as amount,
            services.document ->> 'currency' as currency,
            (select count(*)
               from services shown
              where shown.user_id = services.user_id
                and shown.status = 'ACTIVE'
                and shown.document -> 'product' ->> 'type' = 'SUBSCRIPTION'
                and shown.document ->> 'visibility' <> 'HIDDEN') as "subscriptionCount",
            -- What the last run made of the service may be older than the last step.
            case when cancellation.state = 'OPEN' then 'UNDER_CANCELLATION'
                 when services.status <> 'UNDER_CANCELLATION' then services.status
                 when cancellation.state = 'CONFIRMED' then 'CANCELLED'
                 else 'ACTIVE'
             end as status,
            read_models.computed_for as "businessDay"
       from services
       join users on users.id = services.user_id and users.deleted_at is null
       join read_models on read_models.user_id = services.user_id
       left join lateral (select state
                            from cancellation_cases
                           where service_id = services.id
                           order by opened_at desc, id desc
                           limit 1) as cancellation on true
      where services.id = $1
        and services.document is not null`,
    [serviceId],
  );
  return rows[0] ?? null;
}

/** What the last run made of the service may be older than the last step; as `lockService` has it. @param newest null: it has no case */
export function statusNow(computed: Service["status"], newest: ListedCase["state"] | null): Service["status"] {
  if (newest === "OPEN") return "UNDER_CANCELLATION";
  if (computed !== "UNDER_CANCELLATION") return computed;
  return newest === "CONFIRMED" ? "CANCELLED" : "ACTIVE";
}

/**
 * Writes one step that the service's status allows. The caller owns the transaction and has taken the service in it.
 */
export async function writeStep(
  transaction: Queryable,
  service: CancellableService,
  step: Step,
  facts: CaseFacts,
): Promise<void> {
  const { state, asks } = transitions[step];
  const values = [
    service.id,
    service.userId,
    state,
    asks,
    facts.equipmentBack ?? null,
    facts.moneyBack ?? null,
    facts.confirmationContent ?? null,
    facts.freeTextMessage ?? null,
    facts.endDate ?? (step === "confirm" ? service.businessDay : null),
    facts.abortReason ?? null,
    service.businessDay,
  ];
  if (step === "open") await insertCase(transaction, values);
  else await changeCase(transaction, values);
}

async function insertCase(transaction: Queryable, values: unknown[]): Promise<void> {
  await transaction.query(
    `insert into cancellation_cases
       (service_id, user_id, state, needs_more_information, equipment_back, money_back, confirmation_content, free_text_message, end_date, abort_reason, changed_on)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values,
  );
}

/**
 * Services that were merged may have brought a case each: a step concerns all that are open. An end told earlier stands
 * until another is told.
 */
async function changeCase(transaction: Queryable, values: unknown[]): Promise<void> {
  await transaction.query(
    `update cancellation_cases
        set state = $3,
            needs_more_information = $4,
            equipment_back = coalesce($5, equipment_back),
            money_back = coalesce($6, money_back),
            confirmation_content = coalesce($7, confirmation_content),
            free_text_message = coalesce($8, free_text_message),
            end_date = coalesce($9::date, end_date),
            abort_reason = $10,
            changed_at = now(),
            changed_on = $11
      where service_id = $1
        and user_id = $2
        and state = 'OPEN'`,
    values,
  );
}

/**
 * SQL that hands the cases of services that went into another one over, for the statement that drops those: it names
 * them in `merged (from_id, into_id)`.
 */
export const movesCases = "update cancellation_cases set service_id = into_id from merged where service_id = from_id";

export type ListedCase = {
  serviceId: string;
  partnerId: string;
  bankUserId: string;
  /** By which the console names the user, and within the service. */
  subject: string;
  userId: number;
  title: string | null;
  state: "OPEN" | "CONFIRMED" | "ABORTED";
  needsMoreInformation: boolean;
  endDate: Day | null;
  abortReason: string | null;
  openedAt: Date;
  changedAt: Date;
};

const listedColumns = `cases.service_id as "serviceId", users.partner_id as "partnerId", users.bank_user_id as "bankUserId",
            users.subject, users.id as "userId",
            services.document -> 'product' ->> 'title' as title, cases.state, cases.needs_more_information as "needsMoreInformation",
            cases.end_date as "endDate", cases.abort_reason as "abortReason", cases.opened_at as "openedAt", cases.changed_at as "changedAt"`;

/** Open cases, or all; longest open first. @param partnerIds null: of all partners */
export async function listCases(
  database: Queryable,
  partnerIds: readonly string[] | null,
  includeClosed: boolean,
  limit: number,
): Promise<ListedCase[]> {
  const { rows } = await database.query<ListedCase>(
    `select ${listedColumns}
       from cancellation_cases as cases
       join users on users.id = cases.user_id
       left join services on services.id = cases.service_id
      where (cases.state = 'OPEN' or $1)
        and ($3::text[] is null or users.partner_id = any($3))
      order by cases.opened_at, cases.id
      limit $2`,
    [includeClosed, limit, partnerIds],
  );
  return rows;
}

/** A case with what was written down in it. */
export type WrittenCase = ListedCase & {
  freeTextMessage: string | null;
  confirmationContent: string | null;
  equipmentBack: boolean | null;
  moneyBack: boolean | null;
};

/** Of one service, newest first. */
export async function casesOf(database: Queryable, serviceId: string): Promise<WrittenCase[]> {
  const { rows } = await database.query<WrittenCase>(
    `select ${listedColumns}, cases.free_text_message as "freeTextMessage", cases.confirmation_content as "confirmationContent",
            cases.equipment_back as "equipmentBack", cases.money_back as "moneyBack"
       from cancellation_cases as cases
       join users on users.id = cases.user_id
       left join services on services.id = cases.service_id
      where cases.service_id = $1
      order by cases.opened_at desc, cases.id desc`,
    [serviceId],
  );
  return rows;
}
