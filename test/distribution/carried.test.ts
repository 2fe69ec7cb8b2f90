/** Statements that carry the key by which tables are distributed, and statements that do not. */
import test from "ava";
import { loadModule } from "libpg-query";
import { judgeFunction, judgeView } from "./bodies.ts";
import { judge } from "./carried.ts";
import type { Schema } from "./shapes.ts";

test.before(() => loadModule());

const schema: Schema = {
  relations: new Map([
    ["rows", { columns: ["user_id", "txid", "amount"], key: "user_id" }],
    ["marks", { columns: ["user_id", "note"], key: "user_id" }],
    ["people", { columns: ["id", "name"], key: null }],
  ]),
  constraints: new Map([
    ["rows_once", ["user_id", "txid"]],
    ["marks_pk", ["note"]],
  ]),
};

const carrying = [
  "select * from rows where user_id = $1",
  "select * from rows where user_id = any($1::bigint[])",
  "select * from rows where user_id in (1, 2)",
  "select * from rows r join marks using (user_id) where r.user_id = $1",
  "select * from rows r left join marks m on m.user_id = r.user_id where r.user_id = $1",
  "select * from unnest($1::bigint[]) as given (user_id) join rows on rows.user_id = given.user_id",
  "with given as (select unnest($1::bigint[]) as user_id) select * from rows, given where rows.user_id = given.user_id",
  "select * from rows where (user_id, txid) in (select user_id, txid from unnest($1::bigint[], $2::text[]) as one (user_id, txid))",
  "select * from (select user_id, sum(amount) from rows group by user_id) as sums where sums.user_id = $1",
  "select (select count(*) from marks where marks.user_id = rows.user_id) from rows where user_id = $1",
  "select * from unnest($1::bigint[]) as given (user_id) cross join lateral (select * from rows where rows.user_id = given.user_id limit 1) found",
  "select * from (select id from people where name = $1 limit 1) as one join rows on rows.user_id = one.id",
  "insert into rows (user_id, txid) select * from unnest($1::bigint[], $2::text[]) on conflict (user_id, txid) do nothing",
  "insert into rows (user_id, txid) values ($1, $2) on conflict on constraint rows_once do update set amount = excluded.amount",
  "update rows set amount = 0 from unnest($1::bigint[]) as given (user_id) where rows.user_id = given.user_id",
  "with gone as (delete from rows where user_id = $1 returning user_id) delete from marks using gone where marks.user_id = gone.user_id",
  "delete from rows where user_id = $1 and txid = $2",
  "copy rows (user_id, txid) from stdin",
  "copy (select * from rows where user_id = any($1)) to stdout",
  "create temporary table one as select * from rows with no data",
  "select name from people",
  "begin",
];

for (const text of carrying) test(`carries it: ${text}`, (t) => t.deepEqual(judge(text, schema).problems, []));

const lacking: readonly (readonly [string, RegExp])[] = [
  ["select * from rows", /which user_id of rows/],
  ["select * from rows where txid = $1", /which user_id of rows/],
  ["select * from rows where user_id > $1", /which user_id of rows/],
  ["select * from rows where user_id = $1 or txid = $2", /which user_id of rows/],
  ["select * from rows join marks using (user_id)", /which user_id of rows, marks/],
  ["select * from rows r, marks m where r.user_id = $1 and m.note = $2", /which user_id of marks/],
  ["select * from rows join people on people.id = rows.user_id where people.name = $1", /which user_id of rows/],
  ["select * from rows where user_id in (select user_id from marks where note = $1)", /which user_id of marks/],
  ["select (select count(*) from marks) from rows where user_id = $1", /which user_id of marks/],
  ["with all_marks as (select * from marks) select * from rows where user_id = $1", /which user_id of marks/],
  ["select 1 where exists (select 1 from rows where txid = $1)", /which user_id of rows/],
  ["update rows set amount = 0 where txid = $1", /which user_id of rows/],
  ["update rows set user_id = $2 where user_id = $1", /is changed/],
  ["delete from rows using unnest($1::text[]) as given (txid) where rows.txid = given.txid", /which user_id of rows/],
  ["insert into rows (txid) values ($1)", /added without user_id/],
  ["insert into marks (user_id, note) values ($1, $2) on conflict (note) do nothing", /guarded by \(note\)/],
  [
    "insert into marks (user_id, note) values ($1, $2) on conflict on constraint marks_pk do nothing",
    /guarded by \(note\)/,
  ],
  ["insert into marks (user_id, note) select $1, txid from rows", /which user_id of rows/],
  ["copy rows (txid) from stdin", /copied without user_id/],
  ["copy rows to stdout", /all of rows/],
  ["copy (select * from rows) to stdout", /which user_id of rows/],
  ["truncate rows", /takes all of rows/],
  ["lock table rows in share mode", /takes all of rows/],
  ["create temporary table one as select * from rows", /which user_id of rows/],
];

for (const [text, problem] of lacking)
  test(`lacks it: ${text}`, (t) => {
    const { problems } = judge(text, schema);
    t.is(problems.length, 1, problems.join("; "));
    t.regex(problems[0] ?? "", problem);
  });

test("a view hands the key through to every table of it, or does not", (t) => {
  t.deepEqual(
    judgeView("select r.user_id, r.txid from rows r left join marks m on m.user_id = r.user_id;", "user_id", schema)
      .problems,
    [],
  );
  t.is(judgeView("select r.user_id, m.note from rows r, marks m", "user_id", schema).problems.length, 1);
});

test("a function's statements are held against it, with its parameters as what is known", (t) => {
  const define = (statement: string) =>
    `create function one(asked bigint) returns setof rows language plpgsql as $$ begin return query ${statement}; end $$`;
  const judged = (statement: string) => judgeFunction("plpgsql", define(statement), "", schema).problems;
  t.deepEqual(judged("select * from rows where rows.user_id = asked"), []);
  t.is(judged("select * from rows where rows.txid = 'a'").length, 1);
  t.is(judgeFunction("sql", "", "select * from rows", schema).problems.length, 1);
});

test("which tables a statement is about is told, and what is no statement is refused", (t) => {
  t.deepEqual(judge("select 1 from rows, people, elsewhere where user_id = $1", schema).distributed, ["rows"]);
  t.deepEqual(judge("select 1 from rows, people where user_id = $1", schema).others, ["people"]);
  t.throws(() => judge("select from where", schema));
});
