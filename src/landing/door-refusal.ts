/** Why a file is refused at the door, for what it is called or what its bytes are: before anything of it is loaded. */
import type { Queryable } from "../database/database.ts";
import { findSameBytes, type NewDelivery } from "../deliveries/deliveries.ts";
import { duplicateReason } from "../deliveries/landed-files.ts";
import type { FileFormat } from "../../workers/formats/format.ts";
import { findFormat, namesRead } from "../../workers/formats/formats.ts";

/** A file that has come in whole. */
export type ComeIn = { partnerId: string; path: string; sizeBytes: number; sha256: Buffer };

/** What a delivery's row calls a file whose name no format has. */
export const unknownFormat = "unknown";

/** @param format as its name says. @returns null where it is taken */
export async function refusalAtTheDoor(
  database: Queryable,
  file: ComeIn,
  format: string,
): Promise<NewDelivery["refusal"]> {
  if (file.sizeBytes === 0) return { code: "FILE_EMPTY", reason: "The file has no bytes.", duplicateOf: null };
  if (format === unknownFormat)
    return { code: "FILE_FORMAT_UNKNOWN", reason: `The name is none of ${namesRead}.`, duplicateOf: null };
  const found = findFormat(format);
  if (isInTheClear(found) && !(await mayComeInTheClear(database, file.partnerId))) {
    return {
      code: "FILE_UNENCRYPTED",
      reason: "The name ends in none of .pgp, .gpg and .asc, and the partner's tables must be encrypted.",
      duplicateOf: null,
    };
  }
  if ((await found.findPlainText?.(file.path)) === true) {
    return {
      code: "FILE_UNENCRYPTED",
      reason: "The name says that it is encrypted, and it is plain text or holds some.",
      duplicateOf: null,
    };
  }
  const same = await findSameBytes(database, file.partnerId, file.sha256);
  if (same)
    return {
      code: "FILE_DUPLICATE",
      reason: duplicateReason(same),
      duplicateOf: same.id,
    };
  return null;
}

/** Whether a file of this format is readable for whoever holds it. The others are encrypted by their sender. */
export function isInTheClear(format: FileFormat): boolean {
  return format.findPlainText === null;
}

async function mayComeInTheClear(database: Queryable, partnerId: string): Promise<boolean> {
  const { rows } = await database.query<{ allowed: boolean }>(
    'select settings @> \'{"csv": {"unencrypted": true}}\' as allowed from partners where id = $1',
    [partnerId],
  );
  return rows[0]?.allowed === true;
}
