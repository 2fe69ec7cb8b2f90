/** What ssh-audit says of the door. Where it is not installed, the test says so and passes. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import test from "ava";
import { openDoorWorld } from "./world.ts";

/** Explained in src/landing/sftp/README.md; a version of ssh-audit that knows the names has no warning at all. */
const explained: readonly string[] = ["mlkem768x25519-sha256: unknown algorithm", "kex-strict-s-v00@openssh.com: unknown algorithm"];

/** Exit codes beyond 0 tell of findings, and they are read from the output. */
async function audit(port: number): Promise<string | null> {
  return await promisify(execFile)("ssh-audit", ["-n", "-p", String(port), "127.0.0.1"]).then(
    ({ stdout }) => stdout,
    (error: NodeJS.ErrnoException & { stdout?: string }) => (error.code === "ENOENT" ? null : (error.stdout ?? "")),
  );
}

test("ssh-audit finds no failure, and warns of nothing that is not explained", async (t) => {
  const report = await audit((await openDoorWorld(t)).door.port);
  if (report === null) {
    t.log("SKIPPED: ssh-audit is not installed");
    return t.pass();
  }
  t.regex(report, /\(kex\) mlkem768x25519-sha256/);
  const findings = (level: string) => [...report.matchAll(new RegExp(`^\\(\\w+\\) (\\S+).*\\[${level}\\] (.*)$`, "gm"))].map(([, name, finding]) => `${name}: ${finding}`);
  t.deepEqual(findings("fail"), []);
  t.deepEqual(findings("warn").filter((finding) => !explained.includes(finding)), []);
});
