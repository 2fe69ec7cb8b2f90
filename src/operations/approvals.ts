/**
 * Four eyes: what a setting guards is asked for by one operator and confirmed or refused by another, within a day. The
 * settings lie in the database, so that they hold for the console and the command line of every machine alike, and taking
 * one away needs a second operator too.
 */
import { type Database, inTransaction, type Queryable, type Transaction } from "../database/database.ts";
import { recordAudit } from "../partners/audit.ts";

export const guardableActions = ["withdraw", "release", "rotate-keys", "erase"] as const;
export type GuardableAction = (typeof guardableActions)[number];
/** `unguard`: that an action needs nobody else any more. */
export type ApprovedAction = GuardableAction | "unguard";

export const keyKinds = ["tokens", "receipts", "key-encryption"] as const;
export type KeyKind = (typeof keyKinds)[number];

export type Subject =
  | { deliveryId: string; field?: string }
  | { userIds: readonly number[] }
  | { keys: KeyKind }
  | { unguard: GuardableAction };

export type Approval = {
  id: string;
  action: ApprovedAction;
  partnerId: string | null;
  subject: Subject;
  reason: string;
  requestedBy: string;
  requestedAt: Date;
  expiresAt: Date;
  /** `confirmed`: and not done yet. */
  state: "open" | "confirmed" | "refused" | "recalled" | "expired" | "done" | "failed";
  decidedBy: string | null;
  decidedAt: Date | null;
  decidedBecause: string | null;
};

/** Somebody else has to say yes first: nothing was done. */
export type Guarded = { outcome: "guarded" };
export const guarded: Guarded = { outcome: "guarded" };

export const approvalHours = 24;
export const reasonLengthMin = 5;
const reasonLengthMax = 500;
const shownMax = 200;

const columns = `id, action, partner_id as "partnerId", subject, reason, requested_by as "requestedBy",
  requested_at as "requestedAt", expires_at as "expiresAt", state, decided_by as "decidedBy", decided_at as "decidedAt",
  decided_because as "decidedBecause"`;

/** Whether an action needs another operator's word, and this is none: an approval of just that, confirmed and unspent. */
export async function lacksApproval(
  database: Queryable,
  action: GuardableAction,
  subject: Subject,
  approvalId: string | null,
): Promise<boolean> {
  const { rows } = await database.query<{ isGuarded: boolean; isApproved: boolean }>(
    `select exists (select 1 from guarded_actions where action = $1) as "isGuarded",
            exists (
              select 1
                from approvals
               where id = $3
                 and action = $1
                 and subject = $2
                 and state = 'confirmed'
                 and expires_at > now()
            ) as "isApproved"`,
    [action, JSON.stringify(subject), approvalId],
  );
  return rows[0]?.isGuarded === true && !rows[0].isApproved;
}

export type GuardedAction = { action: GuardableAction; guardedBy: string; guardedAt: Date };

export async function listGuarded(database: Queryable): Promise<GuardedAction[]> {
  const { rows } = await database.query<GuardedAction>(
    'select action, guarded_by as "guardedBy", guarded_at as "guardedAt" from guarded_actions order by action',
  );
  return rows;
}

/** From now on it needs two. @returns false: it did already */
export async function guard(database: Database, actor: string, action: GuardableAction): Promise<boolean> {
  return await inTransaction(database, async (transaction) => {
    const { rowCount } = await transaction.query(
      "insert into guarded_actions (action, guarded_by) values ($1, $2) on conflict do nothing",
      [action, actor],
    );
    if (rowCount === 1) await trace(transaction, actor, null, "approval.guarded", { action });
    return rowCount === 1;
  });
}

/** As an approval of it is carried out. The caller owns the transaction. */
export async function unguard(transaction: Transaction, actor: string, action: GuardableAction): Promise<void> {
  await transaction.query("delete from guarded_actions where action = $1", [action]);
  await trace(transaction, actor, null, "approval.unguarded", { action });
}

export type Request = Pick<Approval, "action" | "partnerId" | "subject" | "reason">;
export type Asked =
  | { outcome: "asked"; approval: Approval }
  /** `why`: a sentence for whoever asked. */
  | { outcome: "declined"; why: string };

