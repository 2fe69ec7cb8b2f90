/**
 * Packs, and writes beside the tarball where it comes from: `npm run provenance -- [FOLDER]` leaves
 *
 *   tideline-VERSION.tgz                what npm pack makes; the same bytes for whoever packs the same commit
 *   tideline-VERSION.sha256             each file in it, for `sha256sum --check` inside the installed package
 *   tideline-VERSION.provenance.json    an in-toto statement: the tarball's digest, the commit, the lockfile, Node and npm
 *
 * Nothing is signed: whoever hands the package on signs the statement with a key of theirs.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const root = path.resolve(import.meta.dirname, "../..");

type Packed = { filename: string; name: string; version: string };

async function run(program: string, parameters: readonly string[], folder = root): Promise<string> {
  return (await promisify(execFile)(program, parameters, { cwd: folder, maxBuffer: 2 ** 26 })).stdout.trim();
}

async function digestOf(file: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
}

async function pack(folder: string): Promise<Packed> {
  const said = await run("npm", ["pack", "--json", "--pack-destination", folder]);
  // Scripts that run before may speak, too.
  const [made] = JSON.parse(said.slice(said.indexOf("["))) as Packed[];
  if (made === undefined) throw new Error("npm packed nothing");
  return made;
}

/** As `sha256sum` writes them, by path below the package's own folder. */
async function contentsOf(tarball: string): Promise<string> {
  const opened = await mkdtemp(path.join(tmpdir(), "tideline-provenance-"));
  try {
    await run("tar", ["-xzf", tarball, "--strip-components=1"], opened);
    const entries = await readdir(opened, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(opened, path.join(entry.parentPath, entry.name)))
      .toSorted();
    const lines = [];
    for (const file of files) lines.push(`${await digestOf(path.join(opened, file))}  ${file}\n`);
    return lines.join("");
  } finally {
    await rm(opened, { recursive: true, force: true });
  }
}

/** In-toto statement v1 with SLSA provenance v1. */
async function statementOf(tarball: string, { filename, name, version }: Packed): Promise<object> {
  const commit = await run("git", ["rev-parse", "HEAD"]);
  const changed = await run("git", ["status", "--porcelain", "--untracked-files=no"]);
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name: filename, digest: { sha256: await digestOf(tarball) } }],
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "npm pack",
        externalParameters: { package: `${name}@${version}` },
        internalParameters: {
          node: process.version,
          npm: await run("npm", ["--version"]),
          isCommitted: changed === "",
        },
        resolvedDependencies: [
          { name: "source", digest: { gitCommit: commit } },
          { name: "package-lock.json", digest: { sha256: await digestOf(path.join(root, "package-lock.json")) } },
        ],
      },
      runDetails: { builder: { id: "npm run provenance" } },
    },
  };
}

const folder = path.resolve(process.argv[2] ?? root);
await mkdir(folder, { recursive: true });
const packed = await pack(folder);
const tarball = path.join(folder, packed.filename);
const beside = tarball.replace(/\.tgz$/, "");
await writeFile(`${beside}.sha256`, await contentsOf(tarball));
await writeFile(`${beside}.provenance.json`, `${JSON.stringify(await statementOf(tarball, packed), null, 2)}\n`);
console.log(`${packed.filename}: sha256 ${await digestOf(tarball)}`);
