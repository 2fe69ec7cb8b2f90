/**
 * What is known of the test files from an earlier run: how long each took and what of the room it ran. That is as good as
 * measured anew while nothing that the file loads has changed, and no file of data that it might read.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { glob, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { projectFolder } from "./ava-worker.ts";
import { type Imports, loadedWith } from "./imports.ts";
import type { MeasuredTest, TestFile } from "./reach.ts";

type Measured = Omit<MeasuredTest, "isJoinable" | "steps" | "coverage"> & {
  digest: string;
  /** By the module, from the repository's root. */
  coverage: [file: string, loads: MeasuredTest["coverage"] extends ReadonlyMap<string, infer Loads> ? Loads : never][];
};

/** Where data lies that tests read: what is neither code nor written for people. */
const dataFiles = ["{config,fixtures,test}/**/*.*", "package-lock.json"];
const isData = (name: string): boolean => !/\.(?:ts|md)$/.test(name);

const urlOf = (file: string): string => pathToFileURL(path.resolve(projectFolder, file)).href;
const fileOf = (url: string): string => path.relative(projectFolder, fileURLToPath(url));

export class MeasuredFile {
  readonly #path: string;
  readonly #imports: Imports;
  readonly #known: Map<string, Measured>;
  readonly #data: string;

  private constructor(file: string, imports: Imports, known: Map<string, Measured>, data: string) {
    this.#path = file;
    this.#imports = imports;
    this.#known = known;
    this.#data = data;
  }

  /** @param room the modules of which coverage is kept */
  static async open(file: string, imports: Imports, room: readonly string[]): Promise<MeasuredFile> {
    const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "[]";
      throw error;
    });
    const known = new Map((JSON.parse(text) as Measured[]).map((one) => [one.file, one]));
    const data = createHash("sha256").update(JSON.stringify(room));
    for (const name of (await Array.fromAsync(glob(dataFiles))).filter(isData).sort())
      data.update(`${name}\n`).update(await readFile(name));
    return new MeasuredFile(file, imports, known, data.digest("hex"));
  }

  /** What was measured of the file as it stands; null: nothing. */
  of(test: TestFile): Omit<MeasuredTest, "isJoinable"> | null {
    const known = this.#known.get(test.file);
    if (known?.digest !== this.#digestOf(test)) return null;
    return {
      ...test,
      ms: known.ms,
      titles: known.titles,
      coverage: new Map(known.coverage.map(([name, loads]) => [urlOf(name), loads])),
    };
  }

  add({ file, steps, ms, titles, coverage }: Omit<MeasuredTest, "isJoinable">): void {
    const digest = this.#digestOf({ file, steps });
    this.#known.set(file, {
      file,
      ms,
      titles,
      digest,
      coverage: [...coverage].map(([url, loads]) => [fileOf(url), loads]),
    });
  }

  async write(): Promise<void> {
    await mkdir(path.dirname(this.#path), { recursive: true });
    await writeFile(this.#path, JSON.stringify([...this.#known.values()]));
  }

  #digestOf({ file }: TestFile): string {
    const digest = createHash("sha256").update(this.#data);
    for (const name of [...loadedWith(this.#imports, file)].sort())
      digest.update(`${name}\n`).update(existsSync(name) ? readFileSync(name) : "");
    return digest.digest("hex");
  }
}
