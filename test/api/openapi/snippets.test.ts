/** The calls that the reference page shows: one for each operation in three languages, which hold where they are used. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "ava";
import { snippetsOf } from "../../../src/api/openapi/snippets.ts";
import { operationsOf } from "../operations.ts";

const root = path.resolve(import.meta.dirname, "../../..");

const calls = await operationsOf();
const texts = (language: string) =>
  calls.flatMap(({ method, path: at, operation, bodyExample }) =>
    snippetsOf({ method: method.toUpperCase(), path: at, operation }, bodyExample)
      .filter((one) => one.language === language)
      .map(({ text }) => text),
  );

test("every operation is called in three languages", (t) => {
  t.is(calls.length, 45);
  for (const language of ["curl", "TypeScript", "Python"]) t.is(texts(language).length, 45, language);
  t.true(
    texts("curl").includes(
      [
        'curl -sS --fail-with-body --cacert ca.pem -X PUT "$api/services/$serviceId/hidden"',
        '  -H "Authorization: Bearer $token"',
        "  -H 'Content-Type: application/json'",
        `  -d '{"hidden":true}'`,
      ].join(" \\\n"),
    ),
  );
  t.true(texts("curl").includes('curl -sS --fail-with-body --cacert ca.pem "$service/assets/products/$imageId.svg"'));
  t.true(texts("TypeScript").includes("const answer = await fetch(`${service}/assets/products/${imageId}.svg`);"));
  t.true(
    texts("Python").includes(
      'answer = urllib.request.urlopen(f"{service}/assets/products/{imageId}.svg", context=TLS)',
    ),
  );
});

test("those in TypeScript hold against the client's types", async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-snippets-"));
  t.teardown(() => rm(folder, { recursive: true }));
  const blocks = texts("TypeScript").map((text) => `{ ${text} }`);
  const names = ["service", "imageId", "serviceId", "budgetId", "expenseId", "categoryId", "actionId", "documentId"];
  const program = [
    `import type { Partner, RawTransaction, UserSession } from "${root}/src/client/client.ts";`,
    "declare const bank: Partner; declare const session: UserSession; declare const records: RawTransaction[];",
    ...names.map((name) => `declare const ${name}: string;`),
    ...blocks,
  ].join("\n");
  await writeFile(path.join(folder, "calls.ts"), program);
  const config = { extends: `${root}/tsconfig.json`, include: [], files: ["calls.ts"] };
  const options = { noUnusedLocals: false, typeRoots: [`${root}/node_modules/@types`] };
  await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify({ ...config, compilerOptions: options }));
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const checked = spawnSync(path.join(root, "node_modules/.bin/tsc"), ["-p", folder], { encoding: "utf8" });
  t.is(checked.stdout, "");
  t.is(checked.status, 0);
});

test("those for the shell and in Python can be read by them", (t) => {
  for (const text of texts("curl")) t.notThrows(() => execFileSync("sh", ["-n"], { input: text }), text);
  const python = spawnSync("python3", ["--version"]);
  if (python.error) return t.log("SKIPPED: there is no Python");
  const read = "import ast, sys; ast.parse(sys.stdin.read())";
  t.is(spawnSync("python3", ["-c", read], { input: texts("Python").join("\n") }).status, 0);
});
