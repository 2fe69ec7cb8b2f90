/** The SFTP programs that banks use, each with what a file job does. */
import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import Ssh2SftpClient from "ssh2-sftp-client";
import { openSshSftp, sshOptions } from "./open-ssh.ts";
import type { Partner } from "../partner.ts";

export type SftpClient = {
  name: string;
  /** Its version, or null where it is not installed. */
  version(): Promise<string | null>;
  /** Whether this version connects only with the partner's switch for old MACs. */
  needsLegacyMacs?(version: string): boolean;
  /** Uploads a local file. @param remote path from the partner's root */
  put(partner: Partner, local: string, remote: string): Promise<unknown>;
  /** Goes on with an upload that was broken off. Left out where the program cannot. */
  resume?(partner: Partner, local: string, remote: string): Promise<unknown>;
  rename?(partner: Partner, from: string, to: string): Promise<unknown>;
  /** @returns what it printed */
  list?(partner: Partner, folder: string): Promise<string>;
  get(partner: Partner, remote: string, local: string): Promise<unknown>;
  /** Uploads all files of a folder into one that is there. */
  putFolder(partner: Partner, local: string, remote: string): Promise<unknown>;
  /** Compares a folder with what was uploaded from it. @throws when they differ */
  check?(partner: Partner, local: string, remote: string): Promise<unknown>;
};

/** For 10,000 files or a gibibyte too, on a busy machine. */
const withinMs = 600_000;
const outputBytesMax = 64 * 1024 * 1024;
const python = "/usr/bin/python3";

/** Settings of whoever runs this stay out: home is the partner's folder. */
async function run(partner: Partner, program: string, parameters: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, parameters, {
    cwd: partner.folder,
    timeout: withinMs,
    maxBuffer: outputBytesMax,
    env: { ...process.env, HOME: partner.folder },
  });
  return stdout;
}

/** The first match in what the program says about itself. */
async function versionOf(program: string, parameters: readonly string[], pattern: RegExp): Promise<string | null> {
  const said = await promisify(execFile)(program, parameters).then(
    ({ stdout, stderr }) => stdout + stderr,
    () => "",
  );
  return pattern.exec(said)?.[1] ?? null;
}

const openSsh: SftpClient = {
  name: "OpenSSH sftp",
  version: async () => await versionOf("ssh", ["-V"], /OpenSSH_(\S+)/),
  put: async (partner, local, remote) => await openSshSftp(partner, [`put "${local}" "${remote}"`]),
  resume: async (partner, local, remote) => await openSshSftp(partner, [`reput "${local}" "${remote}"`]),
  rename: async (partner, from, to) => await openSshSftp(partner, [`rename "${from}" "${to}"`]),
  list: async (partner, folder) => await openSshSftp(partner, [`ls -l ${folder}`]),
  get: async (partner, remote, local) => await openSshSftp(partner, [`get "${remote}" "${local}"`]),
  putFolder: async (partner, local, remote) => await openSshSftp(partner, [`put "${local}"/* "${remote}/"`]),
};

const scp: SftpClient = {
  name: "OpenSSH scp",
  version: async () => await versionOf("ssh", ["-V"], /OpenSSH_(\S+)/),
  put: async (partner, local, remote) => await runScp(partner, local, `${partner.id}@127.0.0.1:${remote}`),
  get: async (partner, remote, local) => await runScp(partner, `${partner.id}@127.0.0.1:${remote}`, local),
  putFolder: async (partner, local, remote) =>
    await runScp(partner, ...(await filesOf(local)), `${partner.id}@127.0.0.1:${remote}/`),
};

/** `-s` is SFTP, the default from OpenSSH 9.0 on. */
async function runScp(partner: Partner, ...files: readonly string[]): Promise<string> {
  return await run(partner, "scp", ["-s", "-q", ...sshOptions(partner), "-P", String(partner.sftpPort), ...files]);
}

async function filesOf(folder: string): Promise<string[]> {
  return (await readdir(folder)).map((name) => path.join(folder, name));
}

const lftp: SftpClient = {
  name: "lftp",
  version: async () => await versionOf("lftp", ["--version"], /Version (\S+)/),
  put: async (partner, local, remote) => await runLftp(partner, `put "${local}" -o "${remote}"`),
  resume: async (partner, local, remote) => await runLftp(partner, `put -c "${local}" -o "${remote}"`),
  rename: async (partner, from, to) => await runLftp(partner, `mv "${from}" "${to}"`),
  list: async (partner, folder) => await runLftp(partner, `cls -l ${folder}/`),
  putFolder: async (partner, local, remote) =>
    await runLftp(partner, `mirror -R --parallel=8 --no-perms "${local}" "${remote}"`),
  get: async (partner, remote, local) => await runLftp(partner, `set xfer:clobber on; get "${remote}" -o "${local}"`),
};

