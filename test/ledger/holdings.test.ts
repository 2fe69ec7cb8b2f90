/** Accounts and cards are kept once with what was last said of them, and removed ones come back only by later word. */
import test from "ava";
import { inTransaction } from "../../src/database/database.ts";
import { LatestOfEach, postAccounts, postCards } from "../../src/ledger/holdings.ts";
import type { LedgerAccount, LedgerCard } from "../../src/ledger/row.ts";
import { insert, shareLedger, unasked } from "./world.ts";

const ledger = shareLedger();

const account = (userId: number, id: string, more: Partial<LedgerAccount> = {}) => ({
  userId,
  thing: { id, name: "Salary", iban: "DK50", ...more },
});
const card = (userId: number, id: string, more: Partial<LedgerCard> = {}) => ({
  userId,
  thing: { id, pan4: "1234", cardType: "DEBIT", paymentNetwork: "VISA", ...more },
});

const sendAccounts = (position: number, ...accounts: ReturnType<typeof account>[]) =>
  inTransaction(ledger.database, (transaction) => postAccounts(transaction, position, accounts));
const sendCards = (...cards: ReturnType<typeof card>[]) =>
  inTransaction(ledger.database, (transaction) => postCards(transaction, cards));

async function accounts(...userIds: number[]): Promise<unknown[]> {
  const { rows } = await ledger.database.query<{ row: unknown[] }>(
    "select jsonb_build_array(user_id, id, name, iban, removed_after) as row from accounts where user_id = any($1) order by user_id, id",
    [userIds],
  );
  return rows.map(({ row }) => row);
}

async function cards(...userIds: number[]): Promise<unknown[]> {
  const { rows } = await ledger.database.query<{ row: unknown[] }>(
    "select jsonb_build_array(user_id, id, pan4, card_type, payment_network) as row from cards where user_id = any($1) order by user_id, id",
    [userIds],
  );
  return rows.map(({ row }) => row);
}

/** The versions of a user's rows: another one is there when a row was written. */
async function versions(table: "accounts" | "cards", userId: number): Promise<unknown[]> {
  return (await ledger.database.query(`select id, xmin::text from ${table} where user_id = $1 order by id`, [userId]))
    .rows;
}

test("without accounts and cards nothing is asked of the database", async (t) => {
  await t.notThrowsAsync(postAccounts(unasked, 1, []));
  await t.notThrowsAsync(postCards(unasked, []));
});

test("a new account is there as it was described, one for each user", async (t) => {
  const {
    userIds: [u1, u2],
  } = await ledger.party();
  await sendAccounts(1, account(u1, "a"), account(u1, "b"), account(u2, "a", { name: "", iban: "" }));
  await sendAccounts(1, account(u2, "b"));
  t.deepEqual(await accounts(u1, u2), [
    [u1, "a", "Salary", "DK50", null],
    [u1, "b", "Salary", "DK50", null],
    [u2, "a", "", "", null],
    [u2, "b", "Salary", "DK50", null],
  ]);
});

test("what a later record says of an account replaces what was known, but nothing empty does", async (t) => {
  const {
    userIds: [u1, u2],
  } = await ledger.party();
  const ids = ["a", "b", "c", "d", "e"];
  await sendAccounts(1, ...ids.map((id) => account(u1, id)), account(u2, "a"));
  await sendAccounts(
    2,
    account(u1, "a", { name: "Savings" }),
    account(u1, "b", { iban: "DK51" }),
    account(u1, "c", { name: "", iban: "DK52" }),
    account(u1, "d", { name: "House", iban: "" }),
    account(u1, "e", { name: "", iban: "" }),
  );
  t.deepEqual(await accounts(u1, u2), [
    [u1, "a", "Savings", "DK50", null],
    [u1, "b", "Salary", "DK51", null],
    [u1, "c", "Salary", "DK52", null],
    [u1, "d", "House", "DK50", null],
    [u1, "e", "Salary", "DK50", null],
    [u2, "a", "Salary", "DK50", null],
  ]);
});

