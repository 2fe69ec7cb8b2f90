/**
 * The image: built, measured, and run as docs/operations.md says, with a read-only root and no capability. Where podman
 * cannot run a container, the image's own files are run in a chroot of a mount namespace instead, which shows the
 * account, the read-only root and the signals; what that leaves out is told.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { freePort } from "../ports.ts";
import { repository } from "../outside/service.ts";
import { listProcesses } from "../outside/processes.ts";
import { findProgram, onStage, run as runProgram, secondsSince, Skipped, type Stage, until } from "./tools.ts";

export const summary = "builds the image, measures it, runs it read-only as nobody in particular, stops it";

const compressedBytesMax = 200e6;
const account = "10001";
const image = "localhost/tideline:drill";

type Running = {
  pid: number;
  isAlive(): boolean;
  healthCheck(): Promise<void>;
  stop(): Promise<number>;
  said(): Promise<string>;
};
type Runner = { name: string; skipped: string | null; start(): Promise<Running> };
type Ports = { https: number; sftp: number; observe: number };

export async function run(): Promise<void> {
  for (const tool of ["buildah", "mmdebstrap", "npm"]) await findProgram(tool);
  await onStage("container", async (stage) => {
    const storage = [
      "--root",
      path.join(stage.folder, "storage"),
      "--runroot",
      path.join(stage.folder, "run"),
      "--storage-driver",
      "vfs",
    ];
    const builtAt = performance.now();
    await runProgram(path.join(repository, "deploy/container/build"), [image], {
      ...process.env,
      BUILDAH_GLOBAL: storage.join(" "),
    });
    console.log(`image: built in ${secondsSince(builtAt).toFixed(0)} s`);
    await measure(stage, storage);
    await configuration(storage);
    const ports = { https: await freePort(), sftp: await freePort(), observe: await freePort() };
    const runner = await chooseRunner(stage, storage, ports);
    if (runner.skipped !== null) console.log(`SKIPPED: a container by podman (${runner.skipped}); in a chroot instead`);
    await firstStart(await started("first start", runner, ports), runner);
    await secondStart(await started("second start", runner, ports));
  });
}

async function measure(stage: Stage, storage: readonly string[]): Promise<void> {
  const archive = path.join(stage.folder, "image.oci");
  await runProgram("buildah", [...storage, "push", "--quiet", image, `oci-archive:${archive}`]);
  const { size } = await stat(archive);
  assert.ok(size <= compressedBytesMax, `the image has ${size} bytes compressed, more than ${compressedBytesMax}`);
  console.log(`image: ${(size / 1e6).toFixed(1)} MB compressed (at most ${compressedBytesMax / 1e6})`);
}

type Inspected = {
  Docker: { config: { User: string; StopSignal: string; Healthcheck?: { Test: string[] }; Volumes: object } };
};

async function configuration(storage: readonly string[]): Promise<void> {
  const { Docker } = JSON.parse(
    await runProgram("buildah", [...storage, "inspect", "--type", "image", image]),
  ) as Inspected;
  const { User, StopSignal, Healthcheck } = Docker.config;
  assert.equal(User, `${account}:${account}`);
  assert.equal(StopSignal, "SIGTERM");
  assert.equal(Healthcheck?.Test[0], "CMD");
  console.log(`image: user ${User}, stopped by ${StopSignal}, with a health check`);
}

async function started(what: string, runner: Runner, ports: Ports): Promise<Running> {
  const startedAt = performance.now();
  const running = await runner.start();
  try {
    const isReady = async () => !running.isAlive() || (await ask(ports.observe, "/health/ready")) === 200;
    await until("it is ready", isReady, 180_000);
    assert.ok(running.isAlive(), "it ended");
  } catch (error) {
    throw new Error(`it does not get ready: ${await running.said()}`, { cause: error });
  }
  console.log(`${what}: ready after ${secondsSince(startedAt).toFixed(1)} s (${runner.name})`);
  return running;
}

/** Looked at from outside, in /proc. */
async function firstStart(running: Running, runner: Runner): Promise<void> {
  const status = await readFile(`/proc/${running.pid}/status`, "utf8");
  const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, "m").exec(status)?.[1];
  assert.equal(field("Uid"), account);
  assert.equal(field("CapEff"), "0000000000000000");
  if (runner.skipped === null) assert.equal(field("NoNewPrivs"), "1");
  const root = (await readFile(`/proc/${running.pid}/mountinfo`, "utf8"))
    .split("\n")
    .map((line) => line.split(" "))
    .findLast((fields) => fields[4] === "/");
  assert.match(root?.[5] ?? "", /(^|,)ro(,|$)/, "its root can be written to");
  console.log(`runs as ${account}, without capabilities, on a root that is read-only`);
  await running.healthCheck();
  console.log("its health check passes");
  await stopped(running);
}

/** The data are where they were. */
async function secondStart(running: Running): Promise<void> {
  assert.doesNotMatch(await running.said(), /"applied":\d/, "it migrated again");
  await stopped(running);
}

async function stopped(running: Running): Promise<void> {
  const toldAt = performance.now();
  const code = await running.stop();
  assert.equal(code, 0, `it ended with ${code}: ${await running.said()}`);
  console.log(`SIGTERM: ended in order after ${secondsSince(toldAt).toFixed(1)} s`);
}

async function ask(port: number, at: string): Promise<number> {
  return (await fetch(`http://127.0.0.1:${port}${at}`, { signal: AbortSignal.timeout(2000) })).status;
}

