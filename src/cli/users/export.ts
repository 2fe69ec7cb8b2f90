/** `tideline export`: everything held about one user as one JSON document, or rows of all users of a partner. */
import { createWriteStream } from "node:fs";
import { once } from "node:events";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { exportDocument, findSubjectUsers } from "../../data-subjects/export.ts";
import { Fault } from "../../errors.ts";
import { commandLineActor, recordAudit } from "../../partners/audit.ts";
import { configOf, readArguments, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { countOf } from "../terminal/result.ts";
import { withSession } from "../service/session.ts";
import { datasetOf, exportDataset, options, type Values } from "./export-rows.ts";
import { followChanges, printFollowers, unfollow } from "./follow.ts";

export const usage = `
tideline export --partner P --user BANK-USER-ID [--to FILE] [--data-dir DIR]
tideline export --users|--services|--transactions|--budgets --partner P --format csv|jsonl|parquet --to FILE|-
                [--user BANK-USER-ID]… [--from YYYY-MM-DD] [--until YYYY-MM-DD] [--seal KEY.asc]
                [--unmasked --reason TEXT] [--data-dir DIR] [--json]
tideline export --follow NAME --to FILE|-|https://… [--partner P] [--once] [--from-position POSITION]
                [--signing hmac|ed25519] [--authority-file FILE.pem] [--allow-private-addresses]
                [--unmasked --reason TEXT] [--data-dir DIR] [--json]
tideline export --followers [--data-dir DIR] [--json]
tideline export --unfollow NAME [--data-dir DIR] [--json]

Everything held about one user, for a subject access request: one JSON object with a list of rows a table, as they are
stored, also of an earlier registration that was deleted and not erased yet. Written to standard output, or to FILE,
which must not exist and which only its owner can read (--out is the same). Landed originals are encrypted and hold many
users: they are not part of it, and go by retention.landedDays. The audit trail keeps that it was done.

With --users, --services, --transactions or --budgets: flat rows of all of the partner's users, or of those named, for
other programs. --from and --until choose by the day on which a payment was booked, a service was first seen, a user or
budget was made. While it is written FILE is FILE.part; stopped by Ctrl-C, kill or power cut, the same command goes on
where FILE.resume says, with no row twice. --to - writes to standard output. --seal writes numbered files, each an
OpenPGP message to that public key. Account numbers are masked; --unmasked shows them, and the audit trail keeps why.

--follow tells, until it is stopped, how each payment and service is that changed since NAME began to follow: a JSON object
a line, or up to 256 KiB of them in a message to a webhook, signed as notifications are. Each at least once, and the last
line of a thing is right; --once ends when nothing is left. --from-position tells again what came behind that position.
--followers lists who follows, how far, and with --json the keys; --unfollow ends it.
`;

export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, options);
  if (positionals.length > 0) usageError(`"${positionals[0]}" is not understood.`);
  if (values.followers) return await printFollowers(values);
  if (values.unfollow !== undefined) return await unfollow(values.unfollow, values);
  const dataset = datasetOf(values);
  if (values.follow !== undefined) {
    if (dataset !== null) usageError(`--follow tells of payments and services: leave out --${dataset}.`);
    return await followChanges(values.follow, values);
  }
  return dataset === null ? await exportSubject(values) : await exportDataset(dataset, values);
}

async function exportSubject(values: Values): Promise<number> {
  const { partner, user: [user, ...others] = [] } = values;
  if (partner === undefined || user === undefined || others.length > 0)
    usageError(
      "Say --partner P --user BANK-USER-ID, or what to export of all users: --users, --services, --transactions, --budgets.",
    );
  for (const option of ["from", "until", "format", "seal", "reason"] as const)
    if (values[option] !== undefined)
      usageError(`--${option} is for --users, --services, --transactions and --budgets.`);
  const out = values.to === "-" ? undefined : (values.to ?? values.out);
  return await withSession(configOf(values), async ({ database }) => {
    const userIds = await findSubjectUsers(database, partner, user);
    if (userIds.length === 0) throw new Fault("NOT_FOUND", `Partner "${partner}" has no user "${user}".`);
    const rows = await writeDocument(out, (take) => exportDocument(database, userIds, take));
    // Our number and not the bank's id: after an erasure it points to nobody.
    await recordAudit(database, commandLineActor(), {
      partnerId: partner,
      event: "user.exported",
      details: { userIds, rows },
    });
    process.stderr.write(`${countOf(rows, "row")}${out === undefined ? "" : ` in ${out}`}.\n`);
    return exitCode.done;
  });
}

async function writeDocument(
  out: string | undefined,
  work: (write: (text: string) => Promise<void>) => Promise<number>,
): Promise<number> {
  const target = out === undefined ? process.stdout : await openNew(out);
  const rows = await work((text) => write(target, text));
  if (out !== undefined) {
    target.end();
    await finished(target);
  }
  return rows;
}

async function openNew(file: string): Promise<Writable> {
  const stream = createWriteStream(file, { flags: "wx", mode: 0o600 });
  try {
    await once(stream, "open");
    return stream;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw new Fault("COMMAND_USAGE", `${file} exists already.`);
    throw error;
  }
}

async function write(target: Writable, text: string): Promise<void> {
  if (!target.write(text)) await once(target, "drain");
}
