/** The house as it stands: its files, and what each of them imports. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Folders of the house; `fixtures` and `test` hold data and vectors too, which are no rooms. */
const folders = ["src", "workers", "config", "fixtures", "migrations", "test"];

export type SourceFile = {
  /** From the top of the house, with forward slashes. */
  path: string;
  text: string;
  /** Files of the house that it imports, types and lazily loaded ones included. */
  imports: readonly string[];
  /** Packages that it imports; Node's own modules are left out. */
  packages: readonly string[];
  /** Modules that it imports from inside packages, as "ssh2/lib/protocol/kex.js". */
  insidePackages: readonly string[];
};

/** Every TypeScript or JavaScript file, by path. */
export async function readTree(): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for (const folder of folders) {
    for (const entry of await readdir(path.join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.(?:ts|mjs)$/.test(entry.name)) continue;
      const absolute = path.join(entry.parentPath, entry.name);
      files.push(sourceFile(slashed(path.relative(root, absolute)), await readFile(absolute, "utf8")));
    }
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Statements from one `import` or `export` to its `from`; modules loaded when they are needed, or run by a thread. */
const specifiers = [
  /^(?:import|export)\s(?:[^"';]*?\sfrom\s)?"([^"]+)"/gm,
  /\bimport\(\s*"([^"]+)"\s*\)/g,
  /\bcreateRequire\(import\.meta\.url\)(?:\.resolve)?\(\s*"([^"]+)"/g,
  /\bnew URL\(\s*"([^"]+\.(?:ts|mjs))",\s*import\.meta\.url\s*,?\s*\)/g,
];

export function sourceFile(file: string, text: string): SourceFile {
  const found = [
    ...new Set(specifiers.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => name ?? ""))),
  ];
  const imports = found
    .filter((name) => name.startsWith("."))
    .map((name) => path.posix.join(path.posix.dirname(file), name));
  const packages = found.filter((name) => !name.startsWith(".") && !name.startsWith("node:"));
  return {
    path: file,
    text,
    imports,
    packages: packages.map(packageOf),
    insidePackages: packages.filter((name) => packageOf(name) !== name),
  };
}

/** "ssh2/lib/x.js" and "@scope/name/x" without what lies inside the package. */
export function packageOf(name: string): string {
  return name
    .split("/")
    .slice(0, name.startsWith("@") ? 2 : 1)
    .join("/");
}

function slashed(name: string): string {
  return name.split(path.sep).join("/");
}

/** The room in which a file lies, by its name in the plan. */
export function roomOf(file: string): string {
  const [first = "", second = ""] = file.split("/");
  return first === "src" ? second : first;
}

/** Circles of imports, each with the files that are tied in it, in order of their paths. */
export function circlesOf(files: readonly SourceFile[]): string[][] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Map(files.map((file) => [file.path, reachedFrom(file, byPath)]));
  const tied = files.map(({ path: at }) => [...(reached.get(at) ?? [])].filter((other) => reached.get(other)?.has(at)));
  const circles = new Map(
    tied.filter((circle) => circle.length > 0).map((circle) => [circle.sort().join(" "), circle]),
  );
  return [...circles.values()];
}

function reachedFrom(file: SourceFile, byPath: ReadonlyMap<string, SourceFile>): Set<string> {
  const reached = new Set<string>();
  const next = [...file.imports];
  for (let at = next.pop(); at !== undefined; at = next.pop()) {
    if (reached.has(at)) continue;
    reached.add(at);
    next.push(...(byPath.get(at)?.imports ?? []));
  }
  return reached;
}