test("accounts of which nothing new is said are not written", async (t) => {
  const {
    userIds: [u1],
  } = await ledger.party();
  await sendAccounts(1, account(u1, "a"), account(u1, "b"), account(u1, "c"), account(u1, "d"));
  await ledger.database.query("update accounts set removed_after = 9 where user_id = $1 and id = 'd'", [u1]);
  const before = await versions("accounts", u1);
  await sendAccounts(
    2,
    account(u1, "a"),
    account(u1, "b", { name: "" }),
    account(u1, "c", { iban: "" }),
    account(u1, "d"),
  );
  t.deepEqual(await versions("accounts", u1), before);
});

test("a removed account comes back with a delivery that was accepted after the removal, and only then", async (t) => {
  const {
    userIds: [u1],
  } = await ledger.party();
  for (const id of ["before", "same", "after", "renamed"])
    await insert(ledger.database, "accounts", { user_id: u1, id, name: "Salary", iban: "DK50", removed_after: 10 });
  await sendAccounts(9, account(u1, "before"));
  await sendAccounts(10, account(u1, "same"), account(u1, "renamed", { name: "Savings" }));
  await sendAccounts(11, account(u1, "after"));
  t.deepEqual(await accounts(u1), [
    [u1, "after", "Salary", "DK50", null],
    [u1, "before", "Salary", "DK50", 10],
    [u1, "renamed", "Savings", "DK50", 10],
    [u1, "same", "Salary", "DK50", 10],
  ]);
});

test("a removed account comes back when it is renamed after the removal", async (t) => {
  const {
    userIds: [u1],
  } = await ledger.party();
  await insert(ledger.database, "accounts", { user_id: u1, id: "a", name: "Salary", iban: "DK50", removed_after: 10 });
  await sendAccounts(11, account(u1, "a", { name: "Savings" }));
  t.deepEqual(await accounts(u1), [[u1, "a", "Savings", "DK50", null]]);
});

test("a new account that the user was said not to keep is removed from the start, unless its delivery came later", async (t) => {
  const {
    userIds: [u1, u2],
  } = await ledger.party();
  const review = (userId: number, position: number, kept: string[]) =>
    ledger.database.query("insert into account_reviews (user_id, position, kept) values ($1, $2, $3)", [
      userId,
      position,
      kept,
    ]);
  await review(u1, 10, ["kept", "keptFirst"]);
  await review(u1, 20, ["kept", "keptLast"]);
  await review(u2, 30, []);
  await sendAccounts(10, account(u1, "kept"), account(u1, "keptFirst"), account(u1, "keptLast"), account(u1, "new"));
  await sendAccounts(11, account(u1, "laterKept"), account(u1, "later"));
  await sendAccounts(20, account(u1, "last"));
  await sendAccounts(21, account(u1, "after"));
  t.deepEqual(
    (await accounts(u1)).map((row) => [(row as unknown[])[1], (row as unknown[])[4]]),
    [
      ["after", null],
      ["kept", null],
      ["keptFirst", 20],
      ["keptLast", 10],
      ["last", 20],
      ["later", 20],
      ["laterKept", 20],
      ["new", 20],
    ],
  );
});

test("accounts and cards go in by user and id, in every loader", async (t) => {
  const {
    userIds: [u1, u2],
  } = await ledger.party();
  const places = [
    [u2, "a"],
    [u1, "b"],
    [u1, "c"],
    [u2, "B"],
    [u1, "a"],
  ] as const;
  await sendAccounts(1, ...places.map(([userId, id]) => account(userId, id)));
  await sendCards(...places.map(([userId, id]) => card(userId, id)));
  for (const table of ["accounts", "cards"]) {
    const { rows } = await ledger.database.query<{ user_id: number; id: string }>(
      `select user_id, id from ${table} where user_id = any($1) order by ctid`,
      [[u1, u2]],
    );
    t.deepEqual(
      rows.map((row) => [row.user_id, row.id]),
      [
        [u1, "a"],
        [u1, "b"],
        [u1, "c"],
        [u2, "B"],
        [u2, "a"],
      ],
      table,
    );
  }
});

