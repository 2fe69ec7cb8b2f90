/**
 * A partner's key in the wrong hands, or a client in a loop: can it make folders without end, have files grow beyond the
 * quota without sending a byte, and hold names that look like others?
 */
import { readFile } from "node:fs/promises";
import { connect as connectSocket } from "node:net";
import path from "node:path";
import ssh2, { type SFTPWrapper } from "ssh2";
import type { Partner } from "../outside/partner.ts";
import type { Attack, World } from "./attack.ts";

const quotaBytes = 10 * 1024 * 1024;
const foldersMax = 50;
/** Each no further beyond the last byte than one write may be. */
const growthBytes = 4 * 1024 * 1024;
const files = 10;

/** Turned writing, a letter of no width, and the characters of tags, which nobody sees. */
const turned = [
  "day\u202egpj.jsonl",
  "day\u200b.jsonl",
  "\u2066day\u2069.jsonl",
  "day\u{e0041}.jsonl",
  "day\ufeff.jsonl",
];

export const attack: Attack = {
  name: "room-over-sftp",
  async succeeds(world) {
    const partner = await world.partner("roomy");
    await world.set(partner.id, `quota.inboxBytes=${quotaBytes}`);
    const isSet = await world.set(partner.id, `quota.inboxFolders=${foldersMax}`);
    return await overSftp(world, partner, async (sftp) => {
      const folders = await countOf(foldersMax * 4, (n, end) => sftp.mkdir(`inbox/f${n}`, end));
      const grown = await grow(sftp);
      const named = await countOf(turned.length, (n, end) => sftp.mkdir(`inbox/${turned[n]}`, end));
      const written = await countOf(turned.length, (n, end) => sftp.writeFile(`inbox/${turned[n]}`, "{}", end));
      return {
        succeeded: folders > foldersMax || grown > quotaBytes || named + written > 0,
        seen: `${folders} folders${isSet ? ` of ${foldersMax} that it may` : ", no limit known"}; ${grown} bytes grown of ${quotaBytes}; ${named + written} names with characters that nobody sees`,
      };
    });
  },
};

/** How many bytes files have in the end that nothing was written to. */
async function grow(sftp: SFTPWrapper): Promise<number> {
  let bytes = 0;
  for (let n = 0; n < files; n += 1) {
    const handle = await new Promise<Buffer | null>((resolve) =>
      sftp.open(`inbox/grown-${n}.part`, "w", (error, opened) => resolve(error ? null : opened)),
    );
    if (handle === null) return bytes;
    bytes += (await works((end) => sftp.fsetstat(handle, { size: growthBytes } as never, end))) ? growthBytes : 0;
  }
  return bytes;
}

async function countOf(count: number, call: (n: number, end: (error?: Error | null) => void) => void): Promise<number> {
  let worked = 0;
  for (let n = 0; n < count; n += 1) if (await works((end) => call(n, end))) worked += 1;
  return worked;
}

function works(call: (end: (error?: Error | null) => void) => void): Promise<boolean> {
  return new Promise((resolve) => call((error) => resolve(!error)));
}

async function overSftp<Result>(
  { service, attacker }: World,
  partner: Partner,
  work: (sftp: SFTPWrapper) => Promise<Result>,
): Promise<Result> {
  const privateKey = await readFile(path.join(partner.folder, "sftp_key"));
  const socket = connectSocket({ host: "127.0.0.1", port: service.sftpPort, localAddress: attacker });
  const client = new ssh2.Client();
  try {
    const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
      client.once("error", reject).once("close", () => reject(new Error("the connection was closed")));
      client.once("ready", () => client.sftp((error, opened) => (error ? reject(error) : resolve(opened))));
      client.connect({ sock: socket, username: partner.id, privateKey, readyTimeout: 20_000 });
    });
    return await work(sftp);
  } finally {
    client.on("error", () => undefined);
    client.end();
    socket.destroy();
  }
}
