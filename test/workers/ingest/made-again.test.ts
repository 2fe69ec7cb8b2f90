/** Somebody made again under a deleted user's name gets nothing that was accepted before the deletion, by no way. */
import test from "ava";
import { eraseDeleted } from "../../../src/data-subjects/erase.ts";
import { markDue } from "../../../src/deliveries/held.ts";
import { requestRevisit } from "../../../src/deliveries/revisits.ts";
import { createEvents } from "../../../src/events.ts";
import { deleteUser } from "../../../src/partners/users.ts";
import { addUser } from "../../parties.ts";
import {
  accountsCsv,
  countsOf,
  ledgerSize,
  lineFile,
  type LoadingWorld,
  openLoading,
  problemsOf,
  request,
  transaction,
  transactionsCsv,
} from "../world.ts";

const reason = "was deleted and made again since this was accepted";

async function release(world: LoadingWorld, deliveryId: string) {
  await markDue(world.database, deliveryId, null);
  await requestRevisit(world.database, deliveryId);
  return await world.ingest(deliveryId);
}

/** @returns the new user's number */
async function makeAgain(world: LoadingWorld, userId: number, bankUserId: string): Promise<number> {
  await deleteUser(world.database, userId);
  return await addUser(world.database, world.partnerId, bankUserId);
}

test("what waited to be loaded is refused for the new user, and says why; others get theirs", async (t) => {
  const world = await openLoading(t);
  const lines = [request([transaction("u1", "a"), transaction("u2", "b"), { uid: "u1", type: "IMPORT_COMPLETED" }])];
  const delivery = await world.deliverFile("jsonl", lineFile(lines));
  const again = await makeAgain(world, world.userIds[0]!, "u1");
  t.deepEqual(countsOf(await world.ingest(delivery)), { batches: 1, records: 3, new: 1, refused: 2 });
  t.like((await problemsOf(world.database, delivery))[0], { field: "uid", reason });
  t.is((await world.database.query("select 1 from transactions where user_id = $1", [again])).rowCount, 0);
  t.deepEqual(countsOf(await world.load([transaction("u1", "c")])), { batches: 1, records: 1, new: 1 });
});

test("a release from quarantine brings a new user nothing of before, also after the erasure", async (t) => {
  const world = await openLoading(t);
  const early = await world.load([transaction("late", "a")]);
  t.deepEqual(countsOf(early), { batches: 1, records: 1, refused: 1 });
  const first = await addUser(world.database, world.partnerId, "late");
  await makeAgain(world, first, "late");
  t.deepEqual(countsOf(await release(world, early.id)), { batches: 1, records: 1, refused: 1 });
  const erasing = { database: world.database, events: createEvents({ level: "silent" }), now: new Date() };
  t.is((await eraseDeleted({ ...erasing, now: new Date(Date.now() + 31 * 86_400_000) }, "test")).partners[0]?.users, 1);
  t.deepEqual(countsOf(await release(world, early.id)), { batches: 1, records: 1, refused: 1 });
  t.is(await ledgerSize(world.database), 0);
});

test("a user first made after something was accepted still gets it when it is released", async (t) => {
  const world = await openLoading(t);
  const early = await world.load([transaction("late", "a")]);
  await addUser(world.database, world.partnerId, "late");
  t.deepEqual(countsOf(await release(world, early.id)), { batches: 1, records: 1, new: 1 });
});

test("payments that wait for an account are not the new user's when the account is named", async (t) => {
  const world = await openLoading(t, { "csv.unencrypted": true });
  const early = await world.loadCsv(
    "transactions",
    transactionsCsv([{ transaction_id: "t1", account_number: "later" }]),
  );
  t.deepEqual(countsOf(early), { batches: 1, records: 1, waiting: 1 });
  await makeAgain(world, world.userIds[0]!, "u1");
  await world.loadCsv("accounts", accountsCsv({ later: "u1" }));
  t.deepEqual(countsOf(await world.ingest(early.id)), { batches: 1, records: 1, refused: 1 });
  const later = transactionsCsv([{ transaction_id: "t2", account_number: "later" }]);
  t.deepEqual(countsOf(await world.loadCsv("transactions", later)), { batches: 1, records: 1, new: 1 });
});

test("a deletion is forgotten when no delivery from before it is left", async (t) => {
  const world = await openLoading(t);
  await world.load([transaction("u1", "a")]);
  await deleteUser(world.database, world.userIds[0]!);
  const erase = async () =>
    await eraseDeleted(
      { database: world.database, events: createEvents({ level: "silent" }), now: new Date() },
      "test",
    );
  const count = async () => (await world.database.query("select 1 from departures")).rowCount;
  await erase();
  t.is(await count(), 1);
  await world.database.query("update deliveries set accepted_at = now() + interval '1 second'");
  await erase();
  t.is(await count(), 0);
});
