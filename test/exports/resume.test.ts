/** An export that broke off goes on: no row is missing, none is there twice, none is half. */
import { execFileSync, spawn } from "node:child_process";
import { appendFile, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import test from "ava";
import { decrypt, generateKey, readMessage, readPrivateKey } from "openpgp";
import { openCommandLine } from "../cli/command.ts";
import { addPayments, askDuckDb, everything, exportTo, openWorld } from "./world.ts";

const program = fileURLToPath(new URL("../../src/cli/tideline.mjs", import.meta.url));
const readers = { csv: "read_csv", jsonl: "read_json", parquet: "read_parquet" } as const;

for (const format of ["csv", "jsonl", "parquet"] as const) {
  test.serial(`what lies behind the last whole piece is cut off and written again: ${format}`, async (t) => {
    const world = await openWorld(t);
    await addPayments(world, 600, 20);
    const plan = everything("transactions", world.partnerId);
    const [whole, broken] = [path.join(world.folder, `whole.${format}`), path.join(world.folder, `broken.${format}`)];
    await exportTo(world, whole, format, plan);
    for (const stopAt of [1, 1]) {
      const run = exportTo(world, broken, format, plan, async (settled) => {
        if (settled === stopAt) throw new Error("broken off");
      });
      await t.throwsAsync(run, { message: "broken off" });
      await appendFile(`${broken}.part`, "half a ro");
      await appendFile(`${broken}.resume`, '{"userId":99');
    }
    t.is((await exportTo(world, broken, format, plan)).rows, 12_000);
    const sums = (file: string) =>
      askDuckDb(
        `select count(*) as rows, count(distinct transaction_id) as ids, md5(string_agg(description || amount || bank_user_id, '' order by transaction_id)) as digest from ${readers[format]}('${file}')`,
      );
    t.deepEqual(await sums(broken), await sums(whole));
    t.like((await sums(broken))[0], { rows: "12000", ids: "12000" });
    t.deepEqual((await readdir(world.folder)).toSorted(), [path.basename(broken), path.basename(whole)]);
    if (format !== "parquet") t.deepEqual(await readFile(broken), await readFile(whole));
  });

  test.serial(`a process that is killed is gone on with by the same command: ${format}`, async (t) => {
    const world = await openWorld(t);
    await addPayments(world, 2500, 40);
    const { tideline, dataDir } = await openCommandLine(t, world.url);
    const file = path.join(world.folder, `killed.${format}`);
    const parameters = ["export", "--transactions", "--partner", "bank", "--format", format, "--to", file];
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith("TIDELINE_"));
    const environment = { ...Object.fromEntries(own), DATABASE_URL: world.url, TIDELINE_DATA_DIR: dataDir };
    const child = spawn(process.execPath, [program, ...parameters], { env: environment, stdio: "ignore" });
    const ended = once(child, "exit") as Promise<[number | null, string | null]>;
    // Its first line says what it is, the second that a piece is on the disk.
    while (child.exitCode === null && (await linesOf(`${file}.resume`)) < 2) await wait(1);
    child.kill("SIGKILL");
    t.is((await ended)[1], "SIGKILL", "it was killed amid its work");
    const { code, stdout, stderr } = await tideline(...parameters);
    t.is(code, 0, stderr);
    t.true(stdout.startsWith("100,000 rows of 2,500 users in "), stdout);
    const [sums] = await askDuckDb(
      `select count(*) as rows, count(distinct transaction_id) as ids, sum(amount::decimal(18,4))::varchar as amount from ${readers[format]}('${file}')`,
    );
    t.deepEqual(sums, { rows: "100000", ids: "100000", amount: "-2075000.0000" });
    t.is((await stat(file)).mode & 0o777, 0o600);
  });
}

async function linesOf(file: string): Promise<number> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.split("\n").length - 1;
}

test.serial(
  "an unfinished file is gone on with by the same export only, and what is there is never replaced",
  async (t) => {
    const world = await openWorld(t);
    await addPayments(world, 300, 2);
    const { tideline } = await openCommandLine(t, world.url);
    const file = path.join(world.folder, "rows.csv");
    const breaking = exportTo(world, file, "csv", everything("transactions", "bank"), async () => {
      throw new Error("broken off");
    });
    await t.throwsAsync(breaking);
    const parameters = ["export", "--services", "--partner", "bank", "--format", "csv", "--to", file];
    const other = await tideline(...parameters);
    t.is(other.code, 2);
    t.regex(other.stderr, /rows\.csv\.resume is of another export/);
    const there = path.join(world.folder, "there.csv");
    await writeFile(there, "mine");
    const refused = await tideline("export", "--users", "--partner", "bank", "--format", "csv", "--to", there);
    t.regex(refused.stderr, /there\.csv exists already/);
    t.is(await readFile(there, "utf8"), "mine");
  },
);

