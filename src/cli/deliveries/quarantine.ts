/** `tideline quarantine`: what was refused or waits, and letting it in after a fix. */
import type { Delivery } from "../../deliveries/deliveries.ts";
import { listQuarantined, type QuarantinedDelivery } from "../../deliveries/quarantine.ts";
import { type HeldSummary, summarizeHeld } from "../../deliveries/held.ts";
import { dropHeld, releaseHeld, releaseOf } from "../../operations/deliveries.ts";
import { commandLineActor } from "../../partners/audit.ts";
import { commonOptions, configOf, readArguments, readCount, required, usageError } from "../terminal/arguments.ts";
import { enqueueNow } from "../service/enqueue.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { assertPartner, findReferred } from "./reference.ts";
import { alignColumns, countOf, formatCount, printResult } from "../terminal/result.ts";
import { askAnother } from "../service/ask-another.ts";
import { type Session, withSession } from "../service/session.ts";

export const usage = `
tideline quarantine list [--partner P] [--limit 20] [--data-dir DIR] [--json]
tideline quarantine show BATCH [--partner P] [--data-dir DIR] [--json]
tideline quarantine release BATCH [--problem FIELD] [--reason WHY] [--partner P] [--data-dir DIR] [--json]
tideline quarantine drop BATCH [--partner P] [--data-dir DIR] [--json]

BATCH is a delivery id, a reqId or a file name (of several the newest). What was refused or waits is kept as positions in
the original, which stays encrypted and which retention leaves alone.

release has exactly those records read again, after their users were created or what refused them was changed: what is good
now is loaded, the rest stays; --problem takes only those refused for that field. Records that conflict are read again
too, and are loaded when what they conflicted with was withdrawn. A file that was refused whole is loaded from its
beginning. A running service does it at once, otherwise the next start does; see tideline status BATCH.
Where release is guarded (tideline approvals), --reason asks another operator, and nothing is done before.
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
  reason: string | undefined;
  json: boolean;
};

const subcommands: Readonly<Record<string, (invocation: Invocation) => Promise<number | void>>> = {
  list,
  show,
  release,
  drop,
};

export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    partner: { type: "string" },
    problem: { type: "string" },
    reason: { type: "string" },
    limit: { type: "string", default: String(limitDefault) },
  });
  const [name = "list", reference] = positionals;
  const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (!subcommand)
    return usageError(`There is no "tideline quarantine ${name}"; there are ${Object.keys(subcommands).join(", ")}.`);
  const limit = readCount(values.limit, "--limit", 1, limitMax);
  return await withSession(configOf(values), async (session) => {
    const code = await subcommand({
      session,
      reference,
      partnerId: values.partner ?? null,
      limit,
      field: values.problem ?? null,
      reason: values.reason,
      json: values.json,
    });
    return code ?? exitCode.done;
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

async function release(invocation: Invocation): Promise<number> {
  const { session, field, json } = invocation;
  const delivery = await find(invocation);
  const done = await releaseHeld(session.database, commandLineActor(), delivery, field);
  if (done.outcome === "declined") return usageError(done.why);
  if (done.outcome === "guarded") {
    const subject = releaseOf(delivery.id, field);
    const request = { action: "release", partnerId: delivery.partnerId, subject } as const;
    return await askAnother(session.database, request, { reason: invocation.reason, json });
  }
  if (done.outcome === "reopened" || done.wakes) await enqueueNow(session, delivery.id);
  const when = session.alone ? " at the next tideline up" : "";
  if (done.outcome === "reopened") {
    const where = done.from === 0 ? "from its beginning" : `on after ${countOf(done.from, "record")}`;
    printResult(json, { deliveryId: delivery.id, reopened: true }, [`The file waits to be loaded ${where}${when}.`]);
    return exitCode.done;
  }
  const { records, batches } = done;
  const whole = batches === 0 ? "" : ` and ${countOf(batches, "whole batch", "whole batches")}`;
  printResult(json, { deliveryId: delivery.id, records, batches }, [
    `Read again${when}: ${countOf(records, "record")}${whole}.`,
  ]);
  return exitCode.done;
}

async function drop(invocation: Invocation): Promise<void> {
  const { session, json } = invocation;
  const delivery = await find(invocation);
  const dropped = await dropHeld(session.database, commandLineActor(), delivery);
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
