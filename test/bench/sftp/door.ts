/**
 * The SFTP door alone, as a process of its own, so that its CPU and memory are only its own: node door.ts FOLDER Prints
 * its port. FOLDER holds `partner.pub`, the client's public key; host keys, landing zone and vault are made there.
 * SLOW_DISK_MB_PER_SECOND makes every write to a file wait as a disk of that speed would.
 */
import { constants } from "node:fs";
import { link, mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { quotaDefaults } from "../../../config/landing.ts";
import { createEvents } from "../../../src/events.ts";
import { countBuffersWithHeap } from "../../../src/machine/garbage-collection.ts";
import { openQuickly } from "../../../src/machine/opened-file.ts";
import { inThreads } from "../../../src/machine/quick-steps.ts";
import { openSftpDoor } from "../../../src/landing/sftp/door.ts";
import { openHostKeys } from "../../../src/landing/sftp/connection/host-keys.ts";
import type { SftpPartner } from "../../../src/partners/keys/sftp-keys.ts";
import { readPublicKey } from "../../../src/partners/keys/ssh-public-key.ts";

const [folder = ""] = process.argv.slice(2);
countBuffersWithHeap();
if (process.env.SLOW_DISK_MB_PER_SECOND) await slowDown(Number(process.env.SLOW_DISK_MB_PER_SECOND));
const quota = { ...quotaDefaults };
const partner: SftpPartner = {
  partnerId: "bench",
  suspended: false,
  keys: [readPublicKey(await readFile(path.join(folder, "partner.pub"), "utf8"))],
  allowedNetworks: [],
  legacyMacs: false,
  quota,
};
await mkdir(path.join(folder, "vault"), { recursive: true });
const hostKeys = await openHostKeys(path.join(folder, "host-keys"));
const door = await openSftpDoor(
  { host: "127.0.0.1", port: 0, hostKeys, landingDirectory: path.join(folder, "landing") },
  {
    findPartner: async (name) => (name === partner.partnerId ? partner : null),
    findAllowance: async () => ({ quota, storedBytes: 0, storedFiles: 0 }),
    listNetworks: async () => [],
    listLegacyNetworks: async () => [],
    deliver: async (file, makeDurable) => {
      await Promise.all([makeDurable(), link(file.path, path.join(folder, "vault", file.correlationId))]);
    },
    findWhatIsMissing: async () => null,
    receiptsWritten: async () => undefined,
    isRecorded: async () => false,
    events: createEvents({ level: "warn" }),
    audit: { record: async () => undefined },
    disk: { isLow: () => false, reserve: () => undefined },
  },
);
console.log(door.port);
process.once("SIGTERM", () => process.exit(0));

/** One writer at a time, as on one spindle: `writev` of every new file waits its turn and its time. */
async function slowDown(megabytesPerSecond: number): Promise<void> {
  const probe = await openQuickly(path.join(folder, "partner.pub"), constants.O_RDONLY, 0, inThreads);
  const opened = Object.getPrototypeOf(probe) as {
    writev: (pieces: Uint8Array[], position?: number) => Promise<unknown>;
  };
  await probe.close();
  const { writev } = opened;
  let turn: Promise<unknown> = Promise.resolve();
  opened.writev = async function slowWritev(pieces, position) {
    const sizeBytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    turn = turn.then(() => wait(sizeBytes / (megabytesPerSecond * 1000)));
    await turn;
    return await writev.call(this, pieces, position);
  };
}
