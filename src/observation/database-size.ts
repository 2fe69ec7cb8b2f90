/** How large the service's database is, and who is connected to it. */
import type { Queryable } from "../database/database.ts";

export type DatabaseSize = {
  /** Such as "18.1". */
  version: string;
  sizeBytes: number;
  /** Of the whole server, those that it keeps for its own administration included. */
  connectionsMax: number;
  /** Of this database, by the name under which programs connect. The most first. */
  connections: { application: string; count: number }[];
  /** With indexes. The largest first. */
  tables: { name: string; sizeBytes: number; rowsEstimated: number }[];
};

export async function readDatabaseSize(database: Queryable, tablesMax: number): Promise<DatabaseSize> {
  const [whole, connections, tables] = await Promise.all([
    database.query<Pick<DatabaseSize, "version" | "sizeBytes" | "connectionsMax">>(
      `select split_part(current_setting('server_version'), ' ', 1) as version,
              pg_database_size(current_database()) as "sizeBytes",
              current_setting('max_connections')::int as "connectionsMax"`,
    ),
    database.query<DatabaseSize["connections"][number]>(
      `select coalesce(nullif(application_name, ''), 'without a name') as application, count(*) as count
         from pg_stat_activity
        where datname = current_database()
        group by 1
        order by 2 desc, 1`,
    ),
    // Parts of a table that is divided count to it.
    database.query<DatabaseSize["tables"][number]>(
      `select coalesce(whole.relname, c.relname) as name,
              sum(pg_total_relation_size(c.oid))::bigint as "sizeBytes",
              sum(greatest(c.reltuples, 0))::bigint as "rowsEstimated"
         from pg_class c
         left join pg_inherits on pg_inherits.inhrelid = c.oid
         left join pg_class whole on whole.oid = pg_inherits.inhparent
        where c.relnamespace = current_schema()::regnamespace
          and c.relkind = 'r'
        group by 1
        order by 2 desc, 1
        limit $1`,
      [tablesMax],
    ),
  ]);
  const [first] = whole.rows;
  if (first === undefined) throw new Error("the statement of sizes gives one row");
  return { ...first, connections: connections.rows, tables: tables.rows };
}
