/** OpenSSH's sftp, as a bank's file job calls it. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { Receipt } from "../../../src/landing/receipt.ts";
import type { Partner } from "../partner.ts";

export function sshOptions(partner: Partner): string[] {
  const option = (text: string) => ["-o", text];
  return [
    "-F",
    "/dev/null",
    "-i",
    path.join(partner.folder, "sftp_key"),
    ...option("IdentitiesOnly=yes"),
    ...option("BatchMode=yes"),
    ...option(`UserKnownHostsFile=${path.join(partner.folder, "known_hosts")}`),
    ...option("StrictHostKeyChecking=yes"),
  ];
}

const outputBytesMax = 64 * 1024 * 1024;

/** Runs commands; fails, as the program does, at the first that fails. @param more further options, such as -l */
export async function openSshSftp(
  partner: Partner,
  commands: readonly string[],
  more: readonly string[] = [],
): Promise<string> {
  const running = promisify(execFile)(
    "sftp",
    ["-q", "-b", "-", ...more, ...sshOptions(partner), "-P", String(partner.sftpPort), `${partner.id}@127.0.0.1`],
    { cwd: partner.folder, maxBuffer: outputBytesMax },
  );
  running.child.stdin?.on("error", () => undefined);
  running.child.stdin?.end(`${commands.join("\n")}\n`);
  return (await running).stdout;
}

/** All receipts, by their names. */
export async function fetchReceipts(
  partner: Partner,
  into: string,
): Promise<{ name: string; text: string; receipt: Receipt }[]> {
  const listed = await openSshSftp(partner, ["ls -1 receipts"]);
  const names = listed
    .split("\n")
    .filter((line) => line.endsWith(".json"))
    .map((line) => path.basename(line.trim()));
  if (names.length > 0) await openSshSftp(partner, [`get receipts/* "${into}"`]);
  return await Promise.all(
    names.map(async (name) => {
      const text = await readFile(path.join(into, name), "utf8");
      return { name, text, receipt: JSON.parse(text) as Receipt };
    }),
  );
}

export function addsUp({ counts }: Receipt): boolean {
  return (
    counts.records === counts.new + counts.known + counts.conflicting + counts.refused + counts.waiting + counts.markers
  );
}
