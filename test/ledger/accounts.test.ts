/** A user's accounts are read in the order of their ids, removed ones too. */
import test from "ava";
import { readAccounts } from "../../src/ledger/accounts.ts";
import { insert, shareLedger } from "./world.ts";

const ledger = shareLedger();

test("accounts are read by user in the order of their ids, removed ones too", async (t) => {
  const {
    userIds: [u1, u2, u3],
  } = await ledger.party();
  await insert(ledger.database, "accounts", { user_id: u2, id: "x", name: "Theirs", iban: "DK1" });
  await insert(ledger.database, "accounts", { user_id: u1, id: "b", name: "Savings", iban: "", removed_after: 7 });
  await insert(ledger.database, "accounts", { user_id: u1, id: "a", name: "Salary", iban: "DK50" });
  await insert(ledger.database, "accounts", { user_id: u3, id: "c", name: "Not asked for", iban: "" });
  const accounts = await readAccounts(ledger.database, [u2, u1, 0]);
  t.deepEqual(
    [...accounts],
    [
      [
        u1,
        [
          { id: "a", name: "Salary", iban: "DK50", isRemoved: false },
          { id: "b", name: "Savings", iban: null, isRemoved: true },
        ],
      ],
      [u2, [{ id: "x", name: "Theirs", iban: "DK1", isRemoved: false }]],
    ],
  );
});
