/** Broken batches as files over SFTP into the workers: lines of a file with a good one between them, or a file each. */
import { makeRecords, sealRequest } from "../faults/generated.ts";
import type { Random } from "../faults/random.ts";
import { SftpLane } from "../faults/sending.ts";
import { uuidOf } from "./sealing.ts";
import type { Target } from "./target.ts";
import { tokenMutations } from "./tokens.ts";

const linesMax = 24;
/** Blanks at the end of a file are no damage to it. */
const wholeFileMutations = tokenMutations.filter(({ name }) => name !== "lengthened" && name !== "characters changed");

export class FileFuzz {
  readonly #lane: SftpLane;
  readonly #target: Target;
  #files = 0;

  constructor(target: Target) {
    this.#target = target;
    this.#lane = new SftpLane(target.bank.partner);
  }

  close(): void {
    this.#lane.close();
  }

  /**
   * What comes of them is judged with the ledger: each file's receipt must say so many refused batches, and so many
   * records. @returns how many broken batches it held
   */
  async put(random: Random): Promise<{ kind: string; batches: number; ms: number }> {
    this.#files += 1;
    const startedAt = performance.now();
    const [kind, batches] =
      random.share() < 0.3
        ? (["a .jwe file", await this.#putToken(random)] as const)
        : (["lines of a .jsonl file", await this.#putLines(random)] as const);
    return { kind, batches, ms: performance.now() - startedAt };
  }

  async #putToken(random: Random): Promise<number> {
    const { bank } = this.#target;
    const elements = makeRecords(random, bank.users, random.between(2, 20)).map((record) => record.json);
    const reference = `${bank.prefix}-${this.#files}.jwe`;
    const { make, sealedWell = false } = random.pick(wholeFileMutations);
    await this.#lane.run((session) =>
      session.put(reference, Buffer.from(make(random, bank.key, `[${elements.join(",")}]`))),
    );
    bank.book.owe([], {
      door: "sftp",
      reference,
      expected: { refusedAs: sealedWell ? ["DECRYPTION_ERROR", "TX_DATA_ERROR"] : ["DECRYPTION_ERROR"] },
    });
    return 1;
  }

  async #putLines(random: Random): Promise<number> {
    const { bank } = this.#target;
    const broken = Array.from({ length: random.between(1, linesMax) }, () => {
      const elements = makeRecords(random, bank.users, random.between(2, 20)).map((record) => record.json);
      return {
        reqId: uuidOf(random),
        txs: random.pick(tokenMutations).make(random, bank.key, `[${elements.join(",")}]`),
      };
    });
    const records = makeRecords(random, bank.users, random.between(1, 20));
    const { requestId, txs } = sealRequest(
      bank.key,
      records.map((record) => record.json),
    );
    const lines = random
      .shuffle([...broken, { reqId: requestId, txs }])
      .map((line) => `${JSON.stringify(line)}\n`)
      .join("");
    const reference = `${bank.prefix}-${this.#files}.jsonl`;
    bank.book.offer(records);
    await this.#lane.run((session) => session.put(reference, Buffer.from(lines)));
    bank.book.owe(records, { door: "sftp", reference, expected: { records: records.length, markers: 0, refused: 0 } });
    return broken.length;
  }
}
