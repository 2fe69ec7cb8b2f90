/**
 * The SFTP door as careful clients use it: a file arrives under a temporary name and is renamed, the host key is
 * checked, and the receipt is read until the file's life is over.
 */
import { stat } from "node:fs/promises";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type SftpClient from "ssh2-sftp-client";
import { HostKeyUnknown, SftpLoginRefused, TidelineError, Unreachable } from "./failures.ts";
import { knowsHostKey } from "./known-hosts.ts";

export type SftpAccess = { host: string; port: number; user: string; privateKey: string; knownHosts: string };

/** What became of a file, by record; records = new + known + conflicting + refused + waiting + markers. */
export type Receipt = {
  state: "accepted" | "loading" | "loaded" | "refused";
  counts: {
    records: number;
    new: number;
    known: number;
    conflicting: number;
    refused: number;
    waiting: number;
    markers: number;
  };
  /** Why the whole file was refused. */
  refusal?: { code: string; reason: string };
  /** Everything else that it says: docs/bank.md. */
  [more: string]: unknown;
};

export type UploadOptions = { onBytes?: (sent: number, total: number) => void; signal?: AbortSignal | undefined };

/** Five tries with doubling pauses are about a minute: a restart of the service, not an outage. */
const attemptsMax = 5;
const firstPauseMs = 2000;
const connectWithinMs = 20_000;
const receiptPauseMs = 500;
const receiptPauseMsMax = 5000;

/**
 * Puts the file into inbox/ under `name`. When it returns, the service has it durably. @throws HostKeyUnknown,
 * SftpLoginRefused, Unreachable
 */
export async function uploadFile(
  access: SftpAccess,
  file: { path: string; name: string },
  options: UploadOptions = {},
): Promise<void> {
  const { size } = await stat(file.path);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withClient(access, options.signal, (client) => uploadOnce(client, file, size, options));
    } catch (error) {
      if (error instanceof TidelineError) throw error;
      if (options.signal?.aborted) throw options.signal.reason;
      if (attempt >= attemptsMax) throw uploadFailure(error, access);
      await wait(firstPauseMs * 2 ** (attempt - 1), undefined, options.signal ? { signal: options.signal } : {});
    }
  }
}

async function uploadOnce(
  client: SftpClient,
  file: { path: string; name: string },
  sizeBytes: number,
  options: UploadOptions,
): Promise<void> {
  const target = `inbox/${file.name}`;
  // A connection that broke after the rename left the file delivered; its name is this run's own.
  if ((await client.exists(target)) !== false) return;
  const temporary = `inbox/.${file.name}.part`;
  await client.fastPut(file.path, temporary, { step: (sent) => options.onBytes?.(sent, sizeBytes) });
  const { size } = await client.stat(temporary);
  if (size !== sizeBytes) throw new Error(`${size} bytes arrived of ${sizeBytes}`);
  await client.rename(temporary, target);
}

/** Waits until the file's life is over. @throws AbortError when the signal is raised first */
export async function waitForReceipt(access: SftpAccess, name: string, signal?: AbortSignal): Promise<Receipt> {
  return await withClient(access, signal, async (client) => {
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
  return isReceipt(receipt) ? receipt : null;
}

function isReceipt(document: unknown): document is Receipt {
  return typeof document === "object" && document !== null && "state" in document && "counts" in document;
}

async function withClient<Result>(
  access: SftpAccess,
  signal: AbortSignal | undefined,
  work: (client: SftpClient) => Promise<Result>,
): Promise<Result> {
  // Whoever sends over HTTPS alone does not read it.
  const { default: Client } = await import("ssh2-sftp-client");
  const client = new Client();
  // Errors reach the running call; a listener of one's own keeps the library from printing them.
  client.on("error", () => undefined);
  const abort = () => void client.end().catch(() => undefined);
  signal?.addEventListener("abort", abort, { once: true });
  let hostKeyKnown = true;
  try {
    await client.connect({
      // Without it Nagle's algorithm holds each packet back until the one before is acknowledged: 64 MiB took 48 s.
      sock: connect({ host: access.host, port: access.port, noDelay: true }),
      username: access.user,
      privateKey: access.privateKey,
      readyTimeout: connectWithinMs,
      hostVerifier: (key: Buffer) => (hostKeyKnown = knowsHostKey(access.knownHosts, access, key)),
    });
    return await work(client);
  } catch (error) {
    if (!hostKeyKnown)
      throw new HostKeyUnknown(`${access.host}:${access.port} shows a host key that known_hosts does not hold.`, {
        cause: error,
      });
    if (isLoginRefused(error))
      throw new SftpLoginRefused(`The SFTP login of ${access.user} was refused.`, { cause: error });
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
    await client.end().catch(() => undefined);
  }
}

function isLoginRefused(error: unknown): boolean {
  return error instanceof Error && /authentication methods failed/i.test(error.message);
}

function uploadFailure(error: unknown, access: SftpAccess): Unreachable {
  const why = error instanceof Error ? error.message : String(error);
  return new Unreachable(`The upload to ${access.host}:${access.port} failed (${why}).`, { cause: error });
}
