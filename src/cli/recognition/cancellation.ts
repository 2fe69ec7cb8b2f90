/**
 * `tideline cancellation …`: the operator's side of cancelling a user's service. Each step is audited and told within a
 * moment.
 */
import { isDay } from "../../time/calendar.ts";
import { Fault } from "../../errors.ts";
import { takeStep, textLengthMax } from "../../operations/cancellations.ts";
import { commandLineActor } from "../../partners/audit.ts";
import {
  type CaseFacts,
  casesOf,
  listCases,
  type ListedCase,
  type Step,
  steps,
  type WrittenCase,
} from "../../recognition/cancellation.ts";
import { cancellationAbortReasons } from "../../interface/abort-reasons.ts";
import {
  commonOptions,
  configOf,
  oneOf,
  readArguments,
  readCount,
  required,
  usageError,
} from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { recogniseDue } from "./recognise.ts";
import { alignColumns, printResult } from "../terminal/result.ts";
import { withSession } from "../service/session.ts";

export const usage = `
tideline cancellation open SERVICE [--end-date YYYY-MM-DD] [--message TEXT] [--equipment-back] [--money-back]
tideline cancellation ask SERVICE --message TEXT
tideline cancellation answer SERVICE [--message TEXT]
tideline cancellation confirm SERVICE [--end-date YYYY-MM-DD] [--confirmation TEXT] [--message TEXT] [--equipment-back] [--money-back]
tideline cancellation abort SERVICE --reason REASON [--message TEXT]
tideline cancellation show SERVICE
tideline cancellation list [--all] [--limit 100]

SERVICE is the id that the API tells. Each takes --data-dir DIR and --json.
open: the service is UNDER_CANCELLATION. ask: the user is asked for more information, until answer, confirm or abort.
confirm: it is CANCELLED as of --end-date, the last payment's day, default the business day. Two later payments in a row
make it ACTIVE again. abort: it is ACTIVE or INACTIVE again, by its payments. --reason is one of
${cancellationAbortReasons.join(", ")}.
`;

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const listedDefault = "100";
const listedMax = 100_000;
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export async function run(argv: string[]): Promise<number> {
  const [verb = "", ...rest] = argv;
  if (verb === "list") return await list(rest);
  if (verb === "show") return await show(rest);
  const step =
    steps.find((one) => one === verb) ??
    usageError(`There is no "tideline cancellation ${verb}"; there are ${steps.join(", ")}, show and list.`);
  const { values, positionals } = readArguments(rest, {
    ...commonOptions,
    "end-date": text,
    message: text,
    confirmation: text,
    reason: text,
    "equipment-back": flag,
    "money-back": flag,
  });
  const serviceId = serviceIdOf(positionals);
  const facts = factsOf(step, values);
  return await withSession(configOf(values), async (session) => {
    const taken = await takeStep(session.database, commandLineActor(), serviceId, step, facts);
    if (taken.outcome === "unknown") throw new Fault("NOT_FOUND", `There is no service ${serviceId}.`);
    if (taken.outcome === "declined") usageError(taken.why);
    const { service, event } = taken;
    // Without a running service nobody else does it.
    if (session.alone) await recogniseDue(session);
    printResult(values.json, { serviceId: service.id, event }, [`${service.title}: ${event}.`]);
    return exitCode.done;
  });
}

type Values = {
  "end-date"?: string | undefined;
  message?: string | undefined;
  confirmation?: string | undefined;
  reason?: string | undefined;
  "equipment-back"?: boolean | undefined;
  "money-back"?: boolean | undefined;
};

/** Options that a step may be given; any other is a mistake better told. */
const optionsOf: Readonly<Record<Step, readonly (keyof Values)[]>> = {
  open: ["end-date", "message", "equipment-back", "money-back"],
  ask: ["message"],
  answer: ["message"],
  confirm: ["end-date", "message", "confirmation", "equipment-back", "money-back"],
  abort: ["message", "reason"],
};

/** @throws Fault COMMAND_USAGE */
function factsOf(step: Step, values: Values): CaseFacts {
  const given = (Object.keys(values) as (keyof Values)[]).filter((name) =>
    Object.values(optionsOf).some((names) => names.includes(name)),
  );
  const foreign = given.find((name) => !optionsOf[step].includes(name));
  if (foreign !== undefined) usageError(`cancellation ${step} takes no --${foreign}.`);
  if (step === "ask") required(values.message, "--message");
  return {
    ...(values.message === undefined ? {} : { freeTextMessage: shortEnough(values.message, "--message") }),
    ...(values.confirmation === undefined
      ? {}
      : { confirmationContent: shortEnough(values.confirmation, "--confirmation") }),
    ...(values["end-date"] === undefined ? {} : { endDate: dayOf(values["end-date"]) }),
    ...(values["equipment-back"] === undefined ? {} : { equipmentBack: values["equipment-back"] }),
    ...(values["money-back"] === undefined ? {} : { moneyBack: values["money-back"] }),
    ...(step === "abort"
      ? { abortReason: oneOf(required(values.reason, "--reason"), cancellationAbortReasons, "--reason") }
      : {}),
  };
}

function shortEnough(value: string, option: string): string {
  return value.length > textLengthMax ? usageError(`${option} is longer than ${textLengthMax} characters.`) : value;
}

function dayOf(value: string): string {
  return isDay(value) ? value : usageError(`--end-date must be a day, YYYY-MM-DD, not "${value}".`);
}

function serviceIdOf([id, ...more]: readonly string[]): string {
  if (id === undefined || more.length > 0) usageError("Name one SERVICE.");
  return uuidPattern.test(id) ? id : usageError(`SERVICE must be a service's id, not "${id}".`);
}

async function list(argv: string[]): Promise<number> {
  const { values } = readArguments(argv, { ...commonOptions, all: { type: "boolean", default: false }, limit: text });
  const limit = readCount(values.limit ?? listedDefault, "--limit", 1, listedMax);
  return await withSession(configOf(values), async (session) => {
    const cases = await listCases(session.database, null, values.all, limit);
    const head = ["SERVICE", "PARTNER", "USER", "TITLE", "STATE", "OPENED", "END"];
    printResult(values.json, cases, cases.length === 0 ? ["No case."] : alignColumns([head, ...cases.map(lineOf)]));
    return exitCode.done;
  });
}

/** Its cases, the newest first. */
async function show(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, commonOptions);
  const serviceId = serviceIdOf(positionals);
  return await withSession(configOf(values), async (session) => {
    const cases = await casesOf(session.database, serviceId);
    const lines = cases.flatMap((one) => [lineOf(one).join("  "), ...textsOf(one)]);
    printResult(values.json, cases, cases.length === 0 ? ["No case."] : lines);
    return exitCode.done;
  });
}

function textsOf({ freeTextMessage, confirmationContent }: WrittenCase): string[] {
  return [freeTextMessage, confirmationContent].filter((text) => text !== null).map((text) => `  ${text}`);
}

function lineOf(one: ListedCase): string[] {
  const state = one.needsMoreInformation
    ? "OPEN, waits for the user"
    : [one.state, one.abortReason].filter(Boolean).join(", ");
  return [
    one.serviceId,
    one.partnerId,
    one.bankUserId,
    one.title ?? "",
    state,
    one.openedAt.toISOString().slice(0, 10),
    one.endDate ?? "",
  ];
}
