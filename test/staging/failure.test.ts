/** What a failure means for its delivery depends on what it speaks against. */
import test from "ava";
import { createClock } from "../../src/time/clock.ts";
import { createEvents } from "../../src/events.ts";
import { dispatch, type Dispatching } from "../../src/staging/dispatch.ts";
import { loadAttemptsMax } from "../../config/staging.ts";
import { isOwnFault } from "../../src/staging/failure.ts";
import { addDelivery, addPartner } from "../parties.ts";
import { createTestDatabase } from "../world.ts";

test("what the disk, the way to it, the machine or another loader says does not count against a delivery", (t) => {
  const codes = ["EROFS", "EACCES", "ESTALE", "ETIMEDOUT", "EIO", "VAULT_AWAY", "ENOSPC", "LOAD_OVERTAKEN", "40001"];
  for (const code of codes) t.false(isOwnFault(Object.assign(new Error("not now"), { code })), code);
  for (const code of ["VAULT_GONE", "DATABASE_ERROR", "23505"])
    t.true(isOwnFault(Object.assign(new Error("its own"), { code })), code);
  t.true(isOwnFault(new TypeError("a bug")));
});

test("a file that is gone counts against its delivery where the vault is, and not where the vault is away", async (t) => {
  const { database } = await createTestDatabase(t);
  const { id } = await addDelivery(database, await addPartner(database), "loading");
  const dispatching: Dispatching = {
    database,
    ingest: () => Promise.reject(Object.assign(new Error("gone"), { code: "VAULT_GONE" })),
    ingestGroup: () => Promise.reject(new Error("is not reached")),
    wake: () => undefined,
    events: createEvents({ level: "silent" }),
    clock: createClock(),
    receipts: { write: () => Promise.resolve(), writeAll: async () => new Map() },
  };
  const row = async () =>
    (await database.query<{ state: string; attempts: number }>("select state, attempts from deliveries")).rows[0];
  for (let n = 0; n < 2 * loadAttemptsMax; n += 1) await dispatch({ ...dispatching, findVault: async () => false }, id);
  t.deepEqual(await row(), { state: "loading", attempts: 0 });
  await dispatch({ ...dispatching, findVault: async () => true }, id);
  t.deepEqual(await row(), { state: "loading", attempts: 1 });
});
