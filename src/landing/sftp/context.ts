/** What every operation of one SFTP channel stands on. */
import type { Events } from "../../events.ts";
import type { Claims } from "./claims.ts";
import type { Deliver } from "./delivery.ts";
import type { KnownHashes } from "./known-hashes.ts";
import type { TemporaryNames } from "./paths.ts";
import type { Room } from "./room.ts";

/** Writes into the audit trail what happened in the session; names of files belong there, and not into the log. */
export type Audit = (event: string, details: Readonly<Record<string, unknown>>) => void;

export type SessionContext = {
  readonly sessionId: string;
  readonly partnerId: string;
  /** Absolute; holds inbox/ and receipts/. */
  readonly partnerFolder: string;
  readonly temporaryNames: TemporaryNames;
  readonly claims: Claims;
  readonly deliver: Deliver;
  readonly events: Events;
  readonly audit: Audit;
  readonly room: Room;
  readonly hashes: KnownHashes;
  /** Whether the door is closing: then no upload begins any more. */
  isStopping(): boolean;
  readonly tally: { bytesReceived: number; filesDelivered: number };
};
