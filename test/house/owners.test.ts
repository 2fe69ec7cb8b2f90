/** SQL lives with the owner of the table: owners.ts, held against every statement in src and workers. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import { exceptions, owners, roomOwners, writtenOnce } from "./owners.ts";
import { computed, tablesMade, tablesWritten } from "./writes.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const migrations = await readSources("migrations");
const tables = new Set([...migrations.values()].flatMap(tablesMade));
const sources = new Map([...(await readSources("src")), ...(await readSources("workers"))]);

/** Texts by path from the root, with forward slashes. */
async function readSources(folder: string): Promise<Map<string, string>> {
  const names = await readdir(path.join(root, folder), { recursive: true });
  const files = names.filter((name) => /\.(?:ts|mjs)$/.test(name)).sort();
  const texts = await Promise.all(files.map((name) => readFile(path.join(root, folder, name), "utf8")));
  return new Map(files.map((name, at) => [`${folder}/${name.split(path.sep).join("/")}`, texts[at] ?? ""]));
}

/** "file writes table", for each that the plan has. */
function plan(): string[] {
  return [
    ...Object.entries(owners).map(([table, file]) => `${file} writes ${table}`),
    ...Object.entries(roomOwners).flatMap(([table, files]) =>
      Object.keys(files).map((file) => `${file} writes ${table}`),
    ),
    ...exceptions.flatMap(({ file, tables: excepted }) =>
      (excepted === "computed" ? [computed] : excepted).map((table) => `${file} writes ${table}`),
    ),
  ];
}

/** "file writes table", for each statement that there is. */
function writesOf(files: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([file, text]) => tablesWritten(text, tables).map((table) => `${file} writes ${table}`));
}

function strayWrites(files: ReadonlyMap<string, string>): string[] {
  const planned = new Set(plan());
  return writesOf(files).filter((write) => !planned.has(write));
}

test("every table of the migrations has one owner", (t) => {
  const planned = [owners, roomOwners, writtenOnce].flatMap((tablesOf) => Object.keys(tablesOf));
  t.deepEqual(planned.sort(), [...tables].sort());
});

test("no statement writes a table that another module owns", (t) => {
  t.deepEqual(strayWrites(sources), []);
});

test("whoever is said to write a table does", (t) => {
  const written = new Set(writesOf(sources));
  t.deepEqual(
    plan().filter((write) => !written.has(write)),
    [],
  );
});

test("a table is kept by a whole room only where every file of it lies in that room", (t) => {
  t.deepEqual(
    Object.entries(roomOwners).map(([table, files]) => [table, ...new Set(Object.keys(files).map(path.posix.dirname))]),
    [["deliveries", "src/deliveries"]],
  );
});

const statements: readonly (readonly [string, string])[] = [
  ["an insert", "await database.query(`insert into users (id) values ($1)`, [1]);"],
  ["an update", 'await database.query("update users set locale = $1", [locale]);'],
  ["an update over two lines", "await database.query(`update users\n   set locale = $1`, [locale]);"],
  ["an update under another name", "await database.query(`update users as u set locale = $1`, [locale]);"],
  ["a delete", "await database.query(`delete from users where id = $1`, [1]);"],
  ["a part of a statement", "const gone = `with gone as (delete from users returning id) select 1`;"],
  ["a truncation", "await database.query(`TRUNCATE TABLE users`);"],
  ["a COPY", "await database.query(copyFrom(`copy users (id) from stdin`));"],
  ["rows given to COPY", "await copyRows(transaction, `users (${columns})`, pieces);"],
];

for (const [what, text] of statements) {
  test(`${what} that is added elsewhere is named`, (t) => {
    t.deepEqual(strayWrites(new Map([["src/api/routes/users.ts", text]])), ["src/api/routes/users.ts writes users"]);
  });
}

const computedStatements: readonly (readonly [string, string])[] = [
  ["stands in for the table", "await database.query(`delete from ${table} where id = $1`, [1]);"],
  ["follows the text", 'await database.query("insert into " + table + " values (1)");'],
];

for (const [what, text] of computedStatements) {
  test(`a statement of which an expression ${what} is named`, (t) => {
    t.deepEqual(strayWrites(new Map([["src/api/file.ts", text]])), ["src/api/file.ts writes (computed)"]);
  });
}

test("reads, locks, conflicts and comments write nothing", (t) => {
  const text = [
    "/** An insert into users, or a delete from users. */",
    "// update users set locale = null",
    "const text = `select 1 from users for no key update of users skip locked",
    "  -- delete from users",
    "  on conflict (id) do update set name = excluded.name`;",
    "const sentence = 'copy to users';",
  ].join("\n");
  t.deepEqual(strayWrites(new Map([["src/api/file.ts", text]])), []);
});
