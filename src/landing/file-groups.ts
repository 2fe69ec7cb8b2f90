/** Small files on their way into the database, bytes and row together, in groups (commit-groups.ts). */
import type { Database } from "../database/database.ts";
import { insertFiles, type NewFile, type SameBytes } from "../deliveries/landed-files.ts";
import { CommitGroups } from "./commit-groups.ts";

const groupsOf = new WeakMap<Database, CommitGroups<NewFile, SameBytes | null>>();

/** Durable when it returns. @returns the earlier delivery of which it is a duplicate; it is refused then */
export async function insertFile(database: Database, file: NewFile): Promise<SameBytes | null> {
  const groups = groupsOf.get(database) ?? openGroups(database);
  groupsOf.set(database, groups);
  return await groups.add(file);
}

function openGroups(database: Database): CommitGroups<NewFile, SameBytes | null> {
  return new CommitGroups({
    async insert(files) {
      const repeated = await insertFiles(database, files);
      return files.map(({ delivery }) => repeated.get(delivery.id) ?? null);
    },
    bytesOf: ({ body }) => body.length,
    laneOf: () => "files",
    // A statement sees nothing of what it inserts: neither a name's last place nor the same bytes.
    goesWith: ({ delivery }, taken) =>
      taken.every(
        ({ delivery: other }) =>
          other.partnerId !== delivery.partnerId ||
          (other.name !== delivery.name && !other.sha256.equals(delivery.sha256)),
      ),
  });
}
