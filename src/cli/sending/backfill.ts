/** `tideline backfill`: replays history through a door, at a rate, resumably. */
import path from "node:path";
import { dayIn } from "../../time/clock.ts";
import type { Config } from "../../config.ts";
import { journalFor } from "../../sender/journal.ts";
import { openDoor, sendDirectory, type SendSummary } from "../../sender/send-records.ts";
import type { Summary } from "../../sender/send-through.ts";
import { commonOptions, configOf, oneOf, readArguments, readRate, usageError } from "../terminal/arguments.ts";
import { brandOf, findCredentials, localeDefault } from "./credentials-option.ts";
import { listenForInterrupt } from "../terminal/interrupt.ts";
import { openPopulation, type Population } from "./population-source.ts";
import { type Rehearsal, rehearseReplay, reportRehearsals } from "./rehearsal.ts";
import { replay, type Replay } from "./replay.ts";
import { type Sending, reportSendings } from "./sending-report.ts";
import { withSession } from "../service/session.ts";

export const usage = `
tideline backfill FROM… [--via https|sftp|direct] [--partner P] [--credentials DIR] [--rate N/s] [--dry-run]
                  [--from YYYY-MM-DD] [--until YYYY-MM-DD] [--user BANK-USER-ID]… [--brand B] [--create-users] [--locale L]
                  [--complete] [--journal FILE] [--again] [--data-dir DIR] [--json]

FROM is a folder with users.jsonl and transactions.jsonl as "fixtures generate" writes them, a file that "send" reads, or
generated:USERSxMONTHS[:SEED]. Users of a folder or a generated population are created first; --create-users creates
those of a bare file as they occur. --brand gives every user that brand. --complete ends each user with IMPORT_COMPLETED.
--via direct hands the encrypted file to the local database without a network and needs only --partner (default: https).
--from and --until leave out records of other days, --user those of everybody else (and users, where they are created).
--rate: at no time have more records gone than that; a batch waits for the last of its records.
--dry-run reads everything and says what would be sent, and how long that takes at --rate; nothing is sent or written.
Ctrl-C stops cleanly and the same command goes on; each run's summary adds up over what
it read: sent + sent before + refused + not sent.
`;

const text = { type: "string" } as const;
const flag = { type: "boolean", default: false } as const;
const options = {
  ...commonOptions,
  via: { type: "string", default: "https" },
  partner: text,
  credentials: text,
  rate: text,
  from: text,
  until: text,
  user: { type: "string", multiple: true },
  "dry-run": flag,
  brand: text,
  locale: text,
  "create-users": flag,
  complete: flag,
  journal: text,
  again: flag,
} as const;

type Values = ReturnType<typeof readArguments<typeof options>>["values"];
type Via = "https" | "sftp" | "direct";

export async function run(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, options);
  if (positionals.length === 0) usageError("FROM is missing.");
  const via = oneOf(values.via, ["https", "sftp", "direct"], "--via");
  const recordsPerSecondMax = readRate(values.rate);
  const choice = {
    from: values.from,
    until: values.until,
    users: values.user,
    brand: values.brand,
    today: dayIn("Europe/Copenhagen", new Date()),
  };
  const populations = await Promise.all(positionals.map((from) => openPopulation(from, choice)));
  if (values["dry-run"]) return await rehearse(populations, via, values, recordsPerSecondMax);
  const interrupt = listenForInterrupt();
  const sendings: Sending[] = [];
  try {
    for (const population of populations) {
      sendings.push(await backfill(population, via, values, { recordsPerSecondMax, signal: interrupt.signal }));
      if (sendings.at(-1)?.summary.outcome !== "complete") break;
    }
  } finally {
    interrupt.release();
  }
  return reportSendings(sendings, values.json);
}

async function backfill(
  population: Population,
  via: Via,
  values: Values,
  how: Pick<Replay, "recordsPerSecondMax" | "signal">,
): Promise<Sending> {
  const { credentials, partnerId, directory, journalPath } = await findUndertaking(population, via, values);
  const plan: Replay = {
    population,
    partnerId,
    ...how,
    complete: values.complete,
    createUsers: values["create-users"]
      ? { brand: brandOf(values.brand, credentials), locale: values.locale ?? localeDefault }
      : undefined,
    journalPath,
    again: values.again,
    silent: values.json,
  };
  const { name } = population;
  const summary =
    via === "direct" || credentials === null
      ? await replayHere(plan, configOf(values), { name, spoolDirectory: directory })
      : await replay(plan, await openDoor({ credentials, via, name, signal: how.signal }));
  return { via, journalPath: plan.journalPath, summary: { ...summary, receipt: null } satisfies SendSummary };
}

/** As whom it is sent, and where it stands what was sent before. */
async function findUndertaking(population: Population, via: Via, values: Values) {
  // On the service's own machine the partner's name is enough.
  const credentials = via === "direct" && values.partner !== undefined ? null : await findCredentials(values);
  const partnerId = credentials?.partnerId ?? values.partner ?? "";
  const directory = credentials === null ? path.join(configOf(values).dataDir, "send") : sendDirectory(credentials);
  const undertaking = ["backfill", via, partnerId, credentials?.baseUrl ?? "", population.identity];
  return { credentials, partnerId, directory, journalPath: values.journal ?? journalFor(directory, undertaking) };
}

async function rehearse(
  populations: readonly Population[],
  via: Via,
  values: Values,
  recordsPerSecondMax: number | undefined,
): Promise<number> {
  const rehearsals: Rehearsal[] = [];
  for (const population of populations) {
    const { partnerId, journalPath } = await findUndertaking(population, via, values);
    const { complete, again } = values;
    rehearsals.push(
      await rehearseReplay({ population, partnerId, via, complete, journalPath, again, recordsPerSecondMax }),
    );
  }
  return reportRehearsals(rehearsals, values.json);
}

async function replayHere(
  plan: Replay,
  config: Config,
  file: { name: string; spoolDirectory: string },
): Promise<Summary> {
  return await withSession(config, async (session) => {
    if (session.alone && !plan.silent)
      process.stderr.write(
        "No service runs on this data folder: what is accepted now is loaded at the next tideline up.\n",
      );
    // It lands files itself, with all that the service has for it.
    const { openDirectDoor } = await import("./direct-door.ts");
    return await replay(plan, await openDirectDoor(session, plan.partnerId, file));
  });
}