async function runLftp(partner: Partner, command: string): Promise<string> {
  const connect = `set net:max-retries 1; set sftp:connect-program "ssh -a -x ${sshOptions(partner).join(" ")}"; open -p ${partner.sftpPort} -u ${partner.id},none sftp://127.0.0.1`;
  return await run(partner, "lftp", ["-c", `${connect}; ${command}`]);
}

const curl: SftpClient = {
  name: "curl",
  version: async () => await versionOf("curl", ["-V"], /(?=[^]*\bsftp\b)curl \S+[^\n]* (libssh2?\/\S+)/),
  // Before 1.11 it has neither AES-GCM nor encrypt-then-MAC.
  needsLegacyMacs: (version) => /^libssh2\/1\.(\d|10)\./.test(version),
  put: async (partner, local, remote) => await runCurl(partner, remote, ["-T", local]),
  resume: async (partner, local, remote) => await runCurl(partner, remote, ["-T", local, "-C", "-"]),
  rename: async (partner, from, to) =>
    await runCurl(partner, "inbox/", ["-o", "/dev/null", "-Q", `-rename /${from} /${to}`]),
  list: async (partner, folder) => await runCurl(partner, `${folder}/`, []),
  get: async (partner, remote, local) => await runCurl(partner, remote, ["-o", local]),
  async putFolder(partner, local, remote) {
    const list = path.join(partner.folder, "curl.list");
    const address = `sftp://${partner.id}@127.0.0.1:${partner.sftpPort}/${remote}`;
    await writeFile(
      list,
      (await filesOf(local))
        .map((file) => `upload-file = "${file}"\nurl = "${address}/${path.basename(file)}"\n`)
        .join(""),
    );
    const [from = ""] = await filesOf(local);
    return await runCurl(partner, `${remote}/${path.basename(from)}`, ["-T", from, "-K", list]);
  },
};

async function runCurl(partner: Partner, at: string, more: readonly string[]): Promise<string> {
  const hostKey = (await fingerprintOf(partner)).replace("SHA256:", "");
  const key = path.join(partner.folder, "sftp_key");
  return await run(partner, "curl", [
    "-sS",
    "--key",
    key,
    "--pubkey",
    `${key}.pub`,
    "--hostpubsha256",
    hostKey,
    ...more,
    `sftp://${partner.id}@127.0.0.1:${partner.sftpPort}/${at}`,
  ]);
}

const rclone: SftpClient = {
  name: "rclone",
  version: async () => await versionOf("rclone", ["version"], /rclone v(\S+)/),
  put: async (partner, local, remote) => await runRclone(partner, ["copyto", local, `:sftp:${remote}`]),
  rename: async (partner, from, to) => await runRclone(partner, ["moveto", `:sftp:${from}`, `:sftp:${to}`]),
  list: async (partner, folder) => await runRclone(partner, ["lsl", `:sftp:${folder}`]),
  // It takes a file of equal size and second for the one that it has, and a receipt that grew since it looked for a
  // broken transfer.
  get: async (partner, remote, local) =>
    await runRclone(partner, ["copyto", "--ignore-times", `:sftp:${remote}`, local], retriesDefault),
  putFolder: async (partner, local, remote) => await runRclone(partner, ["copy", local, `:sftp:${remote}`]),
  // By size, as it does without a shell to hash in; then byte by byte.
  async check(partner, local, remote) {
    await runRclone(partner, ["check", local, `:sftp:${remote}`]);
    await runRclone(partner, ["check", "--download", local, `:sftp:${remote}`]);
  },
};

/** As often does rclone try by itself. */
const retriesDefault = 3;

async function runRclone(partner: Partner, command: readonly string[], retries = 1): Promise<string> {
  const at = (name: string) => path.join(partner.folder, name);
  const address = ["--sftp-host", "127.0.0.1", "--sftp-port", String(partner.sftpPort), "--sftp-user", partner.id];
  return await run(partner, "rclone", [
    ...command,
    ...address,
    "--sftp-key-file",
    at("sftp_key"),
    "--sftp-known-hosts-file",
    at("known_hosts"),
    "--config",
    at("rclone.conf"),
    "--retries",
    String(retries),
  ]);
}

