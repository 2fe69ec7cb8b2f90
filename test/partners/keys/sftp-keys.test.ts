/** A partner's SFTP keys are added, listed, expired and removed, and what is no public key is not taken. */
import test from "ava";
import ssh2 from "ssh2";
import {
  addSftpKey,
  findSftpPartner,
  listLegacyNetworks,
  listSftpKeys,
  removeSftpKey,
} from "../../../src/partners/keys/sftp-keys.ts";
import { readPublicKey } from "../../../src/partners/keys/ssh-public-key.ts";
import { createTestDatabase } from "../../world.ts";

const ed25519 = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAID1AF8PoQ4lakrcKp00bfrycmCzPLsSWjMDNVfEq9GYM bank@example";
const fingerprint = "SHA256:F34nin7tcaYH6WR5LSWSfj6weFBPfBpuyUUoPFP9YjA";

test("a partner is found with its valid keys and its networks", async (t) => {
  const { database } = await createTestDatabase(t);
  await database.query("insert into partners (id, name) values ('demo', 'Demo'), ('other', 'Other')");
  await database.query(
    "insert into allowed_networks values ('demo', 'sftp', '192.0.2.0/24'), ('demo', 'https', '198.51.100.0/24')",
  );
  const added = await addSftpKey(database, { partnerId: "demo", publicKey: ed25519, expiresAt: null });
  t.like(await findSftpPartner(database, "demo"), {
    partnerId: "demo",
    suspended: false,
    keys: [{ fingerprint: added.fingerprint, publicKey: ed25519.split(" ").slice(0, 2).join(" ") }],
    allowedNetworks: ["192.0.2.0/24"],
  });
  t.like(await findSftpPartner(database, "other"), { keys: [], allowedNetworks: [] });
  t.is(await findSftpPartner(database, "nobody"), null);
});

test("old MACs are for the networks of partners that have the switch", async (t) => {
  const { database } = await createTestDatabase(t);
  await database.query(
    `insert into partners (id, name, settings) values ('demo', 'Demo', '{"sftp":{"legacyMacs":true}}'), ('other', 'Other', '{"sftp":{"legacyMacs":false}}'), ('third', 'Third', '{}')`,
  );
  await database.query(
    "insert into allowed_networks values ('demo', 'sftp', '192.0.2.0/24'), ('demo', 'https', '198.51.100.0/24'), ('other', 'sftp', '203.0.113.0/24'), ('third', 'sftp', '203.0.113.0/24')",
  );
  t.deepEqual(await listLegacyNetworks(database), ["192.0.2.0/24"]);
  const found = await Promise.all(
    ["demo", "other", "third"].map(async (id) => (await findSftpPartner(database, id))?.legacyMacs),
  );
  t.deepEqual(found, [true, false, false]);
});

test("an expired key is listed and does not count", async (t) => {
  const { database } = await createTestDatabase(t);
  await database.query("insert into partners (id, name) values ('demo', 'Demo')");
  await addSftpKey(database, { partnerId: "demo", publicKey: ed25519, expiresAt: new Date("2020-01-01T00:00:00Z") });
  t.deepEqual((await findSftpPartner(database, "demo"))?.keys, []);
  t.like(await listSftpKeys(database, "demo"), {
    length: 1,
    0: { comment: "bank@example", expiresAt: new Date("2020-01-01T00:00:00Z") },
  });
});

test("the same key added again changes its expiry and comment", async (t) => {
  const { database } = await createTestDatabase(t);
  await database.query("insert into partners (id, name) values ('demo', 'Demo')");
  await addSftpKey(database, { partnerId: "demo", publicKey: ed25519, expiresAt: new Date("2020-01-01T00:00:00Z") });
  await addSftpKey(database, { partnerId: "demo", publicKey: ed25519, comment: "renewed", expiresAt: null });
  t.like(await listSftpKeys(database, "demo"), { length: 1, 0: { comment: "renewed", expiresAt: null } });
});

test("a removed key is gone, and removing it again says so", async (t) => {
  const { database } = await createTestDatabase(t);
  await database.query("insert into partners (id, name, suspended_at) values ('demo', 'Demo', now())");
  const { fingerprint: added } = await addSftpKey(database, { partnerId: "demo", publicKey: ed25519, expiresAt: null });
  t.true(await removeSftpKey(database, "demo", added));
  t.false(await removeSftpKey(database, "demo", added));
  t.like(await findSftpPartner(database, "demo"), { suspended: true, keys: [] });
});

test("a fingerprint is that of ssh-keygen", (t) => {
  t.is(readPublicKey(ed25519).fingerprint, fingerprint);
});

for (const [what, line] of Object.entries({
  nonsense: "hello",
  "a private key": ssh2.utils.generateKeyPairSync("ed25519").private,
  "a short RSA key": ssh2.utils.generateKeyPairSync("rsa", { bits: 1024 }).public,
})) {
  test(`${what} is not taken as a public key`, (t) => {
    t.throws(() => readPublicKey(line), { code: "COMMAND_USAGE" });
  });
}
