/** A name is durable only when its folder is: fsync of folders, shared among those who ask for it at the same time. */
import { mkdir, open } from "node:fs/promises";
import path from "node:path";

type Syncs = { running: Promise<void>; next: Promise<void> | undefined };

const byFolder = new Map<string, Syncs>();

/**
 * Makes names that were created, renamed or removed in a folder before this call survive a power failure. Whoever comes
 * while a sync of the folder runs shares the next one: the running one may have begun before his change.
 */
export async function syncFolder(folder: string): Promise<void> {
  const syncs = byFolder.get(folder);
  if (syncs) return await (syncs.next ??= syncs.running.then(ignore, ignore).then(() => begin(folder)));
  await begin(folder);
}

/** Makes a folder with those above it, where they are missing, and makes their names durable. Idempotent. */
export async function makeFolder(folder: string, mode = 0o700): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode });
  if (first === undefined) return;
  const above = path.dirname(path.resolve(first));
  for (let made = path.resolve(folder); made !== above; made = path.dirname(made)) await syncFolder(path.dirname(made));
}

function begin(folder: string): Promise<void> {
  const running = syncNow(folder);
  const syncs: Syncs = { running, next: undefined };
  byFolder.set(folder, syncs);
  const end = () => {
    if (syncs.next === undefined) byFolder.delete(folder);
  };
  running.then(end, end);
  return running;
}

async function syncNow(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}

function ignore(): void {}
