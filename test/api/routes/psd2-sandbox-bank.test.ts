/**
 * The sandbox bank keeps to a bank's rules: consents, tokens and codes are checked, and users go to registered
 * addresses only.
 */
import test from "ava";
import { removeOldConsents } from "../../../src/demo/sandbox-bank/consents.ts";
import { browse, start, signIn, decide } from "./psd2-browser.ts";

test.serial("the sandbox bank keeps to its own rules: consent, token, code and verifier", async (t) => {
  const started = await start(t);
  const { world } = started;
  const fields = await signIn(world, started);
  const unchosen = await browse(world, "POST", "/sandbox-bank/decision", {
    ...fields,
    decision: "approve",
    account: "foreign",
  });
  t.is(unchosen.status, 200);
  t.true(unchosen.html.includes("Vælg mindst én konto"));
  t.is(
    (
      await browse(world, "POST", "/sandbox-bank/token", {
        grant_type: "authorization_code",
        code: "x",
        code_verifier: "y",
      })
    ).status,
    400,
  );
  t.is((await browse(world, "GET", "/sandbox-bank/psd2/v1/accounts")).status, 401);
  t.is((await browse(world, "GET", "/sandbox-bank/authorize?scope=AIS:x")).status, 400);
  for (const [validUntil, status] of [
    ["2099-01-01", 201],
    ["2020-01-01", 400],
    ["0000-01-01", 400],
    ["soon", 400],
  ] as const) {
    t.is((await browse(world, "POST", "/sandbox-bank/psd2/v1/consents", { validUntil })).status, status, validUntil);
  }
});

test.serial("the sandbox bank sends users back to its client's registered address only", async (t) => {
  const started = await start(t);
  const { world } = started;
  const fields = await signIn(world, started);
  for (const redirect_uri of [
    "https://evil.example/",
    "https:evil.example",
    `${fields["redirect_uri"]}/more`,
    "javascript:alert(1)",
  ]) {
    for (const decision of ["approve", "refuse", "fail"]) {
      const decided = await browse(world, "POST", "/sandbox-bank/decision", {
        ...fields,
        redirect_uri,
        decision,
        account: (fields["accounts"] ?? "").split(" "),
      });
      t.deepEqual([decided.status, decided.headers.location], [400, undefined], `${decision} ${redirect_uri}`);
    }
  }
  t.is(
    (await decide(world, fields, "approve")).headers.location,
    "https://bank.example/app/done?order=7&psd2Status=SUCCESS",
  );
});

test.serial("the sandbox bank is there for partners alone that are marked as trying things out", async (t) => {
  const { world, page, path } = await start(t);
  t.true(page.html.includes("Sandbox Bank"));
  t.is(await world.psd2.ownBank("south"), null);
  const consent = async (validUntil = "2026-09-01") => {
    const url = `https://localhost:${world.port}/sandbox-bank/psd2/v1/consents`;
    const answer = await world.call("POST", new URL(url).pathname, { body: { validUntil } });
    return answer.status;
  };
  t.is(await consent(), 201);
  await world.database.query(`update partners set settings = '{"psd2": {"sandbox": false}}' where id = 'north'`);
  t.false((await browse(world, "GET", path)).html.includes("Sandbox Bank"));
  t.is(await consent(), 404);
  t.is((await browse(world, "GET", "/sandbox-bank/authorize?scope=AIS:x")).status, 404);
});

test.serial("the sandbox bank holds a bounded number of consents, and forgets old ones", async (t) => {
  const { world } = await start(t);
  const consent = async () =>
    (await world.call("POST", "/sandbox-bank/psd2/v1/consents", { body: { validUntil: "2026-09-01" } })).status;
  const count = async () =>
    (await world.database.query<{ n: number }>("select count(*)::int as n from sandbox_consents")).rows[0]?.n;
  await world.database.query(
    `insert into sandbox_consents (id, valid_until) select gen_random_uuid(), '2026-09-01' from generate_series(1, 999)`,
  );
  t.is(await consent(), 201);
  t.is(await consent(), 429);
  t.is(await count(), 1000);
  // Nobody decided these within an hour; one that a user agreed to counts until its last day.
  await world.database.query("update sandbox_consents set created_at = now() - interval '61 minutes'");
  await world.database.query(
    "update sandbox_consents set status = 'valid' where id in (select id from sandbox_consents limit 2)",
  );
  t.is(await removeOldConsents(world.database, "2026-09-01"), 998);
  t.is(await consent(), 201);
  t.is(await count(), 3);
  t.is(await removeOldConsents(world.database, "2026-09-02"), 3);
});
