/**
 * Folders of the data folder in one tar archive: permission bits and times as they are (they tell how far a landed file
 * has come), holes as holes, and a file that lies in the vault too as a link to it.
 */
import { type FileHandle, link, mkdir, open, readdir, readlink, stat, symlink } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import tar from "tar-stream";
import { stageModes } from "../landing/sftp/files/stages.ts";
import { syncFolder } from "../machine/sync-folder.ts";

/** In the archive, by the name of its first folder. */
export type Folders = Readonly<Record<string, string>>;

/** What a link's target begins with: a file of the vault, or the size of a file of which nothing else is on the disk. */
const inVault = "vault/";
const ofHole = "hole/";
const blockBytes = 512;

/**
 * The folders as they are now, file by file. What goes away meanwhile is left out; what is being written is taken up to
 * the size that it had. @param vault where files may lie that the folders link to
 */
export function packFolders(folders: Folders, vault: string, onFile: () => void = () => undefined): Readable {
  const pack = tar.pack();
  const packing = async () => {
    const kept = await inodesOf(vault);
    for (const [name, folder] of Object.entries(folders)) await packFolder(pack, folder, name, kept, onFile);
    pack.finalize();
  };
  packing().catch((error: unknown) => pack.destroy(error as Error));
  return Readable.from(pack as unknown as AsyncIterable<Buffer>, { objectMode: false });
}

/** By inode: the reference of a file in the vault. */
async function inodesOf(vault: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const day of await readdir(vault, { withFileTypes: true }).catch(() => [])) {
    if (!day.isDirectory()) continue;
    for (const name of await readdir(path.join(vault, day.name))) {
      const stats = await stat(path.join(vault, day.name, name)).catch(() => null);
      if (stats !== null && stats.nlink > 1) found.set(`${stats.dev}:${stats.ino}`, `${day.name}/${name}`);
    }
  }
  return found;
}

async function packFolder(
  pack: tar.Pack,
  folder: string,
  name: string,
  kept: ReadonlyMap<string, string>,
  onFile: () => void,
): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(nothingWhenGone);
  const stats = await stat(folder).catch(() => null);
  if (stats === null) return;
  await put(pack, { name: `${name}/`, type: "directory", mode: stats.mode & 0o7777, mtime: stats.mtime });
  for (const entry of entries) {
    const [file, inside] = [path.join(folder, entry.name), `${name}/${entry.name}`];
    if (entry.isDirectory()) await packFolder(pack, file, inside, kept, onFile);
    else if (entry.isSymbolicLink()) await put(pack, { name: inside, type: "symlink", linkname: await readlink(file) });
    else if (entry.isFile()) await packFile(pack, file, inside, kept);
    onFile();
  }
}

async function packFile(pack: tar.Pack, file: string, name: string, kept: ReadonlyMap<string, string>): Promise<void> {
  const handle = await open(file, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (handle === null) return;
  try {
    const { size, blocks, mode, mtime, dev, ino } = await handle.stat();
    const header = { name, mode: mode & 0o7777, mtime };
    const reference = kept.get(`${dev}:${ino}`);
    if (reference !== undefined) return await put(pack, { ...header, type: "link", linkname: inVault + reference });
    if (size > 0 && blocks * blockBytes === 0 && (await isHole(handle)))
      return await put(pack, { ...header, type: "link", linkname: `${ofHole}${size}` });
    const entry = pack.entry({ ...header, size });
    await pipeline(Readable.from(upTo(handle, size), { objectMode: false }), entry as unknown as NodeJS.WritableStream);
  } finally {
    await handle.close();
  }
}

/** Small files of some file systems have no blocks either. */
async function isHole(handle: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
  return buffer.subarray(0, bytesRead).every((byte) => byte === 0);
}

/** Exactly so many bytes: whoever uploads may have cut the file meanwhile. */
async function* upTo(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
  const chunkBytes = 1 << 20;
  for (let at = 0; at < size;) {
    const wanted = Math.min(chunkBytes, size - at);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(wanted), 0, wanted, at);
    yield bytesRead === 0 ? Buffer.alloc(wanted) : buffer.subarray(0, bytesRead);
    at += bytesRead === 0 ? wanted : bytesRead;
  }
}

