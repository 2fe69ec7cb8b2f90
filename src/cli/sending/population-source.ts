/** What `backfill` replays: a folder as `fixtures generate` writes it, a file, or a population made on the way. */
import { stat } from "node:fs/promises";
import path from "node:path";
import { generatePopulation, type PopulationOptions } from "../../../fixtures/population.ts";
import { isDay } from "../../time/calendar.ts";
import { Fault } from "../../errors.ts";
import type { RawTransaction } from "../../interface/record.ts";
import type { NewUser } from "../../sender/service.ts";
import { countRecords, readLines, readRecords } from "../../sender/source.ts";
import { usageError } from "../terminal/arguments.ts";

export type Population = {
  /** How the undertaking is known again after a stop. */
  identity: string;
  /** Start of a file's name. */
  name: string;
  /** Empty where only transactions are given. */
  users(): AsyncIterable<NewUser> | Iterable<NewUser>;
  records(): AsyncIterable<RawTransaction> | Iterable<RawTransaction>;
  /** Null while unknown. */
  total: number | null;
};

export type PopulationChoice = {
  /** First day, included; undefined: everything. */
  from: string | undefined;
  /** By the partner's ids; undefined: everybody. */
  users: readonly string[] | undefined;
  /** Last day, included; undefined: everything. */
  until: string | undefined;
  /** Brand for every user, or each user's own. */
  brand: string | undefined;
  /** The last day of generated populations when `until` names none. */
  today: string;
};

const generatedPattern = /^generated:(\d+)x(\d+)(?::(\d+))?$/;
const seedDefault = 1;

/** @throws Fault COMMAND_USAGE, SOURCE_INVALID */
export async function openPopulation(from: string, choice: PopulationChoice): Promise<Population> {
  for (const name of ["from", "until"] as const) {
    const day = choice[name];
    if (day !== undefined && !isDay(day)) usageError(`--${name} must be a day, YYYY-MM-DD, not "${day}".`);
  }
  const population = await findPopulation(from, choice);
  await refuseUnknownUsers(from, population, choice);
  return population;
}

/** Of a name that is mistyped nothing would be sent, and nobody told. */
async function refuseUnknownUsers(from: string, population: Population, { users }: PopulationChoice): Promise<void> {
  if (users === undefined) return;
  const unseen = new Set(users);
  for await (const { bankUserId } of population.users()) unseen.delete(bankUserId);
  if (unseen.size === 0) return;
  for await (const { uid } of population.records()) if (unseen.delete(uid) && unseen.size === 0) return;
  const named = Array.from(unseen, (one) => `"${one}"`).join(" and no user ");
  throw new Fault("SOURCE_INVALID", `${from} has no user ${named} with a record in these days.`);
}

async function findPopulation(from: string, choice: PopulationChoice): Promise<Population> {
  const generated = generatedPattern.exec(from);
  if (generated) return fromGenerator(from, generated, choice);
  if (from.startsWith("generated:"))
    usageError(
      `A generated population is written generated:USERSxMONTHS or generated:USERSxMONTHS:SEED, not "${from}".`,
    );
  const kind = await stat(from).catch(() => null);
  if (!kind) throw new Fault("SOURCE_INVALID", `There is no file or folder ${from}.`);
  return kind.isDirectory() ? await fromFolder(from, choice) : await fromFile(from, choice);
}

function fromGenerator(from: string, [, users, months, seed]: RegExpExecArray, choice: PopulationChoice): Population {
  const options: PopulationOptions = {
    users: Number(users),
    months: Number(months),
    seed: Number(seed ?? seedDefault),
    until: choice.until ?? choice.today,
    brand: choice.brand ?? null,
  };
  return {
    identity: `${from} until ${options.until} ${options.brand ?? ""}${describeChoice(choice)}`,
    name: `generated-${options.users}x${options.months}`,
    *users() {
      for (const { user } of generatePopulation(options)) if (isWanted(user.bankUserId, choice)) yield user;
    },
    *records() {
      for (const { user, transactions } of generatePopulation(options))
        if (isWanted(user.bankUserId, choice)) for (const one of transactions) if (isWithin(one, choice)) yield one;
    },
    total: null,
  };
}

async function fromFolder(folder: string, choice: PopulationChoice): Promise<Population> {
  const file = await firstOf(folder, ["transactions.jsonl", "transactions.jsonl.gz"]);
  const users = await firstOf(folder, ["users.jsonl", "users.jsonl.gz"]);
  if (file === null) throw new Fault("SOURCE_INVALID", `There is no transactions.jsonl in ${folder}.`);
  return {
    ...(await fromFile(file, choice)),
    name: path.basename(path.resolve(folder)),
    users: () => (users === null ? [] : readUsers(users, choice)),
  };
}

async function fromFile(file: string, choice: PopulationChoice): Promise<Population> {
  return {
    identity: `${path.resolve(file)} until ${choice.until ?? "the end"}${describeChoice(choice)}`,
    name: path.basename(file).replace(/(\.[^.]+)?(\.gz)?$/, ""),
    users: () => [],
    records: () => chosen(readRecords(file), choice),
    total: isWhole(choice) ? await countRecords(file) : null,
  };
}

/** A journal of before there were these options goes on. */
function describeChoice({ from, users }: PopulationChoice): string {
  return `${from === undefined ? "" : ` from ${from}`}${users === undefined ? "" : ` of ${users.join()}`}`;
}

function isWhole({ from, until, users }: PopulationChoice): boolean {
  return from === undefined && until === undefined && users === undefined;
}

async function* chosen(
  records: AsyncIterable<RawTransaction>,
  choice: PopulationChoice,
): AsyncGenerator<RawTransaction> {
  for await (const record of records) if (isWanted(record.uid, choice) && isWithin(record, choice)) yield record;
}

function isWanted(bankUserId: string, { users }: PopulationChoice): boolean {
  return users === undefined || users.includes(bankUserId);
}

/** What has no day, a marker, is never left out. */
function isWithin({ tx }: RawTransaction, { from, until }: PopulationChoice): boolean {
  const day = tx?.txTime?.slice(0, 10);
  return day === undefined || ((from === undefined || day >= from) && (until === undefined || day <= until));
}

async function* readUsers(file: string, choice: PopulationChoice): AsyncGenerator<NewUser> {
  for await (const { value, location } of readLines(file)) {
    const user = value as Partial<NewUser>;
    if (typeof user.bankUserId !== "string" || typeof user.brand !== "string" || typeof user.locale !== "string") {
      throw new Fault("SOURCE_INVALID", `${file}, ${location} is not a CreateUserRequest.`);
    }
    if (isWanted(user.bankUserId, choice))
      yield { bankUserId: user.bankUserId, brand: choice.brand ?? user.brand, locale: user.locale };
  }
}

async function firstOf(folder: string, names: readonly string[]): Promise<string | null> {
  for (const name of names) if (await stat(path.join(folder, name)).catch(() => null)) return path.join(folder, name);
  return null;
}
