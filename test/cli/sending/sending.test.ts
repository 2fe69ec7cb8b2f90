/** A generated folder goes through each door once, and a refused batch goes through after its correction. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { readConfig } from "../../../src/config.ts";
import type { Database } from "../../../src/database/database.ts";
import { provisionDemo } from "../../../src/demo/provision.ts";
import { createEvents } from "../../../src/events.ts";
import { openTideline } from "../../../src/main.ts";
import { createTestDatabase } from "../../world.ts";
import { openCommandLine, type Tideline } from "../command.ts";

type World = { tideline: Tideline; database: Database; dataDir: string };

/** A whole service with the demo partner, and a command line beside it. */
async function openService(t: ExecutionContext): Promise<World> {
  const { url, database } = await createTestDatabase(t);
  const { tideline, dataDir } = await openCommandLine(t, url);
  const config = readConfig(
    { dataDir, httpsPort: "0", sftpPort: "0", consolePort: "0", logLevel: "silent" },
    { DATABASE_URL: url, TIDELINE_LOAD_THREADS: "1", TIDELINE_DOOR_THREADS: "1" },
  );
  const service = await openTideline(config, createEvents({ level: "silent" }));
  t.teardown(() => service.close());
  await provisionDemo(service);
  return { tideline, database, dataDir };
}

const countOf = async (database: Database, from: string) =>
  (await database.query<{ n: number }>(`select count(*) as n from ${from}`)).rows[0]?.n;
const json = (ran: { stdout: string }) => JSON.parse(ran.stdout) as Record<string, unknown>;

test("a generated folder goes through each door and is loaded once; its users are recognised", async (t) => {
  const { tideline, database, dataDir } = await openService(t);
  const folder = path.join(dataDir, "population");
  const made = json(
    await tideline(
      "fixtures",
      "generate",
      "--users",
      "3",
      "--months",
      "3",
      "--until",
      "2024-06-30",
      "--out",
      folder,
      "--json",
    ),
  );
  const total = (made.counts as { transactions: number }).transactions;

  const rehearsed = json(await tideline("backfill", folder, "--complete", "--dry-run", "--rate", "10/s", "--json"));
  t.like(rehearsed, {
    dryRun: true,
    recordsRead: total,
    recordsToSend: total,
    recordsKnown: 0,
    markersToSend: 3,
    usersOfRecords: 3,
    usersToCreate: 3,
    seconds: (total + 3) / 10,
  });
  t.deepEqual([await countOf(database, "users"), await countOf(database, "deliveries")], [0, 0]);
  await t.throwsAsync(readFile(rehearsed.journal as string), { code: "ENOENT" });

  const https = await tideline("backfill", folder, "--complete", "--json");
  t.is(https.code, 0, https.stderr);
  t.like(json(https), {
    via: "https",
    outcome: "complete",
    recordsRead: total,
    recordsSent: total,
    usersCreated: 3,
    markersSent: 3,
  });
  const rest = json(await tideline("backfill", folder, "--complete", "--dry-run", "--json"));
  t.like(rest, { recordsRead: total, recordsToSend: 0, recordsKnown: total, batchesToSend: 0, markersToSend: 0 });
  const again = json(await tideline("backfill", folder, "--complete", "--json"));
  t.like(again, { recordsRead: total, recordsKnown: total, recordsSent: 0, usersExisting: 3 });

  const sftp = await tideline("send", path.join(folder, "transactions.jsonl"), "--via", "sftp", "--wait", "--json");
  t.is(sftp.code, 0, sftp.stderr);
  t.like(json(sftp).receipt, {
    state: "loaded",
    counts: { records: total, new: 0, known: total, conflicting: 0, refused: 0, waiting: 0, markers: 0 },
  });

  const direct = await tideline(
    "backfill",
    folder,
    "--via",
    "direct",
    "--partner",
    "demo",
    "--until",
    "2024-05-31",
    "--json",
  );
  t.is(direct.code, 0, direct.stderr);
  const read = json(direct).recordsRead as number;
  t.true(read > 0 && read < total);
  t.is(await countOf(database, "transactions"), total);
  t.is(await countOf(database, "deliveries where door = 'direct'"), 1);

  const recognised = await tideline("recognise", "--all", "--json");
  t.deepEqual([recognised.code, json(recognised)], [0, { users: 3 }]);
  t.is(await countOf(database, "read_models"), 3);
  const otherDay = await tideline("recognise", "--all", "--as-of", "2024-07-31");
  t.deepEqual([otherDay.code, otherDay.stdout], [2, ""]);
  t.regex(otherDay.stderr, /COMMAND_USAGE: --as-of holds only where this command recognises by itself/);
});