/** Asks for another operator's word. One request at a time is open about the same. */
export async function askApproval(database: Database, actor: string, request: Request): Promise<Asked> {
  const { action, partnerId, subject } = request;
  const reason = request.reason.trim();
  if (reason.length < reasonLengthMin || reason.length > reasonLengthMax)
    return { outcome: "declined", why: `Say in ${reasonLengthMin} to ${reasonLengthMax} letters why.` };
  await expireApprovals(database);
  return await inTransaction(database, async (transaction): Promise<Asked> => {
    const { rows } = await transaction.query<Approval>(
      `insert into approvals (action, partner_id, subject, reason, requested_by, expires_at)
       values ($1, $2, $3, $4, $5, now() + make_interval(hours => $6))
       on conflict do nothing
       returning ${columns}`,
      [action, partnerId, JSON.stringify(subject), reason, actor, approvalHours],
    );
    const [approval] = rows;
    if (!approval)
      return { outcome: "declined", why: "It is asked for already: see what waits for a second operator." };
    await trace(transaction, actor, approval, "approval.requested", { reason, expiresAt: approval.expiresAt });
    return { outcome: "asked", approval };
  });
}

export type Verdict = "confirm" | "refuse" | "recall";
export type Decided = { outcome: "decided"; approval: Approval } | { outcome: "declined"; why: string };

const stateAfter = { confirm: "confirmed", refuse: "refused", recall: "recalled" } as const;

/** Another operator's word, or one's own taking back. Whoever confirmed then has it carried out. */
export async function decide(
  database: Database,
  actor: string,
  { id, verdict, because = null }: { id: string; verdict: Verdict; because?: string | null },
): Promise<Decided> {
  await expireApprovals(database);
  return await inTransaction(database, async (transaction): Promise<Decided> => {
    const before = await findApproval(transaction, id, "for update");
    if (before === null) return { outcome: "declined", why: "There is no such request." };
    if (before.state !== "open") return { outcome: "declined", why: `The request is ${before.state} already.` };
    const isOwn = before.requestedBy === actor;
    if (verdict === "recall" && !isOwn) return { outcome: "declined", why: "Only whoever asked takes a request back." };
    if (verdict !== "recall" && isOwn)
      return { outcome: "declined", why: "You asked for it yourself: another operator has to decide." };
    const { rows } = await transaction.query<Approval>(
      `update approvals
          set state = $2, decided_by = $3, decided_at = now(), decided_because = $4
        where id = $1
        returning ${columns}`,
      [id, stateAfter[verdict], actor, because?.slice(0, reasonLengthMax) ?? null],
    );
    const [approval] = rows;
    if (!approval) throw new Error("a locked row has gone");
    const { requestedBy } = approval;
    await trace(transaction, actor, approval, `approval.${stateAfter[verdict]}`, { requestedBy, because });
    return { outcome: "decided", approval };
  });
}

/** An approval is good for one time. The caller owns the transaction. @returns false: it was spent meanwhile */
export async function spendApproval(
  transaction: Queryable,
  actor: string,
  approval: Approval,
  state: "done" | "failed",
): Promise<boolean> {
  const { rowCount } = await transaction.query(
    "update approvals set state = $2 where id = $1 and state = 'confirmed'",
    [approval.id, state],
  );
  if (rowCount === 1)
    await trace(transaction, actor, approval, `approval.${state}`, { requestedBy: approval.requestedBy });
  return rowCount === 1;
}

/** What nobody decided in time, or nobody used. Idempotent. @returns how many */
export async function expireApprovals(database: Database): Promise<number> {
  return await inTransaction(database, async (transaction) => {
    const { rows } = await transaction.query<Approval>(
      `update approvals
          set state = 'expired'
        where state in ('open', 'confirmed')
          and expires_at <= now()
        returning ${columns}`,
    );
    for (const one of rows)
      await trace(transaction, "service", one, "approval.expired", { requestedBy: one.requestedBy });
    return rows.length;
  });
}

/** Null: there is none. @param id any text */
export async function findApproval(
  database: Queryable,
  id: string,
  lock: "" | "for update" = "",
): Promise<Approval | null> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return null;
  const { rows } = await database.query<Approval>(`select ${columns} from approvals where id = $1 ${lock}`, [id]);
  return rows[0] ?? null;
}

/** The newest first. @param partnerIds null: of all, and those about the whole service */
export async function listApprovals(
  database: Queryable,
  partnerIds: readonly string[] | null,
  which: "open" | "all",
): Promise<Approval[]> {
  const { rows } = await database.query<Approval>(
    `select ${columns}
       from approvals
      where ($1::text[] is null or partner_id = any($1))
        and ($2 = 'all' or (state in ('open', 'confirmed') and expires_at > now()))
      order by requested_at desc
      limit ${shownMax}`,
    [partnerIds, which],
  );
  return rows;
}

async function trace(
  database: Queryable,
  actor: string,
  approval: Pick<Approval, "id" | "action" | "partnerId" | "subject"> | null,
  event: string,
  more: Readonly<Record<string, unknown>>,
): Promise<void> {
  const about = approval === null ? {} : { approvalId: approval.id, action: approval.action, ...approval.subject };
  await recordAudit(database, actor, { partnerId: approval?.partnerId ?? null, event, details: { ...about, ...more } });
}
