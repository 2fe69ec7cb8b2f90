/**
 * Reads of the documents that apps ask for most. Calls that come in the same moment share one statement, and one claim
 * that proves for whom each of them asks: the database gives each only what is its caller's (`documents_of_callers`,
 * migrations/236_documents_of_callers.ts). What is asked is asked anew for every call.
 */
import type { Database } from "../../database/database.ts";
import type { Reads } from "../../database/replica.ts";
import { TenantPool } from "../../database/tenant-pool.ts";
import type { Caller } from "../../partners/users.ts";

export type DocumentName = "services" | "services hidden" | "upcoming" | "income" | "budget" | "budget details";

export type Asked = {
  caller: Caller;
  name: DocumentName;
  /** A UUID text; null: none, or a text that is no id. */
  budgetId?: string | null;
  /** Versions that need no text. */
  known: readonly string[];
};

/** version null: there is none. packed: its text as gzip, else document: as UTF-8; both null: the asker has it. */
export type Served = {
  userId: number;
  version: string | null;
  packed: Buffer | null;
  document: Buffer | null;
  /** Whether the user's brand tells of it at all. */
  isShown: boolean;
};

export type ServedDocuments = {
  /** Null: no live user. */
  read(asked: Asked): Promise<Served | null>;
};

/** In one statement: the whole of a flood must not wait for one answer of a hundred megabytes. */
const togetherMax = 32;
/**
 * Statements at once; what comes meanwhile goes together with the next. With eight callers four then share one, and a
 * read costs the server .06 ms of its processor's time; with eight at once three do, at .09.
 */
const statementsMax = 2;
/** As the database makes them: what a caller names otherwise is nobody's version. */
const version = /^[0-9a-f]{32}$/;

type Waiting = { asked: Asked; resolve(served: Served | null): void; reject(error: unknown): void };

/** @param reads from connections that say for whom they ask */
export function openServedDocuments(reads: Reads): ServedDocuments {
  let waiting: Waiting[] = [];
  let statements = 0;
  let isDue = false;
  const ask = async (group: readonly Waiting[]): Promise<void> => {
    statements += 1;
    try {
      await reads.read((database) => query(database, group));
      // Whoever has had a row was answered with it.
      for (const { resolve } of group) resolve(null);
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      statements -= 1;
      begin();
    }
  };
  const begin = (): void => {
    isDue = false;
    for (let free = statementsMax - statements; free > 0 && waiting.length > 0; free -= 1)
      void ask(waiting.splice(0, togetherMax));
  };
  return {
    read: (asked) =>
      new Promise((resolve, reject) => {
        waiting.push({ asked, resolve, reject });
        if (isDue) return;
        isDue = true;
        // After whatever else has arrived at the sockets by now.
        setImmediate(begin);
      }),
  };
}

/** Each is answered when its row comes, so that one is sent while the next is still being read. */
async function query(database: Database, group: readonly Waiting[]): Promise<void> {
  if (!(database instanceof TenantPool)) throw new Error("callers' connections say for whom they ask");
  const asked = group.map((one) => one.asked);
  await database.readForSeveral(
    asked.map(({ caller }) => caller),
    (claim) => ({
      name: "documents-of-callers",
      text: "select place, user_id, version, packed, document, is_shown from documents_of_callers($1, $2, $3, $4)",
      values: [
        claim,
        asked.map(({ name }) => name),
        asked.map(({ budgetId }) => budgetId ?? null),
        asked.map(({ known }) => known.filter((one) => version.test(one)).join(" ")),
      ],
    }),
    ([place, userId, ofVersion, packed, document, isShown]) => {
      const one = group[numberOf(place) - 1];
      if (!userId) return one?.resolve(null);
      one?.resolve({
        userId: numberOf(userId),
        version: ofVersion?.toString("latin1") ?? null,
        packed: packed ?? null,
        document: document ?? null,
        isShown: isShown?.[0] === 1,
      });
    },
  );
}

function numberOf(bigint: Buffer | null | undefined): number {
  return Number(bigint?.readBigInt64BE() ?? 0n);
}
