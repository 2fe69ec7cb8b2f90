/** `tideline quarantine`: what was refused or waits, and letting it in after a fix. */
import { inTransaction } from "../../database/database.ts";
import { type Delivery, findDelivery } from "../../deliveries/deliveries.ts";
import { reopenRefused, retryAbandoned } from "../../deliveries/reopen.ts";
import { closeQuarantine, listQuarantined, type QuarantinedDelivery } from "../../deliveries/quarantine.ts";
import { type HeldSummary, markDue, summarizeHeld } from "../../deliveries/held.ts";
import { lockDelivery } from "../../deliveries/progress.ts";
import { requestRevisit } from "../../deliveries/revisits.ts";
import { commandLineActor, recordAudit } from "../../partners/audit.ts";
import { commonOptions, configOf, readArguments, readCount, required, usageError } from "../terminal/arguments.ts";
import { enqueueNow } from "../service/enqueue.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { assertPartner, findReferred } from "./reference.ts";
import { alignColumns, countOf, formatCount, printResult } from "../terminal/result.ts";
import { type Session, withSession } from "../service/session.ts";

export const usage = `
tideline quarantine list [--partner P] [--limit 20] [--data-dir DIR] [--json]
tideline quarantine show BATCH [--partner P] [--data-dir DIR] [--json]
tideline quarantine release BATCH [--problem FIELD] [--partner P] [--data-dir DIR] [--json]
tideline quarantine drop BATCH [--partner P] [--data-dir DIR] [--json]

BATCH is a delivery id, a reqId or a file name (of several the newest). What was refused or waits is kept as positions in
the original, which stays encrypted and which retention leaves alone.

release has exactly those records read again, after their users were created or what refused them was changed: what is good
now is loaded, the rest stays; --problem takes only those refused for that field. Records that conflict are read again
too, and are loaded when what they conflicted with was withdrawn. A file that was refused whole is loaded from its
beginning. A running service does it at once, otherwise the next start does; see tideline status BATCH.
drop gives up what is held, so that retention may remove the original.
`;

const limitDefault = 20;
const limitMax = 10_000;

type Invocation = {
  session: Session;
  reference: string | undefined;
  partnerId: string | null;
  limit: number;
  field: string | null;
  json: boolean;
};

const subcommands: Readonly<Record<string, (invocation: Invocation) => Promise<void>>> = { list, show, release, drop };

export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    partner: { type: "string" },
    problem: { type: "string" },
    limit: { type: "string", default: String(limitDefault) },
  });
  const [name = "list", reference] = positionals;
  const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (!subcommand)
    return usageError(`There is no "tideline quarantine ${name}"; there are ${Object.keys(subcommands).join(", ")}.`);
  const limit = readCount(values.limit, "--limit", 1, limitMax);
  return await withSession(configOf(values), async (session) => {
    await subcommand({
      session,
      reference,
      partnerId: values.partner ?? null,
      limit,
      field: values.problem ?? null,
      json: values.json,
    });
    return exitCode.done;
  });
}

async function list({ session, partnerId, limit, json }: Invocation): Promise<void> {
  await assertPartner(session.database, partnerId);
  const deliveries = await listQuarantined(session.database, partnerId, limit);
  printResult(json, deliveries, deliveries.length === 0 ? ["Nothing is in quarantine."] : linesOf(deliveries));
}

function linesOf(deliveries: readonly QuarantinedDelivery[]): string[] {
  const head = ["ACCEPTED", "PARTNER", "STATE", "BATCHES", "REFUSED", "WAITING", "ID", "FILE OR REQUEST"];
  return alignColumns([
    head,
    ...deliveries.map((one) => [
      one.acceptedAt.toISOString().slice(0, 19),
      one.partnerId,
      one.refusalCode ?? one.state,
      ...[one.batchesRefused, one.refused, one.waiting].map(formatCount),
      one.id,
      one.name ?? one.requestId ?? "",
    ]),
  ]);
}

async function show(invocation: Invocation): Promise<void> {
  const delivery = await find(invocation);
  const held = await summarizeHeld(invocation.session.database, delivery.id);
  const whole =
    delivery.refusalCode === null ? [] : [`Refused whole: ${delivery.refusalCode}: ${delivery.refusalReason ?? ""}`];
  const unread =
    delivery.revisitRefusalCode === null
      ? []
      : [`Could not be read again: ${delivery.revisitRefusalCode}: ${delivery.revisitRefusalReason ?? ""}`];
  const lines =
    held.length === 0
      ? ["No single record is held."]
      : alignColumns([["RECORDS", "KIND", "FIELD", "REASON", "FIRST AT"], ...held.map(describe)]);
  printResult(
    invocation.json,
    {
      deliveryId: delivery.id,
      state: delivery.state,
      refusalCode: delivery.refusalCode,
      refusalReason: delivery.refusalReason,
      revisitRefusalCode: delivery.revisitRefusalCode,
      revisitRefusalReason: delivery.revisitRefusalReason,
      held,
    },
    [...whole, ...unread, ...lines],
  );
}

