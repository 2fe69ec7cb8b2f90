/** `tideline notifications receiver rotate-key`: the next signing key, with a time in which both sign. */
import { inTransaction } from "../../database/database.ts";
import { Fault } from "../../errors.ts";
import { rotateSigningKey, signings } from "../../notifications/receiver.ts";
import { commandLineActor, recordAudit } from "../../partners/audit.ts";
import { commonOptions, configOf, oneOf, readArguments, readCount, required } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { printResult } from "../terminal/result.ts";
import { withSession } from "../service/session.ts";

const dayMs = 86_400_000;
const overlapDaysDefault = 7;
const overlapDaysMax = 365;

/** The audit trail has that it was done and until when both sign; the key itself is printed alone. */
export async function rotateKeyCommand(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    signing: { type: "string" },
    "overlap-days": { type: "string", default: String(overlapDaysDefault) },
  });
  const partnerId = required(positionals[0], "PARTNER");
  const signing = values.signing === undefined ? null : oneOf(values.signing, signings, "--signing");
  const overlapDays = readCount(values["overlap-days"], "--overlap-days", 0, overlapDaysMax);
  return await withSession(configOf(values), async (session) => {
    const ring = await session.keyEncryptionKey();
    const rotated = await inTransaction(session.database, async (transaction) => {
      const wanted = { signing, overlapMs: overlapDays * dayMs, now: new Date() };
      const done = await rotateSigningKey(transaction, ring, partnerId, wanted);
      if (done.outcome === "no receiver") throw new Fault("NOT_FOUND", `${partnerId} receives no notifications.`);
      if (done.outcome === "overlapping")
        throw new Fault(
          "COMMAND_USAGE",
          `The key before the present one signs until ${done.previousSignsUntil.toISOString()}. Rotate after that, or end it now with --overlap-days 0.`,
        );
      await recordAudit(transaction, commandLineActor(), {
        partnerId,
        event: "partner.receiver-key-rotated",
        details: { signing, previousSignsUntil: done.previousSignsUntil },
      });
      return done;
    });
    const { verificationKey, previousVerificationKey, previousSignsUntil } = rotated;
    const before =
      previousVerificationKey === null
        ? "No earlier key signs any more."
        : `Until ${previousSignsUntil.toISOString()} ${previousVerificationKey} holds as well.`;
    printResult(values.json, { partnerId, verificationKey, previousVerificationKey, previousSignsUntil }, [
      `Signatures are checked with ${verificationKey} from now on. ${before}`,
    ]);
    return exitCode.done;
  });
}
