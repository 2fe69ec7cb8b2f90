/**
 * The package as a stranger meets it: `npm pack` here, `npm install` of the tarball into an empty folder, `npx tideline
 * up`, a first batch pushed and read back by the programs that docs/partner.md shows, with `tideline/client` and in plain
 * Python, Ctrl-C. Then the same data folder under the checkout, and under the package again: nothing to migrate, nothing
 * lost. Prints how long each step took.
 */
import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access, chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { readBlocks, readDocument } from "../documents.ts";
import { freePort } from "../ports.ts";
import { killHard, listProcesses, treeOf } from "./processes.ts";
import { repository } from "./service.ts";

const startWithinMs = 120_000;
/** Debian's, with Debian's packages. */
const python = "/usr/bin/python3";
const run = promisify(execFile);

/** Reads back what the first batch brought, whoever runs the service. */
const reader = `import { connect } from "tideline/client";
const bank = await connect(".");
const { services } = await (await bank.logIn("astrid")).listServices();
for (const { product, amount, paymentFrequency } of services) console.log(product.title, amount, paymentFrequency);
bank.close();
`;
/** What a first batch may take of its developer, comments and blank lines included. */
const programLinesMax = 20;

const folder = await mkdtemp(path.join(tmpdir(), "tideline-package-"));
// As root, PostgreSQL's account must pass through.
await chmod(folder, 0o711);
const [httpsPort, sftpPort] = [await freePort(), await freePort()];
const environment = {
  ...process.env,
  TIDELINE_HTTPS_PORT: String(httpsPort),
  TIDELINE_SFTP_PORT: String(sftpPort),
  TIDELINE_CONSOLE_PORT: "0",
  TIDELINE_AS_OF: "2026-11-22",
};
const times: string[] = [];
/** Since there was a tarball. */
let spentMs = 0;
const started: ChildProcess[] = [];

try {
  const tarball = await timed("npm pack", pack);
  await timed("npm install", () => install(tarball));
  await checkContents(tarball);
  const version = (await tideline("--version")).trim();
  assert.match(version, /^\d+\.\d+\.\d+$/);

  const first = await timed("first start", () => up("npx", ["tideline"]));
  await timed("onboarding", onboard);
  const files = await writeGuidesFiles();
  assert.ok(files["push.ts"] <= programLinesMax, `push.ts of the guide has ${files["push.ts"]} lines`);
  await compile();
  await timed(`first batch read back, TypeScript (${files["push.ts"]} lines)`, async () => {
    const said = await inBank("node", "push.ts", "astrid");
    assert.equal(said, "pushed: 6 records\nNetflix 139 MONTHLY\n");
  });
  times.push(`  so from the tarball to the first batch read back: ${(spentMs / 1000).toFixed(1)} s`);
  if (await hasJwcrypto())
    await timed(`first batch read back, Python (${files["push.py"]} lines)`, async () => {
      const said = await inBank(python, "push.py", "bodil");
      assert.equal(said, "pushed: 201 \nNetflix 139 MONTHLY\n");
    });
  else console.log("SKIPPED: there is no python3-jwcrypto here");
  assert.match(first.said(), new RegExp(`"service.started".*"version":"${version}"`));
  await stop(first);

  const checkout = await timed("the same folder under the checkout", () =>
    up(process.execPath, [path.join(repository, "src/cli/tideline.mjs")]),
  );
  assert.doesNotMatch(checkout.said(), /database\.migrated","applied":[1-9]/);
  assert.match(await readBack(), /Netflix 139 MONTHLY/);
  await stop(checkout);

  const again = await timed("and under the package again", () => up("npx", ["tideline"]));
  assert.doesNotMatch(again.said(), /database\.migrated","applied":[1-9]/);
  assert.match(await readBack(), /Netflix 139 MONTHLY/);
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
  const took = performance.now() - startedAt;
  if (what !== "npm pack") spentMs += took;
  times.push(`  ${what}: ${(took / 1000).toFixed(1)} s`);
  return result;
}

/** Twice, with what is said of it: whoever packs this commit gets these bytes. */
async function pack(): Promise<string> {
  const made = path.join(folder, "made");
  const digests: string[] = [];
  for (const target of [made, path.join(folder, "made-again")]) {
    await run("npm", ["run", "--silent", "provenance", "--", target], { cwd: repository, maxBuffer: 64 * 1024 * 1024 });
    const names = await readdir(target);
    const [name] = names.filter((one) => one.endsWith(".tgz"));
    assert.ok(name, `no package among ${names.join(", ")}`);
    const { stdout } = await run("sha256sum", [path.join(target, name)]);
    digests.push(stdout.slice(0, 64));
  }
  assert.equal(digests[1], digests[0], "the same commit packs to the same bytes");
  const [tarball = ""] = (await readdir(made)).filter((one) => one.endsWith(".tgz"));
  const statement = JSON.parse(
    await readFile(path.join(made, tarball.replace(/\.tgz$/, ".provenance.json")), "utf8"),
  ) as { subject: { digest: { sha256: string } }[] };
  assert.equal(statement.subject[0]?.digest.sha256, digests[0]);
  return path.join(made, tarball);
}

/** From npm's cache where that has everything. */
async function install(tarball: string): Promise<void> {
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", tarball], {
    cwd: folder,
  });
}

/** Just the files that were said, no TypeScript, and the accounts of what came along. */
async function checkContents(tarball: string): Promise<void> {
  const installed = path.join(folder, "node_modules/tideline");
  await run("sha256sum", ["--check", "--strict", "--quiet", tarball.replace(/\.tgz$/, ".sha256")], { cwd: installed });
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
    "--types",
    "node",
    "--typeRoots",
    path.join(repository, "node_modules/@types"),
  ];
  await run(path.join(repository, "node_modules/.bin/tsc"), [...flags, "--allowImportingTsExtensions", "push.ts"], {
    cwd: path.join(folder, "bank"),
  }).catch((error: { stdout?: string }) => assert.fail(error.stdout ?? "tsc"));
}

async function readBack(): Promise<string> {
  await writeFile(path.join(folder, "bank/read.ts"), reader);
  return await inBank("node", "read.ts");
}

/** The very text that docs/partner.md shows. @returns how many lines each file has */
async function writeGuidesFiles(): Promise<Record<"push.ts" | "push.py" | "records.json", number>> {
  const blocks = readBlocks(await readDocument("docs/partner.md"));
  const lines = { "push.ts": 0, "push.py": 0, "records.json": 0 };
  for (const name of Object.keys(lines) as (keyof typeof lines)[]) {
    const text = blocks.find((block) => block.role === "file" && block.name === name)?.text;
    assert.ok(text, `docs/partner.md shows ${name}`);
    lines[name] = text.trimEnd().split("\n").length;
    await writeFile(path.join(folder, "bank", name), text);
  }
  return lines;
}

async function inBank(command: string, ...parameters: string[]): Promise<string> {
  const options = { cwd: path.join(folder, "bank"), env: { ...environment, NODE_EXTRA_CA_CERTS: undefined } };
  return (await run(command, parameters, options)).stdout;
}

async function hasJwcrypto(): Promise<boolean> {
  return await run(python, ["-c", "import jwcrypto"]).then(
    () => true,
    () => false,
  );
}
