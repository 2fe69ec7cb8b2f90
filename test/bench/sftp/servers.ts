/** The two servers that are compared, each a process of its own on a loopback port. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { userInfo } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { promisify } from "node:util";

export type BenchServer = {
  name: string;
  port: number;
  user: string;
  /** Where uploads go, with a slash behind it. */
  remoteFolder: string;
  pid: number;
  /** Removes what was uploaded. */
  empty(): Promise<void>;
  stop(): Promise<void>;
};

const run = promisify(execFile);

/** `partner` and `partner.pub`, which log in to both. */
export async function makeClientKey(folder: string): Promise<void> {
  await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "bench", "-f", path.join(folder, "partner")]);
}

/** @param slowDiskMegabytesPerSecond null for the disk as it is */
export async function startTideline(folder: string, slowDiskMegabytesPerSecond: number | null): Promise<BenchServer> {
  const env = {
    ...process.env,
    ...(slowDiskMegabytesPerSecond === null ? {} : { SLOW_DISK_MB_PER_SECOND: String(slowDiskMegabytesPerSecond) }),
  };
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "door.ts"), folder], {
    stdio: ["ignore", "pipe", "inherit"],
    env,
  });
  const [port] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return {
    name: "Tideline",
    port: Number(port),
    user: "bench",
    remoteFolder: "inbox/",
    pid: child.pid ?? 0,
    empty: () => empty(path.join(folder, "vault"), path.join(folder, "landing/bench/inbox")),
    stop: () => stop(child),
  };
}

const sshdProgram = "/usr/sbin/sshd";

/** OpenSSH's server with its own defaults and `internal-sftp`; null where it is not installed. */
export async function startSshd(folder: string): Promise<BenchServer | null> {
  if (
    !(await access(sshdProgram).then(
      () => true,
      () => false,
    ))
  )
    return null;
  const at = (name: string) => path.join(folder, name);
  await mkdir(at("sshd-landing"));
  await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", at("sshd_host_key")]);
  const port = await freePort();
  const settings = [
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${at("sshd_host_key")}`,
    `AuthorizedKeysFile ${at("partner.pub")}`,
    "StrictModes no",
    "UsePAM no",
    "PermitRootLogin prohibit-password",
    "PidFile none",
    "Subsystem sftp internal-sftp",
  ];
  await writeFile(at("sshd_config"), `${settings.join("\n")}\n`);
  // Where it separates privileges; Debian's service makes it at boot, and no service runs here.
  if (process.getuid?.() === 0) await mkdir("/run/sshd", { recursive: true });
  const child = spawn(sshdProgram, ["-D", "-e", "-f", at("sshd_config")], { stdio: ["ignore", "ignore", "pipe"] });
  for await (const line of createInterface({ input: child.stderr })) if (line.startsWith("Server listening")) break;
  child.stderr.resume();
  return {
    name: "OpenSSH sshd",
    port,
    user: userInfo().username,
    remoteFolder: `${at("sshd-landing")}/`,
    pid: child.pid ?? 0,
    empty: () => empty(at("sshd-landing")),
    stop: () => stop(child),
  };
}

async function empty(...folders: string[]): Promise<void> {
  for (const folder of folders) for (const name of await readdir(folder)) await rm(path.join(folder, name));
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, "close");
  return port;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

const ticksPerSecond = 100;

/** CPU seconds of a process and of those children of its that have ended. Linux only. */
export async function cpuSeconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? [];
  return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0) / ticksPerSecond;
}

/** Resident memory in MiB: now, or the most there ever was. Linux only. */
export async function memoryMebibytes(pid: number, which: "VmRSS" | "VmHWM"): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(new RegExp(`${which}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
}
