/**
 * One service or one transaction of a user, with everything that is known of why it is shown as it is: recognition made
 * again for the day for which the user's figures stand, explained from its own evidence.
 */
import type { Day } from "../../time/calendar.ts";
import type { Transaction } from "../../database/database.ts";
import { readHistory } from "../../ledger/history.ts";
import { storedTransactionId } from "../../ledger/transaction-id.ts";
import { explain } from "./explain.ts";
import { explainPayment } from "./explain-payment.ts";
import { keepDecided } from "../services/kept.ts";
import type { RecognisedService } from "../services/recognised.ts";
import { useCurrentProducts } from "../product-edits.ts";
import { recognise } from "../recognise.ts";
import { readRemembered, type StoredService } from "../remembered.ts";
import { readUser, type RecognisedUser } from "../claimed.ts";
import { applySubmissions } from "../services/submission.ts";
import { present } from "../../present.ts";

export type Explanation = {
  /** null: the transaction belongs to no service. */
  serviceId: string | null;
  /** null: the service was asked for. */
  txid: string | null;
  asOf: Day;
  text: string;
  /** Null where no service is recognised. */
  evidence: RecognisedService["evidence"] | null;
};

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whose it is, and which. */
export type Subject = { userId: number; serviceId: string | null; txid: string | null };

/**
 * What an operator's text names: a service's id, our id of a transaction, or the sender's txid. Several users may have
 * a txid alike: the filters choose. A transaction is looked for in the whole ledger unless a user is named. Null:
 * nothing.
 */
export async function findSubject(
  transaction: Transaction,
  reference: string,
  partnerId: string | null,
  bankUserId: string | null,
): Promise<Subject | null> {
  const { rows } = await transaction.query<Subject>(
    `with candidates as (
       select id
         from users
        where deleted_at is null
          and ($3::text is null or partner_id = $3)
          and ($4::text is null or bank_user_id = $4)
     )
     (select user_id as "userId", id::text as "serviceId", null as txid from services where id = $5::uuid and user_id in (select id from candidates))
     union all
     (select user_id, null, txid from transactions where (txid = $1 or id = $2) and user_id in (select id from candidates))
     limit 1`,
    [
      reference,
      await storedTransactionId(transaction, reference),
      partnerId,
      bankUserId,
      uuidPattern.test(reference) ? reference : null,
    ],
  );
  return rows[0] ?? null;
}

/** @param today for users without figures. */
export async function explainSubject(
  transaction: Transaction,
  subject: Subject,
  today: (timeZone: string) => Day,
): Promise<Explanation> {
  await useCurrentProducts(transaction);
  const user = present(await readUser(transaction, subject.userId), "the user");
  const asOf = (await computedFor(transaction, user.id)) ?? today(user.timeZone);
  const history = (await readHistory(transaction, [user.id])).get(user.id) ?? [];
  const remembered = present((await readRemembered(transaction, [user.id])).get(user.id), "what is remembered");
  const context = { asOf, country: user.country, currency: user.currency };
  const { services } = applySubmissions(remembered.submissions, recognise(history, context).services, history, context);
  services.push(...keepDecided(remembered.services, services, history, context));
  const stored = remembered.services.find((one) =>
    subject.serviceId === null ? one.txids.includes(subject.txid ?? "") : one.id === subject.serviceId,
  );
  const found = services.find((one) =>
    one.payments.some(({ txid }) => (stored === undefined ? txid === subject.txid : stored.txids.includes(txid))),
  );
  const base = { serviceId: stored?.id ?? null, txid: subject.txid, asOf };
  if (found !== undefined) {
    const submitted = remembered.submissions.some(
      ({ txid, outcome }) => outcome === "SUCCESS" && found.payments.some((payment) => payment.txid === txid),
    );
    return {
      ...base,
      text: [explain(found), ...decided(found, stored, submitted, user)].join(" "),
      evidence: found.evidence,
    };
  }
  const row = history.find(({ txid }) => txid === subject.txid);
  const text =
    row === undefined
      ? `The service was found earlier; its ${stored?.txids.length ?? 0} payments make no series any more.`
      : explainPayment(row, history, context);
  return { ...base, text, evidence: null };
}

async function computedFor(transaction: Transaction, userId: number): Promise<Day | null> {
  const { rows } = await transaction.query<{ computedFor: Day }>(
    `select computed_for as "computedFor" from read_models where user_id = $1`,
    [userId],
  );
  return rows[0]?.computedFor ?? null;
}

/** What people decided, after what the payments say. */
function decided(
  found: RecognisedService,
  stored: StoredService | undefined,
  submitted: boolean,
  user: RecognisedUser,
): string[] {
  const isHiddenByBrand = found.productId !== null && user.hiddenProductIds.includes(found.productId);
  return [
    ...(submitted ? ["The user called a payment of it a subscription."] : []),
    ...(stored?.hidden == null ? [] : [stored.hidden ? "The user hid it." : "The user confirmed it."]),
    ...(isHiddenByBrand && stored?.hidden == null ? ["The brand hides the product."] : []),
    ...(stored?.cancellation == null
      ? []
      : [`Its latest cancellation case is ${stored.cancellation.state} since ${stored.cancellation.changedDay}.`]),
  ];
}
