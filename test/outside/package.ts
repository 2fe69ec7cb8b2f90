/**
 * The package as a stranger meets it: `npm pack` here, `npm install` of the tarball into an empty folder, `npx tideline
 * up`, a first batch pushed and read back by a program of its own with `tideline/client`, Ctrl-C. Then the same data
 * folder under the checkout, and under the package again: nothing to migrate, nothing lost.
 */
import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access, chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "../ports.ts";
import { killHard, listProcesses, treeOf } from "./processes.ts";
import { repository } from "./service.ts";

const startWithinMs = 120_000;
const run = promisify(execFile);

/** What the guide shows, in a few lines: a customer, a history, what was recognised. */
const program = `import { connect } from "tideline/client";
const bank = await connect("bank");
await bank.createUser({ bankUserId: "astrid", locale: "da-DK" });
const days = ["2026-07-05", "2026-08-05", "2026-09-05", "2026-10-05", "2026-11-05"];
const records = days.map((day) => ({
  uid: "astrid",
  type: "TX" as const,
  tx: { txid: day, txTime: day, type: "CARD", description: "NETFLIX.COM", amount: -129, currency: "DKK" },
}));
console.log(await bank.push(records, { complete: true }));
const astrid = await bank.logIn("astrid");
const { services } = await astrid.listServices();
for (const { product, amount, paymentFrequency } of services) console.log(product.title, amount, paymentFrequency);
bank.close();
`;

const folder = await mkdtemp(path.join(tmpdir(), "tideline-package-"));
// As root, PostgreSQL's account must pass through.
await chmod(folder, 0o711);
const [httpsPort, sftpPort] = [await freePort(), await freePort()];
const environment = {
  ...process.env,
  TIDELINE_HTTPS_PORT: String(httpsPort),
  TIDELINE_SFTP_PORT: String(sftpPort),
  TIDELINE_AS_OF: "2026-11-22",
};
const times: string[] = [];
const started: ChildProcess[] = [];

