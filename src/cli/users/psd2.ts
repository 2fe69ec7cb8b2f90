/** `tideline psd2 …`: the banks that users can connect, and their consents. */
import { readFile } from "node:fs/promises";
import { inTransaction } from "../../database/database.ts";
import { Fault } from "../../errors.ts";
import { commandLineActor, recordAudit } from "../../partners/audit.ts";
import { listBanks, logoOf, putBank, removeBank } from "../../psd2/banks.ts";
import { endConsent, listConsents } from "../../psd2/consents.ts";
import { tellEnded } from "../../psd2/end-notices.ts";
import { commonOptions, configOf, readArguments, readCount, required, usageError } from "../terminal/arguments.ts";
import { exitCode } from "../terminal/exit-code.ts";
import { alignColumns, printResult } from "../terminal/result.ts";
import { withSession } from "../service/session.ts";

export const usage = `
tideline psd2 bank add ID --name NAME --country DK --xs2a-url https://… --authorize-url https://… --token-url https://… --client-id ID
                       [--client-certificate-file FILE.pem --client-key-file FILE.pem] [--authority-file FILE.pem] [--allow-private-addresses]
                       [--logo-file FILE.png]
tideline psd2 bank list
tideline psd2 bank remove ID
tideline psd2 consents [--partner P] [--limit 100]
tideline psd2 end CONSENT

Each takes --data-dir DIR and --json. Banks speak the Berlin Group's NextGenPSD2 XS2A 1.3 with OAuth 2 and PKCE; --xs2a-url is what
/v1 lies below, the client certificate the one by which banks know you (QWAC), --country two letters (ISO 3166), and the logo a PNG or JPEG of
at most 64 KiB. bank add replaces what a bank had. end stops
fetching and gives the consent back to the bank; the user is asked to connect the bank again. Where a flow may end is the partner's setting psd2.redirectPrefixes.
`;

const text = { type: "string" } as const;
const listedMax = 100_000;

export async function run(argv: string[]): Promise<number> {
  const [verb = "", ...rest] = argv;
  if (verb === "consents") return await consents(rest);
  if (verb === "end") return await end(rest);
  if (verb !== "bank") usageError(`There is no "tideline psd2 ${verb}"; there are bank, consents and end.`);
  const [action = "", ...more] = rest;
  if (action === "add") return await addBank(more);
  if (action === "list") return await list(more);
  if (action === "remove") return await remove(more);
  return usageError(`There is no "tideline psd2 bank ${action}"; there are add, list and remove.`);
}

async function addBank(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    ...commonOptions,
    name: text,
    country: text,
    "xs2a-url": text,
    "authorize-url": text,
    "token-url": text,
    "client-id": text,
    "client-certificate-file": text,
    "client-key-file": text,
    "authority-file": text,
    "logo-file": text,
    "allow-private-addresses": { type: "boolean", default: false },
  });
  const id = required(positionals[0], "ID");
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(id) || id === "sandbox")
    usageError('ID must be lower-case letters, digits and hyphens, 40 at most, and not "sandbox".');
  const allowsPrivateAddresses = values["allow-private-addresses"];
  const address = (value: string | undefined, option: string): string =>
    addressOf(required(value, option), option, allowsPrivateAddresses);
  const [certificate, key, authority] = [
    values["client-certificate-file"],
    values["client-key-file"],
    values["authority-file"],
  ];
  if ((certificate === undefined) !== (key === undefined))
    usageError("--client-certificate-file and --client-key-file belong together.");
  const bank = {
    id,
    name: required(values.name, "--name"),
    country: required(values.country, "--country"),
    xs2aUrl: address(values["xs2a-url"], "--xs2a-url"),
    authorizeUrl: address(values["authorize-url"], "--authorize-url"),
    tokenUrl: address(values["token-url"], "--token-url"),
    clientId: required(values["client-id"], "--client-id"),
    guard: {
      allowsPrivateAddresses,
      authority: authority === undefined ? undefined : await readText(authority),
      clientCertificate:
        certificate === undefined || key === undefined
          ? undefined
          : { cert: await readText(certificate), key: await readText(key) },
    },
  };
  const logoFile = values["logo-file"];
  const logo = logoFile === undefined ? null : logoOf(await readBytes(logoFile));
  return await withSession(configOf(values), async (session) => {
    const keyEncryptionKey = await session.keyEncryptionKey();
    await inTransaction(session.database, async (transaction) => {
      await putBank(transaction, keyEncryptionKey, bank, logo);
      await recordAudit(transaction, commandLineActor(), {
        partnerId: null,
        event: "psd2.bank-set",
        details: { id, xs2aUrl: bank.xs2aUrl, clientId: bank.clientId },
      });
    });
    printResult(values.json, { id }, [`Users can connect ${bank.name} from now on.`]);
    return exitCode.done;
  });
}

