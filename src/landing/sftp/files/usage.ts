/**
 * How much of its quota a partner uses. What is undelivered is counted file by file: from the disk now and then, and
 * with every write, truncation, rename and removal between. What is stored is asked of the database now and then.
 */
import { opendir, lstat } from "node:fs/promises";
import path from "node:path";
import type { Quota } from "../../../partners/settings/landing-rules.ts";
import type { Left } from "./space.ts";
import { stageOf } from "./stages.ts";
import { failed, type Refusal } from "../wire/status.ts";

export type QuotaName = "inboxBytes" | "inboxFiles" | "inboxFolders" | "storedBytes" | "storedFiles";

/** What a partner may have, and what retention has not removed yet. */
export type Allowance = { quota: Quota; storedBytes: number; storedFiles: number };
export type FindAllowance = (partnerId: string) => Promise<Allowance>;

export class QuotaRefusal {
  readonly quota: QuotaName;
  readonly refusal: Refusal;

  constructor(quota: QuotaName, limit: number) {
    this.quota = quota;
    this.refusal = failed(
      `Quota exceeded: ${sentences[quota]} ${new Intl.NumberFormat("en-GB").format(limit)} ${units[quota]}.`,
    );
  }
}

const sentences: Readonly<Record<QuotaName, string>> = {
  inboxBytes: "undelivered files in inbox/ may hold at most",
  inboxFiles: "inbox/ may hold at most, undelivered,",
  inboxFolders: "inbox/ may hold at most",
  storedBytes: "all files that are kept may hold at most",
  storedFiles: "there may be kept at most",
};

const units: Readonly<Record<QuotaName, string>> = {
  inboxBytes: "bytes",
  inboxFiles: "files",
  inboxFolders: "folders",
  storedBytes: "bytes",
  storedFiles: "files",
};

/** Files also come and go by an operator's hand, and through other machines that share the folder. */
const recountMs = 3_600_000;

export class Usage {
  readonly #inbox: string;
  readonly #find: () => Promise<Allowance>;
  readonly #rememberedMs: number;
  /** Undelivered files by their path on disk. */
  #sizes = new Map<string, number>();
  #folders = new Set<string>();
  #undeliveredBytes = 0;
  #allowance: Allowance | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #counted: Promise<void> | undefined;
  #countedAt = Number.NEGATIVE_INFINITY;
  /** Files and folders that changed since the count under way began. */
  #touched: Set<string> | undefined;

  constructor(inbox: string, find: () => Promise<Allowance>, rememberedMs: number) {
    this.#inbox = inbox;
    this.#find = find;
    this.#rememberedMs = rememberedMs;
  }

