/** `tideline notifications …`: receivers, what was sent, dead letters, and a receiver to try them against. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { inTransaction } from "../../database/database.ts";
import { Fault } from "../../errors.ts";
import type { Guard } from "../../machine/guarded-request.ts";
import { type ListedNotification, listNotifications } from "../../notifications/outbox.ts";
import {
  type Authentication,
  putReceiver,
  readReceiver,
  type Receiver,
  removeReceiver,
  signings,
  verificationKeyOf,
} from "../../notifications/receiver.ts";
import { type Behaviour, openSimulator } from "../../demo/receiver.ts";
import { replayDead } from "../../operations/notifications.ts";
import { commandLineActor, recordAudit } from "../../partners/audit.ts";
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
import { listenForInterrupt } from "../terminal/interrupt.ts";
import { assertPartner } from "../partner/change.ts";
import { alignColumns, countOf, printResult } from "../terminal/result.ts";
import { withSession } from "../service/session.ts";
import { rotateKeyCommand } from "./notification-key.ts";

export const usage = `
tideline notifications receiver set PARTNER --url https://… --token-file FILE
tideline notifications receiver set PARTNER --url https://… --token-url https://… --client-id ID
                                    (--client-secret-file FILE | --private-key-file FILE.pem) [--scope S]
         each: [--shape map|array] [--signing hmac|ed25519] [--authority-file FILE.pem]
               [--client-certificate-file FILE.pem --client-key-file FILE.pem] [--allow-private-addresses]
tideline notifications receiver show|remove PARTNER
tideline notifications receiver rotate-key PARTNER [--overlap-days 7] [--signing hmac|ed25519]
tideline notifications list [--partner P] [--state pending|delivered|dead] [--limit 100]
tideline notifications replay (ID… | --partner P)
tideline notifications receive [--port 9090] [--token T] [--behave accept,500,401,429,slow,hang,cut]

Each takes --data-dir DIR and --json. receiver set replaces what was there and prints the key by which the partner checks
signatures (Standard Webhooks). rotate-key makes and prints the next one: for the days named each message is signed by both, so
that the partner changes over when it likes; with 0 days the earlier key ends at once, as one that leaked must.
--allow-private-addresses: also addresses that are not of the public internet, and plain http.
A receiver that does not answer is tried for 72 hours, more and more seldom; what it refuses otherwise, and what was tried in
vain, is dead until replay. receive runs a receiver on this machine that answers in turn as --behave says and prints what comes;
it takes --token, and what its token address /token gives out.
`;

const text = { type: "string" } as const;
const listedMax = 100_000;
const behaviours = ["accept", "slow", "hang", "cut"] as const;
const slowMs = 3_000;

export async function run(argv: string[]): Promise<number> {
  const [verb = "", ...rest] = argv;
  if (verb === "receiver") return await receiver(rest);
  if (verb === "list") return await list(rest);
  if (verb === "replay") return await replayCommand(rest);
  if (verb === "receive") return await receive(rest);
  return usageError(`There is no "tideline notifications ${verb}"; there are receiver, list, replay and receive.`);
}

async function receiver([verb = "", ...argv]: string[]): Promise<number> {
  if (verb === "rotate-key") return await rotateKeyCommand(argv);
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    url: text,
    "token-file": text,
    "token-url": text,
    "client-id": text,
    "client-secret-file": text,
    "private-key-file": text,
    scope: text,
    shape: { type: "string", default: "map" },
    signing: { type: "string", default: "hmac" },
    "authority-file": text,
    "client-certificate-file": text,
    "client-key-file": text,
    "allow-private-addresses": { type: "boolean", default: false },
  });
  const partnerId = required(positionals[0], "PARTNER");
  const wanted = verb === "set" ? await settingsOf(partnerId, values) : null;
  if (verb !== "set" && verb !== "show" && verb !== "remove")
    usageError(`There is no "tideline notifications receiver ${verb}"; there are set, show, rotate-key and remove.`);
  return await withSession(configOf(values), async (session) => {
    const key = await session.keyEncryptionKey();
    if (verb === "show") {
      const found = await readReceiver(session.database, key, partnerId);
      if (found === null) throw new Fault("NOT_FOUND", `${partnerId} receives no notifications.`);
      printResult(
        values.json,
        shownReceiver(found),
        Object.entries(shownReceiver(found)).map(([name, value]) => `${name}: ${String(value)}`),
      );
      return exitCode.done;
    }
    const verificationKey = await inTransaction(session.database, async (transaction) => {
      await assertPartner(transaction, partnerId);
      if (wanted === null && !(await removeReceiver(transaction, partnerId)))
        throw new Fault("NOT_FOUND", `${partnerId} receives no notifications.`);
      const details =
        wanted === null ? {} : { url: wanted.url, authentication: wanted.authentication.kind, signing: wanted.signing };
      await recordAudit(transaction, commandLineActor(), {
        partnerId,
        event: wanted === null ? "partner.receiver-removed" : "partner.receiver-set",
        details,
      });
      return wanted === null ? null : await putReceiver(transaction, key, wanted);
    });
    const said =
      verificationKey === null
        ? `${partnerId} receives no notifications any more.`
        : `${partnerId} receives notifications at ${wanted?.url ?? ""}. Signatures are checked with ${verificationKey}`;
    printResult(values.json, { partnerId, verificationKey }, [said]);
    return exitCode.done;
  });
}

type ReceiverValues = Partial<
  Record<
    | "url"
    | "token-file"
    | "token-url"
    | "client-id"
    | "client-secret-file"
    | "private-key-file"
    | "scope"
    | "authority-file"
    | "client-certificate-file"
    | "client-key-file",
    string | undefined
  >
> & {
  shape: string;
  signing: string;
  "allow-private-addresses": boolean;
};

async function settingsOf(partnerId: string, values: ReceiverValues) {
  const allowsPrivateAddresses = values["allow-private-addresses"];
  return {
    partnerId,
    url: addressOf(required(values.url, "--url"), "--url", allowsPrivateAddresses),
    shape: oneOf(values.shape, ["map", "array"], "--shape"),
    signing: oneOf(values.signing, signings, "--signing"),
    authentication: await authenticationOf(values, allowsPrivateAddresses),
    guard: await guardOf(values, allowsPrivateAddresses),
  };
}

async function authenticationOf(values: ReceiverValues, allowsPlain: boolean): Promise<Authentication> {
  if (values["token-file"] !== undefined) {
    if (values["token-url"] !== undefined) usageError("Give --token-file or --token-url, not both.");
    return { kind: "static", token: (await readText(values["token-file"], "--token-file")).trim() };
  }
  const tokenUrl = addressOf(required(values["token-url"], "--token-file or --token-url"), "--token-url", allowsPlain);
  const clientId = required(values["client-id"], "--client-id");
  const scope = values.scope ?? null;
  if (values["private-key-file"] !== undefined)
    return {
      kind: "private_key_jwt",
      tokenUrl,
      clientId,
      scope,
      secret: await readText(values["private-key-file"], "--private-key-file"),
    };
  const file = required(values["client-secret-file"], "--client-secret-file or --private-key-file");
  return {
    kind: "client_secret_basic",
    tokenUrl,
    clientId,
    scope,
    secret: (await readText(file, "--client-secret-file")).trim(),
  };
}

async function guardOf(values: ReceiverValues, allowsPrivateAddresses: boolean): Promise<Guard> {
  const [certificate, key, authority] = [
    values["client-certificate-file"],
    values["client-key-file"],
    values["authority-file"],
  ];
  if ((certificate === undefined) !== (key === undefined))
    usageError("--client-certificate-file and --client-key-file belong together.");
  return {
    allowsPrivateAddresses,
    authority: authority === undefined ? undefined : await readText(authority, "--authority-file"),
    clientCertificate:
      certificate === undefined || key === undefined
        ? undefined
        : {
            cert: await readText(certificate, "--client-certificate-file"),
            key: await readText(key, "--client-key-file"),
          },
  };
}

function addressOf(value: string, option: string, allowsPlain: boolean): string {
  const protocol = URL.canParse(value) ? new URL(value).protocol : "";
  if (protocol === "https:" || (protocol === "http:" && allowsPlain)) return value;
  return usageError(
    `${option} must be an address starting with https://${allowsPlain ? " or http://" : ""}, not "${value}".`,
  );
}

async function readText(file: string, option: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new Fault("COMMAND_USAGE", `${option}: ${file} cannot be read.`, { cause });
  }
}

/** Without secrets, but for the one that the partner needs. */
function shownReceiver({ partnerId, url, shape, authentication, signing, signingKey, previous, guard }: Receiver) {
  return {
    partnerId,
    url,
    shape,
    authentication: authentication.kind,
    tokenUrl: authentication.kind === "static" ? null : authentication.tokenUrl,
    signing,
    verificationKey: verificationKeyOf(signing, signingKey),
    previousVerificationKey: previous && verificationKeyOf(previous.signing, previous.signingKey),
    previousSignsUntil: previous && previous.signsUntil.toISOString(),
    allowsPrivateAddresses: guard.allowsPrivateAddresses,
    ownAuthority: guard.authority !== undefined,
    clientCertificate: guard.clientCertificate !== undefined,
  };
}

