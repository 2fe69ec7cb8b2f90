/** The data folder's key and the token key change with an overlap, also when the command is killed in the middle. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import { findBatchKey, rotateBatchKey } from "../../../src/partners/keys/batch-keys.ts";
import { loadKeyEncryptionKey } from "../../../src/partners/keys/key-encryption-key.ts";
import { encryptSecret } from "../../../src/partners/keys/secrets-at-rest.ts";
import { loadTokenKeys } from "../../../src/partners/keys/token-keys.ts";
import { addPartner } from "../../parties.ts";
import { createTestDatabase } from "../../world.ts";
import { openCommandLine } from "../command.ts";

const program = fileURLToPath(new URL("../../../src/cli/tideline.mjs", import.meta.url));

test("the key of a data folder is changed: counted, made, used, dropped, audited", async (t) => {
  const { url, database } = await createTestDatabase(t);
  const { tideline, dataDir } = await openCommandLine(t, url);
  const first = await loadKeyEncryptionKey({ keyEncryptionKey: undefined, dataDir });
  const { kid } = await rotateBatchKey(database, first, await addPartner(database), new Date());
  t.deepEqual(JSON.parse((await tideline("keys", "rotate", "--dry-run", "--json")).stdout), {
    dryRun: true,
    makesKey: true,
    outdated: 2,
  });
  t.deepEqual(await loadKeyEncryptionKey({ keyEncryptionKey: undefined, dataDir }), first, "a dry run makes no key");
  const rotated = await tideline("keys", "rotate");
  t.is(rotated.code, 0, rotated.stderr);
  t.regex(rotated.stdout, /Sealed anew: 2 secrets, and 0 origins of files in the vault; all are under /);
  const second = await loadKeyEncryptionKey({ keyEncryptionKey: undefined, dataDir });
  t.is(second.length, 32);
  t.notDeepEqual(second, first);
  t.truthy(await findBatchKey(database, second, "bank", kid, new Date(0)));
  const listed = JSON.parse((await tideline("keys", "list", "--json")).stdout) as object[];
  t.like(listed, [{ role: "seals", secrets: 2, which: ["service_keys.private_sealed"] }]);
  const { rows } = await database.query<{ event: string; details: object }>(
    "select event, details from audit_events where event not like 'command.%'",
  );
  t.like(rows, [{ event: "key-encryption-key.rotated", details: { sealed: 2 } }]);
  t.false(JSON.stringify(rows).includes(second.toString("base64").slice(0, 20)));
});

test("killed in the middle, both keys are in the folder, everything opens, and calling it again ends it", async (t) => {
  const { url, database } = await createTestDatabase(t);
  const { tideline, dataDir } = await openCommandLine(t, url);
  const first = await loadKeyEncryptionKey({ keyEncryptionKey: undefined, dataDir });
  const partnerId = await addPartner(database);
  const secrets = Array.from({ length: 3000 }, (_, index) => `kid-${index}`);
  await database.query(
    `insert into service_keys (kid, purpose, partner_id, public_jwk, private_sealed)
     select kid, 'batch-encryption', $2, '{}', sealed from unnest($1::text[], $3::bytea[]) as given (kid, sealed)`,
    [secrets, partnerId, secrets.map((kid) => encryptSecret(first, kid, `secret of ${kid}`))],
  );
  // Held up in the middle, so that it is killed there: of one row it cannot get past.
  const holder = await database.connect();
  await holder.query("begin");
  await holder.query("select 1 from service_keys where kid = 'kid-1500' for update");
  const child = spawn(process.execPath, [program, "keys", "rotate"], {
    env: { ...process.env, TIDELINE_DATA_DIR: dataDir, DATABASE_URL: url },
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const underway =
    "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  while ((await database.query<{ n: number }>(underway)).rows[0]?.n === 0) t.is(child.exitCode, null);
  child.kill("SIGKILL");
  await ended;
  await holder.query("rollback");
  holder.release();
  const both = await loadKeyEncryptionKey({ keyEncryptionKey: undefined, dataDir });
  t.is(both.length, 64);
  const roles = JSON.parse((await tideline("keys", "list", "--json")).stdout) as { role: string; secrets: number }[];
  t.deepEqual(
    roles.map(({ role }) => role),
    ["seals", "opens"],
  );
  t.true(
    roles.every((one) => one.secrets > 0),
    JSON.stringify(roles),
  );
  const again = await tideline("keys", "rotate", "--json");
  t.is(again.code, 0, again.stderr);
  t.is((JSON.parse(again.stdout) as { sealed: number }).sealed, roles[1]!.secrets);
  t.is((await readFile(path.join(dataDir, "key-encryption-key"), "utf8")).trim().split("\n").length, 1);
  t.like(JSON.parse((await tideline("keys", "list", "--json")).stdout), [{ role: "seals", secrets: 3000 }]);
});

test("with keys in the environment no file is touched, and what needs a key that is missing is named", async (t) => {
  const { url, database } = await createTestDatabase(t);
  const [previous, next] = [randomBytes(32), randomBytes(32)];
  const { kid } = await rotateBatchKey(database, previous, await addPartner(database), new Date());
  const inEnvironment = {
    TIDELINE_KEY_ENCRYPTION_KEY: next.toString("base64"),
    TIDELINE_KEY_ENCRYPTION_KEYS_ALSO: previous.toString("base64"),
  };
  const { tideline, dataDir } = await openCommandLine(t, url, inEnvironment);
  const alone = await openCommandLine(t, url, {
    TIDELINE_KEY_ENCRYPTION_KEY: inEnvironment.TIDELINE_KEY_ENCRYPTION_KEY,
  });
  t.like(JSON.parse((await alone.tideline("keys", "list", "--json")).stdout), [
    { role: "seals", secrets: 0 },
    { role: "missing", secrets: 2 },
  ]);
  t.is((await alone.tideline("keys", "rotate")).code, 1);
  const rotated = await tideline("keys", "rotate");
  t.is(rotated.code, 0, rotated.stderr);
  t.truthy(await findBatchKey(database, next, "bank", kid, new Date(0)));
  await t.throwsAsync(readFile(path.join(dataDir, "key-encryption-key")), { code: "ENOENT" });
  t.is((await alone.tideline("keys", "rotate")).code, 0, "nothing is left to do");
});

test("without the vault no key is changed: what lies there needs the previous one", async (t) => {
  const { url, database } = await createTestDatabase(t);
  const bucket = await openCommandLine(t, url, {
    TIDELINE_VAULT_S3_URL: "s3://bank/vault",
    TIDELINE_VAULT_S3_ENDPOINT: "http://127.0.0.1:1",
    TIDELINE_VAULT_S3_ACCESS_KEY_ID: "key",
    TIDELINE_VAULT_S3_SECRET_ACCESS_KEY: "secret",
  });
  const folder = await openCommandLine(t, url);
  await database.query(
    `insert into deliveries (id, partner_id, door, format, name, correlation_id, size_bytes, sha256, vault_reference)
     values (gen_random_uuid(), $1, 'sftp', 'jsonl', 'a.jsonl', 'c-1', 1, '\\x00', '2026-06-15/elsewhere')`,
    [await addPartner(database)],
  );
  for (const { tideline, dataDir } of [bucket, folder]) {
    const before = await loadKeyEncryptionKey({ keyEncryptionKey: undefined, dataDir });
    const rotated = await tideline("keys", "rotate");
    t.is(rotated.code, 1);
    t.regex(rotated.stderr, /VAULT_AWAY/);
    t.deepEqual(await loadKeyEncryptionKey({ keyEncryptionKey: undefined, dataDir }), before);
    t.is((await tideline("keys", "rotate", "--dry-run")).code, 0);
  }
});

test("the key that signs tokens is changed with an overlap", async (t) => {
  const { url, database } = await createTestDatabase(t);
  const { tideline, dataDir } = await openCommandLine(t, url);
  const ring = await loadKeyEncryptionKey({ keyEncryptionKey: undefined, dataDir });
  const [first] = await loadTokenKeys(database, ring, new Date());
  const rotated = await tideline("keys", "rotate-tokens", "--json");
  t.is(rotated.code, 0, rotated.stderr);
  const { kid } = JSON.parse(rotated.stdout) as { kid: string };
  const inAnHour = new Date(Date.now() + 3_600_000);
  t.deepEqual(
    (await loadTokenKeys(database, ring, inAnHour)).map((key) => key.kid),
    [kid, first?.kid],
  );
  t.deepEqual(
    (await loadTokenKeys(database, ring, new Date(Date.now() + 3 * 3_600_000))).map((key) => key.kid),
    [kid],
  );
  t.is((await database.query("select 1 from audit_events where event = 'token-key.rotated'")).rowCount, 1);
});
