/**
 * Where data of users lies. Found in the database itself, by the column user_id that every such table has, so that a
 * table added later is exported and erased without anyone having to remember it here.
 */
import type { Queryable } from "../database/database.ts";

export type SubjectTable = {
  name: string;
  /** Safe to stand in a statement. */
  identifier: string;
};

/** By name. The table of users itself is not among them; parts of partitioned tables are not told apart. */
export async function findSubjectTables(database: Queryable): Promise<SubjectTable[]> {
  const { rows } = await database.query<SubjectTable>(
    `select c.relname as name, quote_ident(c.relname) as identifier
       from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attname = 'user_id' and not a.attisdropped
      where c.relnamespace = current_schema()::regnamespace
        and c.relkind in ('r', 'p')
        and not c.relispartition
      order by c.relname`,
  );
  return rows;
}
