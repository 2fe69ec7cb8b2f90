/** Whether an upload that its client has closed is whole, as far as its structure tells. */
import { stat } from "node:fs/promises";
import type { LandedBytes } from "../../workers/bytes/landed-bytes.ts";
import type { Queryable } from "../database/database.ts";
import { findFormat, formatOf } from "../../workers/formats/formats.ts";

/** A rule that an operator has changed is in force after so long: asking for each of thousands of files costs more. */
const rememberedMs = 2000;
const remembered = new WeakMap<Queryable, Map<string, { atMs: number; required: boolean }>>();

/**
 * @param name path below inbox/
 * @param landed where it lies, or all its bytes. @returns what is missing, a clause about the file; null where nothing
 * tells it
 */
export async function findWhatIsMissing(
  database: Queryable,
  { partnerId, name, landed }: { partnerId: string; name: string; landed: LandedBytes },
): Promise<string | null> {
  const format = formatOf(name);
  const findCut = format === null ? null : findFormat(format).findCut;
  // An empty file is refused at once: no client that broke off need go on with it.
  if (findCut === null || (await sizeOf(landed)) === 0) return null;
  return await findCut(landed, { manifestRequired: await mustEndWithManifest(database, partnerId) });
}

async function sizeOf(landed: LandedBytes): Promise<number> {
  return typeof landed === "string" ? (await stat(landed)).size : landed.length;
}

async function mustEndWithManifest(database: Queryable, partnerId: string): Promise<boolean> {
  const byPartner = remembered.get(database) ?? new Map<string, { atMs: number; required: boolean }>();
  remembered.set(database, byPartner);
  const known = byPartner.get(partnerId);
  const nowMs = performance.now();
  if (known !== undefined && nowMs - known.atMs < rememberedMs) return known.required;
  const { rows } = await database.query<{ required: boolean }>(
    'select settings @> \'{"manifest": "required"}\' as required from partners where id = $1',
    [partnerId],
  );
  const required = rows[0]?.required === true;
  byPartner.set(partnerId, { atMs: nowMs, required });
  return required;
}
