/** `tideline export`: everything held about one user, as one JSON document. */
import { createWriteStream } from "node:fs";
import { once } from "node:events";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { exportDocument, findSubjectUsers } from "../../data-subjects/export.ts";
import { Fault } from "../../errors.ts";
import { commandLineActor, recordAudit } from "../../partners/audit.ts";
import { commonOptions, configOf, readArguments, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { countOf } from "../terminal/result.ts";
import { withSession } from "../service/session.ts";

export const usage = `
tideline export --partner P --user BANK-USER-ID [--out FILE] [--data-dir DIR]

Everything held about one user, for a subject access request: one JSON object with a list of rows a table, as they are
stored, also of an earlier registration that was deleted and not erased yet. Written to standard output, or to FILE,
which must not exist and which only its owner can read. Landed originals are encrypted and hold many users: they are not
part of it, and go by retention.landedDays. The audit trail keeps that it was done.
`;

export async function run(argv: string[]): Promise<number> {
  const text = { type: "string" } as const;
  const { values, positionals } = readArguments(argv, { ...commonOptions, partner: text, user: text, out: text });
  const { partner, user, out } = values;
  if (partner === undefined || user === undefined || positionals.length > 0)
    usageError("Say --partner P --user BANK-USER-ID.");
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
