/** `tideline send`: the partner's side. Needs a credentials folder and no database. */
import path from "node:path";
import type { RawTransaction } from "../../interface/record.ts";
import { journalFor, openJournal } from "../../sender/journal.ts";
import { sendDirectory, sendRecords, type SendSummary } from "../../sender/send-records.ts";
import { countRecords, readRecords } from "../../sender/source.ts";
import { commonOptions, oneOf, readArguments, readRate, required, usageError } from "../terminal/arguments.ts";
import { brandOf, findCredentials, localeDefault } from "./credentials-option.ts";
import { type Interrupt, listenForInterrupt } from "../terminal/interrupt.ts";
import { startProgress } from "../terminal/progress.ts";
import { reportSendings } from "./sending-report.ts";

export const usage = `
tideline send FILE… --via https|sftp [--partner P] [--credentials DIR] [--complete] [--wait]
              [--create-users [--brand B] [--locale L]] [--rate N/s] [--format jsonl|jwe]
              [--journal FILE] [--again] [--data-dir DIR] [--json]

Reads RawTransactions (a JSON array, JSON Lines, or a CSV table; .gz too), encrypts them in batches of at most 750 to the
partner's key from the JWKS, and sends them over HTTPS, or over SFTP as one file under a temporary name that is renamed.
CSV columns needed: user_id, transaction_id, transaction_date, type, currency, amount, description; also read:
account_number, iban, account_name, card_id, card_pan4, card_type, original_currency, original_amount, merchant_name,
merchant_id, merchant_address, merchant_city, merchant_post_code, merchant_country, mcc.

  --credentials DIR  partner.json, ca.pem, and for SFTP sftp_key and known_hosts; default: demo/ in the data folder
  --partner P        must be the partner of the credentials: a guard against the wrong folder
  --complete         ends each user with IMPORT_COMPLETED, after everything before was taken
  --create-users     creates users as they occur (brand: --brand, else that of partner.json; locale: --locale, else en-GB)
  --wait             SFTP: waits until the file's receipt says loaded or refused
  --rate N/s         at most so many records a second
  --format           SFTP: jsonl, one batch a line with a manifest (default), or jwe, one encrypted array
  --journal FILE     what was taken, so that a stopped run goes on; default: in send/ beside the credentials
  --again            sends what the journal says was sent, too; the service recognises it

Sending the same again is harmless: request ids follow from the content. Stops at a batch that is refused for good.
`;

export async function run(argv: string[]): Promise<number> {
  const { values, positionals: files } = readArguments(argv, {
    ...commonOptions,
    partner: { type: "string" },
    via: { type: "string" },
    credentials: { type: "string" },
    brand: { type: "string" },
    locale: { type: "string" },
    "create-users": { type: "boolean", default: false },
    complete: { type: "boolean", default: false },
    wait: { type: "boolean", default: false },
    rate: { type: "string" },
    format: { type: "string", default: "jsonl" },
    journal: { type: "string" },
    again: { type: "boolean", default: false },
  });
  if (files.length === 0) usageError("FILE is missing.");
  const via = oneOf(required(values.via, "--via"), ["https", "sftp"], "--via");
  const format = oneOf(values.format, ["jsonl", "jwe"], "--format");
  const recordsPerSecondMax = readRate(values.rate);
  const credentials = await findCredentials(values);
  const journalPath =
    values.journal ??
    journalFor(sendDirectory(credentials), [
      via,
      format,
      credentials.partnerId,
      credentials.baseUrl,
      ...files.map((file) => path.resolve(file)),
    ]);
  const interrupt = listenForInterrupt();
  const send = await sender(files, values.json, interrupt);
  const summary = await send({
    credentials,
    via,
    format,
    recordsPerSecondMax,
    complete: values.complete,
    waitForReceipt: values.wait,
    createUsers: values["create-users"]
      ? { brand: brandOf(values.brand, credentials), locale: values.locale ?? localeDefault }
      : undefined,
    journal: await openJournal(journalPath, values.again),
  });
  return reportSendings([{ via, journalPath, summary }], values.json);
}

type What = Omit<Parameters<typeof sendRecords>[0], "records" | "signal" | "name">;

async function sender(
  files: readonly string[],
  silent: boolean,
  interrupt: Interrupt,
): Promise<(what: What) => Promise<SendSummary>> {
  const total = await totalOf(files);
  return async (what) => {
    const progress = startProgress({ label: "sending", unit: "records", silent });
    try {
      return await sendRecords({
        ...what,
        records: concatenate(files),
        name: path
          .basename(files[0] ?? "")
          .replace(/\.gz$/, "")
          .replace(/\.[^.]*$/, ""),
        signal: interrupt.signal,
        onProgress: (summary) => progress.update(summary.recordsRead, total, describeRepeats(summary)),
        onUploaded: (sent, bytes) => progress.update(sent, bytes, "bytes uploaded"),
      });
    } finally {
      progress.stop();
      interrupt.release();
    }
  };
}

function describeRepeats(summary: { retries: number; recordsKnown: number }): string {
  return summary.recordsKnown > 0 ? `(${summary.recordsKnown} of them sent before)` : "";
}

async function* concatenate(files: readonly string[]): AsyncGenerator<RawTransaction> {
  for (const file of files) yield* readRecords(file);
}

/** Null where a file does not tell without being parsed. */
async function totalOf(files: readonly string[]): Promise<number | null> {
  const counts = await Promise.all(files.map(countRecords));
  return counts.reduce<number | null>((sum, count) => (sum === null || count === null ? null : sum + count), 0);
}