async function list(argv: string[]): Promise<number> {
  const { values } = readArguments(argv, commonOptions);
  return await withSession(configOf(values), async ({ database }) => {
    const found = await listBanks(database);
    printResult(
      values.json,
      found,
      found.length === 0
        ? ["No bank."]
        : alignColumns([["BANK", "NAME", "COUNTRY"], ...found.map((one) => [one.id, one.name, one.country])]),
    );
    return exitCode.done;
  });
}

async function remove(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, commonOptions);
  const id = required(positionals[0], "ID");
  return await withSession(configOf(values), async ({ database }) => {
    await inTransaction(database, async (transaction) => {
      if (!(await removeBank(transaction, id)))
        throw new Fault("NOT_FOUND", `There is no bank "${id}"; tideline psd2 bank list tells them.`);
      await recordAudit(transaction, commandLineActor(), {
        partnerId: null,
        event: "psd2.bank-removed",
        details: { id },
      });
    });
    printResult(values.json, { id }, [`${id} cannot be connected any more; its consents end when they are next used.`]);
    return exitCode.done;
  });
}

async function consents(argv: string[]): Promise<number> {
  const { values } = readArguments(argv, {
    ...commonOptions,
    partner: text,
    limit: { type: "string", default: "100" },
  });
  const limit = readCount(values.limit, "--limit", 1, listedMax);
  return await withSession(configOf(values), async ({ database }) => {
    const found = await listConsents(database, values.partner ?? null, limit);
    const rows = found.map((one) => [
      one.id,
      one.partnerId,
      one.bankUserId,
      one.bankId,
      one.state,
      one.validUntil,
      one.nextFetchAt.toISOString(),
      one.lastFailure ?? "-",
    ]);
    printResult(
      values.json,
      found,
      found.length === 0
        ? ["No consent."]
        : alignColumns([["CONSENT", "PARTNER", "USER", "BANK", "STATE", "UNTIL", "NEXT FETCH", "FAILURE"], ...rows]),
    );
    return exitCode.done;
  });
}

async function end(argv: string[]): Promise<number> {
  const { values, positionals } = readArguments(argv, commonOptions);
  const id = required(positionals[0], "CONSENT");
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))
    usageError("CONSENT must be a consent's id, as tideline psd2 consents tells it.");
  return await withSession(configOf(values), async ({ database }) => {
    await inTransaction(database, async (transaction) => {
      if (!(await endConsent(transaction, id, "ENDED_BY_OPERATOR")))
        throw new Fault("NOT_FOUND", `There is no active consent ${id}.`);
      await tellEnded(transaction, id);
      await recordAudit(transaction, commandLineActor(), {
        partnerId: null,
        event: "psd2.consent-ended",
        details: { id },
      });
    });
    printResult(values.json, { id }, ["The consent has ended; the bank is told within a minute."]);
    return exitCode.done;
  });
}

function addressOf(value: string, option: string, allowsPlain: boolean): string {
  const protocol = URL.canParse(value) ? new URL(value).protocol : "";
  if (protocol === "https:" || (protocol === "http:" && allowsPlain)) return value;
  return usageError(
    `${option} must be an address starting with https://${allowsPlain ? " or http://" : ""}, not "${value}".`,
  );
}

async function readText(file: string): Promise<string> {
  return (await readBytes(file)).toString("utf8");
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new Fault("COMMAND_USAGE", `${file} cannot be read.`, { cause });
  }
}