async function list(argv: string[]): Promise<number> {
  const { values } = readArguments(argv, {
    ...commonOptions,
    partner: text,
    state: text,
    limit: { type: "string", default: "100" },
  });
  const state = values.state === undefined ? null : oneOf(values.state, ["pending", "delivered", "dead"], "--state");
  const limit = readCount(values.limit, "--limit", 1, listedMax);
  return await withSession(configOf(values), async ({ database }) => {
    const found = await listNotifications(database, { partnerId: values.partner ?? null, state }, limit);
    const head = ["ID", "PARTNER", "TYPE", "STATE", "ATTEMPTS", "WRITTEN", "NEXT", "FAILURE"];
    printResult(values.json, found, found.length === 0 ? ["Nothing."] : alignColumns([head, ...found.map(lineOf)]));
    return exitCode.done;
  });
}

function lineOf(one: ListedNotification): string[] {
  const next = one.state === "pending" ? one.dueAt.toISOString() : "-";
  return [
    one.id,
    one.partnerId,
    one.type,
    one.state,
    String(one.attempts),
    one.createdAt.toISOString(),
    next,
    one.lastFailure ?? "-",
  ];
}

async function replayCommand(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, { ...commonOptions, partner: text });
  const ids = positionals.length > 0 ? positionals : null;
  if ((ids === null) === (values.partner === undefined))
    usageError("Name the messages, or --partner P for all of its dead ones.");
  if (ids?.some((id) => !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)))
    usageError("ID must be a notification's id, as tideline notifications list tells it.");
  return await withSession(configOf(values), async ({ database }) => {
    const replayed = await replayDead(database, commandLineActor(), values.partner ?? null, ids);
    printResult(values.json, { replayed }, [`Sent again: ${countOf(replayed, "message")}.`]);
    return replayed === 0 ? exitCode.refused : exitCode.done;
  });
}

