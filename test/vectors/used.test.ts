/** Every vector file is read by some test and named in the README with its licence. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import test from "ava";

const tests = path.resolve(import.meta.dirname, "..");

test("every vector file here is read by a test, and is told in the README with its licence", async (t) => {
  const entries = await readdir(tests, { recursive: true });
  const sources = await Promise.all(
    entries.filter((name) => name.endsWith(".test.ts")).map((name) => readFile(path.join(tests, name), "utf8")),
  );
  const readme = await readFile(path.join(import.meta.dirname, "README.md"), "utf8");
  const files = entries
    .filter((name) => name.startsWith("vectors/") && name.endsWith(".json"))
    .map((name) => name.slice("vectors/".length));
  t.true(files.length > 0);
  for (const file of files) {
    t.true(
      sources.some((source) => source.includes(`"${file}"`) || source.includes(`vectors/${file}"`)),
      `${file} is read by no test`,
    );
    t.true(readme.includes(`\`${file}\``), `${file} is not in the README`);
  }
});