  get undelivered(): { bytes: number; files: number } {
    return { bytes: this.#undeliveredBytes, files: this.#sizes.size };
  }

  has(diskPath: string): boolean {
    return this.#sizes.has(diskPath);
  }

  /** 0 for one that is not counted. */
  sizeOf(diskPath: string): number {
    return this.#sizes.get(diskPath) ?? 0;
  }

  /**
   * Counts a file that is about to be written, whether or not it is there. @returns what stands against it, and nothing
   * was counted
   */
  async open(diskPath: string): Promise<QuotaRefusal | undefined> {
    await this.#refresh();
    if (this.#sizes.has(diskPath)) return undefined;
    const refusal = this.#filesMet() ?? this.#bytesMet(0);
    if (!refusal) this.resize(diskPath, 0);
    return refusal;
  }

  /** Counts a file that is being written as that large, unless a quota stands against it. */
  grow(diskPath: string, sizeBytes: number): QuotaRefusal | undefined {
    const growth = sizeBytes - (this.#sizes.get(diskPath) ?? 0);
    const refusal = growth > 0 ? this.#bytesMet(growth) : undefined;
    if (!refusal) this.resize(diskPath, sizeBytes);
    return refusal;
  }

  hasFolder(diskPath: string): boolean {
    return this.#folders.has(diskPath);
  }

  /** Counts a folder that is about to be made. @returns what stands against it, and nothing was counted */
  async makeFolder(diskPath: string): Promise<QuotaRefusal | undefined> {
    await this.#refresh();
    const limit = this.#allowance?.quota.inboxFolders ?? Infinity;
    if (!this.#folders.has(diskPath) && this.#folders.size >= limit) return new QuotaRefusal("inboxFolders", limit);
    this.#touched?.add(diskPath);
    this.#folders.add(diskPath);
    return undefined;
  }

  /** It was removed, or never came to be. */
  folderRemoved(diskPath: string): void {
    this.#touched?.add(diskPath);
    this.#folders.delete(diskPath);
  }

  resize(diskPath: string, sizeBytes: number): void {
    this.#touched?.add(diskPath);
    this.#undeliveredBytes += sizeBytes - (this.#sizes.get(diskPath) ?? 0);
    this.#sizes.set(diskPath, sizeBytes);
  }

  /** It was removed, or never came to be. */
  forget(diskPath: string): void {
    this.#touched?.add(diskPath);
    this.#undeliveredBytes -= this.#sizes.get(diskPath) ?? 0;
    this.#sizes.delete(diskPath);
  }

  delivered(diskPath: string, sizeBytes: number): void {
    this.forget(diskPath);
    if (!this.#allowance) return;
    const { quota, storedBytes, storedFiles } = this.#allowance;
    this.#allowance = { quota, storedBytes: storedBytes + sizeBytes, storedFiles: storedFiles + 1 };
  }

  /** Of whichever quota ends first: what is undelivered counts to both. */
  async left(): Promise<Left> {
    await this.#refresh();
    if (!this.#allowance) throw new Error("a partner's allowance was not read");
    const { quota, storedBytes, storedFiles } = this.#allowance;
    const [bytes, files] = [this.#undeliveredBytes, this.#sizes.size];
    return {
      usedBytes: storedBytes + bytes,
      leftBytes: Math.max(0, Math.min(quota.inboxBytes - bytes, quota.storedBytes - storedBytes - bytes)),
      usedFiles: storedFiles + files,
      leftFiles: Math.max(0, Math.min(quota.inboxFiles - files, quota.storedFiles - storedFiles - files)),
    };
  }

  renamed(from: string, to: string): void {
    const sizeBytes = this.#sizes.get(from);
    this.forget(from);
    if (sizeBytes === undefined) return;
    this.forget(to);
    this.resize(to, sizeBytes);
  }

  #filesMet(): QuotaRefusal | undefined {
    if (!this.#allowance) return undefined;
    const { quota, storedFiles } = this.#allowance;
    if (this.#sizes.size >= quota.inboxFiles) return new QuotaRefusal("inboxFiles", quota.inboxFiles);
    if (storedFiles + this.#sizes.size >= quota.storedFiles) return new QuotaRefusal("storedFiles", quota.storedFiles);
    return undefined;
  }

  /** With growth 0: whether there is room for one byte more. */
  #bytesMet(growth: number): QuotaRefusal | undefined {
    if (!this.#allowance) return undefined;
    const { quota, storedBytes } = this.#allowance;
    const undelivered = this.#undeliveredBytes + Math.max(growth, 1);
    if (undelivered > quota.inboxBytes) return new QuotaRefusal("inboxBytes", quota.inboxBytes);
    if (storedBytes + undelivered > quota.storedBytes) return new QuotaRefusal("storedBytes", quota.storedBytes);
    return undefined;
  }

  async #refresh(): Promise<void> {
    const now = Date.now();
    if (now - this.#countedAt > recountMs) {
      this.#countedAt = now;
      this.#counted = this.#count().catch((error: unknown) => {
        this.#countedAt = Number.NEGATIVE_INFINITY;
        throw error;
      });
    }
    await this.#counted;
    if (now - this.#readAt < this.#rememberedMs) return;
    this.#allowance = await this.#find();
    this.#readAt = now;
  }

  /** What changes meanwhile is known better than what is read, so it stays as it is. */
  async #count(): Promise<void> {
    this.#touched = new Set();
    const { sizes, folders } = await readInbox(this.#inbox);
    for (const diskPath of this.#touched) {
      const sizeBytes = this.#sizes.get(diskPath);
      if (sizeBytes === undefined) sizes.delete(diskPath);
      else sizes.set(diskPath, sizeBytes);
      if (this.#folders.has(diskPath)) folders.add(diskPath);
      else folders.delete(diskPath);
    }
    this.#touched = undefined;
    this.#sizes = sizes;
    this.#folders = folders;
    this.#undeliveredBytes = [...sizes.values()].reduce((sum, sizeBytes) => sum + sizeBytes, 0);
  }
}

/** Files looked at at once. */
const lookedAtMax = 32;

/** Undelivered files with their sizes, and all folders. */
async function readInbox(inbox: string): Promise<{ sizes: Map<string, number>; folders: Set<string> }> {
  const sizes = new Map<string, number>();
  const folders = new Set<string>();
  const look = async (diskPath: string) => {
    const stats = await lstat(diskPath).catch(nullWhenGone);
    if (stats?.isFile() && stageOf(stats) !== "delivered") sizes.set(diskPath, stats.size);
  };
  let looking: Promise<void>[] = [];
  for await (const entry of await opendir(inbox, { recursive: true })) {
    if (entry.isDirectory()) folders.add(path.join(entry.parentPath, entry.name));
    if (!entry.isFile()) continue;
    looking.push(look(path.join(entry.parentPath, entry.name)));
    if (looking.length < lookedAtMax) continue;
    await Promise.all(looking);
    looking = [];
  }
  await Promise.all(looking);
  return { sizes, folders };
}

function nullWhenGone(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}

/** The usage of every partner that has written since the start. */
export class Usages {
  readonly #byPartner = new Map<string, Usage>();
  readonly #landingDirectory: string;
  readonly #find: FindAllowance;
  readonly #rememberedMs: number;

  constructor(landingDirectory: string, find: FindAllowance, rememberedMs: number) {
    this.#landingDirectory = landingDirectory;
    this.#find = find;
    this.#rememberedMs = rememberedMs;
  }

  of(partnerId: string): Usage {
    let usage = this.#byPartner.get(partnerId);
    if (!usage) {
      usage = new Usage(
        path.join(this.#landingDirectory, partnerId, "inbox"),
        () => this.#find(partnerId),
        this.#rememberedMs,
      );
      this.#byPartner.set(partnerId, usage);
    }
    return usage;
  }
}