test("a new card is there as it was described, one for each user", async (t) => {
  const {
    userIds: [u1, u2],
  } = await ledger.party();
  await sendCards(card(u1, "a"));
  await sendCards(card(u1, "b"), card(u2, "a"), card(u2, "b", { pan4: "", cardType: null, paymentNetwork: null }));
  t.deepEqual(await cards(u1, u2), [
    [u1, "a", "1234", "DEBIT", "VISA"],
    [u1, "b", "1234", "DEBIT", "VISA"],
    [u2, "a", "1234", "DEBIT", "VISA"],
    [u2, "b", "", null, null],
  ]);
});

test("what a later record says of a card replaces what was known, but nothing absent does", async (t) => {
  const {
    userIds: [u1, u2],
  } = await ledger.party();
  const ids = ["a", "b", "c", "d", "e", "f"];
  await sendCards(...ids.map((id) => card(u1, id)), card(u2, "a"));
  await sendCards(
    card(u1, "a", { pan4: "9999" }),
    card(u1, "b", { cardType: "CREDIT" }),
    card(u1, "c", { paymentNetwork: "DANKORT" }),
    card(u1, "d", { pan4: "", cardType: "CREDIT" }),
    card(u1, "e", { pan4: "9999", cardType: null, paymentNetwork: null }),
    card(u1, "f", { cardType: null, paymentNetwork: "DANKORT" }),
  );
  t.deepEqual(await cards(u1, u2), [
    [u1, "a", "9999", "DEBIT", "VISA"],
    [u1, "b", "1234", "CREDIT", "VISA"],
    [u1, "c", "1234", "DEBIT", "DANKORT"],
    [u1, "d", "1234", "CREDIT", "VISA"],
    [u1, "e", "9999", "DEBIT", "VISA"],
    [u1, "f", "1234", "DEBIT", "DANKORT"],
    [u2, "a", "1234", "DEBIT", "VISA"],
  ]);
});

test("a card's type and network are filled in when they become known", async (t) => {
  const {
    userIds: [u1],
  } = await ledger.party();
  await sendCards(card(u1, "a", { cardType: null, paymentNetwork: null }));
  await sendCards(card(u1, "a", { paymentNetwork: null }));
  t.deepEqual(await cards(u1), [[u1, "a", "1234", "DEBIT", null]]);
  await sendCards(card(u1, "a", { cardType: null }));
  t.deepEqual(await cards(u1), [[u1, "a", "1234", "DEBIT", "VISA"]]);
});

test("cards of which nothing new is said are not written", async (t) => {
  const {
    userIds: [u1],
  } = await ledger.party();
  await sendCards(
    card(u1, "a"),
    card(u1, "b"),
    card(u1, "c"),
    card(u1, "d"),
    card(u1, "e", { cardType: null, paymentNetwork: null }),
  );
  const before = await versions("cards", u1);
  await sendCards(
    card(u1, "a"),
    card(u1, "b", { pan4: "" }),
    card(u1, "c", { cardType: null }),
    card(u1, "d", { paymentNetwork: null }),
    card(u1, "e", { cardType: null, paymentNetwork: null }),
  );
  t.deepEqual(await versions("cards", u1), before);
});

test("of several descriptions of one user's account the last one counts", (t) => {
  const latest = new LatestOfEach<LedgerAccount>();
  const told = (name: string, id = "a"): LedgerAccount => ({ id, name, iban: "" });
  latest.note(1, told("first"));
  latest.note(2, told("theirs"));
  latest.note(1, told("other", "b"));
  latest.note(1, told("last"));
  t.deepEqual(latest.list(), [
    { userId: 1, thing: told("last") },
    { userId: 2, thing: told("theirs") },
    { userId: 1, thing: told("other", "b") },
  ]);
});
