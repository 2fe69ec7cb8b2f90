/**
 * Before `npm pack`: writes dist/, which is the house as plain JavaScript, with the client's declarations, a bill of
 * materials (CycloneDX) and the licences of what comes along. With the word `client` also dist-client/, a package of
 * the client alone, to be packed by `npm pack ./dist-client`.
 */
import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { licenceText, licensedPackages } from "./licences.ts";
import { pathsIn, plainDeclaration, plainScript } from "./plain-script.ts";

const root = path.resolve(import.meta.dirname, "../..");
const dist = path.join(root, "dist");
/** What runs, and the data beside it. */
const folders = ["src", "workers", "migrations", "config", "fixtures"];
const notShipped = ["src/packaging/", "fixtures/sample/", "src/client/package.json"];
const clientEntry = "src/client/client.js";

type Manifest = Record<string, unknown> & { name: string; version: string; dependencies: Record<string, string> };

const manifest = JSON.parse(await readFile(path.join(root, "package.json"), "utf8")) as Manifest;
await rm(dist, { recursive: true, force: true });
await writeScripts();
await writeDeclarations();
await writeAccounts();
if (process.argv[2] === "client") await writeClientPackage(path.join(root, "dist-client"));

async function writeScripts(): Promise<void> {
  const files = (await Promise.all(folders.map(filesBelow))).flat();
  const scripts = new Set(files.filter(isTypeScript));
  for (const file of files) {
    const target = path.join(dist, scripts.has(file) ? file.replace(/\.ts$/, ".js") : file);
    await mkdir(path.dirname(target), { recursive: true });
    if (scripts.has(file))
      await writeFile(target, plainScript(file, await readFile(path.join(root, file), "utf8"), scripts));
    else if (!/\.(md|mjs|d\.ts)$/.test(file)) await cp(path.join(root, file), target);
  }
  const { name, version } = manifest;
  await writeFile(
    path.join(dist, "package.json"),
    `${JSON.stringify({ name, version, private: true, type: "module" })}\n`,
  );
}

/** Of the client: what other programs import. */
async function writeDeclarations(): Promise<void> {
  const made = path.join(dist, "declarations");
  const flags = ["--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--rootDir", root, "--outDir", made];
  const config = path.join(dist, "tsconfig.json");
  await writeFile(
    config,
    JSON.stringify({ extends: "../tsconfig.json", include: [], files: ["../src/client/client.ts"] }),
  );
  await run(path.join(root, "node_modules/.bin/tsc"), ["-p", config, ...flags]);
  const files = (await readdir(path.join(made, "src/client"), { recursive: true })).filter((name) =>
    name.endsWith(".d.ts"),
  );
  const names = new Set(files.map((name) => `src/client/${name.replace(/\.d\.ts$/, ".ts")}`));
  for (const name of files) {
    const file = `src/client/${name}`;
    const text = await readFile(path.join(made, file), "utf8");
    await writeFile(path.join(dist, file), plainDeclaration(file, text, names));
  }
  await rm(made, { recursive: true });
  await rm(config);
}

async function writeAccounts(): Promise<void> {
  const packages = await licensedPackages(root);
  await writeFile(path.join(dist, "third-party-licences.txt"), await licenceText(root, packages));
  const bill = JSON.parse(await runNpm("sbom", "--sbom-format", "cyclonedx", "--omit", "dev")) as {
    serialNumber?: string;
    metadata: { timestamp?: string; component: { name: string } };
  };
  // npm says the folder's name.
  bill.metadata.component.name = manifest.name;
  // Whoever packs the same commit gets the same bytes.
  delete bill.serialNumber;
  delete bill.metadata.timestamp;
  await writeFile(path.join(dist, "sbom.cdx.json"), `${JSON.stringify(bill, null, 2)}\n`);
}

/** What the client loads, and nothing else. */
async function writeClientPackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const reached = new Set<string>();
  const waiting = [clientEntry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    waiting.push(...pathsIn(file, await readFile(path.join(dist, file), "utf8")));
  }
  const declarations = (await readdir(path.join(dist, "src/client"), { recursive: true }))
    .filter((name) => name.endsWith(".d.ts"))
    .map((name) => `src/client/${name}`);
  for (const file of [...reached, ...declarations]) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await cp(path.join(dist, file), path.join(folder, file));
  }
  await cp(path.join(root, "LICENSE"), path.join(folder, "LICENSE"));
  await cp(path.join(root, "src/client/README.md"), path.join(folder, "README.md"));
  await writeFile(path.join(folder, "package.json"), `${JSON.stringify(clientManifest(), null, 2)}\n`);
}

function clientManifest(): object {
  const { version, license, engines, dependencies } = manifest;
  return {
    name: `${manifest.name}-client`,
    version,
    description: "A partner's side of the Tideline Partner Backend API.",
    license,
    type: "module",
    engines,
    exports: {
      ".": { types: "./src/client/client.d.ts", default: `./${clientEntry}` },
      "./package.json": "./package.json",
    },
    dependencies: Object.fromEntries(["jose", "ssh2-sftp-client"].map((name) => [name, dependencies[name]])),
  };
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"))
    .filter((file) => !notShipped.some((start) => file.startsWith(start)));
}

function isTypeScript(file: string): boolean {
  return file.endsWith(".ts") && !file.endsWith(".d.ts");
}

async function run(program: string, parameters: readonly string[]): Promise<string> {
  return (await promisify(execFile)(program, parameters, { cwd: root, maxBuffer: 64 * 1024 * 1024 })).stdout;
}

/** By the npm that runs this, where one does. */
async function runNpm(...parameters: string[]): Promise<string> {
  const program = process.env["npm_execpath"];
  const node = process.env["npm_node_execpath"] ?? process.execPath;
  return program ? await run(node, [program, ...parameters]) : await run("npm", parameters);
}
