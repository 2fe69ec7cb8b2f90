/** Whether an upload that its client has closed is whole, as far as its structure tells. */
import { stat } from "node:fs/promises";
import type { Queryable } from "../database/database.ts";
import { findFormat, formatOf } from "../../workers/formats/formats.ts";

/** @param name path below inbox/. @returns what is missing, a clause about the file; null where nothing tells it */
export async function findWhatIsMissing(
  database: Queryable,
  { partnerId, name, path }: { partnerId: string; name: string; path: string },
): Promise<string | null> {
  const format = formatOf(name);
  const findCut = format === null ? null : findFormat(format).findCut;
  // An empty file is refused at once: no client that broke off need go on with it.
  if (findCut === null || (await stat(path)).size === 0) return null;
  return await findCut(path, { manifestRequired: await mustEndWithManifest(database, partnerId) });
}

async function mustEndWithManifest(database: Queryable, partnerId: string): Promise<boolean> {
  const { rows } = await database.query<{ required: boolean }>(
    'select settings @> \'{"manifest": "required"}\' as required from partners where id = $1',
    [partnerId],
  );
  return rows[0]?.required === true;
}
