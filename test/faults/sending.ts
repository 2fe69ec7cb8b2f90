/** The bank's sending: unchanged again and again until it is acknowledged, and written into its book. */
import { setTimeout as wait } from "node:timers/promises";
import type { Partner } from "../outside/partner.ts";
import type { Book } from "./book.ts";
import {
  type BatchKey,
  type FileFormat,
  markerJson,
  type Request,
  sealFile,
  sealRequest,
  type SentRecord,
} from "./generated.ts";
import { SftpSession } from "./sftp-session.ts";

export type Bank = {
  partner: Partner;
  key: BatchKey;
  book: Book;
  users: readonly string[];
  /** What its files' names begin with. */
  prefix: string;
  /** The round is over, whatever came of it: nothing more is sent. */
  over: AbortSignal;
};

const repeatAfterMs = 100;
/** A service that does not come back within it is broken; cut off again and again, it needs several starts. */
const giveUpAfterMs = 1_200_000;

/** An answer after which repeating does not help. */
export class Refused extends Error {}

export async function createUsers({ partner, users }: Pick<Bank, "partner" | "users">): Promise<void> {
  for (const bankUserId of users) {
    await repeated(async () => {
      const { status, text } = await partner.call("POST", "/users", {
        body: { bankUserId, brand: partner.brand.id, locale: partner.brand.locale },
      });
      return status === 201 || status === 409 ? "done" : mayRepeat(status, text);
    });
  }
}

/** Pushes one request until it is acknowledged. */
export async function push(bank: Bank, records: readonly SentRecord[], markers: readonly string[] = []): Promise<void> {
  const request = sealRequest(bank.key, [...records.map((one) => one.json), ...markers.map(markerJson)]);
  bank.book.offer(records);
  await pushSealed(bank, request);
  bank.book.owe(records, {
    door: "https",
    reference: request.requestId,
    expected: { records: records.length + markers.length, markers: markers.length, refused: 0 },
  });
  for (const user of markers) bank.book.completed.add(user);
}

export async function pushSealed({ partner }: Pick<Bank, "partner">, { requestId, txs }: Request): Promise<void> {
  await repeated(async () => {
    const { status, text } = await partner.call("POST", "/transactions", { body: { reqId: requestId, txs } });
    return status === 201 ? "done" : mayRepeat(status, text);
  });
}

/** One call, whatever comes of it. @returns the status, 0 without an answer */
export async function pushOnce({ partner }: Pick<Bank, "partner">, { requestId, txs }: Request): Promise<number> {
  return await partner.call("POST", "/transactions", { body: { reqId: requestId, txs } }).then(
    (answer) => answer.status,
    () => 0,
  );
}

export type FileToSend = {
  name: string;
  format: FileFormat;
  records: readonly SentRecord[];
  /** Uploaded under a temporary name, then renamed. */ renamed: boolean;
};

/** Uploads a file until it is acknowledged. @param lane keeps its connection from file to file */
export async function put(bank: Bank, file: FileToSend, lane: SftpLane): Promise<void> {
  const bytes = sealFile(
    bank.key,
    file.format,
    file.records.map((one) => one.json),
  );
  bank.book.offer(file.records);
  await repeated(async () => {
    await lane.run(async (session) => {
      const underWay = file.renamed ? `${file.name}.part` : file.name;
      await session.put(underWay, bytes);
      if (file.renamed) await session.renameOver(underWay, file.name);
    });
    return "done";
  });
  noteFile(bank, file.name, file.records);
}

export function noteFile({ book }: Pick<Bank, "book">, name: string, records: readonly SentRecord[]): void {
  book.owe(records, { door: "sftp", reference: name, expected: { records: records.length, markers: 0, refused: 0 } });
}

/** One connection, opened when needed and again after it broke. */
export class SftpLane {
  readonly #partner: Partner;
  #session: SftpSession | null = null;

  constructor(partner: Partner) {
    this.#partner = partner;
  }

  async run<Result>(work: (session: SftpSession) => Promise<Result>): Promise<Result> {
    this.#session ??= await SftpSession.open(this.#partner);
    try {
      return await work(this.#session);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    this.#session?.cut();
    this.#session = null;
  }
}

/** Too many requests, and everything that is the service's own trouble. */
function mayRepeat(status: number, text: string): "again" {
  if (status < 500 && status !== 429) throw new Refused(`answered with ${status}: ${text}`);
  return "again";
}

/** What is thrown counts as "not now", unless it was refused. */
export async function repeated(attempt: () => Promise<"done" | "again">): Promise<void> {
  const deadline = performance.now() + giveUpAfterMs;
  for (;;) {
    const outcome = await attempt().catch((error: unknown) => {
      if (error instanceof Refused || performance.now() > deadline) throw error;
      return "again" as const;
    });
    if (outcome === "done") return;
    if (performance.now() > deadline) throw new Error("the service stayed away");
    await wait(repeatAfterMs);
  }
}
