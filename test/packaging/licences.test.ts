/** What comes along is under terms that a bank may take over, and its texts are there. */
import path from "node:path";
import test from "ava";
import { licenceText, licensedPackages } from "../../src/packaging/licences.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** Permissive ones, and those of fonts: none asks that what uses it be opened. */
const permissive =
  /^\(?(?:MIT|MIT-0|ISC|Apache-2\.0|BSD-2-Clause|BSD-3-Clause|0BSD|BlueOak-1\.0\.0|Unlicense|OFL-1\.1|Python-2\.0|CC0-1\.0|Zlib)\b/;
/** Used as it is, as a library of its own, which its terms allow: openpgp.js. */
const asLibrary = ["openpgp"];

test("every package's licence is named and permissive", async (t) => {
  const packages = await licensedPackages(root);
  t.true(packages.length > 100);
  const others = packages.filter(({ name, licence }) => !permissive.test(licence) && !asLibrary.includes(name));
  t.deepEqual(
    others.map(({ name, licence }) => `${name}: ${licence}`),
    [],
  );
});

test("the text has a package's name, version and terms", async (t) => {
  const [jose] = (await licensedPackages(root)).filter(({ name }) => name === "jose");
  const text = await licenceText(root, [jose!]);
  t.regex(text, /jose 6\.\d+\.\d+: MIT/);
  t.regex(text, /Copyright \(c\) \d{4} Filip Skokan/);
});
