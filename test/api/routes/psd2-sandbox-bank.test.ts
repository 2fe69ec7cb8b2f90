/**
 * The sandbox bank keeps to a bank's rules: consents, tokens and codes are checked, and users go to registered
 * addresses only.
 */
import test from "ava";
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
