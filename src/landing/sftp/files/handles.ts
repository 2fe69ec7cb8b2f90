/** The open files and folders of one channel; a handle means nothing in any other. */
import type { Folder } from "./folders.ts";
import type { Reading } from "./open-files.ts";
import { failed } from "../wire/status.ts";
import type { Upload } from "./upload.ts";

export type Handle = Reading | Upload | Folder;

const handleSizeBytes = 4;

export class Handles {
  readonly countMax: number;
  readonly #open = new Map<number, Handle>();
  #next = 0;

  constructor(countMax: number) {
    this.countMax = countMax;
  }

  /** @throws Refusal when the channel has all the handles that it may have; asked before anything is opened */
  assertRoom(): void {
    if (this.#open.size >= this.countMax) throw failed("Too many open files.");
  }

  add(handle: Handle): Buffer {
    // Numbers are not used twice: 2^32 of them outlast the longest connection.
    const number = this.#next++;
    this.#open.set(number, handle);
    const name = Buffer.allocUnsafe(handleSizeBytes);
    name.writeUInt32BE(number);
    return name;
  }

  /** @throws Refusal when it is not open */
  get(name: Buffer): Handle {
    const handle = name.length === handleSizeBytes ? this.#open.get(name.readUInt32BE()) : undefined;
    if (!handle) throw failed("The handle is not open.");
    return handle;
  }

  /** @throws Refusal when it is not open, or is a folder */
  file(name: Buffer): Reading | Upload {
    const handle = this.get(name);
    if (handle.kind === "folder") throw failed("The handle is a folder.");
    return handle;
  }

  /** @throws Refusal when it is not open for writing */
  upload(name: Buffer): Upload {
    const handle = this.get(name);
    if (handle.kind !== "upload") throw failed("The handle is not open for writing.");
    return handle;
  }

  /** @throws Refusal when it is not open, or is a file */
  folder(name: Buffer): Folder {
    const handle = this.get(name);
    if (handle.kind !== "folder") throw failed("The handle is no folder.");
    return handle;
  }

  /** Forgets the handle and returns it. @throws Refusal when it is not open */
  remove(name: Buffer): Handle {
    const handle = this.get(name);
    this.#open.delete(name.readUInt32BE());
    return handle;
  }

  /** Forgets and returns all that are open. */
  removeAll(): Handle[] {
    const all = [...this.#open.values()];
    this.#open.clear();
    return all;
  }
}
