/** A name is durable only when its folder is: fsync of folders, shared among those who ask for it at the same time. */
import { open } from "node:fs/promises";

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
