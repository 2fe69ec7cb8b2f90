/** What a way into the service must offer to the sender. */
import type { Batch } from "../sealing/batches.ts";
import type { NewUser, Refusal } from "./service.ts";

export type FileDelivery = { name: string; sizeBytes: number; batches: number };

export type Door = {
  via: "https" | "sftp" | "direct";
  /** How many batches may be under way at once. */
  inFlightMax: number;
  /** "batch": what `send` took is durable at the service. "file": only when `finish` has returned. */
  durableAfter: "batch" | "file";
  createUser(user: NewUser): Promise<"created" | "existing">;
  /** @returns null when it was taken. */
  send(batch: Batch): Promise<Refusal | null>;
  /** Delivers what was gathered. @returns null where there is no file. */
  finish(): Promise<FileDelivery | null>;
  /** Calls that had to be repeated. */
  readonly retries: number;
  /** Lets go of connections and temporary files, whether finished or not. Idempotent. */
  close(): Promise<void>;
};
