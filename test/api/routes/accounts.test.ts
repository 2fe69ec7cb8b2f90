/** Accounts that a user takes away vanish from every read at once, and balances are kept to the minor unit. */
import test from "ava";
import { openRecognised, type Paid } from "../recognised.ts";
import { openWorld, partnerPath } from "../world.ts";

const keepPath = `${partnerPath}/accounts`;
const balancesPath = `${partnerPath}/accounts-balances`;

function monthly(name: string, prefix: string): Paid[] {
  return ["2026-01", "2026-02", "2026-03", "2026-04", "2026-05", "2026-06"].map((month) => ({
    txid: `${prefix}${month}`,
    day: `${month}-03`,
    amount: -79,
    name,
    mcc: 5815,
  }));
}

test.serial(
  "services, upcoming payments and transactions of a removed account are gone when the call answers",
  async (t) => {
    const world = await openRecognised(t);
    const one = await world.customer("anna", "2026-06-10", [...monthly("Netflix", "n"), ...monthly("Spotify", "s")]);
    await world.database.query(
      `with described as (insert into accounts (user_id, id, name, iban) values ($1, 'keep', 'Keep', ''), ($1, 'drop', 'Drop', ''))
     update transactions set account_id = case when txid like 'n%' then 'keep' else 'drop' end where user_id = $1`,
      [one.userId],
    );
    t.is((await one.list()).services.length, 2);
    const answer = await world.call("PUT", keepPath, { token: one.token, body: ["keep"] });
    t.is(answer.status, 200);
    t.is(answer.text, "");
    const { services } = await one.list();
    t.deepEqual(
      services.map((service) => service.product.title),
      ["Netflix"],
    );
    t.is(
      ((await world.call("GET", `${partnerPath}/upcoming-payments`, { token: one.token })).json as unknown[]).length,
      1,
    );
    const listed = (await world.call("GET", `${partnerPath}/transactions`, { token: one.token })).json as {
      accountId: string;
    }[];
    t.deepEqual([...new Set(listed.map(({ accountId }) => accountId))], ["keep"]);
  },
);

test.serial("an empty list removes access to all; another user's accounts stay", async (t) => {
  const world = await openRecognised(t);
  const anna = await world.customer("anna", "2026-06-10", monthly("Netflix", "n"));
  const bent = await world.customer("bent", "2026-06-10", monthly("Netflix", "n"));
  await world.database.query("insert into accounts (user_id, id, name, iban) select id, 'a', 'A', '' from users");
  await world.database.query("update transactions set account_id = 'a'");
  t.is((await world.call("PUT", keepPath, { token: anna.token, body: [] })).status, 200);
  t.is((await anna.list()).services.length, 0);
  t.is((await bent.list()).services.length, 1);
});

for (const [what, body] of [
  ["no array", { accounts: ["a"] }],
  ["an id that is no text", [1]],
  ["an empty id", [""]],
  ["NUL", ["a\0"]],
] as const) {
  test.serial(`a list of accounts with ${what} is refused`, async (t) => {
    const { call, newUser } = await openWorld(t);
    const { token } = await newUser("anna");
    const answer = await call("PUT", keepPath, { token, body });
    t.is(answer.status, 400);
    t.like(answer.json, { code: "REQUEST_INVALID" });
  });
}

test.serial("balances are kept to the minor unit", async (t) => {
  const { call, newUser, database } = await openWorld(t);
  const { token, userId } = await newUser("anna");
  const accounts = [
    { accountId: "a", accountName: "Løn", observedTime: "2026-06-01T12:00:00", balance: 1234.1, added: "later" },
  ];
  const answer = await call("PUT", balancesPath, { token, body: { accounts } });
  t.is(answer.status, 200);
  const { rows } = await database.query(
    "select id, name, balance::text, balance_observed_at as at from accounts where user_id = $1",
    [userId],
  );
  t.deepEqual(rows, [{ id: "a", name: "Løn", balance: "1234.10", at: new Date("2026-06-01T10:00:00Z") }]);
});

const balance = { accountId: "a", observedTime: "2026-06-01T12:00:00Z", balance: 1 };
for (const [what, accounts, pointer] of [
  ["no account", [], "/accounts"],
  ["a missing balance", [{ accountId: "a", observedTime: "2026-06-01T12:00:00Z" }], "/accounts/0"],
  ["a balance as text", [{ ...balance, balance: "1" }], "/accounts/0/balance"],
  ["a day that does not exist", [{ ...balance, observedTime: "2026-02-30T12:00:00Z" }], "/accounts/0/observedTime"],
  ["a time that has not come", [{ ...balance, observedTime: "2126-06-01T12:00:00Z" }], "/accounts/0/observedTime"],
  ["no time", [{ ...balance, observedTime: "2026-02-20" }], "/accounts/0/observedTime"],
  ["an account twice", [balance, balance], "/accounts/1/accountId"],
  ["a balance beyond counting", [{ ...balance, balance: 1e300 }], "/accounts/0/balance"],
] as const) {
  test.serial(`balances with ${what} are refused by their place, and nothing is kept`, async (t) => {
    const { call, newUser, database } = await openWorld(t);
    const { token } = await newUser("anna");
    const answer = await call("PUT", balancesPath, { token, body: { accounts } });
    t.is(answer.status, 400);
    const { errors } = answer.json as { errors: { pointer: string }[] };
    t.true(
      errors.some((error) => error.pointer.startsWith(pointer)),
      JSON.stringify(errors),
    );
    t.is((await database.query("select 1 from accounts")).rowCount, 0);
  });
}

test.serial("both need a token", async (t) => {
  const { call } = await openWorld(t);
  t.is((await call("PUT", keepPath, { body: [] })).status, 401);
  t.is((await call("PUT", balancesPath, { body: { accounts: [balance] } })).status, 401);
});
