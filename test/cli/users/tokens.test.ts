/** Tokens that an operator ends are no tokens any more, nor is a login JWT that was signed before; new ones are. */
import { setTimeout as wait } from "node:timers/promises";
import test from "ava";
import { deleteSpentRevocations } from "../../../src/partners/revocations.ts";
import { openWorld, partnerPath, type World } from "../../api/world.ts";
import { openCommandLine } from "../command.ts";

const services = (world: World, token: string) => world.call("GET", `${partnerPath}/upcoming-payments`, { token });

/** A change is in force within a second. */
async function untilRefused(world: World, token: string): Promise<number> {
  for (const until = performance.now() + 20_000; performance.now() < until; await wait(50)) {
    const { status } = await world.call("PUT", `${partnerPath}/alerts/seen`, { token, body: [] });
    if (status !== 200) return status;
  }
  return 200;
}

test.serial("a user's tokens are ended on every route; other users keep theirs, and a new login works", async (t) => {
  const world = await openWorld(t);
  const { tideline } = await openCommandLine(t, world.url);
  const [anna, bo] = [await world.newUser("anna"), await world.newUser("bo")];
  const stolen = await world.loginJwt({ sub: "anna" });
  t.is((await tideline("tokens", "revoke", "--partner", "north", "--user", "anna")).code, 0);
  t.is(await untilRefused(world, anna.token), 401);
  t.is((await services(world, anna.token)).status, 401, "where the route's own query finds the user, too");
  t.not((await services(world, bo.token)).status, 401);

  const logIn = async (payload: string) =>
    await world.call("POST", `${partnerPath}/users/logins`, { body: { payload } });
  t.is((await logIn(stolen)).status, 403, "a login JWT of before");
  const later = Math.floor(Date.now() / 1000) + 5;
  const again = await logIn(await world.loginJwt({ sub: "anna", iat: later }));
  t.is(again.status, 200);
  t.not((await services(world, (again.json as { token: string }).token)).status, 401);
});

test.serial("all tokens of a partner are ended, and remembered no longer than they would live", async (t) => {
  const world = await openWorld(t);
  const { tideline } = await openCommandLine(t, world.url);
  const { token } = await world.newUser("anna");
  t.is((await tideline("tokens", "revoke", "--partner", "north")).code, 0);
  t.is(await untilRefused(world, token), 401);
  const audited = await world.database.query("select details from audit_events where event = 'tokens.revoked'");
  t.like(audited.rows[0], { details: { userIds: null } });
  const count = async () => (await world.database.query("select 1 from token_revocations")).rowCount;
  await deleteSpentRevocations(world.database);
  t.is(await count(), 1);
  await world.database.query("update token_revocations set revoked_at = now() - interval '3 hours'");
  await deleteSpentRevocations(world.database);
  t.is(await count(), 0);
});

test("who is not there, and a command that is none, are said", async (t) => {
  const world = await openWorld(t);
  const { tideline } = await openCommandLine(t, world.url);
  t.is((await tideline("tokens", "revoke", "--partner", "north", "--user", "nobody")).code, 1);
  t.is((await tideline("tokens", "revoke", "--partner", "nobody")).code, 1);
  t.is((await tideline("tokens", "revoke")).code, 2);
  t.is((await tideline("tokens", "end")).code, 2);
});
