/**
 * Commands in the audit trail: every one that opens the database, before it does or shows anything, and why it failed
 * where it did. Options are told by their names; of values only who or what it was about, for others may be secrets.
 */
import type { Queryable } from "../../database/database.ts";
import { Fault } from "../../errors.ts";
import { commandLineActor, recordAudit } from "../../partners/audit.ts";

/** Options whose values say about whom or what. */
const toldValues: ReadonlySet<string> = new Set([
  "partner",
  "user",
  "delivery",
  "event",
  "since",
  "until",
  "session",
  "state",
  "service",
  "kid",
  "reason",
]);
const lengthMax = 200;

let announced: readonly string[] | null = null;

/** What this process was started for; commands that tests call in their own process announce nothing. */
export function announceCommand(argv: readonly string[]): void {
  announced = argv;
}

/** Runs a command's work between its line in the audit trail and, where it fails, a second one. */
export async function audited<Result>(database: Queryable, work: () => Promise<Result>): Promise<Result> {
  if (announced === null) return await work();
  const details = describeCommand(announced);
  const tell = (event: string, more: object): Promise<void> =>
    recordAudit(database, commandLineActor(), {
      partnerId: details.values.partner ?? null,
      event,
      details: { ...details, ...more },
    });
  await tell("command.started", {});
  try {
    return await work();
  } catch (error) {
    // Why the command failed is what matters: a database that is away takes no line either.
    await tell("command.failed", { code: error instanceof Fault ? error.code : "failed" }).catch(() => undefined);
    throw error;
  }
}

type Described = { command: string; options: string[]; values: Record<string, string> };

export function describeCommand(argv: readonly string[]): Described {
  const words: string[] = [];
  const options: string[] = [];
  const values: Record<string, string> = {};
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? "";
    if (!word.startsWith("--")) {
      // The command and its action; what follows may be a path, an address or a value.
      if (options.length === 0 && words.length < 2 && /^[a-z][a-z0-9-]*$/.test(word)) words.push(word);
      continue;
    }
    const [name = "", joined] = word.slice(2).split("=", 2);
    options.push(name);
    const next = argv[at + 1];
    const value = joined ?? (next === undefined || next.startsWith("--") ? undefined : next);
    if (joined === undefined && value !== undefined && name !== "json") at += 1;
    if (value !== undefined && toldValues.has(name)) values[name] = value.slice(0, lengthMax);
  }
  return { command: words.join(" "), options, values };
}
