/** Which batches the service has taken over, one request id a line: a sender that was stopped goes on after them. */
import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile } from "node:fs/promises";
import path from "node:path";

export type Journal = {
  path: string;
  has(requestId: string): boolean;
  /** Appends. An entry that is lost in a crash costs one batch sent twice, which the service recognises. */
  acknowledge(requestIds: readonly string[]): Promise<void>;
};

const requestIdPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @param again forgets what was sent before: everything is sent once more. */
export async function openJournal(file: string, again = false): Promise<Journal> {
  await mkdir(path.dirname(file), { recursive: true });
  const known = new Set(again ? [] : await readEntries(file));
  return {
    path: file,
    has: (requestId) => known.has(requestId),
    async acknowledge(requestIds) {
      if (requestIds.length === 0) return;
      for (const id of requestIds) known.add(id);
      await appendFile(file, requestIds.map((id) => `${id}\n`).join(""));
    },
  };
}

/** What a journal says now, for whoever only looks: nothing is made, nothing added. */
export async function readJournal(file: string, again = false): Promise<Pick<Journal, "has">> {
  const known = new Set(again ? [] : await readEntries(file));
  return { has: (requestId) => known.has(requestId) };
}

/** A torn last line is no entry. */
async function readEntries(file: string): Promise<string[]> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return text.split("\n").filter((line) => requestIdPattern.test(line));
}

/** The journal of one undertaking: the same `parts` (door, partner, sources …) give the same file. */
export function journalFor(directory: string, parts: readonly string[]): string {
  const name = createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 12);
  return path.join(directory, `${name}.journal`);
}
