/** What ssh-audit says of the door. */
import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import test from "ava";
import { openDoorWorld } from "../world.ts";

/** Explained in src/landing/sftp/README.md; a version of ssh-audit that knows the names has no warning at all. */
const explained: readonly string[] = [
  "mlkem768x25519-sha256: unknown algorithm",
  "kex-strict-s-v00@openssh.com: unknown algorithm",
];

/** Exit codes beyond 0 tell of findings, and they are read from the output. */
async function audit(port: number): Promise<string> {
  return await promisify(execFile)("ssh-audit", ["-n", "-p", String(port), "127.0.0.1"]).then(
    ({ stdout }) => stdout,
    (error: Error & { stdout?: string }) => error.stdout ?? "",
  );
}

/** AVA lists this as skipped on a machine without ssh-audit; CI installs it. */
const testWithAudit = spawnSync("ssh-audit", ["--help"]).error === undefined ? test : test.skip;

testWithAudit("ssh-audit finds no failure, and warns of nothing that is not explained", async (t) => {
  const report = await audit((await openDoorWorld(t)).door.port);
  t.regex(report, /\(kex\) mlkem768x25519-sha256/);
  const findings = (level: string) =>
    [...report.matchAll(new RegExp(`^\\(\\w+\\) (\\S+).*\\[${level}\\] (.*)$`, "gm"))].map(
      ([, name, finding]) => `${name}: ${finding}`,
    );
  t.deepEqual(findings("fail"), []);
  t.deepEqual(
    findings("warn").filter((finding) => !explained.includes(finding)),
    [],
  );
});
