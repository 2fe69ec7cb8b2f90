/**
 * What a newcomer sees, proved from outside with git, npm, curl and OpenSSH's sftp: a clean clone of what is committed,
 * its first start with the demo, Ctrl-C, the second start, kill -9 of the whole tree and the start after it. Nobody else
 * may read what lies in the data folder, the clone stays clean, and nothing is installed but what the lockfile names.
 * Between the first two starts every call of docs/partner.http is sent as the demo partner.
 * Prints how long each took.
 */
import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, realpath, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { importPKCS8, SignJWT } from "jose";
import { freePort } from "../ports.ts";
import { sendHttpFile } from "./http-file.ts";

const folder = await mkdtemp(path.join(tmpdir(), "tideline-first-start-"));
const clone = path.join(folder, "clone");
const data = path.join(folder, "data");
const demo = path.join(data, "demo");
const [httpsPort, sftpPort] = [await freePort(), await freePort()];
const base = `https://localhost:${httpsPort}`;

try {
  await promisify(execFile)("git", ["clone", "--quiet", path.resolve(import.meta.dirname, "../.."), clone]);
  const first = await start();
  console.log(`clean clone to recognised demo services, with npm ci: ${first.seconds.toFixed(1)} s`);
  assert.match(first.output(), /installing its packages/);
  await checkInstalled();
  assert.match(first.output(), /Recognised \d+ running services in \d+,\d+ transactions of 40 customers/);
  const before = await readDemo();
  await checkSftp();
  console.log(`modes of ${await checkModes()} files and folders are their owner's alone`);
  await checkSecondStarter();
  await sendHttpFile(clone, demo);

  await stop(first, "SIGINT");
  // npm itself ends by the signal that the terminal sent to all.
  assert.ok(
    first.child.exitCode === 0 || first.child.signalCode === "SIGINT",
    `Ctrl-C ends with ${first.child.exitCode}`,
  );
  assert.match(first.output(), /Stopped\.\n$/, "it says that it stopped");
  assert.equal(await countServers(), 0, "no PostgreSQL is left behind");

  const second = await start();
  console.log(`second start: ${second.seconds.toFixed(1)} s`);
  assert.doesNotMatch(second.output(), /over HTTPS/, "the demo is not replayed again");
  assert.doesNotMatch(second.output(), /installing its packages/, "nothing is installed again");
  assert.deepEqual(await readDemo(), before, "the second start serves the same");

  await killTree(second);
  assert.equal(await countServers(), 1, "PostgreSQL outlives kill -9 of Tideline's own processes");
  const third = await start();
  console.log(`start after kill -9, with an orphaned PostgreSQL: ${third.seconds.toFixed(1)} s`);
  assert.deepEqual(await readDemo(), before, "nothing is lost after kill -9");

  await killTree(third, { postgres: true });
  assert.equal(await countServers(), 0);
  const fourth = await start();
  console.log(`start after kill -9 of PostgreSQL too: ${fourth.seconds.toFixed(1)} s`);
  assert.deepEqual(await readDemo(), before, "nothing is lost when PostgreSQL is killed too");
  await stop(fourth, "SIGTERM");
  assert.equal(await countServers(), 0);
  await checkClean();
  console.log("first start: all as it should be");
} finally {
  await killLeftovers();
  for (const pid of await servers()) process.kill(pid, "SIGKILL");
  await rm(await databaseLocation(), { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
}

type Running = { child: ChildProcess; output(): string; seconds: number };

/** `npm start` as typed, with ports and folder of this test; returns when it says Ready. */
async function start(): Promise<Running> {
  const startedAt = performance.now();
  const child = spawn(
    "npm",
    ["start", "--silent", "--", "--data-dir", data, "--https-port", String(httpsPort), "--sftp-port", String(sftpPort)],
    {
      cwd: clone,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
      env: { ...process.env, TIDELINE_CONSOLE_PORT: "0", TIDELINE_LOG_FILE: path.join(folder, "tideline.log") },
    },
  );
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk));
  child.stderr.on("data", (chunk: Buffer) => (said += chunk));
  while (!said.includes("Ready.")) {
    assert.equal(child.exitCode, null, `npm start ended: ${said}`);
    await wait(100);
  }
  return { child, output: () => said, seconds: (performance.now() - startedAt) / 1000 };
}

/**
 * Ctrl-C reaches every process of the terminal's foreground group; "close" comes when the last one let go of the
 * output.
 */
async function stop(running: Running, signal: NodeJS.Signals): Promise<void> {
  const exited = new Promise((resolve) => running.child.once("close", resolve));
  process.kill(-(running.child.pid ?? 0), signal);
  await exited;
}

