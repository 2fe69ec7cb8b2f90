/** The client's SFTP, with its errors as the commands say them. */
import { HostKeyUnknown, SftpLoginRefused, Unreachable } from "../client/failures.ts";
import {
  type Receipt,
  uploadFile as clientUpload,
  type UploadOptions,
  waitForReceipt as clientReceipt,
} from "../client/sftp.ts";
import { type ErrorCode, Fault } from "../errors.ts";
import type { SftpCredentials } from "./credentials.ts";

export type { Receipt, UploadOptions };

/**
 * Puts the file into inbox/ under `name`. When it returns, the service has it durably. @throws Fault HOST_KEY_UNKNOWN,
 * SERVICE_UNREACHABLE, SERVICE_REFUSED
 */
export async function uploadFile(
  credentials: SftpCredentials,
  file: { path: string; name: string },
  options: UploadOptions,
): Promise<void> {
  await asFaults(() => clientUpload(credentials, file, options));
}

/** Waits until the file's life is over. @throws AbortError when the signal is raised first */
export async function waitForReceipt(
  credentials: SftpCredentials,
  name: string,
  signal?: AbortSignal,
): Promise<Receipt> {
  return await asFaults(() => clientReceipt(credentials, name, signal));
}

async function asFaults<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const code = faultCode(error);
    throw code === null ? error : new Fault(code, (error as Error).message, { cause: error });
  }
}

function faultCode(error: unknown): ErrorCode | null {
  if (error instanceof HostKeyUnknown) return "HOST_KEY_UNKNOWN";
  if (error instanceof SftpLoginRefused) return "SERVICE_REFUSED";
  return error instanceof Unreachable ? "SERVICE_UNREACHABLE" : null;
}
