/** Files in the vault to which no delivery belongs: a crash came between keeping the bytes and recording them. */
import { addDays } from "../../time/calendar.ts";
import type { Queryable } from "../../database/database.ts";
import { besideEndings, type Vault } from "../../vault/vault.ts";

export type Orphan = { reference: string; sizeBytes: number };

/** Names asked about in one query. */
const groupMax = 1000;

type Kept = { name: string; sizeBytes: number };

/**
 * Orphans that are older than a day: by the day on which they were kept, since times of files are the sender's to set.
 * The client was never told that they were taken; what bears the mark that it was is the database's to remember
 * (forgotten/), and stays.
 */
export async function* findOrphans(database: Queryable, vault: Vault, today: string): AsyncGenerator<Orphan> {
  const youngest = addDays(today, -2);
  for (const day of await vault.days()) {
    if (day > youngest) continue;
    for await (const group of groupsOf(vault.list(day))) {
      for (const { name, sizeBytes, isRecorded } of await unneededAmong(database, group))
        if (await isOrphan(vault, day, name, isRecorded)) yield { reference: vault.referenceOf(name, day), sizeBytes };
    }
  }
}

async function* groupsOf(kept: AsyncIterable<Kept>): AsyncGenerator<Kept[]> {
  let group: Kept[] = [];
  for await (const one of kept) {
    group.push(one);
    if (group.length < groupMax) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

type Unneeded = Kept & { /** By a delivery that needs no bytes. */ isRecorded: boolean };

async function unneededAmong(database: Queryable, group: readonly Kept[]): Promise<Unneeded[]> {
  const { rows } = await database.query<{ id: string; needed: boolean }>(
    "select id::text as id, vault_reference is not null as needed from deliveries where id::text = any($1)",
    [group.map(({ name }) => idOf(name))],
  );
  const known = new Map(rows.map(({ id, needed }) => [id, needed]));
  return group
    .filter(({ name }) => known.get(idOf(name)) !== true)
    .map((kept) => ({ ...kept, isRecorded: known.has(idOf(kept.name)) }));
}

/** What lies beside a file goes with it, so that it is one only where the file itself is gone. */
async function isOrphan(vault: Vault, day: string, name: string, isRecorded: boolean): Promise<boolean> {
  const found = await vault.look(vault.referenceOf(idOf(name), day));
  if (name !== idOf(name)) return found === null;
  return found !== null && (isRecorded || !found.isConfirmed);
}

function idOf(name: string): string {
  const ending = besideEndings.find((one) => name.endsWith(one));
  return ending === undefined ? name : name.slice(0, -ending.length);
}
