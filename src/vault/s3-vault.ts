/**
 * A vault in a bucket. Uploads land on the door's own disk and are moved here before they count as taken; who loads one
 * brings it to a folder of the machine first, and takes that copy away afterwards. A small file, whose bytes were
 * committed with its row, is not put here at all: it is read from there.
 */
import { createHash, randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { readdir, rename, rm, stat, utimes } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { vaultMark } from "../../config/landing.ts";
import { Fault } from "../errors.ts";
import { makeFolder } from "../machine/sync-folder.ts";
import { isDay } from "../time/calendar.ts";
import { openObjectStore, type ObjectStore } from "./object-store.ts";
import type { S3Settings } from "./settings.ts";
import { besideEndings, confirmedEnding, originEnding, type Vault } from "./vault.ts";

/** Of the store's answers for small objects, waited for together: each is a way there and back. */
const originsAtOnce = 8;

export type S3Vault = Vault & { /** Ends its connections. */ close(): void };

/** @param directory of this machine, for what is being read or sealed */
export function s3Vault(
  directory: string,
  settings: S3Settings,
  store: ObjectStore = openObjectStore(settings),
): S3Vault {
  const { prefix } = settings;
  const location = `s3://${settings.bucket}/${prefix}`;
  const asked = <Answer>(answer: Promise<Answer>) => answer.catch((cause: unknown) => tellAway(location, cause));
  const keyOf = (reference: string) => `${prefix}${reference}`;
  const put = async (reference: string, file: string, sha256: Buffer, origin: Buffer | undefined) => {
    const { size } = await stat(file);
    if (origin !== undefined) await asked(store.putBytes(keyOf(`${reference}${originEnding}`), origin));
    await asked(store.putFile(keyOf(reference), file, size, sha256));
    return reference;
  };
  const bringNew = async (reference: string, file: string): Promise<string | null> => {
    await makeFolder(path.dirname(file));
    const unfinished = `${file}.${randomUUID()}`;
    try {
      if (!(await asked(store.fetch(keyOf(reference), unfinished)))) {
        // In another bucket, or one that was emptied, every file seems lost.
        if (!(await asked(store.has(keyOf(vaultMark))))) throw new Fault("VAULT_AWAY");
        return null;
      }
      await rename(unfinished, file);
      return file;
    } finally {
      await rm(unfinished, { force: true });
    }
  };
  const referenceOf = (deliveryId: string, day: string) => `${day}/${deliveryId}`;
  return {
    directory,
    isElsewhere: true,
    location,
    referenceOf,
    keep: (deliveryId, file, day, sha256, origin) => put(referenceOf(deliveryId, day), file, sha256, origin),
    name: async () => null,
    async write(deliveryId, contents, day, origin) {
      await makeFolder(directory);
      const sealed = path.join(directory, `${deliveryId}.${randomUUID()}`);
      try {
        await pipeline(Readable.from(contents, { objectMode: false }), createWriteStream(sealed, { mode: 0o600 }));
        return await put(referenceOf(deliveryId, day), sealed, await digestOf(sealed), origin);
      } finally {
        await rm(sealed, { force: true });
      }
    },
    // An object has no mode: the mark is another one beside it.
    confirm: (reference) => asked(store.putBytes(keyOf(`${reference}${confirmedEnding}`), Buffer.from("recorded\n"))),
    async look(reference) {
      const sizeBytes = await asked(store.sizeOf(keyOf(reference)));
      if (sizeBytes === null) return null;
      const isConfirmed = await asked(store.has(keyOf(`${reference}${confirmedEnding}`)));
      return { sizeBytes, isConfirmed, inode: null };
    },
    readOrigin: (reference) => asked(store.readBytes(keyOf(`${reference}${originEnding}`))),
    async replaceOrigins(day, anew, signal) {
      const folder = keyOf(`${day}/`);
      const listed = store.list(folder);
      const replaceOne = async (key: string): Promise<boolean> => {
        const before = await asked(store.readBytes(key));
        const after = before === null ? null : anew(key.slice(folder.length, -originEnding.length), before);
        if (after !== null) await asked(store.putBytes(key, after));
        return after !== null;
      };
      let replaced = 0;
      const replaceNext = async (): Promise<void> => {
        for (let next = await asked(listed.next()); !next.done; next = await asked(listed.next())) {
          signal?.throwIfAborted();
          if (next.value.key.endsWith(originEnding) && (await replaceOne(next.value.key))) replaced += 1;
        }
      };
      await Promise.all(Array.from({ length: originsAtOnce }, replaceNext));
      return replaced;
    },
    async remove(reference) {
      // The file first: what lies beside one that is gone is an orphan.
      for (const ending of ["", ...besideEndings]) await asked(store.remove(keyOf(`${reference}${ending}`)));
      await rm(path.join(directory, reference), { force: true });
    },
    has: (name) => store.has(keyOf(name)),
    mark: () => asked(store.putBytes(keyOf(vaultMark), Buffer.from("Tideline's vault\n"))),
    async bring(reference) {
      const file = path.join(directory, reference);
      // Read again, it is not as old as its bytes.
      const isHere = await utimes(file, new Date(), new Date()).then(
        () => true,
        () => false,
      );
      return isHere ? file : await bringNew(reference, file);
    },
    days: async () => (await asked(store.listFolders(prefix))).filter(isDay),
    async *list(day) {
      const folder = keyOf(`${day}/`);
      for await (const { key, sizeBytes } of store.list(folder)) yield { name: key.slice(folder.length), sizeBytes };
    },
    tidy: (before) => asked(store.abortUploads(prefix, (key) => key.slice(prefix.length) < before)),
    discard: (reference) => rm(path.join(directory, reference), { force: true }),
    async discardUnread(since) {
      const days = (await readdir(directory).catch(() => [])).filter(isDay);
      for (const day of days) {
        const folder = path.join(directory, day);
        for (const name of await readdir(folder)) {
          const file = path.join(folder, name);
          const found = await stat(file).catch(() => null);
          if (found !== null && found.mtime < since) await rm(file, { force: true });
        }
      }
    },
    close: () => store.close(),
  };
}

function tellAway(location: string, cause: unknown): never {
  const why = cause instanceof Error ? cause.name : String(cause);
  throw new Fault("VAULT_AWAY", `The vault ${location} does not answer as it should (${why}).`, { cause });
}

async function digestOf(file: string): Promise<Buffer> {
  const digest = createHash("sha256");
  for await (const piece of createReadStream(file)) digest.update(piece as Buffer);
  return digest.digest();
}
