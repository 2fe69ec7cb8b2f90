/** What systemd itself says of the units: how much of the machine they leave open to the service. */
import { execFile, spawnSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import test from "ava";

const folder = path.resolve(import.meta.dirname, "../../deploy/systemd");
const units = (await readdir(folder)).filter((name) => name.endsWith(".service")).sort();
/** systemd's own scale goes from 0 to 10; a unit without any hardening has 9.6. */
const exposureMax = 2.5;

/** AVA lists these as skipped on a machine without systemd; no running one is needed. */
const testWithSystemd = spawnSync("systemd-analyze", ["--version"]).error === undefined ? test : test.skip;

async function exposureOf(unit: string): Promise<number> {
  const { stdout } = await promisify(execFile)("systemd-analyze", [
    "security",
    "--offline=true",
    "--no-pager",
    path.join(folder, unit),
  ]);
  return Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1] ?? Number.NaN);
}

for (const unit of units) {
  testWithSystemd(`systemd finds ${unit} hardened`, async (t) => {
    const exposure = await exposureOf(unit);
    t.true(exposure <= exposureMax, `exposure ${exposure}`);
  });
}

testWithSystemd("systemd understands every line of the units", async (t) => {
  for (const unit of units) {
    const said = spawnSync(
      "systemd-analyze",
      ["verify", "--man=no", path.join(folder, unit.replace("@.", "@worker."))],
      {
        encoding: "utf8",
        env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` },
      },
    ).stderr;
    t.deepEqual(
      said.split("\n").filter((line) => /Unknown|Failed to parse|ignoring|Invalid/i.test(line)),
      [],
      unit,
    );
  }
});

test("the unit of one machine and that of a fleet's roles differ in nothing but what they run", async (t) => {
  const [one = [], other = []] = await Promise.all(
    ["tideline.service", "tideline@.service"].map(async (name) =>
      (await readFile(path.join(folder, name), "utf8")).split("\n"),
    ),
  );
  const lines = new Set(other);
  const only = one.filter((line) => !lines.has(line) && !line.startsWith("#"));
  t.deepEqual(
    only.map((line) => line.split("=")[0]),
    ["Description", "ExecStart"],
  );
});
