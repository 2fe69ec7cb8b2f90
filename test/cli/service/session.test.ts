/** A command uses the running service's database or the embedded one, and never makes one unasked. */
import { spawn } from "node:child_process";
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import test from "ava";
import { createTestDatabase } from "../../world.ts";
import { openCommandLine } from "../command.ts";

test("without a database the embedded one runs for the command, and what it did stays", async (t) => {
  const { tideline, dataDir } = await openCommandLine(t);
  const { applied } = JSON.parse((await tideline("migrate", "--create", "--json")).stdout) as { applied: number };
  t.true(applied > 0);
  const added = await tideline("partner", "add", "bank", "--name", "A Bank");
  t.is(added.code, 0, added.stderr);
  const listed = await tideline("partner", "list", "--json");
  t.like((JSON.parse(listed.stdout) as object[])[0], { id: "bank", name: "A Bank" });
  t.deepEqual(JSON.parse((await tideline("migrate", "--json")).stdout), { applied: 0 });
  const key = path.join(dataDir, "key-encryption-key");
  t.is((await stat(key)).mode & 0o777, 0o600);
  t.is(Buffer.from(await readFile(key, "utf8"), "base64").length, 32);
});

test("a data folder without a database is told, and none is made, unless an installation begins", async (t) => {
  const { tideline, dataDir } = await openCommandLine(t);
  for (const command of [
    ["status"],
    ["migrate"],
    ["retry", "--all-failed"],
    ["partner", "list"],
    ["partner", "suspend", "bank"],
    ["audit"],
  ]) {
    const { code, stderr } = await tideline(...command);
    t.is(code, 1, command.join(" "));
    t.regex(stderr, /DATA_DIR_EMPTY/);
  }
  t.deepEqual(await readdir(dataDir), []);
});

const testAsRoot = process.getuid?.() === 0 ? test : test.skip;

testAsRoot("a data folder of another account is told to be unreadable, not to be empty", async (t) => {
  const { tideline, dataDir } = await openCommandLine(t);
  t.is((await tideline("migrate", "--create")).code, 0);
  for (const mode of [0o700, 0o711]) {
    await chmod(dataDir, mode);
    const { code, stderr } = await asNobody(dataDir, "status");
    t.is(code, 1, stderr);
    t.regex(
      stderr,
      /^tideline: DATA_DIR_UNREADABLE: User 65534 may not read the data folder \S+, which belongs to user 0\./,
    );
  }
});

/** The tideline of another account. */
async function asNobody(dataDir: string, ...parameters: string[]): Promise<{ code: number | null; stderr: string }> {
  const program = fileURLToPath(new URL("../../../src/cli/tideline.mjs", import.meta.url));
  const child = spawn(process.execPath, [program, ...parameters], {
    env: { PATH: process.env.PATH, TIDELINE_DATA_DIR: dataDir },
    uid: 65_534,
    gid: 65_534,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  return { code: await new Promise((resolve) => child.once("close", resolve)), stderr };
}

test("the address that a running service leaves in the data folder is used", async (t) => {
  const { url } = await createTestDatabase(t);
  const { tideline, dataDir } = await openCommandLine(t);
  await writeFile(path.join(dataDir, "postgres-url"), `${url}\n`);
  const { code, stdout } = await tideline("status");
  t.is(code, 0);
  t.regex(stdout, /none yet/);
});

test("an empty address, as a power cut leaves it, is told, and no other database is asked", async (t) => {
  const { tideline, dataDir } = await openCommandLine(t);
  await writeFile(path.join(dataDir, "postgres-url"), "");
  const { code, stderr } = await tideline("status");
  t.is(code, 1);
  t.regex(stderr, /FILE_BROKEN: .*postgres-url is empty\. It is written anew at each start/);
});

test("a database without the schema is told to be migrated first", async (t) => {
  const { url, database } = await createTestDatabase(t);
  const { tideline } = await openCommandLine(t, url);
  await database.query("delete from schema_migrations where name = (select max(name) from schema_migrations)");
  const older = await tideline("status");
  t.is(older.code, 1);
  t.regex(older.stderr, /SCHEMA_OLDER.*tideline migrate/);
  await database.query("insert into schema_migrations (name, batch, migration_time) values ('999_future', 1, now())");
  t.regex((await tideline("status")).stderr, /SCHEMA_NEWER/);
});
