/** The cancel command calls a load off and retry goes on with it, and receipts are left to a running service. */
import { readdir } from "node:fs/promises";
import path from "node:path";
import test from "ava";
import { addDelivery, addPartner } from "../../parties.ts";
import { createTestDatabase } from "../../world.ts";
import { openCommandLine } from "../command.ts";

test("cancel calls off what waits or loads, retry goes on with it, and the trail says so", async (t) => {
  const { url, database } = await createTestDatabase(t);
  const { tideline } = await openCommandLine(t, url);
  await addPartner(database);
  const { id } = await addDelivery(database, "bank", "loading", { name: "nightly.jsonl" });
  await database.query(
    "update deliveries set records = 20000, records_new = 20000, vault_reference = 'x', size_bytes = 400, bytes_loaded = 100, run_started_at = now() - interval '10 seconds'",
  );
  const running = await tideline("status", "nightly.jsonl");
  t.regex(running.stdout, /progress +25 % of its bytes, [\d,]+ records\/s, some \d+ s left/);
  t.regex((await tideline("status")).stdout, /loading 25 %/);
  t.deepEqual(JSON.parse((await tideline("cancel", "nightly.jsonl", "--json")).stdout), {
    deliveryId: id,
    recordsLoaded: 20_000,
  });
  const { stdout } = await tideline("status", id);
  t.regex(stdout, /LOAD_CANCELLED: Loading was called off after 20000 records\./);
  const again = await tideline("cancel", id);
  t.is(again.code, 2);
  t.regex(again.stderr, /refused with LOAD_CANCELLED/);
  t.regex((await tideline("audit")).stdout, /delivery\.cancelled/);
  t.regex(
    (await tideline("quarantine", "release", id)).stdout,
    /The file waits to be loaded on after 20,000 records\./,
  );
  t.is((await tideline("cancel", id)).code, 0);
  t.is((await tideline("retry", id)).code, 0);
  t.is((await database.query("select 1 from deliveries where state = 'accepted' and records = 20000")).rowCount, 1);
});

test("where a service may run, a command leaves the receipt to it: the landing folder may be on another machine", async (t) => {
  const { url, database } = await createTestDatabase(t);
  const { tideline, dataDir } = await openCommandLine(t, url);
  await addPartner(database);
  for (const command of ["cancel", "withdraw"]) {
    const { id } = await addDelivery(database, "bank", "loading", { name: `${command}.jsonl`, door: "sftp" });
    await database.query("update deliveries set receipt_state = 'refused' where id = $1", [id]);
    t.is((await tideline(command, `${command}.jsonl`)).code, 0);
    t.is((await database.query("select 1 from deliveries where id = $1 and receipt_state is null", [id])).rowCount, 1);
  }
  await t.throwsAsync(readdir(path.join(dataDir, "landing", "bank")), { code: "ENOENT" });
});
