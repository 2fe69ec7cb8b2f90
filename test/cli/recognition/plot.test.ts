/** What the command draws of a user, a service and a population, for whom, and that the trail has it. */
import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import test from "ava";
import { openRecognisedUsers } from "../../recognition/preview/upgraded.ts";
import { addPartner, addUser } from "../../parties.ts";
import { openCommandLine } from "../command.ts";

test("a user and a service are drawn as they are served, into files of their owner's, and the trail has it", async (t) => {
  const world = await openRecognisedUsers(t);
  const { tideline, dataDir } = await openCommandLine(t, world.url);
  const file = path.join(dataDir, "user.svg");
  const drawn = await tideline("plot", "user", "u1", "--to", file);
  t.is(drawn.code, 0, drawn.stderr);
  t.is((await stat(file)).mode & 0o777, 0o600);
  const svg = await readFile(file, "utf8");
  const { rows } = await world.database.query<{ id: string; title: string; next: string; iban: string | null }>(
    `select id, document -> 'product' ->> 'title' as title, document ->> 'nextExpectedTransactionDate' as next,
            (select iban from accounts where accounts.user_id = services.user_id and iban is not null limit 1) as iban
       from services
      where user_id = $1 and status = 'ACTIVE' and payment_frequency <> 'UNKNOWN'`,
    [world.userIds[0]],
  );
  t.true(rows.length > 3);
  const escaped = (text: string) => text.replace(/[<>&"']/g, (one) => `&#${one.codePointAt(0)};`);
  for (const { title, next } of rows) {
    t.true(svg.includes(escaped(title).slice(0, 25)), title);
    t.true(svg.includes(`expected on ${next}`), next);
  }
  t.truthy(rows[0]?.iban);
  t.false(svg.includes(rows[0]!.iban!));
  t.regex((await tideline("plot", "user", "u1", "--to", file)).stderr, /exists already/);

  const { stdout } = await tideline("plot", "service", rows[0]!.id);
  t.true(stdout.startsWith("<svg ") && stdout.includes(escaped(rows[0]!.title)));
  t.regex(stdout, /Confidence \d+ %/);
  const trail = await world.database.query<{ details: object }>(
    "select details from audit_events where event = 'user.plotted' order by id",
  );
  t.deepEqual(
    trail.rows.map(({ details }) => details),
    [{ userIds: [world.userIds[0]] }, { userIds: [world.userIds[0]], serviceId: rows[0]!.id }],
  );

  for (const wrong of [
    ["user", "nobody"],
    ["service", "x"],
    ["service", crypto.randomUUID()],
  ])
    t.regex((await tideline("plot", ...wrong)).stderr, /NOT_FOUND/);
  t.regex((await tideline("plot", "service")).stderr, /SERVICE is missing/);
  t.regex((await tideline("plot", "house")).stderr, /user, service, population/);
  await addPartner(world.database, "other");
  await world.database.query("update read_models set user_id = $1 where user_id = $2", [
    await addUser(world.database, "other", "u1"),
    world.userIds[1],
  ]);
  t.regex((await tideline("plot", "user", "u1")).stderr, /say --partner, one of bank, other/);
  t.is((await tideline("plot", "user", "u1", "--partner", "bank")).code, 0);
});

test("a population is drawn from what an evaluation said", async (t) => {
  const { tideline, dataDir } = await openCommandLine(t);
  const file = path.join(dataDir, "evaluation.json");
  const { stdout } = await tideline("evaluate", "generated:6x14:3", "--json");
  await writeFile(file, stdout);
  const told = JSON.parse(stdout) as { score: { f1: number } };
  const drawn = await tideline("plot", "population", file);
  t.is(drawn.code, 0, drawn.stderr);
  for (const part of [
    "F1 by frequency",
    "Reliability of confidence",
    "Found, by kind",
    ">monthly<",
    "generated:6x14:3",
  ])
    t.true(drawn.stdout.includes(part), part);
  t.true(drawn.stdout.includes(`recognised: ${(told.score.f1 * 100).toFixed(1)} %`));
  await writeFile(file, JSON.stringify({ ...JSON.parse(stdout), reliability: null }));
  t.regex((await tideline("plot", "population", file)).stderr, /SOURCE_INVALID.*is not what/s);
  t.regex((await tideline("plot", "population", path.join(dataDir, "none"))).stderr, /cannot be read/);
});
