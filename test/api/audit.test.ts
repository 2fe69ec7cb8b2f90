/** What calls over HTTPS leave in the audit trail, and when. */
import test from "ava";
import type { Database } from "../../src/database/database.ts";
import { openWorld, partnerPath } from "./world.ts";

type Row = { partnerId: string | null; actor: string; event: string; details: Record<string, unknown> };

const told = async (database: Database) =>
  (
    await database.query<Row>(
      'select partner_id as "partnerId", actor, event, details from audit_events where event like $1 order by id',
      ["https.%"],
    )
  ).rows;

test("users, logins and deletions are in the trail when they are answered", async (t) => {
  const { call, newUser, database } = await openWorld(t);
  const { token } = await newUser("anna");
  await call("DELETE", `${partnerPath}/users`, { token });
  const rows = await told(database);
  t.deepEqual(
    rows.map(({ partnerId, event, details: { method, path, status, address } }) => [
      partnerId,
      event,
      method,
      path,
      status,
      address,
    ]),
    [
      ["north", "https.changed", "POST", `${partnerPath}/users`, 201, "127.0.0.1"],
      ["north", "https.login", "POST", `${partnerPath}/users/logins`, 200, "127.0.0.1"],
      ["north", "https.changed", "DELETE", `${partnerPath}/users`, 202, "127.0.0.1"],
    ],
  );
  t.regex(rows[2]?.actor ?? "", /^user:[0-9a-f-]{36}$/);
});

test("a user's reads and anybody's refusals are counted, and written at the latest when the service stops", async (t) => {
  const { call, newUser, close, database } = await openWorld(t);
  const { token } = await newUser("anna");
  for (const _again of [1, 2, 3]) await call("GET", `${partnerPath}/services`, { token });
  for (const _again of [1, 2]) await call("GET", `${partnerPath}/services`, { token: "stolen" });
  await close(0);
  const rows = (await told(database)).filter(({ event }) => event === "https.reads" || event === "https.refusals");
  t.deepEqual(rows.map(({ event, details: { path, status, count } }) => [event, path, status, count]).sort(), [
    ["https.reads", "/partner/:partnerId/2.0.0/services", 202, 3],
    ["https.refusals", "/partner/:partnerId/2.0.0/services", 401, 2],
  ]);
  t.is(rows.find(({ event }) => event === "https.refusals")?.actor, "https:north");
});

test("no query, token or body is in the trail", async (t) => {
  const { call, newUser, close, database } = await openWorld(t);
  const { token } = await newUser("anna");
  await call("GET", `${partnerPath}/transactions?limit=7`, { token });
  await close(0);
  const text = JSON.stringify(await told(database));
  t.false(text.includes("limit=7"));
  t.false(text.includes(token));
});