try {
  const tarball = await timed("npm pack", pack);
  await timed("npm install", () => install(tarball));
  await checkContents();
  const version = (await tideline("--version")).trim();
  assert.match(version, /^\d+\.\d+\.\d+$/);

  const first = await timed("first start", () => up("npx", ["tideline"]));
  await timed("onboarding", onboard);
  await timed("first batch read back", async () => {
    await writeFile(path.join(folder, "first.ts"), program);
    await compile();
    const { stdout } = await run("node", ["first.ts"], {
      cwd: folder,
      env: { ...environment, NODE_EXTRA_CA_CERTS: undefined },
    });
    assert.match(stdout, /records: 6, batches: 1/);
    assert.match(stdout, /Netflix 129 MONTHLY/);
  });
  assert.match(first.said(), new RegExp(`"service.started".*"version":"${version}"`));
  await stop(first);

  const checkout = await timed("the same folder under the checkout", () =>
    up(process.execPath, [path.join(repository, "src/cli/tideline.mjs")]),
  );
  assert.doesNotMatch(checkout.said(), /database\.migrated","applied":[1-9]/);
  assert.match(await readBack(), /Netflix 129 MONTHLY/);
  await stop(checkout);

  const again = await timed("and under the package again", () => up("npx", ["tideline"]));
  assert.doesNotMatch(again.said(), /database\.migrated","applied":[1-9]/);
  assert.match(await readBack(), /Netflix 129 MONTHLY/);
  await stop(again);
  console.log(`package: installs, starts, and shares its data with the checkout\n${times.join("\n")}`);
} finally {
  const processes = await listProcesses();
  for (const child of started) killHard(treeOf(processes, child.pid ?? 0));
  await rm(folder, { recursive: true, force: true });
}

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  const result = await work();
  times.push(`  ${what}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return result;
}

async function pack(): Promise<string> {
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], {
    cwd: repository,
    maxBuffer: 64 * 1024 * 1024,
  });
  // Scripts that run before may speak, too.
  const [made] = JSON.parse(stdout.slice(stdout.indexOf("["))) as { filename: string }[];
  return path.join(folder, made?.filename ?? "");
}

/** From npm's cache where that has everything. */
async function install(tarball: string): Promise<void> {
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", tarball], {
    cwd: folder,
  });
}

/** No TypeScript, and the accounts of what came along. */
async function checkContents(): Promise<void> {
  const installed = path.join(folder, "node_modules/tideline");
  const { stdout } = await run("find", [installed, "-name", "*.ts", "-not", "-name", "*.d.ts"]);
  assert.equal(stdout, "");
  const bill = JSON.parse(await readFile(path.join(installed, "dist/sbom.cdx.json"), "utf8")) as {
    bomFormat: string;
    metadata: { component: { name: string } };
    components: { name: string; version: string }[];
  };
  assert.equal(bill.bomFormat, "CycloneDX");
  assert.equal(bill.metadata.component.name, "tideline");
  assert.ok(bill.components.some(({ name }) => name === "fastify"));
  assert.ok(!bill.components.some(({ name }) => name === "ava"));
  assert.match(
    await readFile(path.join(installed, "dist/third-party-licences.txt"), "utf8"),
    /^fastify \d+\.\d+\.\d+: MIT$/m,
  );
}

async function tideline(...parameters: string[]): Promise<string> {
  return (await run("npx", ["tideline", ...parameters], { cwd: folder, env: environment })).stdout;
}

async function up(
  command: string,
  parameters: readonly string[],
): Promise<{ child: ChildProcess; said: () => string }> {
  const child = spawn(command, [...parameters, "up", "--no-demo"], {
    cwd: folder,
    env: environment,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  let said = "";
  const collect = (chunk: Buffer) => (said += chunk.toString());
  child.stdout?.on("data", collect);
  child.stderr?.on("data", collect);
  const deadline = performance.now() + startWithinMs;
  while (!said.includes("Ready.")) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error(`it did not get ready: ${said}`);
    await wait(50);
  }
  return { child, said: () => said };
}

/** Ctrl-C. */
async function stop({ child, said }: { child: ChildProcess; said: () => string }): Promise<void> {
  const ended = once(child, "close");
  process.kill(-(child.pid ?? 0), "SIGINT");
  await ended;
  assert.match(said(), /Stopped\./);
}

async function onboard(): Promise<void> {
  const bank = path.join(folder, "bank");
  await mkdir(bank);
  const key = path.join(bank, "login-private.pem");
  await run("openssl", ["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", key]);
  await run("openssl", ["pkey", "-in", key, "-pubout", "-out", path.join(bank, "login-public.pem")]);
  await tideline("partner", "add", "bank", "--name", "A bank");
  const brand = ["--country", "DK", "--currency", "DKK", "--time-zone", "Europe/Copenhagen", "--locale", "da-DK"];
  await tideline("partner", "brand", "add", "bank", "bank-dk", ...brand);
  await tideline("partner", "login-key", "add", "bank", "bank/login-public.pem");
  await tideline("partner", "credentials", "bank", "--out", "bank");
  await access(path.join(bank, "partner.json"));
}

/** Its program and the client's declarations hold under strict types. */
async function compile(): Promise<void> {
  const flags = [
    "--noEmit",
    "--strict",
    "--exactOptionalPropertyTypes",
    "--module",
    "nodenext",
    "--target",
    "esnext",
    "--lib",
    "esnext,dom",
  ];
  await run(path.join(repository, "node_modules/.bin/tsc"), [...flags, "--allowImportingTsExtensions", "first.ts"], {
    cwd: folder,
  }).catch((error: { stdout?: string }) => assert.fail(error.stdout ?? "tsc"));
}

async function readBack(): Promise<string> {
  const text = program.replace(/await bank\.createUser[^]*?complete: true \}\)\);\n/, "");
  await writeFile(path.join(folder, "again.ts"), text);
  return (await run("node", ["again.ts"], { cwd: folder })).stdout;
}