const paramiko: SftpClient = {
  name: "paramiko",
  version: async () =>
    await versionOf(python, ["-c", "import paramiko; print('paramiko', paramiko.__version__)"], /paramiko (\S+)/),
  put: async (partner, local, remote) => await runParamiko(partner, ["put", local, remote]),
  resume: async (partner, local, remote) => await runParamiko(partner, ["resume", local, remote]),
  rename: async (partner, from, to) => await runParamiko(partner, ["rename", from, to]),
  list: async (partner, folder) => await runParamiko(partner, ["list", folder]),
  putFolder: async (partner, local, remote) => await runParamiko(partner, ["put-folder", local, remote]),
  get: async (partner, remote, local) => await runParamiko(partner, ["get", remote, local]),
};

async function runParamiko(partner: Partner, command: readonly string[]): Promise<string> {
  const script = path.join(import.meta.dirname, "sftp-with-paramiko.py");
  return await run(partner, python, [script, partner.folder, String(partner.sftpPort), partner.id, ...command]);
}

const psftp: SftpClient = {
  name: "psftp",
  version: async () => await versionOf("psftp", ["-V"], /Release (\S+)/),
  put: async (partner, local, remote) => await runPsftp(partner, `put "${local}" "${remote}"`),
  resume: async (partner, local, remote) => await runPsftp(partner, `reput "${local}" "${remote}"`),
  rename: async (partner, from, to) => await runPsftp(partner, `mv "${from}" "${to}"`),
  list: async (partner, folder) => await runPsftp(partner, `ls ${folder}`),
  putFolder: async (partner, local, remote) => await runPsftp(partner, `cd "${remote}"\nlcd "${local}"\nmput *`),
  get: async (partner, remote, local) => await runPsftp(partner, `get "${remote}" "${local}"`),
};

/** PuTTY has a key format of its own. */
async function runPsftp(partner: Partner, command: string): Promise<string> {
  const [key, batch] = [path.join(partner.folder, "sftp_key.ppk"), path.join(partner.folder, "psftp.batch")];
  await run(partner, "puttygen", [path.join(partner.folder, "sftp_key"), "-O", "private", "-o", key]);
  await writeFile(batch, `${command}\n`);
  const hostKey = await fingerprintOf(partner);
  return await run(partner, "psftp", [
    "-batch",
    "-b",
    batch,
    "-hostkey",
    hostKey,
    "-i",
    key,
    "-P",
    String(partner.sftpPort),
    "-l",
    partner.id,
    "127.0.0.1",
  ]);
}

/** Of the Ed25519 host key, as clients without a known_hosts file are told it. */
async function fingerprintOf(partner: Partner): Promise<string> {
  const { stdout } = await promisify(execFile)("ssh-keygen", ["-l", "-f", path.join(partner.folder, "known_hosts")]);
  const line = stdout.split("\n").find((one) => one.includes("ED25519")) ?? "";
  return /SHA256:\S+/.exec(line)?.[0] ?? "";
}

const ssh2SftpClient: SftpClient = {
  name: "ssh2-sftp-client",
  version: async () =>
    await versionOf(process.execPath, ["-p", "require('ssh2-sftp-client/package.json').version"], /(\S+)/),
  put: async (partner, local, remote) =>
    await withSsh2(partner, async (client) => await client.fastPut(local, `/${remote}`)),
  resume: async (partner, local, remote) =>
    await withSsh2(partner, async (client) => {
      const { size } = await client.stat(`/${remote}`);
      await client.append((await readFile(local)).subarray(size), `/${remote}`);
    }),
  rename: async (partner, from, to) =>
    await withSsh2(partner, async (client) => await client.rename(`/${from}`, `/${to}`)),
  list: async (partner, folder) =>
    await withSsh2(partner, async (client) => (await client.list(`/${folder}`)).map(({ name }) => name).join("\n")),
  putFolder: async (partner, local, remote) =>
    await withSsh2(partner, async (client) => await client.uploadDir(local, `/${remote}`)),
  get: async (partner, remote, local) =>
    await withSsh2(partner, async (client) => await client.fastGet(`/${remote}`, local)),
};

async function withSsh2<Result>(partner: Partner, work: (client: Ssh2SftpClient) => Promise<Result>): Promise<Result> {
  const client = new Ssh2SftpClient();
  const privateKey = await readFile(path.join(partner.folder, "sftp_key"), "utf8");
  try {
    await client.connect({ host: "127.0.0.1", port: partner.sftpPort, username: partner.id, privateKey });
    return await work(client);
  } finally {
    await client.end();
  }
}

export const sftpClients: readonly SftpClient[] = [openSsh, scp, lftp, rclone, paramiko, psftp, ssh2SftpClient, curl];
