/** Users are found by their partner's ids as long as they are not deleted. */
import test from "ava";
import { findOwners } from "../../src/ledger/owners.ts";
import { shareLedger, unasked } from "./world.ts";

const ledger = shareLedger();

test("users are found by the partner's ids, and those that it does not have are absent", async (t) => {
  const {
    partnerId,
    userIds: [u1, , u3],
  } = await ledger.party();
  await ledger.party();
  t.deepEqual(
    await findOwners(ledger.database, partnerId, ["u3", "u1", "u9"]),
    new Map([
      ["u1", u1],
      ["u3", u3],
    ]),
  );
  t.deepEqual(await findOwners(ledger.database, "no-bank", ["u1"]), new Map());
});

test("a deleted user is found no more", async (t) => {
  const {
    partnerId,
    userIds: [u1, u2],
  } = await ledger.party();
  await ledger.database.query("update users set deleted_at = now() where id = $1", [u1]);
  t.deepEqual(await findOwners(ledger.database, partnerId, ["u1", "u2"]), new Map([["u2", u2]]));
});

test("for nobody nothing is asked of the database", async (t) => {
  t.deepEqual(await findOwners(unasked, "bank", []), new Map());
});
