/**
 * A million transactions are taken away while whoever takes them is interrupted (SIGINT) and killed (SIGKILL) at random
 * places, and begins the same command anew until it is done. What comes of that is what an export comes to that nobody
 * disturbed, and nothing lies beside it.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { spawn } from "node:child_process";
import { createReadStream } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { loadavg } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { exportFormats } from "../../src/exports/formats.ts";
import { createRandom, type Random } from "../faults/random.ts";
import { repository } from "../outside/service.ts";
import { Postgres, urlsAt } from "./postgres.ts";
import { findProgram, onStage, run as runProgram, secondsSince, type Stage } from "./tools.ts";

export const summary =
  "takes a million transactions away, interrupted and killed at random places; --rows 1000000, --strikes 8 of each format, --only parquet, --seed";

const usersCount = 5000;
/** A command that hangs must not hang its drill. */
const withinMs = 600_000;

type World = { stage: Stage; folder: string; environment: NodeJS.ProcessEnv; rows: number; key: string };

/** What is asked for: a format, or sealed files of one. */
type Way = { name: string; parameters: string[]; file: string };

export async function run(parameters: string[]): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: {
      rows: { type: "string", default: "1000000" },
      strikes: { type: "string", default: "8" },
      seed: { type: "string", default: "19" },
      only: { type: "string" },
    },
  });
  await findProgram("gpg");
  const random = createRandom(Number(values.seed));
  await onStage("exports", async (stage) => {
    const postgres = await Postgres.primary(stage, "postgres");
    const folder = path.join(stage.folder, "taken");
    await mkdir(folder);
    const { migrator } = urlsAt(postgres);
    const environment = { ...process.env, DATABASE_URL: migrator, TIDELINE_DATA_DIR: path.join(stage.folder, "data") };
    const key = await makeKey(stage);
    const world = { stage, folder, environment, rows: Number(values.rows), key };
    await tideline(world, "migrate");
    await tideline(world, "partner", "add", "bank", "--name", "Bank");
    const brand = ["--country", "DK", "--currency", "DKK", "--time-zone", "Europe/Copenhagen", "--locale", "da-DK"];
    await tideline(world, "partner", "brand", "add", "bank", "bank-dk", ...brand);
    await fill(postgres, world.rows);
    const ways: Way[] = [
      ...exportFormats.map((one) => ({ name: one, parameters: ["--format", one], file: `struck.${one}` })),
      { name: "sealed", parameters: ["--format", "csv", "--seal", key], file: "struck.csv.pgp" },
    ];
    for (const way of ways)
      if (values.only === undefined || values.only === way.name)
        await endure(world, way, random.fork(way.name), values);
    const left = await postgres.askService("select 1 from pg_locks where locktype = 'advisory'");
    assert.deepEqual(left, [], "a lock is left");
  });
}

/** Texts with what CSV, JSON and COPY treat specially, and columns that say nothing. */
async function fill(postgres: Postgres, rows: number): Promise<void> {
  await postgres.askService(
    `insert into users (partner_id, brand_id, bank_user_id, locale)
     select 'bank', 'bank-dk', 'u' || n, 'da-DK' from generate_series(1, ${usersCount}) as n`,
  );
  await postgres.askService(
    `insert into accounts (user_id, id, name, iban) select id, 'a-' || bank_user_id, 'Løn', 'DK5000400440116243' from users`,
  );
  // Of some users much, of others little or nothing.
  await postgres.askService(
    `insert into transactions (user_id, txid, booked_on, tx_time, raw_type, description, amount, currency, account_id, merchant_name, delivery_position)
     select id, 't-' || n, date '2024-01-01' + n % 700, '2025-01-01T12:00:00Z', 'CARD_PURCHASE',
            case n % 5 when 0 then 'Købmand "Hjørnet", ' || n when 1 then E'line\\nfeed; \\\\N' || n when 2 then '' else 'NETTO ' || n end,
            -(n % 9000) - 0.25, 'DKK', case when n % 3 = 0 then 'a-' || bank_user_id end, case when n % 7 = 0 then 'Shop' end, 1
       from generate_series(1, ${rows}) as n
       join users on bank_user_id = 'u' || 1 + (n::bigint * n % 7919) % (${usersCount} - 7)`,
  );
  await postgres.askService("analyze");
}

async function makeKey(stage: Stage): Promise<string> {
  const home = path.join(stage.folder, "gnupg");
  await mkdir(home, { mode: 0o700 });
  const gpg = (...more: string[]) =>
    runProgram("gpg", [
      "--homedir",
      home,
      "--batch",
      "--quiet",
      "--pinentry-mode",
      "loopback",
      "--passphrase",
      "",
      ...more,
    ]);
  await gpg("--quick-generate-key", "Analyst <analyst@example.com>", "default", "default", "never");
  const key = path.join(stage.folder, "analyst.asc");
  await gpg("--armor", "--output", key, "--export");
  stage.atEnd(() => runProgram("gpgconf", ["--homedir", home, "--kill", "all"]));
  return key;
}

async function tideline({ environment }: World, ...parameters: string[]): Promise<string> {
  return await runProgram(
    process.execPath,
    [path.join(repository, "src/cli/tideline.mjs"), ...parameters],
    environment,
  );
}

type Ended = { code: number | null; signal: NodeJS.Signals | null; said: string };

