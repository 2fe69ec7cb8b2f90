/**
 * The operator's steps in cancelling a user's service, from the command line and from the console alike: each with its
 * trace, and told to the user within a moment.
 */
import { type Database, inTransaction } from "../database/database.ts";
import { noticesOfStep } from "../notifications/case-notices.ts";
import { writeNotices } from "../notifications/outbox.ts";
import { recordAudit } from "../partners/audit.ts";
import {
  type CancellableService,
  type CaseFacts,
  lockService,
  type Step,
  transitions,
  writeStep,
} from "../recognition/cancellation.ts";

/** The interface's free texts have no limit; an operator's note has. */
export const textLengthMax = 4_000;

export type StepTaken =
  | { outcome: "taken"; service: CancellableService; event: string }
  /** There is no such service, or it is no longer found. */
  | { outcome: "unknown" }
  | { outcome: "declined"; why: string };

/** One transaction: the case, what the user is told, and the trail. */
export async function takeStep(
  database: Database,
  actor: string,
  serviceId: string,
  step: Step,
  facts: CaseFacts,
): Promise<StepTaken> {
  return await inTransaction(database, async (transaction) => {
    const service = await lockService(transaction, serviceId);
    if (service === null) return { outcome: "unknown" };
    const { from, event, tells } = transitions[step];
    if (!from.includes(service.status))
      return {
        outcome: "declined",
        why: `The service is ${service.status}: ${step} needs one that is ${from.join(" or ")}.`,
      };
    await writeStep(transaction, service, step, facts);
    await writeNotices(transaction, noticesOfStep(service, tells, new Date()));
    // Texts may tell of the user; the case keeps them, the trail does not.
    const details = {
      serviceId: service.id,
      ...(facts.endDate ? { endDate: facts.endDate } : {}),
      ...(facts.abortReason ? { abortReason: facts.abortReason } : {}),
    };
    await recordAudit(transaction, actor, { partnerId: service.partnerId, event, details });
    return { outcome: "taken", service, event };
  });
}
