/** An operator sees who waits for a version, what it would change, and puts it in force. */
import test from "ava";
import { countUnasked } from "../../../src/recognition/preview/held-back.ts";
import { algorithmVersion } from "../../../src/recognition/version.ts";
import { earlier, heldUsers, openUpgraded, recognise } from "../../recognition/preview/upgraded.ts";
import { openCommandLine } from "../command.ts";

const runName = `version-${algorithmVersion}-bank`;

test("a version that is held is looked at, and put in force by a command of which the trail tells", async (t) => {
  const { world } = await openUpgraded(t);
  await recognise(world);
  const { tideline } = await openCommandLine(t, world.url);
  t.regex((await tideline("status")).stdout, /not put in force: 1 /);
  t.is((JSON.parse((await tideline("status", "--json")).stdout) as { usersHeld: number }).usersHeld, 1);
  t.regex(
    (await tideline("recognise", "--runs")).stdout,
    new RegExp(`${runName} +preview +${algorithmVersion} +bank +1 `),
  );
  const { stdout } = await tideline("recognise", "--compare", runName);
  t.regex(stdout, new RegExp(`in force → ${runName}: 1 user, 1 with a service that differs`));
  t.regex(stdout, /DAILY → /);

  const all = await tideline("recognise", "--all");
  t.is(all.code, 2);
  t.regex(all.stderr, /1 user is held/);
  t.regex((await tideline("recognise", "--forget", runName)).stderr, /1 user waits for/);
  t.regex((await tideline("recognise", "--put-in-force", `${runName}-before`)).stderr, /is what was in force/);
  t.regex((await tideline("recognise", "--put-in-force", "none")).stderr, /NOT_FOUND/);

  const put = await tideline("recognise", "--put-in-force", runName, "--json");
  t.is(put.code, 0, put.stderr);
  t.deepEqual(JSON.parse(put.stdout), { name: runName, algorithmVersion, brands: 1, held: 1 });
  await recognise(world);
  t.deepEqual(await heldUsers(world), []);
  t.regex((await tideline("recognise", "--runs")).stdout, new RegExp(`${runName} .* in force since 20`));
  t.regex(
    (await tideline("recognise", "--compare", runName)).stdout,
    new RegExp(`${runName}-before → ${runName}: 1 user, 1 with`),
  );
  const { rows } = await world.database.query(
    "select partner_id, details from audit_events where event = 'recognition.put-in-force'",
  );
  t.deepEqual(rows, [
    {
      partner_id: "bank",
      details: { run: runName, algorithmVersion, askedPercent: null, visiblePercent: null, brands: 1, held: 1 },
    },
  ]);
  t.is((await tideline("recognise", "--forget", runName)).code, 0);
});

test("between an upgrade and the service's first look nobody is made anew by a command for all", async (t) => {
  const { world } = await openUpgraded(t);
  const { tideline } = await openCommandLine(t, world.url);
  const listed = "select user_id, touched_at, arrived, held_for from changed_users order by user_id";
  const { rows: before } = await world.database.query(listed);
  const refused = await tideline("recognise", "--all", "--partner", "bank");
  t.is(refused.code, 2);
  t.regex(refused.stderr, /3 users of brands with recognitionRollout=preview have not been looked at/);
  t.deepEqual((await world.database.query(listed)).rows, before, "what came of them is still told");
  t.is(await countUnasked(world.database, "other"), 0);
  await recognise(world);
  t.is(await countUnasked(world.database, null), 0);
  t.regex((await tideline("recognise", "--all")).stderr, /1 user is held/);
  t.is((await tideline("recognise", "--put-in-force", runName)).code, 0);
  t.is(await countUnasked(world.database, null), 0);
});

test("what another version found, or a preview that was broken off, is not put in force", async (t) => {
  const { world } = await openUpgraded(t);
  const { tideline } = await openCommandLine(t, world.url);
  const refused = async (set: string): Promise<string> => {
    await world.database.query(`update recognition_runs set ${set}`);
    const { code, stderr } = await tideline("recognise", "--put-in-force", "other");
    t.is(code, 2);
    return stderr;
  };
  t.is((await tideline("recognise", "--preview", "other", "--visible-percent", "98", "--partner", "bank")).code, 0);
  t.regex(await refused("finished_at = null"), /was broken off/);
  t.regex(await refused(`finished_at = now(), algorithm_version = ${earlier}`), /make another preview/);
  await world.database.query("update recognition_runs set algorithm_version = $1", [algorithmVersion]);
  t.regex((await tideline("recognise", "--put-in-force", "other")).stdout, /shown from 98 per cent on/);
  const { rows } = await world.database.query<{ features: { recognitionInForce: object } }>(
    "select features from brands",
  );
  t.deepEqual(rows[0]?.features.recognitionInForce, { algorithmVersion, askedPercent: null, visiblePercent: 98 });
});
