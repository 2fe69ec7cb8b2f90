/**
 * A partner's side of the interface, for its own programs: `import { connect } from "tideline/client"`. Users, sealed
 * batches over HTTPS, files and their receipts over SFTP, and every read and change in a user's name.
 */
import { createHash } from "node:crypto";
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { RawTransaction as CutRecord } from "../interface/record.ts";
import { type Batch, cutBatches } from "../sealing/batches.ts";
import { type PartnerAccess, readAccess } from "./access.ts";
import type { CallOptions } from "./call-options.ts";
import { type Limits, limitDefaults, openCalls } from "./calls.ts";
import { AccessInvalid, CallRefused } from "./failures.ts";
import type { EncryptionKey, KeySet, LoginResponse, RawTransaction } from "./generated/schemas.ts";
import { seal, signBatch, signLogin } from "./keys.ts";
import { openSession, type UserSession } from "./session.ts";
import { type Receipt, uploadFile, waitForReceipt } from "./sftp.ts";

export type * from "./generated/schemas.ts";
export type { CallOptions, PartnerAccess, Receipt, UserSession };
export * from "./failures.ts";
export { seal };

export type Records = AsyncIterable<RawTransaction> | Iterable<RawTransaction>;

export type ConnectOptions = Partial<Limits> & {
  /** Batches are signed before they are sealed, where the operator set `signedBatches=required`. */
  signBatches?: boolean;
};

export type PushOptions = CallOptions & {
  /** Ends each user of the records with IMPORT_COMPLETED, behind the last of them. */
  complete?: boolean;
};

export type Partner = {
  readonly access: PartnerAccess;
  /** Idempotent. Brand: the access's own unless told. */
  createUser(
    user: { bankUserId: string; locale: string; brand?: string },
    options?: CallOptions,
  ): Promise<"created" | "existing">;
  /**
   * Sealed, in batches of at most 750. When it returns, the service has all of them durably. Idempotent: the same records
   * again are the same batches. @throws BatchRefused; the batches before it have arrived
   */
  push(records: Records, options?: PushOptions): Promise<{ records: number; batches: number }>;
  /** As one file over SFTP, for histories of any length. @returns its receipt, once it is loaded or refused */
  deliver(name: string, records: Records, options?: PushOptions): Promise<Receipt>;
  /** A file as it stands, such as one that a batch system made; the same name again is not sent twice. */
  upload(file: string, name?: string, options?: CallOptions): Promise<void>;
  /** Of a file that was delivered, once it is loaded or refused. */
  receipt(name: string, options?: CallOptions): Promise<Receipt>;
  /** @param user an `actor` is an adviser who acts for the user */
  logIn(bankUserId: string, user?: { brand?: string; actor?: string }): Promise<UserSession>;
  /** The key to seal to now. */
  encryptionKey(options?: CallOptions): Promise<EncryptionKey>;
  /** Calls that were repeated so far. */
  readonly retries: number;
  close(): void;
};

/** @param access the folder that the operator handed over, or what it holds @throws AccessInvalid */
export async function connect(access: string | PartnerAccess, options: ConnectOptions = {}): Promise<Partner> {
  const partner = typeof access === "string" ? await readAccess(access) : access;
  const calls = openCalls(partner, { ...limitDefaults, ...options });

  async function encryptionKey(call: CallOptions = {}): Promise<EncryptionKey> {
    const { keys } = (await calls.call("listEncryptionKeys", call)) as KeySet;
    const key = keys.find((one): one is EncryptionKey => one.kty === "RSA");
    if (!key) throw new AccessInvalid("The service has no key to encrypt to.");
    return key;
  }

  async function sealed(batch: Batch, key: EncryptionKey): Promise<string> {
    return await seal(options.signBatches ? await signBatch(batch.plaintext, partner) : batch.plaintext, key);
  }

  function batchesOf(records: Records, complete: boolean | undefined): AsyncGenerator<Batch> {
    const given = records as AsyncIterable<CutRecord>;
    return cutBatches(given, { partnerId: partner.partnerId, complete: complete ?? false });
  }

  async function pushBatch(batch: Batch, key: EncryptionKey, call: CallOptions): Promise<void> {
    const body = { reqId: batch.requestId, txs: await sealed(batch, key) };
    await calls.call("pushTransactions", { correlationId: batch.requestId, ...call, body, batch, repeatable: true });
  }

  /** Each batch a line, and behind them what proves that the file is whole. */
  async function writeBatches(file: FileHandle, batches: AsyncIterable<Batch>, key: EncryptionKey): Promise<void> {
    const hash = createHash("sha256");
    let written = 0;
    for await (const batch of batches) {
      const line = `${JSON.stringify({ reqId: batch.requestId, txs: await sealed(batch, key) })}\n`;
      hash.update(line);
      await file.write(line);
      written += 1;
    }
    await file.write(`${JSON.stringify({ manifest: { batches: written, sha256: hash.digest("hex") } })}\n`);
  }

  function sftp() {
    if (partner.sftp) return partner.sftp;
    throw new AccessInvalid("SFTP needs sftp_key and known_hosts in the partner's folder.");
  }

  return {
    access: partner,
    async createUser({ brand = partner.brand, ...user }, call = {}) {
      try {
        await calls.call("createUser", { ...call, body: { brand, ...user }, repeatable: true });
        return "created";
      } catch (error) {
        if (error instanceof CallRefused && error.code === "USER_EXISTS") return "existing";
        throw error;
      }
    },
    async push(records, { complete, ...call } = {}) {
      const key = await encryptionKey(call);
      const pushed = { records: 0, batches: 0 };
      for await (const batch of batchesOf(records, complete)) {
        await pushBatch(batch, key, call);
        pushed.records += batch.records + batch.markersAdded;
        pushed.batches += 1;
      }
      return pushed;
    },
    async deliver(name, records, { complete, ...call } = {}) {
      const access = sftp();
      const folder = await mkdtemp(path.join(tmpdir(), "tideline-delivery-"));
      try {
        const file = path.join(folder, "batches.jsonl");
        await using handle = await open(file, "wx");
        await writeBatches(handle, batchesOf(records, complete), await encryptionKey(call));
        await uploadFile(access, { path: file, name }, { signal: call.signal });
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
      return await waitForReceipt(access, name, call.signal);
    },
    upload: async (file, name = path.basename(file), call = {}) =>
      await uploadFile(sftp(), { path: file, name }, { signal: call.signal }),
    receipt: async (name, call = {}) => await waitForReceipt(sftp(), name, call.signal),
    async logIn(bankUserId, user = {}) {
      // A payload counts once: each attempt signs its own.
      const body = async () => ({ payload: await signLogin(partner, { bankUserId, ...user }) });
      return await openSession(calls, bankUserId, async () => {
        const { token } = (await calls.call("logIn", { body, repeatable: true })) as LoginResponse;
        return token;
      });
    },
    encryptionKey,
    get retries() {
      return calls.retries;
    },
    close: () => calls.close(),
  };
}
