/**
 * What each role may write, held against what the code writes that runs under it: a table that a later change adds fails
 * here until the role has its right, or it is said why the module is reached and the table is not.
 */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import { computed, tablesMade, tablesWritten } from "../house/writes.ts";
import { createTestDatabase } from "../world.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Modules of these tables are reached for what they read, or write elsewhere. */
const readThere: Readonly<Record<"tideline_loader" | "tideline_api", Readonly<Record<string, string>>>> = {
  tideline_loader: {
    departures: "who left is read; leaving is a call's and an operator's",
    exchange_rate_loads: "rates are read; jobs load them",
    exchange_rates: "rates are read; jobs load them",
    login_keys: "signed batches are verified; operators add keys",
    service_keys: "keys are opened; operators and jobs make them",
    tenant_keys: "connections are opened by what can say whose they are; claims are the API's, entered by jobs",
  },
  tideline_api: {
    client_certificates: "callers' certificates are looked up; operators add them",
    exchange_rate_loads: "rates are read; jobs load them",
    exchange_rates: "rates are read; jobs load them",
    login_keys: "logins are verified; operators add keys",
    psd2_banks: "banks are listed; operators add them",
    tenant_keys: "claims are made under a key that jobs enter",
    token_revocations: "tokens are held against them; operators revoke",
  },
};

const starts = {
  tideline_loader: ["workers/ingest/", "workers/door.ts"],
  tideline_api: ["src/api/server.ts", "src/landing/accept.ts", "src/demo/sandbox-bank/routes.ts"],
} as const;

/** With all that they import, types aside. */
async function reachedFrom(files: readonly string[]): Promise<string[]> {
  const texts = new Map<string, string>();
  const follow = async (file: string): Promise<void> => {
    if (texts.has(file)) return;
    const text = await readFile(path.join(root, file), "utf8");
    texts.set(file, text);
    for (const [, from = ""] of text.matchAll(/^(?:import|export) (?!type )[^;]*? from "(\.[^"]+\.ts)"/gm))
      await follow(path.join(path.dirname(file), from));
  };
  for (const file of files) {
    if (!file.endsWith("/")) await follow(file);
    else for (const name of await readdir(path.join(root, file))) await follow(file + name);
  }
  return [...texts.values()];
}

/** While a fleet is renewed, programs of the release before write them beside this one. */
const writtenByOlderPrograms = { tideline_loader: ["released_accounts"], tideline_api: [] } as const;

for (const role of ["tideline_loader", "tideline_api"] as const) {
  test(`${role} may write the tables that its code writes, and no other`, async (t) => {
    const migrations = await readdir(path.join(root, "migrations"));
    const made = await Promise.all(migrations.map((name) => readFile(path.join(root, "migrations", name), "utf8")));
    const tables = new Set(made.flatMap(tablesMade));
    const written = new Set((await reachedFrom(starts[role])).flatMap((text) => tablesWritten(text, tables)));
    // COPY's own module is given its table, by modules that are reached and write it by name, too.
    written.delete(computed);
    const { database } = await createTestDatabase(t);
    const { rows } = await database.query<{ name: string }>(
      `select relname as name
         from pg_class
        where relnamespace = 'public'::regnamespace
          and relkind in ('r', 'p')
          and has_table_privilege($1, oid, 'insert, update, delete')
        order by 1`,
      [role],
    );
    const read = Object.keys(readThere[role]);
    t.deepEqual(
      read.filter((table) => !written.has(table)),
      [],
      "nothing reached writes these: take the reason away",
    );
    t.deepEqual(
      rows.map(({ name }) => name),
      [...written, ...writtenByOlderPrograms[role]].filter((table) => !read.includes(table)).sort(),
    );
  });
}
