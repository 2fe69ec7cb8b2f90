/** The schema as it is after all migrations, for a key by which tables would be distributed. */
import type { Queryable } from "../../src/database/database.ts";
import type { Relation, Schema } from "./shapes.ts";

export type ReadSchema = Schema & {
  /** Definitions of views that show the key. */
  views: ReadonlyMap<string, string>;
  /** Unique keys of distributed tables that lack the key: `table: name (columns)`. */
  keysWithout: string[];
  /** References between distributed tables that lack the key: `table: name`. */
  referencesWithout: string[];
  /** The schema's own functions by their names; the body is empty where it is an expression. */
  functions: ReadonlyMap<string, { language: string; definition: string; body: string }>;
};

type Column = { relation: string; kind: string; column: string };

/** @param reference tables that have the column, and are kept whole on each server all the same */
export async function readSchema(database: Queryable, key: string, reference: readonly string[]): Promise<ReadSchema> {
  const { rows: columns } = await database.query<Column>(
    `select case when nspname = 'public' then relname else nspname || '.' || relname end as relation, relkind as kind, attname as column
       from pg_class
       join pg_namespace on pg_namespace.oid = relnamespace
       join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
      where nspname in ('public', 'analytics')
        and relkind in ('r', 'p', 'v')
      order by relation, attnum`,
  );
  const relations = new Map<string, Relation>();
  for (const [relation, found] of Map.groupBy(columns, (one) => one.relation)) {
    const names = found.map(({ column }) => column);
    relations.set(relation, { columns: names, key: names.includes(key) && !reference.includes(relation) ? key : null });
  }
  const { rows: unique } = await database.query<{ relation: string; name: string; columns: string[] }>(
    `select indrelid::regclass::text as relation, indexrelid::regclass::text as name,
            array(select attname::text from unnest(indkey) as place join pg_attribute on attrelid = indrelid and attnum = place) as columns
       from pg_index
      where indisunique
        and indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
      order by 1, 2`,
  );
  const { rows: references } = await database.query<{
    relation: string;
    name: string;
    target: string;
    columns: string[];
  }>(
    `select conrelid::regclass::text as relation, conname as name, confrelid::regclass::text as target,
            array(select attname::text from unnest(conkey) as place join pg_attribute on attrelid = conrelid and attnum = place) as columns
       from pg_constraint
      where contype = 'f'
      order by 1, 2`,
  );
  const { rows: views } = await database.query<{ name: string; definition: string }>(
    `select relname as name, pg_get_viewdef(oid) as definition
       from pg_class
      where relkind = 'v' and relnamespace = 'public'::regnamespace`,
  );
  const { rows: functions } = await database.query<{
    name: string;
    language: string;
    definition: string;
    body: string;
  }>(
    `select proname as name, lanname as language, pg_get_functiondef(pg_proc.oid) as definition, prosrc as body
       from pg_proc
       join pg_language on pg_language.oid = prolang
      where pronamespace = 'public'::regnamespace
        and lanname in ('sql', 'plpgsql')`,
  );
  const isDistributed = (name: string) => (relations.get(name)?.key ?? null) !== null;
  return {
    relations,
    constraints: new Map(unique.map((one) => [one.name, one.columns])),
    views: new Map(views.filter(({ name }) => isDistributed(name)).map((one) => [one.name, one.definition])),
    keysWithout: unique
      .filter((one) => isDistributed(one.relation) && !one.columns.includes(key))
      .map((one) => `${one.relation}: ${one.name} (${one.columns.join(", ")})`),
    referencesWithout: references
      .filter((one) => isDistributed(one.relation) && isDistributed(one.target) && !one.columns.includes(key))
      .map((one) => `${one.relation}: ${one.name}`),
    functions: new Map(functions.map(({ name, ...one }) => [name, one])),
  };
}