async function killTree(running: Running, more: { postgres?: boolean } = {}): Promise<void> {
  const exited = new Promise((resolve) => running.child.once("close", resolve));
  process.kill(-(running.child.pid ?? 0), "SIGKILL");
  if (more.postgres) for (const pid of await servers()) process.kill(pid, "SIGKILL");
  await exited;
  while (more.postgres && (await countServers()) > 0) await wait(50);
}

type Locked = { packages: Readonly<Record<string, { integrity?: string }>> };

/** All of it is in the lockfile with its integrity, and the only Node among it is the one that runs the service. */
async function checkInstalled(): Promise<void> {
  await checkClean();
  const wanted = await readLockfile("package-lock.json");
  const installed = await readLockfile("node_modules/.package-lock.json");
  for (const [place, { integrity }] of Object.entries(installed)) {
    assert.equal(integrity, wanted[place]?.integrity, `${place} has the integrity of package-lock.json`);
  }
  const modules = await readdir(path.join(clone, "node_modules"), { recursive: true, withFileTypes: true });
  const programs = modules.filter((entry) => entry.isFile() && /^node(\.exe)?$/.test(entry.name));
  const places = programs.map((entry) => path.relative(clone, path.join(entry.parentPath, entry.name)));
  assert.equal(places.length, 1, `one program is Node: ${places.join(", ")}`);
  assert.ok(path.join(places[0] ?? "", "../..") in wanted, `${places[0]} is of a package in package-lock.json`);
  const found = path.relative(await realpath(clone), await realpath(path.join(clone, "node_modules/.bin/node")));
  assert.equal(found, places[0], "the scripts of package.json find it");
}

async function readLockfile(name: string): Promise<Locked["packages"]> {
  return (JSON.parse(await readFile(path.join(clone, name), "utf8")) as Locked).packages;
}

async function checkClean(): Promise<void> {
  const { stdout } = await promisify(execFile)("git", ["status", "--porcelain"], { cwd: clone });
  assert.equal(stdout, "", "git status is clean");
}

/** Everything that a partner reads about the first customers, through curl. */
async function readDemo(): Promise<unknown[]> {
  const users = await demoUsers();
  return await Promise.all(users.map((user) => readUser(user)));
}

async function readUser(user: { bankUserId: string; brand: string }): Promise<unknown> {
  const key = await importPKCS8(await readFile(path.join(demo, "login-private.pem"), "utf8"), "RS256");
  const payload = await new SignJWT({ brand: user.brand })
    .setProtectedHeader({ alg: "RS256" })
    .setSubject(user.bankUserId)
    .setExpirationTime("5m")
    .setIssuedAt()
    .setJti(crypto.randomUUID())
    .sign(key);
  const login = await curl(
    "/users/logins",
    "-X",
    "POST",
    "-H",
    "Content-Type: application/json",
    "-d",
    JSON.stringify({ payload }),
  );
  const { token } = login as { token: string };
  const [services, upcoming] = await Promise.all(
    ["/services", "/upcoming-payments"].map((at) => curl(at, "-H", `Authorization: Bearer ${token}`)),
  );
  const list = (services as { services: { id: string }[] }).services;
  assert.ok(list.length > 0, `${user.bankUserId} has services`);
  const one = await curl(`/services/${list[0]?.id}`, "-H", `Authorization: Bearer ${token}`);
  assert.deepEqual(one, list[0], "one service reads as in the list");
  return { services, upcoming };
}

async function demoUsers(): Promise<{ bankUserId: string; brand: string }[]> {
  const { generateHousehold } = await import("../../fixtures/population.ts");
  const until = (JSON.parse(await readFile(path.join(demo, "replay.json"), "utf8")) as { until: string }).until;
  return [0, 1, 3].map((index) => generateHousehold(1, index, { months: 26, until }).user);
}

async function curl(at: string, ...more: string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)("curl", [
    "-sS",
    "--fail-with-body",
    "--cacert",
    path.join(demo, "ca.pem"),
    ...more,
    `${base}/partner/demo/2.0.0${at}`,
  ]);
  return JSON.parse(stdout);
}

