/** `tideline plot`: a user, a service or an evaluated population as one SVG. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { inTransaction } from "../../database/database.ts";
import { Fault } from "../../errors.ts";
import { plotPopulation, readEvaluated } from "../../evaluation/population-plot.ts";
import { commandLineActor, recordAudit } from "../../partners/audit.ts";
import { openConversion } from "../../rates/conversion.ts";
import { findPlottedUsers, readPlottedService, readPlottedUser } from "../../recognition/plots/read.ts";
import { plotService } from "../../recognition/plots/service-plot.ts";
import { plotUser } from "../../recognition/plots/user-plot.ts";
import { commonOptions, configOf, readArguments, required, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { withSession } from "../service/session.ts";

export const usage = `
tideline plot user BANK-USER-ID [--partner P] [--to FILE.svg] [--data-dir DIR]
tideline plot service SERVICE [--to FILE.svg] [--data-dir DIR]
tideline plot population EVALUATION.json [--to FILE.svg]

Draws an SVG, to standard output without --to; the file must not exist, and only its owner can read it.

  user        each service a line of time with its payments, what did not come and what is expected next, and all payments by amount
  service     its amounts and days, what was due and did not come, the last change of the price, and why it is recognised
  population  of what tideline evaluate SET --json printed: F1 beside the simple rule's and by frequency, reliability, what was found by kind

The first two are personal data, as the API serves them now: no account number is in them, and the audit trail has who drew whom.
`;

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export async function run(argv: string[]): Promise<number> {
  const text = { type: "string" } as const;
  const { values, positionals } = readArguments(argv, {
    "data-dir": commonOptions["data-dir"],
    partner: text,
    to: text,
  });
  const [what, of, ...more] = positionals;
  if (more.length > 0) usageError(`"${more[0]}" is one too many.`);
  if (what !== "user" && values.partner !== undefined) usageError("--partner goes with user.");
  assertNew(values.to);
  switch (what) {
    case "user":
      await withPicture(values, (session) =>
        pictureOfUser(session, required(of, "BANK-USER-ID"), values.partner ?? null),
      );
      return exitCode.done;
    case "service":
      await withPicture(values, (session) => pictureOfService(session, required(of, "SERVICE")));
      return exitCode.done;
    case "population":
      await writePicture(plotPopulation(await readEvaluated(required(of, "EVALUATION.json"))), values.to);
      return exitCode.done;
    default:
      return usageError("Say what to draw: user, service or population.");
  }
}

type Values = { to?: string | undefined; "data-dir"?: string | undefined };
type Session = Parameters<Parameters<typeof withSession>[1]>[0];

async function withPicture(values: Values, draw: (session: Session) => Promise<string>): Promise<void> {
  await withSession(configOf(values), async (session) => writePicture(await draw(session), values.to));
}

async function pictureOfUser({ database }: Session, bankUserId: string, partnerId: string | null): Promise<string> {
  const { convert } = await (await openConversion(database)).current();
  return await inTransaction(database, async (transaction) => {
    await transaction.query("set transaction isolation level repeatable read");
    const [owner, ...others] = await findPlottedUsers(transaction, partnerId, bankUserId);
    if (owner === undefined) throw new Fault("NOT_FOUND", `There is no user "${bankUserId}" with figures.`);
    if (others.length > 0) {
      const partners = [owner, ...others].map((one) => one.partnerId).join(", ");
      usageError(`Several partners have a user "${bankUserId}": say --partner, one of ${partners}.`);
    }
    await recordAudit(transaction, commandLineActor(), {
      partnerId: owner.partnerId,
      event: "user.plotted",
      details: { userIds: [owner.userId] },
    });
    return plotUser(await readPlottedUser(transaction, owner, convert));
  });
}

async function pictureOfService({ database }: Session, serviceId: string): Promise<string> {
  return await inTransaction(database, async (transaction) => {
    await transaction.query("set transaction isolation level repeatable read");
    const found = uuidPattern.test(serviceId) ? await readPlottedService(transaction, serviceId) : null;
    if (found === null) throw new Fault("NOT_FOUND", `There is no service "${serviceId}".`);
    await recordAudit(transaction, commandLineActor(), {
      partnerId: found.partnerId,
      event: "user.plotted",
      details: { userIds: [found.userId], serviceId },
    });
    return plotService(found);
  });
}

/** Before anybody's data are read for it. */
function assertNew(file: string | undefined): void {
  if (file !== undefined && file !== "-" && existsSync(file)) usageError(`${file} exists already.`);
}

async function writePicture(svg: string, file: string | undefined): Promise<void> {
  if (file === undefined || file === "-") {
    process.stdout.write(svg);
    return;
  }
  await writeFile(file, svg, { flag: "wx", mode: 0o600 });
}