async function put(pack: tar.Pack, header: tar.Headers): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    pack.entry(header, (error) => (error ? reject(error) : resolve()));
  });
}

export type Unpacking = {
  /** Where a first folder of the archive goes; undefined: nowhere. */
  place(first: string): string | undefined;
  /** Where the targets of links into the vault lie. */
  vault?: string;
  /**
   * A delivered file whose bytes the vault kept on this day or later is only sealed when it is unpacked: its delivery
   * may have been recorded after the database was copied. The door looks after those at its start.
   */
  sealFrom?: string;
  /** Whether files are on the disk afterwards; default: yes. What goes again need not be. */
  durable?: boolean;
  /** To whom files and folders belong; default: to whoever unpacks. */
  owner?: { uid: number; gid: number };
};

/**
 * Unpacks an archive of ours or of the server's into folders that are new. All of it is durable when this resolves.
 * @throws Error when a name leads out of its folder
 */
export async function unpackFolders(archive: Readable, unpacking: Unpacking): Promise<void> {
  const folders = new Map<string, tar.Headers>();
  const extract = tar.extract();
  const reading = (async () => {
    for await (const entry of extract) {
      const { header } = entry;
      const target = targetOf(header.name, unpacking);
      if (target === null) entry.resume();
      else if (header.type === "directory") {
        await mkdir(target, { recursive: true, mode: 0o700 });
        folders.set(target, header);
        entry.resume();
      } else await unpackFile(entry, header, target, unpacking);
    }
  })();
  await Promise.all([pipeline(archive, extract as unknown as NodeJS.WritableStream), reading]);
  // Times and rights of folders last, from the inside out: unpacking into them changes the ones, and needs the others.
  for (const [folder, { mode, mtime }] of [...folders].toReversed()) {
    if (unpacking.durable !== false) await syncFolder(folder);
    await settle(folder, mode, mtime, unpacking.owner);
  }
}

function targetOf(name: string, { place }: Unpacking): string | null {
  const [first = "", ...rest] = name.split("/").filter((part) => part !== "" && part !== ".");
  if (first === ".." || rest.includes("..")) throw new Error(`the archive names a file outside: ${name}`);
  const folder = place(first);
  return folder === undefined ? null : path.join(folder, ...rest);
}

async function unpackFile(
  entry: tar.Entry,
  header: tar.Headers,
  target: string,
  { vault, sealFrom, owner, durable }: Unpacking,
): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  const { mode, mtime } = header;
  const linkname = header.linkname ?? "";
  if (header.type === "symlink" || header.type === "link") {
    entry.resume();
    if (header.type === "symlink") return await symlink(linkname, target);
    if (linkname.startsWith(ofHole)) {
      await makeHole(target, Number(linkname.slice(ofHole.length)));
      return await settle(target, mode, mtime, owner);
    }
    const reference = linkname.slice(inVault.length);
    await linkOrLeave(path.join(vault ?? "", reference), target);
    const isLate = sealFrom !== undefined && reference >= sealFrom && mode === stageModes.delivered;
    return await settle(target, isLate ? stageModes.sealed : mode, mtime, owner);
  }
  const handle = await open(target, "wx", 0o600);
  try {
    for await (const chunk of entry) await handle.writeFile(chunk as Buffer);
    if (durable !== false) await handle.sync();
  } finally {
    await handle.close();
  }
  await settle(target, mode, mtime, owner);
}

async function makeHole(target: string, sizeBytes: number): Promise<void> {
  const handle = await open(target, "wx", 0o600);
  try {
    await handle.truncate(sizeBytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A file whose bytes retention had taken out of the vault is a name for nothing: the ledger has what was in it. */
async function linkOrLeave(kept: string, target: string): Promise<void> {
  await link(kept, target).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}

async function settle(
  target: string,
  mode: number | undefined,
  mtime: Date | undefined,
  owner: Unpacking["owner"],
): Promise<void> {
  const handle = await open(target, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (handle === null) return;
  try {
    if (owner) await handle.chown(owner.uid, owner.gid);
    if (mtime) await handle.utimes(mtime, mtime);
    if (mode !== undefined) await handle.chmod(mode);
  } finally {
    await handle.close();
  }
}

function nothingWhenGone(error: NodeJS.ErrnoException): [] {
  if (error.code === "ENOENT") return [];
  throw error;
}