test.serial("sealed files open with the key alone, and with GnuPG", async (t) => {
  const world = await openWorld(t);
  await addPayments(world, 200, 10);
  const { tideline } = await openCommandLine(t, world.url);
  const { privateKey, publicKey } = await generateKey({
    userIDs: [{ name: "Analyst" }],
    type: "rsa",
    rsaBits: 2048,
    config: { v6Keys: false },
  });
  const key = path.join(world.folder, "key.asc");
  await writeFile(key, publicKey);
  for (const format of ["csv", "parquet"]) {
    const to = path.join(world.folder, `sealed.${format}.pgp`);
    const ran = await tideline(
      "export",
      "--transactions",
      "--partner",
      "bank",
      "--format",
      format,
      "--to",
      to,
      "--seal",
      key,
      "--json",
    );
    t.is(ran.code, 0, ran.stderr);
    const part = path.join(world.folder, `sealed.0001.${format}.pgp`);
    t.like(JSON.parse(ran.stdout), { rows: 2000, users: 200, files: [part], complete: true });
    const opened = path.join(world.folder, `opened.${format}`);
    const message = await readMessage({ binaryMessage: await readFile(part) });
    const { data } = await decrypt({
      message,
      decryptionKeys: await readPrivateKey({ armoredKey: privateKey }),
      format: "binary",
    });
    await writeFile(opened, data);
    t.deepEqual(await askDuckDb(`select count(*) as n from '${opened}'`), [{ n: "2000" }]);
  }
  const home = path.join(world.folder, "gnupg");
  const secret = path.join(world.folder, "secret.asc");
  await writeFile(secret, privateKey);
  const gpg = (...more: string[]) =>
    execFileSync("gpg", ["--batch", "--quiet", "--homedir", home, ...more], { stdio: ["ignore", "pipe", "pipe"] });
  execFileSync("mkdir", ["-m", "700", home]);
  gpg("--import", secret);
  t.is(gpg("--decrypt", path.join(world.folder, "sealed.0001.csv.pgp")).toString().trimEnd().split("\n").length, 2001);
  execFileSync("gpgconf", ["--homedir", home, "--kill", "all"]);
});

test.serial("a key that does not encrypt, and a disk that is full, are told, and the command ends", async (t) => {
  const world = await openWorld(t);
  await addPayments(world, 200, 50);
  const { tideline } = await openCommandLine(t, world.url);
  const made = (subkeys: { type: "ecc" }[]) =>
    generateKey({ userIDs: [{ name: "Analyst" }], type: "ecc", subkeys, config: { v6Keys: false } });
  const key = path.join(world.folder, "key.asc");
  const to = path.join(world.folder, "rows.csv.pgp");
  const words = ["export", "--transactions", "--partner", "bank", "--format", "csv", "--to", to, "--seal", key];
  await writeFile(key, (await made([])).publicKey);
  const signing = await tideline(...words);
  t.is(signing.code, 2, signing.stderr);
  t.regex(signing.stderr, /nothing can be encrypted/);
  t.deepEqual(await readdir(world.folder), ["key.asc"]);
  await writeFile(key, (await made([{ type: "ecc" }])).publicKey);
  await symlink("/dev/full", path.join(world.folder, "rows.0001.csv.pgp.part"));
  const full = await tideline(...words);
  t.is(full.code, 1, full.stderr);
  t.regex(full.stderr, /ENOSPC|no space left/i);
});

test.serial("whole numbers need a reason, which the audit trail keeps with what was taken", async (t) => {
  const world = await openWorld(t);
  await addPayments(world, 2, 2);
  const { tideline } = await openCommandLine(t, world.url);
  const parameters = ["export", "--transactions", "--partner", "bank", "--format", "jsonl", "--to", "-", "--unmasked"];
  const refused = await tideline(...parameters);
  t.is(refused.code, 2);
  t.is(refused.stdout, "");
  const told = await tideline(...parameters, "--reason", "fraud case 7");
  t.is(told.stdout.split("\n").filter((line) => line.includes('"account_iban":"DK5000400440116243"')).length, 4);
  t.is(told.stderr, "4 rows of 2 users.\n");
  const { rows } = await world.database.query<{ details: object }>(
    "select details from audit_events where event = 'data.exported' order by id",
  );
  t.deepEqual(
    rows.map(({ details }) => details),
    [
      {
        dataset: "transactions",
        format: "jsonl",
        users: null,
        from: null,
        until: null,
        unmasked: true,
        reason: "fraud case 7",
      },
    ],
  );
});
