/**
 * Batches that came before, known again by their bytes: SHA-256 over partner and ciphertext. The same ciphertext under
 * the same key is the same content, so it need not be opened again to know that. Nobody is refused or received by memory
 * alone but for what the bytes decide: whether an accepted one still counts, the database says.
 */
import { hash } from "node:crypto";
import type { InspectOutcome } from "../../../workers/messages.ts";

/** Accepted ones, some 120 bytes each: what one captured on the way could be repeated. */
const acceptedMax = 100_000;
const refusedMax = 10_000;
/**
 * Refused ones are remembered as long as a thread remembers the partner's keys: a key that is added opens them within
 * this time.
 */
const refusedForMs = 1000;

type Refused = InspectOutcome & { ok: false };

export class RememberedBatches {
  readonly #accepted = new Map<string, Buffer>();
  readonly #refused = new Map<string, { untilMs: number; outcome: Refused }>();
  readonly #underWay = new Map<string, Promise<InspectOutcome>>();

  /** How a batch is called here. */
  nameOf(partnerId: string, txs: string): string {
    // As UTF-8: a narrower encoding would give a batch's name to what only resembles it, and its refusal to the batch.
    return `${partnerId} ${hash("sha256", txs, "base64")}`;
  }

  /** The SHA-256 of the content with which it was accepted under this reqId; undefined when that is not known. */
  contentOf(name: string, requestId: string): Buffer | undefined {
    return this.#accepted.get(`${name}${requestId}`);
  }

  accepted(name: string, requestId: string, contentSha256: Buffer): void {
    keep(this.#accepted, `${name}${requestId}`, contentSha256, acceptedMax);
  }

  /** One look for all who send the same bytes at once. */
  async inspect(name: string, work: () => Promise<InspectOutcome>): Promise<InspectOutcome> {
    const refused = this.#refused.get(name);
    if (refused && refused.untilMs > performance.now()) return refused.outcome;
    const underWay = this.#underWay.get(name);
    if (underWay) return await underWay;
    const inspecting = work();
    this.#underWay.set(name, inspecting);
    try {
      const outcome = await inspecting;
      if (!outcome.ok && isOfBytes(outcome))
        keep(this.#refused, name, { untilMs: performance.now() + refusedForMs, outcome }, refusedMax);
      return outcome;
    } finally {
      this.#underWay.delete(name);
    }
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
