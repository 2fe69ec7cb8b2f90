/** The door's host keys are promoted once every partner could learn of them, or when it is said to be well. */
import { readdir } from "node:fs/promises";
import path from "node:path";
import test from "ava";
import { recordAudit } from "../../../src/partners/audit.ts";
import { addSftpKey } from "../../../src/partners/keys/sftp-keys.ts";
import { createTestDatabase } from "../../world.ts";
import { openCommandLine } from "../command.ts";

const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAID1AF8PoQ4lakrcKp00bfrycmCzPLsSWjMDNVfEq9GYM bank@example";

test("promote is refused while partners with a key have not logged in since prepare, and names them", async (t) => {
  const { url, database } = await createTestDatabase(t);
  const { tideline } = await openCommandLine(t, url);
  await database.query(
    `insert into partners (id, name, suspended_at)
     values ('came', 'Came', null), ('early', 'Early', null), ('never', 'Never', null),
            ('keyless', 'Keyless', null), ('gone', 'Gone', now()), ('ended', 'Ended', null)`,
  );
  for (const partnerId of ["came", "early", "never", "gone"])
    await addSftpKey(database, { partnerId, publicKey, expiresAt: null });
  await addSftpKey(database, { partnerId: "ended", publicKey, expiresAt: null });
  await database.query("update sftp_keys set expires_at = now() - interval '1 day' where partner_id = 'ended'");
  const logIn = (partnerId: string) =>
    recordAudit(database, `sftp:${partnerId}`, { partnerId, event: "sftp.login-accepted", details: {} });
  await logIn("early");
  t.is((await tideline("host-keys", "prepare")).code, 0);
  await logIn("came");
  const refused = await tideline("host-keys", "promote");
  t.is(refused.code, 1);
  t.regex(
    refused.stderr,
    /^tideline: HOST_KEYS_UNSEEN: 2 partners with an SFTP key have not logged in since the next host keys were prepared: early, never\. /,
  );
  const listed = JSON.parse((await tideline("host-keys", "list", "--json")).stdout) as { role: string }[];
  t.deepEqual([...new Set(listed.map(({ role }) => role))], ["current", "next"], "nothing was promoted");
  await logIn("early");
  await logIn("never");
  const promoted = await tideline("host-keys", "promote", "--json");
  t.is(promoted.code, 0, promoted.stderr);
});

test("promote --force goes on without them, in the folder that a fleet's doors share", async (t) => {
  const { url, database } = await createTestDatabase(t);
  const first = await openCommandLine(t);
  const shared = path.join(first.dataDir, "shared-host-keys");
  const { tideline, dataDir } = await openCommandLine(t, url, { TIDELINE_HOST_KEYS_DIR: shared });
  await database.query("insert into partners (id, name) values ('never', 'Never')");
  await addSftpKey(database, { partnerId: "never", publicKey, expiresAt: null });
  t.is((await tideline("host-keys", "prepare", "--force")).code, 2);
  t.is((await tideline("host-keys", "prepare")).code, 0);
  t.is((await tideline("host-keys", "promote")).code, 1);
  t.is((await tideline("host-keys", "promote", "--force")).code, 0);
  t.true((await readdir(shared)).includes("roles.json"));
  t.false((await readdir(dataDir)).includes("host-keys"));
});
