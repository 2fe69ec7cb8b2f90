/**
 * Where an export goes: standard output, one file, or numbered files that are each sealed to a key. A file has its name
 * once it is whole; until then it is `FILE.part`, and beside it `FILE.resume` says up to where it is good. Whatever lies
 * behind that is cut off by the next run, so that a process that is killed leaves neither half a row nor one twice.
 */
import { once } from "node:events";
import { type FileHandle, open, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Fault } from "../errors.ts";
import { syncFolder } from "../machine/sync-folder.ts";
import type { Encoder } from "./encoder.ts";

/** How far an export has come: users up to this one are written, and so many rows. */
export type Place = { userId: number; users: number; rows: number };

export type Target = {
  /** Where an earlier run broke off. */
  readonly place: Place;
  /** Before bytes of further rows come. */
  begin(): Promise<void>;
  write(bytes: Uint8Array): Promise<void>;
  /** What is written so far is a whole number of users. A file has it on the disk, and says so, while more is written. */
  settle(encoder: Encoder, place: Place): Promise<void>;
  /** @returns the files there are now */
  finish(encoder: Encoder): Promise<string[]>;
  /** Lets go of everything, and leaves what the next run needs. Idempotent. */
  close(): Promise<void>;
};

export const nowhere: Place = { userId: 0, users: 0, rows: 0 };

/** To a pipe: nothing can be resumed. */
export async function openStandardOutput(encoder: Encoder): Promise<Target> {
  const write = async (bytes: Uint8Array): Promise<void> => {
    if (!process.stdout.write(bytes)) await once(process.stdout, "drain");
  };
  await encoder.begin(write);
  return {
    place: nowhere,
    async begin() {},
    write,
    async settle(settled) {
      await settled.settle(write);
    },
    async finish(finished) {
      await finished.finish(write);
      return [];
    },
    async close() {},
  };
}

/** A line of the file that says how far an export is. */
type Settled = Place & { bytes: number; state: unknown; part?: string };

/** @param identity what is exported: an unfinished file is only ever continued with the same */
export async function openFile(file: string, identity: string, encoder: Encoder): Promise<Target> {
  await assertNew(file);
  const journal = await Journal.open(`${file}.resume`, identity);
  const last = journal.last;
  const flags = last !== null ? "r+" : journal.isNew ? "wx" : "w";
  const handle = await open(`${file}.part`, flags, 0o600).catch(async (error: unknown) => {
    await (journal.isNew ? journal.remove() : journal.close());
    throw explained(error, `${file}.part`);
  });
  let bytes = last?.bytes ?? 0;
  // What is made next is made while this is written, and synced: a disk's time was a third of an export's.
  let writing: Promise<void> = Promise.resolve();
  let settling: Promise<void> = Promise.resolve();
  const write = async (added: Uint8Array): Promise<void> => {
    await writing;
    writing = writeWhole(handle, added, bytes);
    // Whoever waits for it is told.
    writing.catch(() => undefined);
    bytes += added.length;
  };
  try {
    if ((await handle.stat()).size < bytes)
      throw new Fault("COMMAND_USAGE", `${file}.part is shorter than it was: remove it and ${file}.resume.`);
    await handle.truncate(bytes);
    if (last === null) await encoder.begin(write);
    else encoder.resume(journal.states, bytes);
  } catch (error) {
    await Promise.allSettled([writing]);
    await handle.close();
    await journal.close();
    throw error;
  }
  return {
    place: last ?? nowhere,
    async begin() {},
    write,
    async settle(settled, place) {
      const state = await settled.settle(write);
      await settling;
      const line = { ...place, bytes, state };
      settling = writing.then(() => handle.datasync()).then(() => journal.add(line));
      settling.catch(() => undefined);
    },
    async finish(finished) {
      await finished.finish(write);
      await Promise.all([writing, settling]);
      await handle.sync();
      await rename(`${file}.part`, file);
      await journal.remove();
      await syncFolder(path.dirname(file));
      return [file];
    },
    async close() {
      await Promise.allSettled([writing, settling]);
      await handle.close();
      await journal.close();
    },
  };
}

/** Rows of a sealed file: a message of OpenPGP has no middle at which to go on, so that there are several. */
const sealedRows = 1_000_000;

/**
 * Numbered files, `name.0001.csv.pgp` for `name.csv.pgp`, each a message to the key and readable alone. A run goes on
 * with the first one that was not finished, from its beginning.
 * @param key a public key, armoured. @param encoderOf a file's own
 */
