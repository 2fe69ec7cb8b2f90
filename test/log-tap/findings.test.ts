/** The scan of logs finds each kind of what a log must not hold, and mistakes nothing else for it. */
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "ava";
import { findingsIn } from "./findings.ts";
import { tapOptions } from "./options.ts";

const kindsIn = (entry: object, texts: readonly string[] = []) =>
  findingsIn(JSON.stringify({ event: "x.done", ...entry }), texts).map(({ kind, field }) => `${kind} in ${field}`);

test("each kind of what a log must not hold is found, however deep", (t) => {
  t.deepEqual(kindsIn({ error: "cannot read DK50 0040 0440 1162 43" }), ["IBAN in error"]);
  t.deepEqual(kindsIn({ a: { b: ["GB82WEST12345698765432"] } }), ["IBAN in a.b.0"]);
  t.deepEqual(kindsIn({ error: "card 4111 1111 1111 1111 refused" }), ["card number in error"]);
  t.deepEqual(kindsIn({ stack: "SyntaxError: eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm5hIn0.c2ln" }), [
    "signed or encrypted token in stack",
  ]);
  t.deepEqual(kindsIn({ error: "-----BEGIN EC PRIVATE KEY-----\n" }), ["private key in error"]);
  t.deepEqual(kindsIn({ error: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD" }), ["webhook secret in error"]);
  t.deepEqual(kindsIn({ error: "Authorization: Bearer abcdefgh1234" }), ["bearer in error"]);
  t.deepEqual(kindsIn({ error: "postgres://tideline:hunter2@db.example/x" }), ["password in an address in error"]);
  t.deepEqual(kindsIn({ error: "paid 199.00 DKK" }), ["amount in error"]);
  t.deepEqual(kindsIn({ error: '{"txid":"7","description":"x"}' }), ["JSON text in error"]);
  t.deepEqual(kindsIn({ error: "of Anna Hansen 7" }, ["Anna Hansen 7"]), ["text of a test in error"]);
  t.deepEqual(findingsIn("no JSON: GB82WEST12345698765432", []), [{ kind: "IBAN", event: "", field: "text" }]);
});

test("ids, digests, times, addresses and counts are none of it", (t) => {
  t.deepEqual(
    kindsIn({
      correlationId: "0f8fad5b-d9cb-469f-a165-70867728950e",
      sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      time: "2026-06-15T12:00:00.000Z",
      fingerprint: "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU",
      durationMs: 12.34,
      address: "192.0.2.1",
      sizeBytes: 4111111111111111,
      route: "/partner/:partnerId/2.0.0/users",
    }),
    [],
  );
});

test("a process whose logs are tapped leaves every line, the silent ones too", async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), "tideline-tap-"));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const events = new URL("../../src/events.ts", import.meta.url).href;
  const program = `const { createEvents } = await import(${JSON.stringify(events)}); createEvents({ level: "silent" }).emit("service.stopping", { reason: "GB82WEST12345698765432" });`;
  const ran = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    env: { ...process.env, ...tapOptions({ TIDELINE_TEST_LOGS: folder }) },
    encoding: "utf8",
  });
  t.deepEqual([ran.status, ran.stderr], [0, ""]);
  const [file = ""] = await readdir(folder);
  t.is(findingsIn(await readFile(path.join(folder, file), "utf8"), [])[0]?.kind, "IBAN");
});
