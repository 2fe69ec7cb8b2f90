/** The former release that drills upgrade from: its files as this repository's history has them, with packages of today. */
import { execFile } from "node:child_process";
import { mkdir, readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { repository } from "../outside/service.ts";
import { Skipped, type Stage } from "./tools.ts";

export type FormerRelease = {
  folder: string;
  commit: string;
  /** The newest migration that it knows. */ schema: string;
};

type Package = { dependencies: Record<string, string>; devDependencies: Record<string, string> };

/** @throws Skipped in a copy of the repository without its history, or once packages have moved on */
export async function unpackFormer(stage: Stage): Promise<FormerRelease> {
  const { commit, schema } = JSON.parse(
    await readFile(path.join(repository, "test/drills/former-release.json"), "utf8"),
  ) as { commit: string; schema: string };
  const folder = path.join(stage.folder, "former");
  await mkdir(folder);
  const tarball = path.join(stage.folder, "former.tar");
  const run = promisify(execFile);
  await run("git", ["-C", repository, "archive", "--output", tarball, commit]).catch(() => {
    throw new Skipped(`this copy of the repository has no commit ${commit}`);
  });
  await run("tar", ["--extract", "--file", tarball, "--directory", folder]);
  await assertSamePackages(folder);
  await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
  return { folder, commit, schema };
}

/** Of what it needs today's folder has the very versions, and more. @throws Skipped */
async function assertSamePackages(folder: string): Promise<void> {
  const read = async (of: string) => {
    const { dependencies, devDependencies } = JSON.parse(
      await readFile(path.join(of, "package.json"), "utf8"),
    ) as Package;
    return { ...dependencies, ...devDependencies };
  };
  const [then, now] = [await read(folder), await read(repository)];
  const moved = Object.entries(then).filter(([name, version]) => now[name] !== version);
  if (moved.length > 0)
    throw new Skipped(`packages have moved on since the former release: ${moved.map(([name]) => name).join(", ")}`);
}
