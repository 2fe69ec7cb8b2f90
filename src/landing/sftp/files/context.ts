/** What every operation of one SFTP channel stands on. */
import type { Events } from "../../../events.ts";
import type { QuickSteps } from "../../../machine/quick-steps.ts";
import type { Claims } from "./claims.ts";
import type { Deliver, FindWhatIsMissing, IsKeptWithRow } from "./finished-file.ts";
import type { KnownHashes } from "./known-hashes.ts";
import type { TemporaryNames } from "./paths.ts";
import type { Room } from "./room.ts";
import type { Audit } from "./session-audit.ts";

export type UploadUnderWay = {
  readonly location: { readonly names: readonly string[] };
  readonly opened: { readonly writing: { readonly sizeBytes: number } };
};

export type SessionContext = {
  readonly sessionId: string;
  readonly partnerId: string;
  /** Absolute; holds inbox/ and receipts/. */
  readonly partnerFolder: string;
  readonly temporaryNames: TemporaryNames;
  /** On the disk of the partner's inbox. */
  readonly quickly: QuickSteps;
  readonly claims: Claims;
  readonly deliver: Deliver;
  readonly isKeptWithRow: IsKeptWithRow;
  readonly findWhatIsMissing: FindWhatIsMissing;
  /** How long a file that is not whole waits to be continued or replaced; 0: it is delivered as it is. */
  readonly incompleteMs: number;
  readonly events: Events;
  readonly audit: Audit;
  readonly room: Room;
  readonly hashes: KnownHashes;
  /** Resolves when the receipts of what the partner has delivered so far are written. */
  receiptsWritten(): Promise<void>;
  /** Whether the door is closing: then no upload begins any more. */
  isStopping(): boolean;
  /** What is being uploaded on the connection. */
  readonly uploads: Set<UploadUnderWay>;
  readonly tally: { bytesReceived: number; filesDelivered: number };
};
