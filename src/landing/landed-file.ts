/** A file that has come in whole: what is known of it, where its bytes are kept, and what stays of it in the inbox. */
import { keptWithRowBytesMax } from "../../config/landing.ts";
import type { Queryable } from "../database/database.ts";
import { findRecordedFile } from "../deliveries/deliveries.ts";
import { findFormat, formatOf } from "../../workers/formats/formats.ts";
import type { Vault } from "../vault/vault.ts";
import { replaceBySparseFile } from "./clear-file.ts";
import { isInTheClear, unknownFormat } from "./door-refusal.ts";

export type LandedFile = {
  partnerId: string;
  door: "sftp" | "direct";
  /** Path below inbox/. */
  name: string;
  /** Absolute path of the complete and closed file. */
  path: string;
  sizeBytes: number;
  sha256: Buffer;
  correlationId: string;
  /** All of it, where it is small and was read already. */
  bytes?: Buffer;
};

/** Whether a file's bytes are committed with its row, so that nothing else of it must be durable. */
export function isKeptWithRow(file: Pick<LandedFile, "name" | "sizeBytes">): boolean {
  const format = formatOf(file.name);
  return (
    format !== null && !isInTheClear(findFormat(format)) && file.sizeBytes > 0 && file.sizeBytes <= keptWithRowBytesMax
  );
}

/**
 * Whether a file was recorded before the service died, its sender not told. Then its bytes go now, as they would have
 * gone. Idempotent.
 */
export async function isRecorded(
  landing: { database: Queryable; vault: Vault },
  file: Pick<LandedFile, "partnerId" | "name" | "path" | "sha256" | "sizeBytes">,
): Promise<boolean> {
  const recorded = await findRecordedFile(landing.database, file.partnerId, file.name, file.sha256);
  if (recorded) await leaveHole(landing, file, recorded.format, recorded.refusalCode);
  return recorded !== null;
}

/**
 * Recorded and kept, or refused for good: from then on a file's text is needed nowhere. What has no known ending may be
 * text. And what was moved to a vault elsewhere need not lie here twice.
 */
export async function leaveHole(
  { vault }: { vault: Vault },
  file: Pick<LandedFile, "name" | "path" | "sizeBytes">,
  format: string,
  refusalCode: string | null,
): Promise<void> {
  const isText = format === unknownFormat || isInTheClear(findFormat(format)) || refusalCode === "FILE_UNENCRYPTED";
  const isMoved = vault.isElsewhere && refusalCode === null && !isKeptWithRow(file);
  if (isText || isMoved) await replaceBySparseFile(file.path);
}