test("a refused batch ends with exit code 3, names the place, and goes through once corrected", async (t) => {
  const { tideline, database, dataDir } = await openService(t);
  const file = path.join(dataDir, "day.csv");
  const header = "user_id;transaction_id;transaction_date;type;currency;amount;description";
  await writeFile(
    file,
    `${header}\nanna;t1;2024-01-05;CARD_PURCHASE;DKK;-12,50;Netto\nanna;t2;2024-13-05;CARD_PURCHASE;DKK;-1;Netto\n`,
  );
  const refused = await tideline("send", file, "--via", "https", "--create-users");
  t.is(refused.code, 3, refused.stderr);
  t.regex(refused.stdout, /^records read +2 = 0 sent \+ 0 sent before \+ 2 refused \+ 0 not sent$/m);
  t.regex(refused.stdout, /TX_DATA_ERROR/);
  t.regex(refused.stdout, /record 2 +tx\.txTime/);
  await writeFile(
    file,
    `${header}\nanna;t1;2024-01-05;CARD_PURCHASE;DKK;-12,50;Netto\nanna;t2;2024-02-05;CARD_PURCHASE;DKK;-1;Netto\n`,
  );
  t.is((await tideline("send", file, "--via", "https")).code, 0);
  const unknown = await tideline("send", file, "--via", "sftp", "--partner", "other");
  t.is(unknown.code, 2);
  t.is(await countOf(database, "users"), 1);
});

test("a replay leaves out other days and other users, with and without a database behind it", async (t) => {
  const { tideline, dataDir } = await openCommandLine(t);
  const folder = path.join(dataDir, "population");
  await mkdir(folder);
  const payment = (uid: string, txid: string, txTime: string) => ({
    uid,
    type: "TX",
    tx: { txid, txTime, amount: -1, currency: "DKK", description: "Netto", accountId: "a" },
  });
  const records = [
    payment("anna", "1", "2024-01-31T23:59:59"),
    payment("anna", "2", "2024-02-01T00:00:00"),
    payment("anna", "3", "2024-02-29T12:00:00"),
    payment("anna", "4", "2024-03-01T00:00:00"),
    payment("ben", "5", "2024-02-10T00:00:00"),
    payment("cleo", "6", "2024-02-11T00:00:00"),
  ];
  await writeFile(path.join(folder, "transactions.jsonl"), records.map((one) => JSON.stringify(one)).join("\n"));
  const users = ["anna", "ben", "cleo"].map((bankUserId) => ({ bankUserId, brand: "b", locale: "da-DK" }));
  await writeFile(path.join(folder, "users.jsonl"), users.map((one) => JSON.stringify(one)).join("\n"));
  const rehearse = async (...more: string[]) =>
    json(await tideline("backfill", folder, "--via", "direct", "--partner", "demo", "--dry-run", "--json", ...more));
  const within = ["--from", "2024-02-01", "--until", "2024-02-29"];
  t.like(await rehearse(...within), {
    recordsToSend: 4,
    usersOfRecords: 3,
    firstDay: "2024-02-01",
    lastDay: "2024-02-29",
  });
  t.like(await rehearse(...within, "--user", "anna", "--user", "cleo"), {
    recordsToSend: 3,
    usersOfRecords: 2,
    usersToCreate: 2,
  });
  t.not((await rehearse()).journal, (await rehearse("--user", "anna")).journal, "another choice goes on by itself");
  const misspelt = await tideline("backfill", folder, "--user", "ana", "--user", "ben", "--dry-run");
  t.is(misspelt.code, 1);
  t.regex(misspelt.stderr, /has no user "ana" with a record in these days/);
  const wrong = await tideline("backfill", folder, "--from", "1.2.2024", "--dry-run");
  t.is(wrong.code, 2);
  t.regex(wrong.stderr, /--from must be a day, YYYY-MM-DD, not "1\.2\.2024"/);
});
