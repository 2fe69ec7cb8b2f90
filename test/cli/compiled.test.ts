/** What Node compiled of the program is kept, and taken by every thread and process of a service. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import test from "ava";

const place = (file: string) => JSON.stringify(new URL(`../../${file}`, import.meta.url).href);

/** As V8 names the settings under which it compiles: it takes no code that was compiled under others. */
const settingsNow = `(await import("node:v8")).default.cachedDataVersionTag()`;

async function evaluate(program: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  return stdout.trim();
}

test("what a service sets for itself while it runs leaves what was kept usable", async (t) => {
  const told = await evaluate(`
    const { keepCompiled } = await import(${place("src/cli/compiled.mjs")});
    keepCompiled();
    const before = ${settingsNow};
    const { countBuffersWithHeap } = await import(${place("src/machine/garbage-collection.ts")});
    const { giveBack } = await import(${place("src/machine/unused-memory.ts")});
    countBuffersWithHeap();
    giveBack();
    console.log(before === ${settingsNow});
  `);
  t.is(told, "true");
});

test("whatever a start reads later than at its beginning is compiled ahead", async (t) => {
  const [up, ahead] = await Promise.all(
    ["src/cli/service/up.ts", "src/cli/compile-ahead.mjs"].map((file) =>
      readFile(new URL(`../../${file}`, import.meta.url), "utf8"),
    ),
  );
  const later = [...(up ?? "").matchAll(/\bimport\("\.\.\/\.\.\/([\w/-]+\.ts)"\)/g)].map(([, file]) => `src/${file}`);
  t.true(later.includes("src/main.ts"));
  t.deepEqual(
    later.filter((file) => !ahead?.includes(`"${file}"`)),
    [],
  );
});
