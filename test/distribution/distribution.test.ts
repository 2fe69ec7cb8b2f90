/**
 * One database on many servers would be parted by user. What the hot path says to the database is listened to while files
 * and pushes come in, users are recognised and budgeted and everything is read, and each statement must carry that key.
 */
import test from "ava";
import { loadModule } from "libpg-query";
import { openHouse } from "../journey-bank.ts";
import { createTestDatabase } from "../world.ts";
import { calledBy, judgeFunction, judgeView } from "./bodies.ts";
import { judge } from "./carried.ts";
import { guardsToWiden, keptOnOneServer, key, keysToWiden, listsOfWork, referenceTables } from "./expected.ts";
import { openRecorder } from "./recorder.ts";
import { readSchema } from "./schema.ts";
import type { Judged } from "./shapes.ts";
import { live, onboard, rest, sendAll } from "./walk.ts";

test.before(() => loadModule());

test("each statement of the hot path carries the user, through both doors, recognition, budgets and reads", async (t) => {
  t.timeout(120_000);
  const { urls, database } = await createTestDatabase(t);
  const schema = await readSchema(database, key, Object.keys(referenceTables));
  const recorder = await openRecorder(urls.migrator);
  // After the service, whose connections go through it.
  t.teardown(() => recorder.close());
  const through = {
    migrator: recorder.through(urls.migrator),
    jobs: recorder.through(urls.jobs),
    loader: recorder.through(urls.loader),
    api: recorder.through(urls.api),
  };
  const house = await openHouse(t, through);
  const customers = await onboard(house);
  recorder.take();
  await sendAll(t, house, customers);
  await live(t, customers);
  await rest();
  const judged = recorder.take().map((text) => ({ text, ...judge(text, schema) }));
  const about = judged.filter(({ distributed }) => distributed.length > 0);
  t.deepEqual(
    about
      .filter((one) => unexplained(one).length > 0)
      .map(({ text, problems }) => [problems, text.replaceAll(/\s+/g, " ")]),
    [],
    "a statement of the hot path that does not say whose rows it means",
  );
  // What is no list of work must be most of it, and of every stage: else nothing was listened to.
  t.true(about.filter(({ problems }) => problems.length === 0).length >= 45, `${about.length} statements about users`);
  for (const table of ["transactions", "changed_users", "packed_pasts", "services", "read_models", "income_models"])
    t.true(
      about.some(({ distributed }) => distributed.includes(table)),
      table,
    );
  for (const table of ["budgets", "budget_events", "budget_documents", "budget_snapshots", "accounts", "submissions"])
    t.true(
      about.some(({ distributed }) => distributed.includes(table)),
      table,
    );

  const called = new Set(judged.flatMap(({ text }) => calledBy(text)));
  const bodies = [...schema.functions].filter(([name]) => called.has(name));
  t.true(bodies.some(([name]) => name === "documents_of_callers"));
  for (const [name, { language, definition, body }] of bodies)
    if (body !== "") t.deepEqual(judgeFunction(language, definition, body, schema).problems, [], name);
  for (const [name, definition] of schema.views) t.deepEqual(judgeView(definition, key, schema).problems, [], name);

  const others = new Set(judged.flatMap((one) => one.others));
  t.deepEqual(
    [...others].filter((name) => !(name in referenceTables) && !(name in keptOnOneServer)),
    [],
    "a table that is neither parted by user, nor copied whole, nor kept on one server",
  );
  t.log(
    `${judged.length} different statements, ${about.length} about users: ${about.filter(({ problems }) => problems.length === 0).length} carry the key`,
  );
});

function unexplained({ text, problems, distributed }: Judged & { text: string }): string[] {
  const isList = listsOfWork.some(
    ({ tables, says }) => says.test(text) && tables.every((one) => distributed.includes(one)),
  );
  return isList ? [] : problems.filter((one) => !guardsToWiden.includes(one));
}

test("which keys and references of the schema lack the user is known, with what they guard", async (t) => {
  const { database } = await createTestDatabase(t);
  const schema = await readSchema(database, key, Object.keys(referenceTables));
  t.deepEqual(
    schema.keysWithout.map((one) => one.replace(/^[^:]*: (\S+) .*$/, "$1")).sort(),
    Object.keys(keysToWiden).sort(),
  );
  t.true(
    schema.referencesWithout.every((one) => one.startsWith("budget")),
    schema.referencesWithout.join("; "),
  );
  t.deepEqual(schema.constraints.get("transactions_once"), ["user_id", "txid"]);
});
