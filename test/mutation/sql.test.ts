/** Statements in the source are mutated where they decide, and nowhere else. */
import test from "ava";
import { mutantsOf } from "./mutant.ts";

/** Of the statement alone. */
const changes = (sql: string): string[] =>
  mutantsOf("a.ts", `export const f = (name: string) => \`${sql}\`;`).map(
    ({ original, replacement }) => `${original} → ${replacement}`,
  );

test("conditions of a statement hold always, or are turned round", (t) => {
  t.deepEqual(changes("select id from users where age > 18 and name = $1"), [
    "age > 18 → (age > 18 or true)",
    "> → <=",
    "> → >=",
    "18 → 17",
    "18 → 19",
    "and → or",
    "name = $1 → (name = $1 or true)",
    "= → <>",
  ]);
});

test("what is one of several conditions never holds", (t) => {
  t.deepEqual(changes("select a from b where (c or d)"), [
    "(c or d) → ((c or d) or true)",
    "or → and",
    "d → (d and false)",
  ]);
});

test("that a column is given a value is no comparison", (t) => {
  t.deepEqual(changes("update users set name = $1, state = 'new' where id = $2"), [
    "id = $2 → (id = $2 or true)",
    "= → <>",
  ]);
});

test("the two ends of between belong together", (t) => {
  t.deepEqual(changes("select a from b where c between $1 and $2 and d"), [
    "c between $1 and $2 → (c between $1 and $2 or true)",
    "and → or",
    "d → (d or true)",
  ]);
});

test("nothing, order, joins and what there is without are changed", (t) => {
  t.deepEqual(changes("select distinct a from b left join c using (d) where e is null order by a desc limit 5"), [
    "distinct  → ",
    "left join → join",
    "e is null → (e is null or true)",
    "is → is not",
    "order by a desc → ",
    "desc → asc",
    "limit 5 → ",
    "5 → 4",
    "5 → 6",
  ]);
  t.deepEqual(changes("select coalesce(max(a), 0) from b where not exists (select 1 from c)"), [
    "max → min",
    ", 0 → ",
    "0 → 1",
    "not exists → exists",
    "not exists (select 1 from c) → (not exists (select 1 from c) or true)",
  ]);
});

test("what a placeholder, a quoted text or a comment says is no SQL", (t) => {
  t.deepEqual(changes("select ${name === null ? `a` : `b`} from c where d = 'x = y and z' -- and e = f\n"), [
    "name === null ? `a` : `b` → (`a`)",
    "name === null ? `a` : `b` → (`b`)",
    "=== → !==",
    '`a` → ""',
    '`b` → ""',
    "d = 'x = y and z' → (d = 'x = y and z' or true)",
    "= → <>",
  ]);
});

test("an English sentence is none, whatever it begins with", (t) => {
  t.deepEqual(changes("select one of these"), ['`select one of these` → ""']);
});
