/** `tideline withdraw`: takes a wrongly sent batch or file back out of the ledger. */
import { inTransaction } from "../../database/database.ts";
import { type Delivery, findDelivery } from "../../deliveries/deliveries.ts";
import { countKnownElsewhere, withdraw, type Withdrawal } from "../../ledger/withdraw.ts";
import { commandLineActor, recordAudit } from "../../partners/audit.ts";
import { commonOptions, configOf, readArguments, required, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { findReferred } from "./reference.ts";
import { countOf, formatCount, printResult } from "../terminal/result.ts";
import { writeReceiptWhenAlone } from "./receipt.ts";
import { withSession } from "../service/session.ts";

export const usage = `
tideline withdraw BATCH [--partner P] [--data-dir DIR] [--json]

BATCH is a delivery id, a reqId or a file name (of several the newest). Every transaction that it loaded leaves the ledger,
and with it every figure and read; a trace stays in withdrawn_transactions. What it had corrected is again as it was. The
same file, its reqIds and its transactions can be sent again.

Only what this delivery loaded leaves: a transaction that an earlier one had loaded stays. One that a later delivery brought
again, and which counted there as known, leaves too: withdraw that one as well, then have it sent again, to get it back.
Records of later deliveries that conflicted with it can be let in with tideline quarantine release.
`;

export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, { ...commonOptions, partner: { type: "string" } });
  const reference = required(positionals[0], "BATCH");
  return await withSession(configOf(values), async (session) => {
    const delivery = await findReferred(session.database, reference, values.partner ?? null);
    const withdrawal = await inTransaction(session.database, async (transaction) => {
      const done = await withdraw(transaction, delivery.id, commandLineActor());
      if (done)
        await recordAudit(transaction, commandLineActor(), {
          partnerId: delivery.partnerId,
          event: "delivery.withdrawn",
          details: { deliveryId: delivery.id, ...done },
        });
      return done;
    });
    // As it is now: it may have come to its end while its turn was waited for.
    if (!withdrawal && (await findDelivery(session.database, delivery.id))?.state === "refused")
      usageError("The delivery was refused: nothing of it is in the ledger.");
    await writeReceiptWhenAlone(session, delivery.id);
    const knownElsewhere = withdrawal ? await countKnownElsewhere(session.database, delivery.id) : 0;
    printResult(
      values.json,
      { deliveryId: delivery.id, withdrawn: withdrawal !== null, ...withdrawal, knownElsewhere },
      describe(delivery, withdrawal, knownElsewhere),
    );
    return exitCode.done;
  });
}

function describe(delivery: Delivery, withdrawal: Withdrawal | null, knownElsewhere: number): string[] {
  const name = delivery.name ?? delivery.requestId ?? delivery.id;
  if (!withdrawal) return [`${name} was withdrawn before.`];
  return [
    `${name} is withdrawn: ${countOf(withdrawal.transactions, "transaction")} of ${countOf(withdrawal.users, "user")} left the ledger.`,
    ...(withdrawal.restored > 0 ? [`As they were before it corrected them: ${formatCount(withdrawal.restored)}.`] : []),
    ...(knownElsewhere > 0
      ? [
          `Later deliveries that brought records which were known: ${formatCount(knownElsewhere)}; those among them that this one had loaded have left too.`,
        ]
      : []),
  ];
}
