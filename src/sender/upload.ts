/**
 * Uploading over SFTP as careful clients do: under a temporary name, then renamed; the host key checked; receipts read.
 */
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import SftpClient from "ssh2-sftp-client";
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import { Fault } from "../errors.ts";
import type { SftpCredentials } from "./credentials.ts";
import { knowsHostKey } from "./known-hosts.ts";

export type UploadOptions = { onBytes?: (sent: number, total: number) => void; signal?: AbortSignal | undefined };

/** The part of a receipt that a sender acts on; everything else is passed through. */
export const ReceiptSchema = Type.Object({
  state: Type.Union([
    Type.Literal("accepted"),
    Type.Literal("loading"),
    Type.Literal("loaded"),
    Type.Literal("refused"),
  ]),
  counts: Type.Object({
    records: Type.Integer(),
    new: Type.Integer(),
    known: Type.Integer(),
    conflicting: Type.Integer(),
    refused: Type.Integer(),
    waiting: Type.Integer(),
    markers: Type.Integer(),
  }),
  refusal: Type.Optional(Type.Object({ code: Type.String(), reason: Type.String() })),
});
export type Receipt = Static<typeof ReceiptSchema>;

/** Five tries with doubling pauses are about a minute: a restart of the service, not an outage. */
const attemptsMax = 5;
const firstPauseMs = 2000;
const connectWithinMs = 20_000;
const receiptPauseMs = 500;
const receiptPauseMsMax = 5000;

/**
 * Puts the file into inbox/ under `name`. When it returns, the service has it durably. @throws Fault HOST_KEY_UNKNOWN,
 * SERVICE_UNREACHABLE, SERVICE_REFUSED
 */
export async function uploadFile(
  credentials: SftpCredentials,
  file: { path: string; name: string; sizeBytes: number },
  options: UploadOptions,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withClient(credentials, options.signal, (client) => uploadOnce(client, file, options));
    } catch (error) {
      if (error instanceof Fault) throw error;
      if (options.signal?.aborted) throw options.signal.reason;
      if (attempt >= attemptsMax) throw uploadFault(error, credentials);
      await wait(firstPauseMs * 2 ** (attempt - 1), undefined, options.signal ? { signal: options.signal } : {});
    }
  }
}

async function uploadOnce(
  client: SftpClient,
  file: { path: string; name: string; sizeBytes: number },
  options: UploadOptions,
): Promise<void> {
  const target = `inbox/${file.name}`;
  // A connection that broke after the rename left the file delivered; its name is this run's own.
  if ((await client.exists(target)) !== false) return;
  const temporary = `inbox/.${file.name}.part`;
  await client.fastPut(file.path, temporary, { step: (sent) => options.onBytes?.(sent, file.sizeBytes) });
  const { size } = await client.stat(temporary);
  if (size !== file.sizeBytes) throw new Error(`${size} bytes arrived of ${file.sizeBytes}`);
  await client.rename(temporary, target);
}

/** Waits until the file's life is over. @throws AbortError when the signal is raised first */
export async function waitForReceipt(
  credentials: SftpCredentials,
  name: string,
  signal?: AbortSignal,
): Promise<Receipt> {
  return await withClient(credentials, signal, async (client) => {
    for (let pauseMs = receiptPauseMs; ; pauseMs = Math.min(receiptPauseMsMax, pauseMs * 1.5)) {
      const receipt = await readReceipt(client, name);
      if (receipt?.state === "loaded" || receipt?.state === "refused") return receipt;
      await wait(pauseMs, undefined, signal ? { signal } : {});
    }
  });
}

async function readReceipt(client: SftpClient, name: string): Promise<Receipt | null> {
  const path = `receipts/${name}.receipt.json`;
  if ((await client.exists(path)) === false) return null;
  const text = await client.get(path);
  const receipt: unknown = JSON.parse(text.toString());
  return Check(ReceiptSchema, receipt) ? receipt : null;
}

async function withClient<Result>(
  credentials: SftpCredentials,
  signal: AbortSignal | undefined,
  work: (client: SftpClient) => Promise<Result>,
): Promise<Result> {
  const client = new SftpClient();
  // Errors reach the running call; a listener of one's own keeps the library from printing them.
  client.on("error", () => undefined);
  const abort = () => void client.end().catch(() => undefined);
  signal?.addEventListener("abort", abort, { once: true });
  let hostKeyKnown = true;
  try {
    await client.connect({
      // Without it Nagle's algorithm holds each packet back until the one before is acknowledged: 64 MiB took 48 s.
      sock: connect({ host: credentials.host, port: credentials.port, noDelay: true }),
      username: credentials.user,
      privateKey: credentials.privateKey,
      readyTimeout: connectWithinMs,
      hostVerifier: (key: Buffer) => (hostKeyKnown = knowsHostKey(credentials.knownHosts, credentials, key)),
    });
    return await work(client);
  } catch (error) {
    if (!hostKeyKnown)
      throw new Fault(
        "HOST_KEY_UNKNOWN",
        `${credentials.host}:${credentials.port} shows a host key that known_hosts does not hold.`,
        { cause: error },
      );
    if (isLoginRefused(error))
      throw new Fault("SERVICE_REFUSED", `The SFTP login of ${credentials.user} was refused.`, { cause: error });
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
    await client.end().catch(() => undefined);
  }
}

function isLoginRefused(error: unknown): boolean {
  return error instanceof Error && /authentication methods failed/i.test(error.message);
}

function uploadFault(error: unknown, credentials: SftpCredentials): Fault {
  const why = error instanceof Error ? error.message : String(error);
  return new Fault("SERVICE_UNREACHABLE", `The upload to ${credentials.host}:${credentials.port} failed (${why}).`, {
    cause: error,
  });
}
