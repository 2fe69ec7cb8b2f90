/** `tideline audit`: who logged in, uploaded, renamed, removed, was refused; who changed what about a partner. */
import { readFile } from "node:fs/promises";
import type { Config } from "../../config.ts";
import { type Anchor, chainAudit, lastBatch, parseAnchor, verifyAudit } from "../../partners/audit-chain.ts";
import { type AuditEvent, listAudit } from "../../partners/audit.ts";
import { commonOptions, configOf, oneOf, readArguments, readCount, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { alignColumns, countOf, formatCount, printResult } from "../terminal/result.ts";
import { withSession } from "./session.ts";

export const usage = `
tideline audit [--partner P] [--since WHEN] [--until WHEN] [--event NAME] [--session ID] [--limit 100] [--data-dir DIR] [--json]

The audit trail, oldest first, the latest --limit of it. WHEN is a day (its start in UTC), an instant such as
2026-06-15T12:00:00Z, or an age such as 90m, 24h, 7d. NAME is an event, or the beginning of it up to a dot:
sftp, sftp.login-refused, https.changed, command, partner.

tideline audit verify [--anchor FILE] [--data-dir DIR] [--json]
tideline audit anchor [--data-dir DIR]

verify  holds every event against the chain of signed batches: what was changed, removed, exchanged or put in the place
        of another is told, exit code 1. With the anchor of an earlier day also an end that was cut off.
anchor  prints the chain's end as one line of JSON. Kept elsewhere, it is what verify is given. The service's log has
        one an hour too (audit.anchored).
`;

const limitDefault = 100;
const limitMax = 100_000;

export async function run(argv: string[]): Promise<number> {
  const text = { type: "string" } as const;
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    anchor: text,
    partner: text,
    since: text,
    until: text,
    event: text,
    session: text,
    limit: { type: "string", default: String(limitDefault) },
  });
  const [action = "list", ...more] = positionals;
  const chosen = oneOf(action, ["list", "verify", "anchor"], "The action");
  if (more.length > 0 || (values.anchor !== undefined && chosen !== "verify"))
    usageError("audit verify takes --anchor FILE, and no action takes more words.");
  if (chosen === "verify") return await verify(configOf(values), values.anchor, values.json);
  if (chosen === "anchor") return await printAnchor(configOf(values));
  const now = new Date();
  const filter = {
    partnerId: values.partner ?? null,
    event: values.event ?? null,
    sessionId: values.session ?? null,
    since: readWhen(values.since, "--since", now),
    until: readWhen(values.until, "--until", now),
  };
  const limit = readCount(values.limit, "--limit", 1, limitMax);
  return await withSession(configOf(values), async (session) => {
    const found = await listAudit(session.database, filter, limit);
    printResult(values.json, found, linesOf(found));
    return exitCode.done;
  });
}

async function verify(config: Config, anchorFile: string | undefined, asJson: boolean): Promise<number> {
  const anchor = anchorFile === undefined ? null : readAnchor(await readFile(anchorFile, "utf8"), anchorFile);
  return await withSession(config, async ({ database, keyEncryptionKey }) => {
    const found = await verifyAudit(database, await keyEncryptionKey(), anchor);
    printResult(asJson, found, [
      `${countOf(found.events, "event")} in ${countOf(found.batches, "batch", "batches")}, ${formatCount(found.removed)} of them removed by rule.`,
      ...(found.faults.length === 0
        ? ["The trail is as it was written."]
        : found.faults.map((fault) => `FAULT: ${fault}`)),
    ]);
    return found.faults.length === 0 ? exitCode.done : exitCode.failed;
  });
}

async function printAnchor(config: Config): Promise<number> {
  return await withSession(config, async ({ database, keyEncryptionKey }) => {
    const key = await keyEncryptionKey();
    while ((await chainAudit(database, key)) !== null);
    console.log(JSON.stringify(await lastBatch(database)));
    return exitCode.done;
  });
}

function readAnchor(text: string, file: string): Anchor {
  const anchor = parseAnchor(text);
  return anchor ?? usageError(`${file} is no anchor: {"number":…,"digest":"…"}.`);
}

const msOfUnit: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @returns null when it is not given. @throws Fault COMMAND_USAGE */
export function readWhen(text: string | undefined, option: string, now: Date): Date | null {
  if (text === undefined) return null;
  const [, count, unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) return new Date(now.getTime() - Number(count) * (msOfUnit[unit] ?? 0));
  const at = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)
    ? new Date(text)
    : new Date(Number.NaN);
  if (Number.isNaN(at.getTime()))
    usageError(`${option} must be a day, an instant with its zone, or an age such as 24h, not "${text}".`);
  return at;
}

function linesOf(found: readonly AuditEvent[]): string[] {
  if (found.length === 0) return ["Nothing."];
  const rows = found.map((one) => [
    one.at.toISOString(),
    one.partnerId ?? "-",
    one.actor,
    one.event,
    describe(one.details),
  ]);
  return alignColumns([["AT", "PARTNER", "ACTOR", "EVENT", "DETAILS"], ...rows]);
}

function describe(details: AuditEvent["details"]): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
}