function describe(one: HeldSummary): string[] {
  const records =
    one.batches > 0
      ? `${formatCount(one.records)} in ${countOf(one.batches, "batch", "batches")}`
      : formatCount(one.records);
  return [
    records,
    one.kind,
    one.field || "record",
    one.reason,
    `line ${one.firstLine}${one.firstIndex < 0 ? "" : `, record ${one.firstIndex}`}`,
  ];
}

async function release(invocation: Invocation): Promise<void> {
  const { session, field, json } = invocation;
  const delivery = await find(invocation);
  if (delivery.quarantineClosedAt !== null) usageError("What was held of the delivery was dropped.");
  if (delivery.bytesRemovedAt !== null) usageError("Retention has removed the original.");
  if (delivery.state === "refused") return await reopen(invocation, delivery);
  if (delivery.state !== "loaded")
    usageError(
      `The delivery is ${delivery.state}: ${delivery.state === "withdrawn" ? "nothing of it is held" : "nothing can be released yet"}.`,
    );
  const { records, batches } = await inTransaction(session.database, async (transaction) => {
    await lockDelivery(transaction, delivery.id);
    const marked = await markDue(transaction, delivery.id, field);
    if (marked.ranges > 0) await requestRevisit(transaction, delivery.id);
    await recordAudit(transaction, commandLineActor(), {
      partnerId: delivery.partnerId,
      event: "quarantine.released",
      details: { deliveryId: delivery.id, field, records: marked.records },
    });
    return marked;
  });
  if (records > 0 || delivery.batchesRefused > 0) await enqueueNow(session, delivery.id);
  const whole = batches === 0 ? "" : ` and ${countOf(batches, "whole batch", "whole batches")}`;
  printResult(json, { deliveryId: delivery.id, records, batches }, [
    `Read again${session.alone ? " at the next tideline up" : ""}: ${countOf(records, "record")}${whole}.`,
  ]);
}

async function reopen({ session, json, field }: Invocation, delivery: Delivery): Promise<void> {
  if (field !== null) usageError("The file was refused whole: --problem has no meaning.");
  if (delivery.vaultReference === null && delivery.door !== "https")
    usageError(`The file was refused at the door with ${delivery.refusalCode ?? ""}: nothing of it was kept.`);
  const from = await inTransaction(session.database, async (transaction) => {
    const reopened =
      (await reopenRefused(transaction, delivery.id)) || (await retryAbandoned(transaction, delivery.id)).length > 0;
    if (!reopened) return null;
    await recordAudit(transaction, commandLineActor(), {
      partnerId: delivery.partnerId,
      event: "quarantine.released",
      details: { deliveryId: delivery.id },
    });
    return (await findDelivery(transaction, delivery.id))?.records ?? 0;
  });
  if (from === null) usageError("The delivery is not refused any more.");
  await enqueueNow(session, delivery.id);
  const where = from === 0 ? "from its beginning" : `on after ${countOf(from, "record")}`;
  printResult(json, { deliveryId: delivery.id, reopened: true }, [
    `The file waits to be loaded ${where}${session.alone ? " at the next tideline up" : ""}.`,
  ]);
}

async function drop(invocation: Invocation): Promise<void> {
  const { session, json } = invocation;
  const delivery = await find(invocation);
  const dropped = await inTransaction(session.database, async (transaction) => {
    await lockDelivery(transaction, delivery.id);
    const done = await closeQuarantine(transaction, delivery.id);
    if (done)
      await recordAudit(transaction, commandLineActor(), {
        partnerId: delivery.partnerId,
        event: "quarantine.dropped",
        details: { deliveryId: delivery.id },
      });
    return done;
  });
  printResult(json, { deliveryId: delivery.id, dropped }, [
    dropped
      ? "What was held is given up; retention removes the original when its time comes."
      : "Nothing of it was held.",
  ]);
}

/** @throws Fault NOT_FOUND, COMMAND_USAGE */
async function find({ session, reference, partnerId }: Invocation): Promise<Delivery> {
  return await findReferred(session.database, required(reference, "BATCH"), partnerId);
}
