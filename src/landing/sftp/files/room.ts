/** Whether there is room for what a session wants to write: on the disk, and in its partner's quota. */
import path from "node:path";
import type { Events } from "../../../events.ts";
import type { DiskGuard } from "../../disk-guard.ts";
import type { Audit } from "./session-audit.ts";
import { failed, type Refusal } from "../wire/status.ts";
import type { QuotaRefusal, Usage } from "./usage.ts";

export type Room = {
  readonly usage: Usage;
  /**
   * Counts a file that is about to be opened for writing. The result takes that back. @throws Refusal when there is no
   * room
   */
  open(diskPath: string): Promise<() => void>;
  /** Counts a folder that is about to be made. The result takes that back. @throws Refusal when there is no room */
  makeFolder(diskPath: string): Promise<() => void>;
  /** Counts a file as that large, or says what stands against it. */
  grow(diskPath: string, sizeBytes: number): Refusal | undefined;
};

export type RoomSettings = {
  sessionId: string;
  partnerId: string;
  inbox: string;
  usage: Usage;
  disk: Pick<DiskGuard, "isLow" | "reserve">;
  events: Events;
  audit: Audit;
};

const noSpace = "The service is short of disk space and takes no files at the moment; try again later.";

export function openRoom({ sessionId, partnerId, inbox, usage, disk, events, audit }: RoomSettings): Room {
  const report = ({ quota, refusal }: QuotaRefusal, diskPath: string): Refusal => {
    events.emit("sftp.quota-refused", { sessionId, partnerId, quota });
    audit("sftp.quota-refused", { quota, file: path.relative(inbox, diskPath) });
    return refusal;
  };
  return {
    usage,
    async open(diskPath) {
      if (disk.isLow()) throw failed(noSpace);
      const known = usage.has(diskPath);
      const met = await usage.open(diskPath);
      if (met) throw report(met, diskPath);
      return () => {
        if (!known) usage.forget(diskPath);
      };
    },
    async makeFolder(diskPath) {
      if (disk.isLow()) throw failed(noSpace);
      const known = usage.hasFolder(diskPath);
      const met = await usage.makeFolder(diskPath);
      if (met) throw report(met, diskPath);
      return () => {
        if (!known) usage.folderRemoved(diskPath);
      };
    },
    grow(diskPath, sizeBytes) {
      const growth = sizeBytes - usage.sizeOf(diskPath);
      if (growth > 0 && disk.isLow()) return failed(noSpace);
      const met = usage.grow(diskPath, sizeBytes);
      if (met) return report(met, diskPath);
      if (growth > 0) disk.reserve("landing", growth);
      return undefined;
    },
  };
}
