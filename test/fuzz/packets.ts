/**
 * SFTP packets as no client sends them, over a real connection: each is answered or ends its channel, and nothing
 * outside shows.
 */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import ssh2, { type Client, type ClientChannel } from "ssh2";
import type { Random } from "../faults/random.ts";
import { SftpLane } from "../faults/sending.ts";
import { problemOfReplies, splitReplies } from "./replies.ts";
import { bytesOf } from "./sealing.ts";
import type { Target } from "./target.ts";
import { Violation } from "./violation.ts";

const packetsPerCase = 40;
/** Everything that is sent at once is answered by then, or never. */
const answerWithinMs = 15_000;
const loginWithinMs = 20_000;
const secretLength = 48;

const paths = [
  "/",
  ".",
  "..",
  "/inbox",
  "/inbox/a",
  "/inbox/a.jwe",
  "/inbox/f/b.jsonl",
  "/receipts",
  "/receipts/x.receipt.json",
  "",
  "/../neighbour/inbox",
  "/../neighbour/inbox/heron-history.jwe",
  "../../neighbour/receipts",
  "/inbox/../../neighbour/inbox/heron-history.jwe",
  "/etc/passwd",
  "//inbox//..//..",
  "/inbox/\0",
  "/inbox/a\0.jwe",
  `/inbox/${"n".repeat(300)}`,
  `/${"d/".repeat(2000)}`,
  "/inbox/\u202Eewj.a",
  "/inbox/~",
  "/inbox/.hidden",
  "C:\\",
  "/inbox/%2e%2e/",
];
const extensions = [
  "posix-rename@openssh.com",
  "statvfs@openssh.com",
  "fstatvfs@openssh.com",
  "fsync@openssh.com",
  "limits@openssh.com",
  "lsetstat@openssh.com",
  "hardlink@openssh.com",
  "copy-data",
  "expand-path@openssh.com",
  "home-directory",
  "users-groups-by-id@openssh.com",
  "x",
];

type Packet = { kind: string; id: number; bytes: Buffer };
type Outcome = { kind: string; answer: string; ms: number };

export class PacketFuzz {
  readonly perCase = packetsPerCase;
  readonly #target: Target;
  readonly #privateKey: Buffer;
  readonly #before: string;
  readonly #secrets: readonly string[];

  private constructor(target: Target, privateKey: Buffer, before: string, secrets: readonly string[]) {
    this.#target = target;
    this.#privateKey = privateKey;
    this.#before = before;
    this.#secrets = secrets;
  }

  static async open(target: Target): Promise<PacketFuzz> {
    const { world, other } = target;
    const file = await readFile(
      path.join(landingOf(world), other.bank.partner.id, "inbox", `${other.bank.prefix}-history.jwe`),
      "latin1",
    );
    // A piece of the ciphertext; the name alone comes back in answers to whoever asks for it.
    const piece = file.slice(file.length / 2, file.length / 2 + secretLength);
    return new PacketFuzz(
      target,
      await readFile(path.join(target.bank.partner.folder, "sftp_key")),
      await outside(target),
      [piece],
    );
  }

  /** A channel, many packets at once, and all that comes back. */
  async attempt(random: Random): Promise<Outcome[]> {
    const packets = Array.from({ length: packetsPerCase }, (_, index) => makePacket(random, index + 1));
    const isFramed = random.share() < 0.85;
    const sent = Buffer.concat([
      framed(Buffer.concat([Buffer.of(1), number(3)])),
      ...packets.map(({ bytes }) => framed(bytes)),
      ...(isFramed ? [] : [badFrame(random)]),
    ]);
    const startedAt = performance.now();
    const replies = splitReplies(await this.#exchange(sent, isFramed ? packetsPerCase + 1 : Infinity));
    const problem = problemOfReplies(
      replies,
      packets.map(({ id }) => id),
      this.#secrets,
    );
    if (problem !== null) throw new Violation(problem, sent);
    const ms = performance.now() - startedAt;
    return packets.map(({ kind, id }) => ({ kind, answer: describe(replies.find((reply) => reply.id === id)), ms }));
  }

  /** What other partners have, and what lies beside their folders, is as it was. @throws Violation */
  async expectUntouched(): Promise<void> {
    if ((await outside(this.#target)) !== this.#before)
      throw new Violation("something outside the partner's folders is not as it was", await outside(this.#target));
    // The door serves on: an ordinary file goes in.
    const lane = new SftpLane(this.#target.bank.partner);
    await lane.run((session) => session.receiptNames());
    lane.close();
  }

  /** @returns what came until so many packets were there or the channel ended */
  async #exchange(sent: Buffer, packetsWanted: number): Promise<Buffer> {
    const { bank } = this.#target;
    const ssh = new ssh2.Client();
    try {
      const channel = await login(ssh, bank.partner.sftpPort, bank.partner.id, this.#privateKey);
      return await collect(channel, sent, packetsWanted);
    } finally {
      ssh.end();
    }
  }
}

async function login(ssh: Client, port: number, username: string, privateKey: Buffer): Promise<ClientChannel> {
  return await new Promise((resolve, reject) => {
    ssh.on("error", reject);
    ssh.once("ready", () => ssh.subsys("sftp", (error, channel) => (error ? reject(error) : resolve(channel))));
    ssh.connect({ host: "127.0.0.1", port, username, privateKey, readyTimeout: loginWithinMs });
  });
}

async function collect(channel: ClientChannel, sent: Buffer, packetsWanted: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return await new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Violation(`the channel neither answers nor ends within ${answerWithinMs / 1000} s`, sent)),
      answerWithinMs,
    );
    const end = () => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks));
    };
    channel.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      if (splitReplies(Buffer.concat(chunks)).length >= packetsWanted) end();
    });
    channel.once("close", end);
    channel.once("error", end);
    channel.write(sent);
  });
}

