/** The status command finds deliveries by state, id or name, and retry gives back what was given up. */
import test from "ava";
import { addDelivery, addPartner, addUser } from "../../parties.ts";
import { createTestDatabase } from "../../world.ts";
import { openCommandLine } from "../command.ts";

type Status = {
  states: { state: string; deliveries: number }[];
  usersChanged: number;
  deliveries: { deliveryId: string; state: string }[];
};

test("status counts by state, lists the newest first and filters", async (t) => {
  const { url, database } = await createTestDatabase(t);
  const { tideline } = await openCommandLine(t, url);
  await addPartner(database);
  await addPartner(database, "other");
  const user = await addUser(database, "bank", "anna");
  await database.query("insert into changed_users (user_id) values ($1)", [user]);
  await addDelivery(database, "bank", "loaded");
  await addDelivery(database, "bank", "refused", { name: "a.jsonl" });
  const newest = await addDelivery(database, "other", "accepted");

  const all = JSON.parse((await tideline("status", "--json")).stdout) as Status;
  t.deepEqual(
    all.states.map((one) => [one.state, one.deliveries]),
    [
      ["accepted", 1],
      ["loaded", 1],
      ["refused", 1],
    ],
  );
  t.is(all.usersChanged, 1);
  t.is(all.deliveries[0]?.deliveryId, newest.id);
  const refused = JSON.parse(
    (await tideline("status", "--json", "--partner", "bank", "--state", "refused")).stdout,
  ) as Status;
  t.deepEqual(
    refused.deliveries.map((one) => one.state),
    ["refused"],
  );
  const { stdout } = await tideline("status", "--limit", "1");
  t.regex(stdout, /^Deliveries: 1 accepted \(0 records\), 1 loaded \(0 records\), 1 refused \(0 records\)$/m);
  t.regex(stdout, /Users to recognise: 1/);
});

test("a file of which batches could not be read does not look as if all were well", async (t) => {
  const { url, database } = await createTestDatabase(t);
  const { tideline } = await openCommandLine(t, url);
  await addPartner(database);
  const { id } = await addDelivery(database, "bank", "loaded", { name: "plain.jsonl" });
  await database.query("update deliveries set batches = 3, batches_refused = 2 where id = $1", [id]);
  t.regex((await tideline("status")).stdout, /loaded, 2 of 3 batches refused .* plain\.jsonl/);
  const { deliveries } = JSON.parse((await tideline("status", "--json")).stdout) as {
    deliveries: { counts: object }[];
  };
  t.like(deliveries[0]?.counts, { batches: 3, batchesRefused: 2, records: 0 });
});

test("one delivery is found by id, reqId or file name, and told in full", async (t) => {
  const { url, database } = await createTestDatabase(t);
  const { tideline } = await openCommandLine(t, url);
  await addPartner(database);
  const { id } = await addDelivery(database, "bank", "refused", { name: "nightly.jsonl" });
  const requestId = "3f0c3b5e-4d8a-4a6e-9d5a-0c3c1f0e7a11";
  await database.query("update deliveries set request_id = $2, started_at = now() where id = $1", [id, requestId]);
  await database.query(
    "insert into delivery_problems (delivery_id, line, index, field, reason) values ($1, 3, 7, 'tx.currency', 'is missing')",
    [id],
  );
  for (const reference of [id, requestId, "nightly.jsonl"]) {
    const { code, stdout } = await tideline("status", reference, "--json");
    t.is(code, 0);
    t.like(JSON.parse(stdout), {
      deliveryId: id,
      partnerId: "bank",
      state: "refused",
      refusal: { code: "LOAD_ABANDONED" },
      problemsTotal: 1,
    });
  }
  const { stdout } = await tideline("status", id);
  t.regex(stdout, /\n1 problem:\n  line 3, record 7, tx\.currency: is missing\n/);
  const unknown = await tideline("status", "nothing.jsonl");
  t.is(unknown.code, 1);
  t.regex(unknown.stderr, /NOT_FOUND/);
});

