/** The alerting rules fire when they should: Prometheus' own tool runs the tests beside them. */
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import test from "ava";
import { parse } from "yaml";
import { metricsOf } from "./expressions.ts";

const folder = path.resolve(import.meta.dirname, "../../deploy/prometheus");
/** AVA lists these as skipped on a machine without Prometheus' own tool; CI installs it. */
const testWithPromtool = spawnSync("promtool", ["--version"]).status === 0 ? test : test.skip;

testWithPromtool("every rule is one, and fires exactly when its tests say", (t) => {
  for (const [what, file] of [
    ["check", "tideline.rules.yml"],
    ["test", "tideline.rules.test.yml"],
  ] as const) {
    const ran = spawnSync("promtool", [what, "rules", file], { cwd: folder, encoding: "utf8" });
    t.is(ran.status, 0, ran.stdout + ran.stderr);
  }
});

type Rules = { groups: { rules: { alert: string; expr: string }[] }[] };
type Tests = { tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[] };

test("each alert has a test in which it fires, and one in which it does not", async (t) => {
  const { groups } = parse(await readFile(path.join(folder, "tideline.rules.yml"), "utf8")) as Rules;
  const { tests } = parse(await readFile(path.join(folder, "tideline.rules.test.yml"), "utf8")) as Tests;
  const cases = tests.flatMap((one) => one.alert_rule_test);
  const named = (fires: boolean) =>
    new Set(cases.filter((one) => one.exp_alerts.length > 0 === fires).map(({ alertname }) => alertname));
  const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)).toSorted();
  t.is(alerts.length, 15);
  t.deepEqual([...named(true)].toSorted(), alerts);
  t.deepEqual([...named(false)].toSorted(), alerts);
});

test("an expression's metrics are found, and what is no expression is refused", (t) => {
  t.deepEqual(metricsOf('sum by (a) (rate(x_total{b="c"}[5m])) / on () max(y) > time() - 3'), ["x_total", "y"]);
  t.throws(() => metricsOf("sum(rate(x[5m])"), { message: /no PromQL/ });
});