function describe(reply: { type: number; status: number | null } | undefined): string {
  if (reply === undefined) return "channel ended";
  return reply.status === null ? `packet ${reply.type}` : `status ${reply.status}`;
}

const requestNames: Readonly<Record<number, string>> = {
  3: "open",
  4: "close",
  5: "read",
  6: "write",
  7: "lstat",
  8: "fstat",
  9: "setstat",
  10: "fsetstat",
  11: "opendir",
  12: "readdir",
  13: "remove",
  14: "mkdir",
  15: "rmdir",
  16: "realpath",
  17: "stat",
  18: "rename",
  19: "readlink",
  20: "symlink",
  200: "extended",
};
const requestTypes = Object.keys(requestNames).map(Number);

function makePacket(random: Random, id: number): Packet {
  const type = random.share() < 0.93 ? random.pick(requestTypes) : random.between(0, 255);
  // Another INIT ends the channel, and what comes after it is not answered.
  const kind = type === 1 ? 2 : type;
  const fields =
    random.share() < 0.5 ? meant(random, kind) : Array.from({ length: random.between(0, 6) }, () => anyField(random));
  return {
    kind: requestNames[kind] ?? "unknown types",
    id,
    bytes: Buffer.concat([Buffer.of(kind), number(id), ...fields]),
  };
}

/** Fields in the places where they belong, with values that do not. */
function meant(random: Random, type: number): Buffer[] {
  const place = () => text(Buffer.from(random.pick(paths)));
  const handle = () =>
    text(random.share() < 0.7 ? number(random.between(0, 6)) : bytesOf(random, random.between(0, 260)));
  const offset = () => offsetOf(random);
  switch (type) {
    case 3:
      return [place(), number(random.pick([1, 2, 3, 8, 0x1a, 0x1e, 0x3a, 0, 0xffffffff])), attributes(random)];
    case 4:
    case 8:
    case 12:
      return [handle()];
    case 5:
      return [handle(), offset(), number(random.pick([0, 1, 32_768, 262_144, 0x7fffffff, 0xffffffff]))];
    case 6:
      return [handle(), offset(), text(bytesOf(random, random.between(0, 400)))];
    case 9:
    case 14:
      return [place(), attributes(random)];
    case 10:
      return [handle(), attributes(random)];
    case 18:
    case 20:
      return [place(), place()];
    case 200:
      return [text(Buffer.from(random.pick(extensions))), place(), place()];
    default:
      return [place()];
  }
}

function anyField(random: Random): Buffer {
  return random.pick<() => Buffer>([
    () => text(Buffer.from(random.pick(paths))),
    () => text(bytesOf(random, random.between(0, 80))),
    () => number(random.pick([0, 1, 0xff, 0x7fffffff, 0xffffffff])),
    () => offsetOf(random),
    () => bytesOf(random, random.between(0, 60)),
    () => Buffer.concat([number(random.pick([0xffffffff, 0x7fffffff, 70_000])), bytesOf(random, 10)]),
    () => attributes(random),
  ])();
}

function attributes(random: Random): Buffer {
  const flags = random.pick([0, 1, 2, 4, 8, 0xf, 0x80000000, 0xffffffff]);
  return Buffer.concat([
    number(flags),
    ...Array.from({ length: random.between(0, 6) }, () => number(random.pick([0, 1, 0o777, 0xffffffff]))),
  ]);
}

function offsetOf(random: Random): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(random.pick([0n, 1n, 4096n, 2n ** 31n, 2n ** 40n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n]));
  return bytes;
}

/** Ends a channel: lengths of nothing, of too much, of gigabytes. */
function badFrame(random: Random): Buffer {
  return random.pick([
    () => number(0),
    () => number(0xffffffff),
    () => number(256 * 1024 + 1),
    () => Buffer.concat([number(1), Buffer.of(1)]),
    () => Buffer.concat([number(2), Buffer.of(17, 0)]),
  ])();
}

function framed(body: Buffer): Buffer {
  return Buffer.concat([number(body.length), body]);
}

function text(bytes: Buffer): Buffer {
  return Buffer.concat([number(bytes.length), bytes]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

function landingOf(world: Target["world"]): string {
  return path.join(world.member("everything").settings.dataDir, "landing");
}

/** Names and contents of everything in the landing zone but the partner's own. */
async function outside({ world, bank }: Target): Promise<string> {
  const landing = landingOf(world);
  const entries = await readdir(landing, { recursive: true, withFileTypes: true });
  const others = entries
    .map((entry) => ({ entry, at: path.join(entry.parentPath, entry.name) }))
    .filter(({ at }) => !path.relative(landing, at).startsWith(bank.partner.id));
  const told = others.map(
    async ({ entry, at }) =>
      `${path.relative(landing, at)} ${entry.isFile() ? (await readFile(at)).toString("base64url") : ""}`,
  );
  return (await Promise.all(told)).toSorted().join("\n");
}
