/**
 * Batches that came before, known again by their bytes: SHA-256 over partner and ciphertext. The same ciphertext under
 * the same key is the same content, so it need not be opened again to know that. Nobody is refused or received by memory
 * alone but for what the bytes decide: whether an accepted one still counts, the database says.
 *
 * The digest of forty kilobytes takes .03 ms of the one thread that talks to all callers: nobody waits for it but who comes
 * with a reqId that was accepted, or shortly after one that was refused.
 */
import { hash } from "node:crypto";
import type { InspectOutcome } from "../../../workers/messages.ts";

/** Accepted ones, some 250 bytes each: what one captured on the way could be repeated. */
const acceptedMax = 100_000;
const refusedMax = 10_000;
/**
 * Refused ones are remembered as long as a thread remembers the partner's keys: a key that is added opens them within
 * this time.
 */
const refusedForMs = 1000;
/** Characters at the end of a batch, its tag among them, by which one under way is found that may be the same. */
const endCharacters = 64;

type Refused = InspectOutcome & { ok: false };

/** One that came. */
export class Batch {
  readonly partnerId: string;
  readonly txs: string;
  #name: string | null = null;

  constructor(partnerId: string, txs: string) {
    this.partnerId = partnerId;
    this.txs = txs;
  }

  /** How it is called here. */
  get name(): string {
    // As UTF-8: a narrower encoding would give a batch's name to what only resembles it, and its refusal to the batch.
    return (this.#name ??= `${this.partnerId} ${hash("sha256", this.txs, "base64")}`);
  }
}

export class RememberedBatches {
  readonly #accepted = new Map<string, { name: string; contentSha256: Buffer }>();
  readonly #refused = new Map<string, { untilMs: number; outcome: Refused }>();
  /** When the last of the refused ones is remembered no more. */
  #refusedUntilMs = -Infinity;
  readonly #underWay = new Map<string, { txs: string; inspecting: Promise<InspectOutcome> }>();

  /** The SHA-256 of the content with which it was accepted under this reqId; undefined when that is not known. */
  contentOf(batch: Batch, requestId: string): Buffer | undefined {
    const accepted = this.#accepted.get(`${batch.partnerId} ${requestId}`);
    return accepted !== undefined && accepted.name === batch.name ? accepted.contentSha256 : undefined;
  }

  accepted({ partnerId, name }: Batch, requestId: string, contentSha256: Buffer): void {
    keep(this.#accepted, `${partnerId} ${requestId}`, { name, contentSha256 }, acceptedMax);
  }

  /** One look for all who send the same bytes at once. */
  async inspect(batch: Batch, work: () => Promise<InspectOutcome>): Promise<InspectOutcome> {
    const refused = this.#refusedAs(batch);
    if (refused !== null) return refused;
    const { partnerId, txs } = batch;
    // As a text of its own, which keeps no batch in memory whose part it was.
    const end = Buffer.from(`${partnerId} ${txs.slice(-endCharacters)}`).toString();
    const underWay = this.#underWay.get(end);
    if (underWay?.txs === txs) return await underWay.inspecting;
    const one = { txs, inspecting: this.#remembering(batch, work()) };
    // Of two that only end alike, which are made up, the first is found.
    if (underWay === undefined) this.#underWay.set(end, one);
    try {
      return await one.inspecting;
    } finally {
      // The tables of a map that changes much keep one another, and what was in them, until V8 collects the whole heap.
      one.txs = "";
      if (this.#underWay.get(end) === one) this.#underWay.delete(end);
    }
  }

  #refusedAs(batch: Batch): Refused | null {
    const nowMs = performance.now();
    if (this.#refusedUntilMs <= nowMs) {
      this.#refused.clear();
      return null;
    }
    const refused = this.#refused.get(batch.name);
    return refused !== undefined && refused.untilMs > nowMs ? refused.outcome : null;
  }

  async #remembering(batch: Batch, inspecting: Promise<InspectOutcome>): Promise<InspectOutcome> {
    const outcome = await inspecting;
    if (!outcome.ok && isOfBytes(outcome)) {
      this.#refusedUntilMs = performance.now() + refusedForMs;
      keep(this.#refused, batch.name, { untilMs: this.#refusedUntilMs, outcome }, refusedMax);
    }
    return outcome;
  }
}

/** Which records are wrong hangs on the users that there are; whether it opens does not. */
function isOfBytes({ errorCode }: Refused): boolean {
  return errorCode === "DECRYPTION_ERROR" || errorCode === "SIGNATURE_ERROR";
}

/** The latest ones. */
function keep<Value>(remembered: Map<string, Value>, key: string, value: Value, sizeMax: number): void {
  remembered.delete(key);
  remembered.set(key, value);
  const [oldest] = remembered.keys();
  if (oldest !== undefined && remembered.size > sizeMax) remembered.delete(oldest);
}