function environmentOf(ports: Ports): Record<string, string> {
  return {
    TIDELINE_HOST: "127.0.0.1",
    TIDELINE_HTTPS_PORT: String(ports.https),
    TIDELINE_SFTP_PORT: String(ports.sftp),
    TIDELINE_CONSOLE_PORT: "0",
    TIDELINE_OBSERVE_PORT: String(ports.observe),
  };
}

async function chooseRunner(stage: Stage, storage: readonly string[], ports: Ports): Promise<Runner> {
  try {
    return await podmanRunner(stage, storage, ports);
  } catch (error) {
    return await chrootRunner(stage, storage, ports, error instanceof Skipped ? error.message : lastLine(error));
  }
}

function lastLine(error: unknown): string {
  const { stderr } = error as { stderr?: string };
  return (stderr ?? String(error)).trim().split("\n").at(-1) ?? "";
}

async function podmanRunner(stage: Stage, storage: readonly string[], ports: Ports): Promise<Runner> {
  await findProgram("podman");
  const runtimes = ["runc", "crun"].map((name) =>
    findProgram(name).then(
      () => [name],
      () => [],
    ),
  );
  const [runtime] = (await Promise.all(runtimes)).flat();
  if (runtime === undefined) throw new Skipped("neither runc nor crun is here");
  const own = storage.map((word) => (word.startsWith(stage.folder) ? `${word}-podman` : word));
  const podman = [
    ...own,
    "--tmpdir",
    path.join(stage.folder, "podman"),
    "--cgroup-manager",
    "cgroupfs",
    "--runtime",
    runtime,
  ];
  const archive = path.join(stage.folder, "image.tar");
  await runProgram("buildah", [...storage, "push", "--quiet", image, `docker-archive:${archive}:${image}`]);
  await runProgram("podman", [...podman, "load", "--quiet", "--input", archive]);
  stage.atEnd(() => runProgram("podman", [...podman, "rm", "--all", "--force", "--time", "5"]));
  const { nofile } = process.report.getReport() as unknown as { nofile?: number };
  const limits = ["--ulimit", `nofile=${nofile ?? 16_384}:${nofile ?? 16_384}`, "--ulimit", "nproc=4096:4096"];
  const flags = [
    "--network",
    "host",
    "--read-only",
    "--cap-drop",
    "all",
    "--security-opt",
    "no-new-privileges",
    ...limits,
    "--tmpfs",
    "/tmp:rw,size=64m,mode=1777",
    "--volume",
    "drill-data:/var/lib/tideline",
  ];
  // Whether it can at all.
  await runProgram("podman", [...podman, "run", "--rm", ...flags, "--entrypoint", "node", image, "--version"]);
  const environment = Object.entries(environmentOf(ports)).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
  return {
    name: `podman with ${runtime}`,
    skipped: null,
    async start() {
      const id = (await runProgram("podman", [...podman, "run", "--detach", ...flags, ...environment, image])).trim();
      const inspect = async (format: string) =>
        (await runProgram("podman", [...podman, "inspect", "--format", format, id])).trim();
      const pid = Number(await inspect("{{.State.Pid}}"));
      return {
        pid,
        healthCheck: async () => void (await runProgram("podman", [...podman, "healthcheck", "run", id])),
        isAlive: () => existsSync(`/proc/${pid}`),
        said: () => runProgram("sh", ["-c", 'exec podman "$@" 2>&1', "sh", ...podman, "logs", id]),
        async stop() {
          await runProgram("podman", [...podman, "stop", "--time", "60", id]);
          return Number(await inspect("{{.State.ExitCode}}"));
        },
      };
    },
  };
}

async function chrootRunner(stage: Stage, storage: readonly string[], ports: Ports, skipped: string): Promise<Runner> {
  if (process.getuid?.() !== 0) throw new Skipped(`${skipped}; and a chroot takes root`);
  const container = (await runProgram("buildah", [...storage, "from", "--quiet", image])).trim();
  const files = (await runProgram("buildah", [...storage, "mount", container])).trim();
  const data = path.join(stage.folder, "data");
  await mkdir(data);
  await runProgram("chown", [`${account}:${account}`, data]);
  const script = `set -e
mount --bind "$1" "$1"; mount --bind "$2" "$1/var/lib/tideline"; mount -t tmpfs tmpfs "$1/tmp"
mount -t proc proc "$1/proc"; mount --rbind /dev "$1/dev"; mount -o remount,bind,ro "$1"; files=$1; shift 2
exec chroot --userspec ${account}:${account} --groups= "$files" /opt/tideline/node_modules/.bin/node "$@"`;
  const environment = {
    PATH: "/opt/tideline/node_modules/.bin:/usr/bin:/bin:/usr/sbin:/sbin",
    NODE_ENV: "production",
    TIDELINE_DATA_DIR: "/var/lib/tideline",
    ...environmentOf(ports),
  };
  const parameters = (words: readonly string[]) => [
    "--mount",
    "--propagation",
    "private",
    "sh",
    "-c",
    script,
    "sh",
    files,
    data,
    ...words,
  ];
  return {
    name: "chroot",
    skipped,
    async start() {
      const command = parameters(["/opt/tideline/src/cli/tideline.mjs", "up", "--no-demo"]);
      const server = stage.spawn("unshare", command, { env: environment });
      await until("node runs", async () => (await listProcesses()).some(({ pid }) => pid === server.pid));
      return {
        pid: server.pid,
        isAlive: () => server.isRunning,
        healthCheck: () =>
          new Promise((resolve, reject) => {
            const check = parameters(["/opt/tideline/deploy/container/health.mjs"]);
            execFile("unshare", check, { env: environment }, (error) => (error ? reject(error) : resolve()));
          }),
        stop: async () => (await server.kill("SIGTERM")) ?? -1,
        said: async () => server.said,
      };
    },
  };
}