/** OpenSSH sees the demo's files, their receipts and what signs them. */
async function checkSftp(): Promise<void> {
  const local = path.join(folder, "receipts");
  const batch = `lmkdir ${local}\nls inbox\nget receipts/* ${local}\n`;
  const parameters = [
    "-q",
    "-b",
    "-",
    "-i",
    path.join(demo, "sftp_key"),
    "-o",
    `UserKnownHostsFile=${path.join(demo, "known_hosts")}`,
    "-o",
    "StrictHostKeyChecking=yes",
    "-P",
    String(sftpPort),
    "demo@127.0.0.1",
  ];
  const running = promisify(execFile)("sftp", parameters);
  running.child.stdin?.end(batch);
  await running;
  const fetched = await readdir(local);
  const names = fetched.filter((name) => name.endsWith(".receipt.json"));
  assert.equal(names.length, 2);
  assert.deepEqual(
    fetched.filter((name) => name.endsWith(".jws")),
    names.map((name) => `${name}.jws`),
    "each receipt has its signature beside it",
  );
  for (const name of names) {
    const receipt = JSON.parse(await readFile(path.join(local, name), "utf8")) as {
      state: string;
      counts: Record<string, number>;
    };
    const {
      records = 0,
      new: fresh = 0,
      known = 0,
      conflicting = 0,
      refused = 0,
      waiting = 0,
      markers = 0,
    } = receipt.counts;
    assert.equal(receipt.state, "loaded");
    assert.ok(fresh > 0);
    assert.equal(records, fresh + known + conflicting + refused + waiting + markers, "the receipt adds up");
  }
}

/** Any file may hold a secret or be a bank's, so all are held to the same. @returns how many there are */
async function checkModes(): Promise<number> {
  // As root, PostgreSQL's account must pass through the data folder to its own, which nobody else may enter.
  const passable: Readonly<Record<string, readonly number[]>> = {
    "": [0o700, 0o711],
    postgres: [0o700, 0o755],
    [path.join("postgres", "files")]: [0o700],
  };
  const isOfPostgres = (name: string) => name.startsWith(path.join("postgres", "files", path.sep));
  const names = ["", ...(await readdir(data, { recursive: true }))].filter((name) => !isOfPostgres(name));
  for (const name of names) {
    const stats = await stat(path.join(data, name));
    const mode = stats.mode & 0o777;
    // Delivered files are nobody's to write any more.
    const allowed =
      passable[name] ?? (stats.isDirectory() ? [0o700] : [0o600, ...(/^(landing|vault)\b/.test(name) ? [0o440] : [])]);
    assert.ok(
      allowed.includes(mode),
      `${name || "the data folder"} has mode ${mode.toString(8)}, not ${allowed.map((one) => one.toString(8)).join(" or ")}`,
    );
  }
  for (const secret of ["key-encryption-key", path.join("demo", "login-private.pem"), path.join("demo", "sftp_key")])
    assert.ok(names.includes(secret), `${secret} is there`);
  return names.length;
}

/** A second Tideline on the same folder or port says so in one line. */
async function checkSecondStarter(): Promise<void> {
  const again = await tideline("--https-port", "0", "--sftp-port", "0", "--data-dir", data);
  assert.equal(again.code, 1);
  assert.match(again.said, /^tideline: DATA_DIR_IN_USE: .*\n$/m);
  const taken = await tideline(
    "--https-port",
    String(httpsPort),
    "--sftp-port",
    "0",
    "--data-dir",
    path.join(folder, "other"),
  );
  assert.equal(taken.code, 1);
  assert.match(taken.said, new RegExp(`^tideline: PORT_TAKEN: .*127\\.0\\.0\\.1:${httpsPort} .*\\n$`, "m"));
}

async function tideline(...parameters: string[]): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [path.join(clone, "src/cli/tideline.mjs"), "up", ...parameters], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => (said += chunk));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, said };
}

/** Below the data folder, or where the folder's pointer says. */
async function databaseLocation(): Promise<string> {
  return await readFile(path.join(data, "postgres-location"), "utf8").then(
    (text) => text.trim(),
    () => path.join(data, "postgres"),
  );
}

/** Postmasters that run on this test's folder. */
async function servers(): Promise<number[]> {
  const location = await databaseLocation();
  const { stdout } = await promisify(execFile)("ps", ["-eo", "pid=,args="]);
  return stdout
    .split("\n")
    .filter((line) => line.includes(`-D ${path.join(location, "files")}`))
    .map((line) => Number.parseInt(line, 10));
}

async function countServers(): Promise<number> {
  return (await servers()).length;
}

async function killLeftovers(): Promise<void> {
  const { stdout } = await promisify(execFile)("ps", ["-eo", "pid=,args="]);
  const ours = stdout
    .split("\n")
    .filter((line) => line.includes(folder))
    .map((line) => Number.parseInt(line, 10));
  for (const pid of ours)
    if (pid !== process.pid)
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        /* it ended by itself */
      }
}
