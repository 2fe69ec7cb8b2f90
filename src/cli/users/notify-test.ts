/** `tideline notify-test`: a TEST_NOTIFICATION through the outbox and the partner's receiver. */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Database } from "../../database/database.ts";
import { createEvents } from "../../events.ts";
import { Fault } from "../../errors.ts";
import { findSubjectUsers } from "../../data-subjects/export.ts";
import { createDeliverer } from "../../notifications/deliver.ts";
import { writeNotices } from "../../notifications/outbox.ts";
import { commandLineActor, recordAudit } from "../../partners/audit.ts";
import { commonOptions, configOf, readArguments, required, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { printResult } from "../terminal/result.ts";
import { withSession } from "../service/session.ts";
import { firstOf } from "../../present.ts";

export const usage = `
tideline notify-test --partner P --user BANK-USER-ID [--data-dir DIR] [--json]

Writes a TEST_NOTIFICATION for the user and waits until the partner's receiver has taken it, as the service delivers it;
without a running service the command delivers it itself. Messages of the same user that wait go first.
`;

/** A receiver that takes longer is told of, and the message goes on being tried. */
const waitMs = 40_000;
const lookEveryMs = 200;

type Sent = { id: string; state: string; attempts: number; lastFailure: string | null };

export async function run(argv: string[]): Promise<number> {
  const text = { type: "string" } as const;
  const { values } = readArguments(argv, { ...commonOptions, partner: text, user: text });
  const partnerId = required(values.partner, "--partner");
  const bankUserId = required(values.user, "--user");
  const config = configOf(values);
  return await withSession(config, async ({ database, alone, keyEncryptionKey }) => {
    const userId = (await findSubjectUsers(database, partnerId, bankUserId)).at(-1);
    if (userId === undefined) throw new Fault("NOT_FOUND", `Partner "${partnerId}" has no user "${bankUserId}".`);
    const subject = randomUUID();
    const written = await writeNotices(database, [{ userId, type: "TEST_NOTIFICATION", subject, content: {} }]);
    if (written === 0)
      usageError(`${partnerId} has no receiver, or the user was deleted: see tideline notifications receiver set.`);
    await recordAudit(database, commandLineActor(), { partnerId, event: "notification.tested", details: { userId } });
    if (alone) {
      const deliverer = createDeliverer({
        database,
        keyEncryptionKey: await keyEncryptionKey(),
        events: createEvents({ level: config.logLevel }),
        now: () => new Date(),
        random: Math.random,
      });
      await deliverer.deliverDue();
    }
    const sent = await waitUntilTried(database, subject);
    printResult(values.json, sent, [describe(sent)]);
    return sent.state === "delivered" ? exitCode.done : exitCode.refused;
  });
}

async function waitUntilTried(database: Database, subject: string): Promise<Sent> {
  const until = Date.now() + waitMs;
  for (;;) {
    const { rows } = await database.query<Sent>(
      `select id, state, attempts, last_failure as "lastFailure" from notifications where type = 'TEST_NOTIFICATION' and subject = $1`,
      [subject],
    );
    const sent = firstOf(rows);
    if (sent.state !== "pending" || sent.lastFailure !== null || Date.now() > until) return sent;
    await wait(lookEveryMs);
  }
}

function describe({ id, state, attempts, lastFailure }: Sent): string {
  if (state === "delivered") return `Delivered: ${id}, attempt ${attempts}.`;
  return `Not delivered yet: ${id}, ${attempts} attempts, ${lastFailure ?? "no answer so far"}. It goes on being tried; tideline notifications list tells how it goes.`;
}