export async function openSealedFiles(file: string, identity: string, key: string, encoder: Encoder): Promise<Target> {
  const { createMessage, encrypt, readKey } = await import("openpgp");
  const encryptionKeys = await readKey({ armoredKey: key }).catch((cause: unknown) => {
    throw new Fault("COMMAND_USAGE", "What is to be sealed to is no public key of OpenPGP.", { cause });
  });
  await encryptionKeys.getEncryptionKey().catch((cause: unknown) => {
    throw new Fault(
      "COMMAND_USAGE",
      "To the key that is to be sealed to nothing can be encrypted: it signs only, has ended or was revoked.",
      { cause },
    );
  });
  const journal = await Journal.open(`${file}.resume`, identity);
  const parts = journal.lines.map(({ part }) => part as string);
  if (journal.isNew && (await isThere(numbered(file, 1)))) {
    await journal.remove();
    throw new Fault("COMMAND_USAGE", `${numbered(file, 1)} exists already.`);
  }
  let place: Place = journal.last ?? nowhere;
  let writing: { name: string; sink: WritableStreamDefaultWriter<Uint8Array>; done: Promise<void> } | null = null;

  const write = async (bytes: Uint8Array): Promise<void> => {
    const { sink, done } = writing as unknown as NonNullable<typeof writing>;
    await orWhyItEnded(Promise.race([sink.write(bytes), done]), done);
  };
  const begin = async (): Promise<void> => {
    if (writing !== null) return;
    const name = numbered(file, parts.length + 1);
    const plain = new TransformStream<Uint8Array, Uint8Array>();
    const sink = plain.writable.getWriter();
    const done = (async () => {
      const message = await createMessage({ binary: plain.readable as never });
      const sealed = (await encrypt({
        message,
        encryptionKeys,
        format: "binary",
      })) as unknown as ReadableStream<Uint8Array>;
      const handle = await open(`${name}.part`, "w", 0o600);
      try {
        await pipeline(Readable.fromWeb(sealed as never), async (pieces: AsyncIterable<Uint8Array>) => {
          for await (const piece of pieces) await writeWhole(handle, piece, null);
        });
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(`${name}.part`, name);
      await syncFolder(path.dirname(name));
    })();
    done.catch(() => undefined);
    writing = { name, sink, done };
    await encoder.begin(write);
  };
  const end = async (at: Place): Promise<void> => {
    if (writing === null) return;
    await encoder.finish(write);
    const { name, sink, done } = writing;
    await orWhyItEnded(sink.close(), done);
    await done;
    writing = null;
    parts.push(name);
    place = at;
    await journal.add({ ...at, bytes: 0, state: null, part: name });
  };
  let settledAt = place;
  return {
    place,
    begin,
    write,
    async settle(settled, at) {
      settledAt = at;
      if (writing === null) return;
      await settled.settle(write);
      if (at.rows - place.rows >= sealedRows) await end(at);
    },
    async finish() {
      // Of nothing there is still a file.
      if (parts.length === 0) await begin();
      await end(settledAt);
      await journal.remove();
      return parts;
    },
    async close() {
      const open = writing;
      writing = null;
      if (open !== null) {
        // Not waited for: it never ends behind a piece that nobody takes, as when the disk is full.
        open.sink.abort(new Error("the export was broken off")).catch(() => undefined);
        await open.done.catch(() => undefined);
        await rm(`${open.name}.part`, { force: true });
      }
      await journal.close();
    },
  };
}

/** A stream whose reader failed says only that it was broken off; the reader knows of the full disk. */
async function orWhyItEnded(work: Promise<void>, reader: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    await reader;
    throw error;
  }
}

/** "day.csv.pgp", 2 → "day.0002.csv.pgp" */
function numbered(file: string, number: number): string {
  const name = path.basename(file);
  const dot = name.indexOf(".", 1);
  const [stem, endings] = dot < 0 ? [name, ""] : [name.slice(0, dot), name.slice(dot)];
  return path.join(path.dirname(file), `${stem}.${String(number).padStart(4, "0")}${endings}`);
}

async function writeWhole(handle: FileHandle, bytes: Uint8Array, at: number | null): Promise<void> {
  for (let from = 0; from < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, from, bytes.length - from, at === null ? null : at + from);
    from += bytesWritten;
  }
}

/** One that is whole has nothing beside it; a run that was killed at its very end may have left that. */
async function assertNew(file: string): Promise<void> {
  if (!(await isThere(file))) return;
  if (!(await isThere(`${file}.part`))) await rm(`${file}.resume`, { force: true });
  throw new Fault("COMMAND_USAGE", `${file} exists already.`);
}

async function isThere(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  );
}

function explained(error: unknown, file: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EEXIST") return new Fault("COMMAND_USAGE", `${file} exists already, and nothing says what is in it.`);
  if (code === "ENOENT")
    return new Fault("COMMAND_USAGE", `${file} is missing: remove what ends in .resume beside it.`);
  return error;
}

/** The lines that say how far an export is: what it is, then one a settled piece; a last one may be cut off. */
class Journal {
  readonly #file: string;
  readonly #handle: FileHandle;
  /** Whether there was none. */
  readonly isNew: boolean;
  readonly lines: readonly Settled[];

  private constructor(file: string, handle: FileHandle, lines: readonly Settled[], isNew: boolean) {
    this.#file = file;
    this.#handle = handle;
    this.lines = lines;
    this.isNew = isNew;
  }

  static async open(file: string, identity: string): Promise<Journal> {
    const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "";
      throw error;
    });
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    const [first, ...lines] = whole.split("\n").slice(0, -1);
    if (first !== undefined && first !== identity)
      throw new Fault("COMMAND_USAGE", `${file} is of another export: finish that one, or remove it.`);
    const handle = await open(file, "a", 0o600);
    await handle.truncate(Buffer.byteLength(whole));
    if (first === undefined) await handle.writeFile(`${identity}\n`);
    await handle.sync();
    await syncFolder(path.dirname(file));
    return new Journal(
      file,
      handle,
      lines.map((line) => JSON.parse(line) as Settled),
      first === undefined,
    );
  }

  get last(): Settled | null {
    return this.lines.at(-1) ?? null;
  }

  get states(): readonly unknown[] {
    return this.lines.map(({ state }) => state);
  }

  async add(settled: Settled): Promise<void> {
    await this.#handle.appendFile(`${JSON.stringify(settled)}\n`);
    await this.#handle.datasync();
  }

  async remove(): Promise<void> {
    await this.close();
    await rm(this.#file, { force: true });
  }

  async close(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
  }
}
