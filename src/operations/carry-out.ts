/** Carries out what two operators agreed on: the same functions as without the second one. */
import { type Database, inTransaction } from "../database/database.ts";
import { findDelivery } from "../deliveries/deliveries.ts";
import { type Approval, spendApproval, unguard } from "./approvals.ts";
import { releaseHeld, withdrawDelivery } from "./deliveries.ts";
import { rotateSigning } from "./keys.ts";
import { eraseNow } from "./users.ts";

export type CarryingOut = {
  database: Database;
  actor: string;
  /** The key-encryption keys. */
  ring(): Promise<Buffer>;
  /** May fail: workers look by themselves. */
  enqueue(deliveryIds: readonly string[]): Promise<void>;
};

export type CarriedOut =
  | { outcome: "done"; sentence: string }
  /** Confirmed, and left to a command on the machine that has the key. */
  | { outcome: "left"; sentence: string }
  | { outcome: "failed"; sentence: string };

/** Spends the approval, whatever comes of it. @param approval confirmed a moment ago */
export async function carryOut(work: CarryingOut, approval: Approval): Promise<CarriedOut> {
  const done = await attempt(work, approval);
  if (done.outcome !== "left") await spendApproval(work.database, work.actor, approval, done.outcome);
  return done;
}

async function attempt(work: CarryingOut, approval: Approval): Promise<CarriedOut> {
  const { database, actor } = work;
  const { subject } = approval;
  if ("deliveryId" in subject) return await onDelivery(work, approval, subject);
  if ("userIds" in subject) {
    const user = { ids: subject.userIds, partnerId: approval.partnerId ?? "" };
    const erased = await eraseNow(database, actor, user, approval.id);
    if (erased.outcome === "guarded") return failed("The request is not good any more.");
    return erased.outcome === "gone"
      ? failed("The user is gone already.")
      : done(`The user is erased: ${erased.rows} rows.`);
  }
  if ("unguard" in subject) {
    await inTransaction(database, (transaction) => unguard(transaction, actor, subject.unguard));
    return done(`From now on ${subject.unguard} needs one operator.`);
  }
  if (subject.keys === "key-encryption")
    return { outcome: "left", sentence: `Now: tideline keys rotate --approval ${approval.id}` };
  const rotated = await rotateSigning(database, await work.ring(), actor, {
    keys: subject.keys,
    approvalId: approval.id,
  });
  return rotated.outcome === "guarded"
    ? failed("The request is not good any more.")
    : done(`${rotated.kid} signs ${subject.keys} from now on.`);
}

async function onDelivery(
  { database, actor, enqueue }: CarryingOut,
  { id, action }: Approval,
  { deliveryId, field }: { deliveryId: string; field?: string },
): Promise<CarriedOut> {
  const delivery = await findDelivery(database, deliveryId);
  if (!delivery) return failed("The delivery is gone.");
  if (action === "withdraw") {
    const withdrawn = await withdrawDelivery(database, actor, delivery, id);
    if (withdrawn.outcome === "declined") return failed(withdrawn.why);
    if (withdrawn.outcome === "guarded") return failed("The request is not good any more.");
    const { outcome } = withdrawn;
    return done(
      outcome === "repeated"
        ? "It was withdrawn before."
        : `It is withdrawn: ${withdrawn.transactions} transactions of ${withdrawn.users} users left the ledger.`,
    );
  }
  const released = await releaseHeld(database, actor, delivery, field ?? null, id);
  if (released.outcome === "declined") return failed(released.why);
  if (released.outcome === "guarded") return failed("The request is not good any more.");
  if (released.outcome === "reopened" || released.wakes) await enqueue([deliveryId]).catch(() => undefined);
  return done(
    released.outcome === "reopened"
      ? "It waits to be loaded again."
      : `${released.records} records are being read again.`,
  );
}

function done(sentence: string): CarriedOut {
  return { outcome: "done", sentence };
}

function failed(sentence: string): CarriedOut {
  return { outcome: "failed", sentence };
}