/** @param struck after so many milliseconds; null: it is left alone */
async function takeAway(
  { folder, environment }: World,
  { parameters, file }: Way,
  struck: { afterMs: number; by: NodeJS.Signals } | null,
): Promise<Ended> {
  const program = path.join(repository, "src/cli/tideline.mjs");
  const words = ["export", "--transactions", "--partner", "bank", "--to", file, ...parameters];
  const child = spawn(process.execPath, [program, ...words], {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: withinMs,
    killSignal: "SIGKILL",
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece: Buffer) => (said += piece.toString()));
  const ended = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  if (struck !== null) {
    await Promise.race([ended, wait(struck.afterMs)]);
    child.kill(struck.by);
  }
  const [code, signal] = await ended;
  return { code, signal, said };
}

/** Until as often as wanted it was struck amid its work, and each file that came of it was compared. */
async function endure(world: World, way: Way, random: Random, { strikes }: { strikes: string }): Promise<void> {
  const undisturbed = { ...way, file: way.file.replace("struck", "whole") };
  const startedAt = performance.now();
  const first = await takeAway(world, undisturbed, null);
  assert.equal(first.code, 0, first.said);
  const seconds = secondsSince(startedAt);
  assert.match(first.said, new RegExp(`${world.rows.toLocaleString("en-US")} rows of`));
  const whole = await readdir(world.folder);
  const struck = { SIGINT: 0, SIGKILL: 0, goneOn: 0 };
  let files = 0;
  let told = "";
  for (let number = 0; number < Number(strikes) || files === 0;) {
    const by = number >= Number(strikes) ? null : number % 2 === 0 ? "SIGINT" : "SIGKILL";
    const hasBegun = (await readdir(world.folder)).some((name) => name.endsWith(".resume"));
    const ended = await takeAway(
      world,
      way,
      by === null ? null : { afterMs: random.between(100, Math.ceil(seconds * 1000)), by },
    );
    if (ended.code === 0) {
      await assertSame(world, way, whole);
      files += 1;
      continue;
    }
    assert.ok(by !== null, ended.said);
    assert.ok(by === "SIGKILL" ? ended.signal === by : ended.code !== 1, `${by}: ${ended.code} ${ended.said}`);
    if (by === "SIGINT" && ended.said !== "")
      told = `${ended.code ?? ended.signal}: ${ended.said.trim().split("\n").at(-1)}`;
    struck[by] += 1;
    if (hasBegun) struck.goneOn += 1;
    number += 1;
    if (number === Number(strikes)) files = 0;
  }
  for (const name of await readdir(world.folder)) await rm(path.join(world.folder, name));
  console.log(
    `${way.name}: ${world.rows} rows, undisturbed ${seconds.toFixed(1)} s; SIGINT ${struck.SIGINT}, SIGKILL ${struck.SIGKILL} times, ${struck.goneOn} of them in a run that went on; ` +
      `the same rows, nothing left over; load ${loadavg()[0]?.toFixed(1)}`,
  );
  console.log(`  interrupted it says ${told}`);
}

/** Text to the byte; Parquet, whose groups of rows end elsewhere, row by row; sealed files opened by GnuPG. */
async function assertSame(world: World, way: Way, whole: readonly string[]): Promise<void> {
  const names = await readdir(world.folder);
  const own = names.filter((name) => !whole.includes(name));
  assert.deepEqual(
    own,
    whole.map((name) => name.replace("whole", "struck")),
    "something is left over",
  );
  const at = (several: readonly string[]) => several.map((name) => path.join(world.folder, name)).toSorted();
  const [wholeFiles, ownFiles] = [at(whole), at(own)];
  const [wholeFile = "", ownFile = ""] = [wholeFiles[0], ownFiles[0]];
  if (way.name === "parquet") assert.deepEqual(await differing(wholeFile, ownFile), { missing: 0, added: 0 });
  else assert.equal(await digest(world, ownFiles), await digest(world, wholeFiles));
  await assertOnce(world, way, ownFile);
  for (const name of own) await rm(path.join(world.folder, name));
}

/** Of sealed files, which may end after other users, without the header that each of them has. */
async function digest(world: World, files: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const file of files)
    for await (const piece of file.endsWith(".pgp") ? withoutHeader(opened(world, file)) : createReadStream(file))
      hash.update(piece as Buffer);
  return hash.digest("hex");
}

function opened({ stage }: World, file: string): AsyncIterable<Buffer> {
  const parameters = ["--homedir", path.join(stage.folder, "gnupg"), "--batch", "--quiet", "-d", file];
  return spawn("gpg", parameters, { stdio: ["ignore", "pipe", "ignore"] }).stdout;
}

async function* withoutHeader(text: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isHeader = true;
  for await (const piece of text) {
    const end = isHeader ? piece.indexOf(0x0a) : -1;
    if (!isHeader || end >= 0) yield piece.subarray(end + 1);
    if (end >= 0) isHeader = false;
  }
}

async function differing(whole: string, own: string): Promise<{ missing: number; added: number }> {
  const [row] = await askDuckDb(
    `select (select count(*) from (from '${whole}' except all from '${own}'))::int as missing,
            (select count(*) from (from '${own}' except all from '${whole}'))::int as added`,
  );
  return row as { missing: number; added: number };
}

async function assertOnce(world: World, way: Way, file: string): Promise<void> {
  if (file.endsWith(".pgp")) return;
  const [row] = await askDuckDb(
    `select count(*)::int as rows, count(distinct transaction_id)::int as ids from '${file}'`,
  );
  assert.deepEqual(row, { rows: world.rows, ids: world.rows }, way.name);
}

async function askDuckDb(query: string): Promise<Record<string, unknown>[]> {
  const connection = await (await DuckDBInstance.create()).connect();
  try {
    return (await connection.runAndReadAll(query)).getRowObjects();
  } finally {
    connection.closeSync();
  }
}