/** Runs until it is stopped. */
async function receive(argv: string[]): Promise<number> {
  const { values } = readArguments(argv, {
    port: { type: "string", default: "9090" },
    behave: { type: "string", default: "accept" },
    token: text,
  });
  const turns = values.behave.split(",").map(behaviourOf);
  const simulator = await openSimulator({
    port: readCount(values.port, "--port", 0, 65_535),
    staticToken: values.token ?? null,
    slowMs,
    behave: ({ count }) => turns[count % turns.length] ?? "accept",
    report: ({ type, userId, id, answered, body }) =>
      process.stdout.write(
        `${JSON.stringify({ type, userId, id, answered, notification: (JSON.parse(body) as { notification: object }).notification })}\n`,
      ),
  });
  process.stderr.write(
    `Receiving at ${simulator.url}/notifications, tokens at ${simulator.tokenUrl}. Ctrl-C stops it.\n`,
  );
  const { signal, release } = listenForInterrupt();
  if (!signal.aborted) await once(signal, "abort");
  await simulator.close();
  release();
  return exitCode.done;
}

function behaviourOf(name: string): Behaviour {
  const status = Number(name);
  if (Number.isInteger(status) && status >= 200 && status <= 599) return status;
  return oneOf(name, behaviours, "--behave");
}
