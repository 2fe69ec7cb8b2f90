/** What was refused is listed, released after a fix, dropped or withdrawn by commands, and OpenPGP keys open it. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import test from "ava";
import { decrypt, createMessage, encrypt, readKey, readPrivateKey } from "openpgp";
import { loadKeyEncryptionKey } from "../../../src/partners/keys/key-encryption-key.ts";
import { findPgpKeys } from "../../../src/partners/keys/pgp-keys.ts";
import { addPartner, addUser } from "../../parties.ts";
import { countsOf, openLoading, transaction } from "../../workers/world.ts";
import { createTestDatabase } from "../../world.ts";
import { openCommandLine } from "../command.ts";

test("what was refused is listed, shown by fault, and released after a fix", async (t) => {
  const world = await openLoading(t);
  const { tideline } = await openCommandLine(t, world.settings.databaseUrl);
  t.is((await tideline("quarantine", "list")).stdout, "Nothing is in quarantine.\n");
  const { id } = await world.load([transaction("u1", "t1"), transaction("new", "t2"), 7]);
  t.like(JSON.parse((await tideline("quarantine", "list", "--json")).stdout)[0], {
    id,
    partnerId: "bank",
    refused: 2,
    waiting: 0,
  });
  const shown = await tideline("quarantine", "show", id);
  t.regex(shown.stdout, /^1 +refused +uid +is not a user of the partner +line 0, record 1$/m);
  t.regex(shown.stdout, /^1 +refused +record +is not an object +line 0, record 2$/m);
  await addUser(world.database, "bank", "new");
  t.like(JSON.parse((await tideline("quarantine", "release", id, "--problem", "uid", "--json")).stdout), {
    records: 1,
  });
  t.deepEqual(countsOf(await world.ingest(id)), { batches: 1, records: 3, new: 2, refused: 1 });
  const { rows } = await world.database.query(
    "select event, details from audit_events where event not like 'command.%' order by id",
  );
  t.deepEqual(rows, [{ event: "quarantine.released", details: { deliveryId: id, field: "uid", records: 1 } }]);
});

test("a line of which nothing could be read is released as a batch", async (t) => {
  const world = await openLoading(t);
  const { tideline } = await openCommandLine(t, world.settings.databaseUrl);
  const id = await world.deliverFile("jsonl", "not a request\n");
  t.deepEqual(countsOf(await world.ingest(id)), { batches: 1, batchesRefused: 1 });
  t.regex(
    (await tideline("quarantine", "show", id)).stdout,
    /^0 in 1 batch +refused +record +is not a TransactionsRequest +line 1$/m,
  );
  t.regex((await tideline("quarantine", "release", id)).stdout, /^Read again.*: 0 records and 1 whole batch\./);
});

test("what is given up is held no more, and its original may go", async (t) => {
  const world = await openLoading(t);
  const { tideline } = await openCommandLine(t, world.settings.databaseUrl);
  const { id } = await world.load([7]);
  t.like(JSON.parse((await tideline("quarantine", "drop", id, "--json")).stdout), { dropped: true });
  t.is((await tideline("quarantine", "list")).stdout, "Nothing is in quarantine.\n");
  const released = await tideline("quarantine", "release", id);
  t.is(released.code, 2);
  t.regex(released.stderr, /was dropped/);
});

test("a file refused at the door cannot be released, and an unknown one is not found", async (t) => {
  const world = await openLoading(t);
  const { tideline } = await openCommandLine(t, world.settings.databaseUrl);
  const id = await world.deliverFile("jwe", "x");
  await world.database.query(
    "update deliveries set state = 'refused', refusal_code = 'FILE_DUPLICATE', vault_reference = null where id = $1",
    [id],
  );
  const released = await tideline("quarantine", "release", id);
  t.is(released.code, 2);
  t.regex(released.stderr, /refused at the door with FILE_DUPLICATE/);
  t.regex((await tideline("quarantine", "show", "nothing")).stderr, /NOT_FOUND/);
  t.regex((await tideline("quarantine", "eat", id)).stderr, /COMMAND_USAGE/);
});

test("withdraw says what left, and when nothing does", async (t) => {
  const world = await openLoading(t);
  const { tideline } = await openCommandLine(t, world.settings.databaseUrl);
  const { id } = await world.load([transaction("u1", "t1"), transaction("u2", "t1")]);
  await world.load([transaction("u1", "t1")]);
  const first = await tideline("withdraw", id);
  t.is(first.code, 0, first.stderr);
  t.regex(
    first.stdout,
    /is withdrawn: 2 transactions of 2 users left the ledger\.\nLater deliveries that brought records which were known: 1;/,
  );
  t.regex((await tideline("withdraw", id)).stdout, /was withdrawn before/);
  t.regex((await tideline("status", id)).stdout, /withdrawn +\S+: 2 transactions left the ledger/);
  const refused = await world.ingest(await world.deliverFile("jwe", "x"));
  t.is((await tideline("withdraw", refused.id)).code, 2);
});

test("a partner's OpenPGP key is made, shown, rotated and opens what was encrypted to it", async (t) => {
  const { url, database } = await createTestDatabase(t);
  const { tideline, dataDir } = await openCommandLine(t, url);
  await addPartner(database);
  t.regex(
    (await tideline("partner", "pgp-key", "show", "bank")).stderr,
    /has no OpenPGP key; tideline partner rotate-pgp-key bank makes one/,
  );
  const made = JSON.parse((await tideline("partner", "rotate-pgp-key", "bank", "--json")).stdout) as {
    fingerprint: string;
  };
  t.regex(made.fingerprint, /^[0-9A-F]{40}$/);
  const armored = (await tideline("partner", "pgp-key", "show", "bank")).stdout;
  await writeFile(path.join(dataDir, "bank.asc"), armored);
  const publicKey = await readKey({ armoredKey: armored });
  t.is(publicKey.getFingerprint().toUpperCase(), made.fingerprint);
  t.deepEqual(publicKey.getUserIDs(), ["Tideline for bank"]);
  const keyEncryptionKey = await loadKeyEncryptionKey({ keyEncryptionKey: undefined, dataDir });
  const [privateArmored = ""] = await findPgpKeys(database, keyEncryptionKey, "bank", new Date());
  const message = await encrypt({
    message: await createMessage({ text: "hello" }),
    encryptionKeys: publicKey,
    format: "object",
  });
  t.is(
    (await decrypt({ message, decryptionKeys: await readPrivateKey({ armoredKey: privateArmored }) })).data,
    "hello",
  );
  t.is((await tideline("partner", "rotate-pgp-key", "bank", "--overlap-days", "0")).code, 0);
  t.not((await tideline("partner", "pgp-key", "show", "bank")).stdout, armored);
  t.deepEqual(
    await findPgpKeys(database, keyEncryptionKey, "bank", new Date(Date.now() - 60_000)).then((keys) => keys.length),
    2,
  );
  t.regex((await tideline("partner", "show", "bank")).stdout, new RegExp(`OpenPGP key +${made.fingerprint} until`));
});

test("settings of tables and conflicts are checked", async (t) => {
  const { url, database } = await createTestDatabase(t);
  const { tideline } = await openCommandLine(t, url);
  await addPartner(database);
  const wrong = await tideline("partner", "set", "bank", "onConflict=overwrite", "csv.unencrypted=maybe");
  t.is(wrong.code, 2);
  t.regex(wrong.stderr, /onConflict must be one of keep, correct; csv\.unencrypted must be one of true, false/);
  t.is((await tideline("partner", "set", "bank", "onConflict=correct", "csv.unencrypted=true")).code, 0);
  t.deepEqual((await database.query("select settings from partners")).rows, [
    { settings: { onConflict: "correct", csv: { unencrypted: true } } },
  ]);
});
