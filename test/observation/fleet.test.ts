/** Doors and workers, really started: each is looked at on its own port, and counts what it does itself. */
import { readFile } from "node:fs/promises";
import { spawnSync } from "node:child_process";
import test from "ava";
import { parse } from "yaml";
import { listProcesses } from "../../src/observation/processes.ts";
import { familiesIn, familyOf, metricsOf } from "./expressions.ts";
import { ask, openFleet, payment, samples } from "./fleet.ts";

/** AVA lists this as skipped on a machine without Prometheus' own tool; CI installs it. */
const testWithPromtool = spawnSync("promtool", ["--version"]).status === 0 ? test.serial : test.skip;

/** What doors and worker answered when everything had happened. */
const scraped: string[] = [];

test.serial(
  "a worker answers for itself, counts loads, duplicates and quarantine where they happen, and goes from the fleet",
  async (t) => {
    t.timeout(300_000);
    const { doors, worker, push, untilLoaded, database } = await openFleet(t);
    t.deepEqual(JSON.parse((await ask(worker, "/health/live")).text), {
      status: "alive",
      version: "0.1.0",
      roles: ["worker"],
    });
    const ready = await ask(worker, "/health/ready");
    t.is(ready.status, 200, ready.text);
    t.like(JSON.parse(ready.text), {
      status: "ready",
      reads: "ready",
      writes: "ready",
      checks: {
        process: "ok",
        database: "ok",
        databaseWrites: "ok",
        disk: "ok",
        vault: "ok",
        fleet: "api 1, sftp 1, worker 1, scheduler 1, console 0",
      },
    });

    const first = "00000000-0000-4000-8000-000000000001";
    t.is(await push([payment("t-1", "2026-10-01", -129), payment("t-2", "2026-11-01", -129)], {}, first), 201);
    await untilLoaded(1);
    t.is(await push([payment("t-2", "2026-11-01", -129), payment("t-1", "2026-10-01", -130)]), 201);
    await untilLoaded(2);

    t.deepEqual(await samples(worker, "tideline_deliveries_total"), { '{outcome="loaded"}': 2 });
    t.deepEqual(await samples(doors, "tideline_deliveries_total"), {}, "the doors load nothing");
    t.like(await samples(worker, "tideline_records_total"), {
      '{outcome="new"}': 2,
      '{outcome="known"}': 1,
      '{outcome="conflicting"}': 1,
    });
    t.like(await samples(worker, "tideline_records_held_total"), { '{partner="north",outcome="conflicting"}': 1 });
    const landed = await samples(doors, "tideline_landed_bytes_total");
    t.true((landed['{door="https"}'] ?? 0) > 500);
    t.deepEqual(await samples(worker, "tideline_landed_bytes_total"), {});
    t.deepEqual(await samples(worker, "tideline_load_slots"), { "": 1 });
    t.deepEqual(await samples(doors, "tideline_staging_depth"), { "": 0 }, "what waits is told by every process");
    const loadedAt = (await samples(doors, "tideline_last_loaded_timestamp_seconds"))[""] ?? 0;
    t.true(Math.abs(loadedAt - Date.now() / 1000) < 60);
    const ends = (await samples(doors, "tideline_certificate_expires_timestamp_seconds"))['{certificate="https"}'] ?? 0;
    t.true(ends > Date.now() / 1000 + 300 * 86_400 && ends < Date.now() / 1000 + 398 * 86_400);

    t.deepEqual(
      (await listProcesses(database)).map(({ role, silent }) => ({ role, silent })),
      [
        { role: ["api", "sftp", "scheduler"], silent: false },
        { role: ["worker"], silent: false },
      ],
    );

    scraped.push((await ask(doors, "/metrics")).text, (await ask(worker, "/metrics")).text);
    const closed = worker.close();
    const { status, text } = await ask(worker, "/health/ready/reads");
    t.is(status, 503);
    t.like(JSON.parse(text), { reads: "not-ready", checks: { process: "is stopping" } });
    await closed;
    t.deepEqual(
      (await listProcesses(database)).map(({ role }) => role),
      [["api", "sftp", "scheduler"]],
    );
    await t.throwsAsync(ask(worker, "/health/live"));
  },
);

testWithPromtool("promtool finds nothing wrong with the figures of any role", (t) => {
  t.is(scraped.length, 2);
  for (const text of scraped) {
    t.regex(text, /^process_cpu_seconds_total \d/m);
    t.notRegex(text, /^tideline_(process|nodejs)_/m);
    const checked = spawnSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" });
    t.is(checked.stdout + checked.stderr, "");
    t.is(checked.status, 0);
  }
});

/** Every text under that key, however deep. */
function textsUnder(key: string, value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    name === key && typeof one === "string" ? [one] : textsUnder(key, one),
  );
}

test.serial("every query of the dashboard and every rule asks for figures that there are", async (t) => {
  const deploy = new URL("../../deploy/", import.meta.url);
  const read = async (file: string) => parse(await readFile(new URL(file, deploy), "utf8")) as unknown;
  const there = new Set(scraped.flatMap(familiesIn));
  for (const [file, queries] of [
    ["grafana/tideline.json", 50],
    ["prometheus/tideline.rules.yml", 15],
  ] as const) {
    const expressions = textsUnder("expr", await read(file));
    t.true(expressions.length >= queries, `${file} has ${expressions.length}`);
    const unknown = expressions
      .flatMap(metricsOf)
      .filter((metric) => !there.has(metric) && !there.has(familyOf(metric)));
    t.deepEqual(unknown, [], file);
  }
});
