/** What a partner may still upload is its quota beside what of its own lies in the vault. */
import { randomUUID } from "node:crypto";
import test from "ava";
import { findAllowance, quotaOnDisk } from "../../src/landing/allowance.ts";
import { changeSettings } from "../../src/partners/provisioning.ts";
import { addDelivery, addPartner } from "../parties.ts";
import { createTestDatabase } from "../world.ts";

test("a partner's allowance is its quota beside what of its own lies in the vault", async (t) => {
  const { database } = await createTestDatabase(t);
  await addPartner(database);
  await addPartner(database, "other");
  await changeSettings(database, "bank", { quota: { storedFiles: 7 } });
  t.like(await findAllowance(database, "bank"), { storedBytes: 0, storedFiles: 0 });
  for (const [partnerId, inVault] of [
    ["bank", true],
    ["bank", true],
    ["bank", false],
    ["other", true],
  ] as const) {
    const { id } = await addDelivery(database, partnerId, "loaded", { name: randomUUID(), door: "sftp" });
    if (inVault) await database.query("update deliveries set vault_reference = 'day/id' where id = $1", [id]);
  }
  const allowance = await findAllowance(database, "bank");
  t.like(allowance, { storedBytes: 20, storedFiles: 2 });
  t.like(allowance.quota, { storedFiles: 7, sessions: 32 });
});

test("without quotas of its own a partner may hold a part of a small disk; what an operator set counts as it is", async (t) => {
  const { database } = await createTestDatabase(t);
  await addPartner(database);
  const onDisk = () => findAllowance(database, "bank", quotaOnDisk(40 * 1024 ** 3));
  t.like((await onDisk()).quota, { inboxBytes: 10 * 1024 ** 3, storedBytes: 30 * 1024 ** 3, inboxFiles: 10_000 });
  t.deepEqual(quotaOnDisk(100 * 1024 ** 4), { inboxBytes: 100 * 1024 ** 3, storedBytes: 1024 ** 4 });
  await changeSettings(database, "bank", { quota: { inboxBytes: 50_000_000_000 } });
  t.like((await onDisk()).quota, { inboxBytes: 50_000_000_000, storedBytes: 30 * 1024 ** 3 });
});
