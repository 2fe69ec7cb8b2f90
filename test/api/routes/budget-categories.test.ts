/** The category tree is read with a token, in the caller's or the user's language. */
import test from "ava";
import { openWorld, partnerPath } from "../world.ts";

type Group = { id: string; name: string; categories: { id: string; name: string }[] };
type Tree = { version: string; expenses: Group[]; income: Group[] };

test.serial("a user reads the category tree in the language of Accept-Language", async (t) => {
  const { call, newUser } = await openWorld(t);
  const { token } = await newUser("anna");

  const english = await call("GET", `${partnerPath}/budget-categories`, {
    token,
    headers: { "accept-language": "en-GB" },
  });
  t.is(english.status, 200);
  t.is(english.headers["content-language"], "en");
  const tree = english.json as Tree;
  t.is(tree.expenses.length, 17);
  t.is(tree.income.length, 4);
  t.deepEqual(tree.expenses[0]?.categories[0], {
    id: "HOUSING_RENT",
    name: "Rent",
    coicop2018: "04.1",
    costType: "FIXED",
    essential: true,
  } as never);
  t.deepEqual(tree.income[0], {
    id: "INCOME_WORK",
    name: "Work",
    categories: [
      { id: "INCOME_SALARY", name: "Salary" },
      { id: "INCOME_BONUS_HOLIDAY", name: "Bonus and holiday pay" },
      { id: "INCOME_SELF_EMPLOYED", name: "Self-employment" },
    ],
  });

  const nameOf = async (acceptLanguage: string): Promise<string | undefined> =>
    (
      (await call("GET", `${partnerPath}/budget-categories`, { token, headers: { "accept-language": acceptLanguage } }))
        .json as Tree
    ).expenses[0]?.categories[0]?.name;
  t.is(await nameOf("nn, en;q=0.5"), "Husleie");
  t.is(await nameOf("fi, sv;q=0.8, en;q=0.9"), "Rent");
  t.is(await nameOf("sv"), "Hyra");
});

test.serial("without an Accept-Language that the tree knows, the user's own language is used", async (t) => {
  const { call, newUser, database } = await openWorld(t);
  const { token, userId } = await newUser("anna");
  await database.query("update users set locale = 'da-DK' where id = $1", [userId]);
  const asked = async (headers: Record<string, string>): Promise<string | string[] | undefined> =>
    (await call("GET", `${partnerPath}/budget-categories`, { token, headers })).headers["content-language"];
  t.is(await asked({}), "da");
  t.is(await asked({ "accept-language": "pl, da;q=0" }), "da");
  await database.query("update users set locale = 'pl-PL' where id = $1", [userId]);
  t.is(await asked({}), "en");
});

test.serial("without a token there is no tree", async (t) => {
  const { call } = await openWorld(t);
  t.is((await call("GET", `${partnerPath}/budget-categories`)).status, 401);
});