test("retry gives back what was given up, and nothing else", async (t) => {
  const { url, database } = await createTestDatabase(t);
  const { tideline } = await openCommandLine(t, url);
  await addPartner(database);
  const one = await addDelivery(database, "bank", "refused", { name: "one.jsonl", attempts: 5 });
  const two = await addDelivery(database, "bank", "refused", { attempts: 5 });
  const wrong = await addDelivery(database, "bank", "refused", { name: "wrong.jsonl" });
  await database.query("update deliveries set refusal_code = 'DECRYPTION_ERROR' where id = $1", [wrong.id]);
  await database.query("update deliveries set records = 20000, records_new = 20000 where id = $1", [one.id]);

  t.deepEqual(JSON.parse((await tideline("retry", "one.jsonl", "--json")).stdout), { deliveryIds: [one.id] });
  const { rows } = await database.query(
    "select state, attempts, records, refusal_code, finished_at from deliveries where id = $1",
    [one.id],
  );
  t.deepEqual(rows, [{ state: "accepted", attempts: 0, records: 20_000, refusal_code: null, finished_at: null }]);
  t.deepEqual(JSON.parse((await tideline("retry", "--all-failed", "--json")).stdout), { deliveryIds: [two.id] });
  t.deepEqual(JSON.parse((await tideline("retry", "--all-failed", "--json")).stdout), { deliveryIds: [] });

  const refused = await tideline("retry", "wrong.jsonl");
  t.is(refused.code, 2);
  t.regex(refused.stderr, /refused with DECRYPTION_ERROR/);
  t.is((await tideline("retry", "nothing.jsonl")).code, 1);
  t.regex((await tideline("audit", "--event", "delivery")).stdout, /delivery\.retried .*\n.*delivery\.retried /);
});

test("what was dropped is retried by name only, and then its quarantine is open again; what retention removed never is", async (t) => {
  const { url, database } = await createTestDatabase(t);
  const { tideline } = await openCommandLine(t, url);
  await addPartner(database);
  const dropped = await addDelivery(database, "bank", "refused", { name: "dropped.jsonl" });
  const removed = await addDelivery(database, "bank", "refused", { name: "removed.jsonl" });
  await database.query("update deliveries set quarantine_closed_at = now()");
  await database.query("update deliveries set bytes_removed_at = now() where id = $1", [removed.id]);
  t.deepEqual(JSON.parse((await tideline("retry", "--all-failed", "--json")).stdout), { deliveryIds: [] });
  t.regex((await tideline("retry", "removed.jsonl")).stderr, /COMMAND_USAGE.*Retention has removed the original/s);
  t.deepEqual(JSON.parse((await tideline("retry", "dropped.jsonl", "--json")).stdout), { deliveryIds: [dropped.id] });
  const { rows } = await database.query(
    "select id from deliveries where quarantine_closed_at is null and state = 'accepted'",
  );
  t.deepEqual(rows, [{ id: dropped.id }]);
});

test("a file name that several partners have is nobody's until one of them is named", async (t) => {
  const { url, database } = await createTestDatabase(t);
  const { tideline } = await openCommandLine(t, url);
  for (const partner of ["bank", "other"]) await addPartner(database, partner);
  const { id } = await addDelivery(database, "bank", "loaded", { name: "nightly.jsonl" });
  await addDelivery(database, "other", "loaded", { name: "nightly.jsonl" });
  const newest = await addDelivery(database, "other", "loaded", { name: "nightly.jsonl" });
  for (const command of [["status"], ["withdraw"], ["cancel"], ["retry"], ["quarantine", "show"]]) {
    const { code, stderr } = await tideline(...command, "nightly.jsonl");
    t.is(code, 2, command.join(" "));
    t.regex(stderr, /Several partners have one called "nightly\.jsonl": bank, other\. Say which with --partner\./);
  }
  t.is((await database.query("select 1 from deliveries where state <> 'loaded'")).rowCount, 0);
  t.like(JSON.parse((await tideline("status", "nightly.jsonl", "--partner", "other", "--json")).stdout), {
    deliveryId: newest.id,
  });
  t.like(JSON.parse((await tideline("withdraw", "nightly.jsonl", "--partner", "bank", "--json")).stdout), {
    deliveryId: id,
    withdrawn: true,
  });
});

test("a partner that is not there is told, and what waits behind deliveries is counted by partner", async (t) => {
  const { url, database } = await createTestDatabase(t);
  const { tideline } = await openCommandLine(t, url);
  for (const partner of ["bank", "other"]) await addPartner(database, partner);
  await database.query("insert into changed_users (user_id) values ($1)", [await addUser(database, "other", "anna")]);
  for (const command of [["status"], ["quarantine", "list"]])
    t.regex((await tideline(...command, "--partner", "bnak")).stderr, /NOT_FOUND.*There is no partner "bnak"/s);
  const usersChanged = async (partner: string) =>
    (JSON.parse((await tideline("status", "--json", "--partner", partner)).stdout) as Status).usersChanged;
  t.deepEqual([await usersChanged("bank"), await usersChanged("other")], [0, 1]);
});
