/** Places in the staging area are bounded for each partner and for all together, and loading frees them. */
import test from "ava";
import { reserveRoom } from "../../src/landing/backlog.ts";
import { addDelivery, addPartner } from "../parties.ts";
import { createTestDatabase } from "../world.ts";

test("room is taken one by one, up to the partner's limit", async (t) => {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  const limits = { ofPartner: 3, ofAll: 100 };
  for (const state of ["accepted", "loading", "accepted"] as const) {
    t.true(await reserveRoom(database, partnerId, limits));
    await addDelivery(database, partnerId, state);
  }
  t.false(await reserveRoom(database, partnerId, limits));
  t.true(await reserveRoom(database, partnerId, { ofPartner: 4, ofAll: 100 }));
});

test("what was loaded makes room as soon as it is needed", async (t) => {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  await addDelivery(database, partnerId, "accepted");
  const limits = { ofPartner: 1, ofAll: 100 };
  t.false(await reserveRoom(database, partnerId, limits));
  await database.query("update deliveries set state = 'loaded'");
  t.true(await reserveRoom(database, partnerId, limits));
});

test("all partners together have a limit, which counts what the others took a moment ago", async (t) => {
  const { database } = await createTestDatabase(t);
  const [north, south] = [await addPartner(database, "north"), await addPartner(database, "south")];
  const limits = { ofPartner: 10, ofAll: 2 };
  t.true(await reserveRoom(database, north, limits));
  await addDelivery(database, north, "accepted");
  t.true(await reserveRoom(database, south, limits));
  await addDelivery(database, south, "loading");
  t.false(await reserveRoom(database, north, limits));
  t.false(await reserveRoom(database, south, limits));
  t.true(await reserveRoom(database, south, { ofPartner: 10, ofAll: 3 }));
});
