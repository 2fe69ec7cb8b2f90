/** `tideline withdraw`: takes a wrongly sent batch or file back out of the ledger. */
import type { Delivery } from "../../deliveries/deliveries.ts";
import type { Guarded } from "../../operations/approvals.ts";
import { type Declined, previewWithdrawal, withdrawDelivery, type Withdrawn } from "../../operations/deliveries.ts";
import { commandLineActor } from "../../partners/audit.ts";
import { commonOptions, configOf, readArguments, required, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { findReferred } from "./reference.ts";
import { countOf, formatCount, printResult } from "../terminal/result.ts";
import { writeReceiptWhenAlone } from "./receipt.ts";
import { askAnother } from "../service/ask-another.ts";
import { withSession } from "../service/session.ts";

export const usage = `
tideline withdraw BATCH [--partner P] [--dry-run] [--reason WHY] [--data-dir DIR] [--json]

BATCH is a delivery id, a reqId or a file name (of several the newest). Every transaction that it loaded leaves the ledger,
and with it every figure and read; a trace stays in withdrawn_transactions. What it had corrected is again as it was. The
same file, its reqIds and its transactions can be sent again.

Only what this delivery loaded leaves: a transaction that an earlier one had loaded stays. One that a later delivery brought
again, and which counted there as known, leaves too: withdraw that one as well, then have it sent again, to get it back.
Records of later deliveries that conflicted with it can be let in with tideline quarantine release. Where
withdraw is guarded (tideline approvals), --reason asks another operator, and nothing is done before. --dry-run says what would leave.
`;

export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    partner: { type: "string" },
    reason: { type: "string" },
    "dry-run": { type: "boolean", default: false },
  });
  const reference = required(positionals[0], "BATCH");
  return await withSession(configOf(values), async (session) => {
    const delivery = await findReferred(session.database, reference, values.partner ?? null);
    if (values["dry-run"]) {
      const preview = await previewWithdrawal(session.database, delivery);
      printResult(values.json, { deliveryId: delivery.id, dryRun: true, ...preview }, [
        `${countOf(preview.transactions, "transaction")} of ${countOf(preview.users, "user")} would leave the ledger.`,
      ]);
      return exitCode.done;
    }
    const done = await withdrawDelivery(session.database, commandLineActor(), delivery);
    if (done.outcome === "declined") return usageError(done.why);
    if (done.outcome === "guarded") {
      const request = {
        action: "withdraw",
        partnerId: delivery.partnerId,
        subject: { deliveryId: delivery.id },
      } as const;
      return await askAnother(session.database, request, { reason: values.reason, json: values.json });
    }
    await writeReceiptWhenAlone(session, delivery.id);
    const { outcome, ...counts } = done;
    printResult(
      values.json,
      {
        deliveryId: delivery.id,
        withdrawn: outcome === "withdrawn",
        ...counts,
        ...(outcome === "repeated" ? { knownElsewhere: 0 } : {}),
      },
      describe(delivery, done),
    );
    return exitCode.done;
  });
}

function describe(delivery: Delivery, done: Exclude<Withdrawn, Declined | Guarded>): string[] {
  const name = delivery.name ?? delivery.requestId ?? delivery.id;
  if (done.outcome === "repeated") return [`${name} was withdrawn before.`];
  return [
    `${name} is withdrawn: ${countOf(done.transactions, "transaction")} of ${countOf(done.users, "user")} left the ledger.`,
    ...(done.restored > 0 ? [`As they were before it corrected them: ${formatCount(done.restored)}.`] : []),
    ...(done.knownElsewhere > 0
      ? [
          `Later deliveries that brought records which were known: ${formatCount(done.knownElsewhere)}; those among them that this one had loaded have left too.`,
        ]
      : []),
  ];
}
