/**
 * Reads of the documents that apps ask for most. Calls that come in the same moment share one statement, in which each
 * names its caller by the caller's own claim: the database judges every one of them and gives each only what is its
 * caller's (`served_documents`, migrations/113_served_documents.ts). What is asked is asked anew for every call.
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

/** version null: there is none. packed: its text as gzip, else document: the text; both null: the asker has it. */
export type Served = {
  userId: number;
  version: string | null;
  packed: Buffer | null;
  document: string | null;
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
type Row = Omit<Served, "userId"> & { place: number; userId: number | null };

/** @param reads from connections that say for whom they ask */
export function openServedDocuments(reads: Reads): ServedDocuments {
  let waiting: Waiting[] = [];
  let statements = 0;
  let isDue = false;
  const ask = async (group: readonly Waiting[]): Promise<void> => {
    statements += 1;
    try {
      const asked = group.map((one) => one.asked);
      const rows = await reads.read((database) => query(database, asked));
      for (const [at, { resolve }] of group.entries()) resolve(rows[at] ?? null);
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

/** In the order of what is asked. */
async function query(database: Database, asked: readonly Asked[]): Promise<(Served | null)[]> {
  if (!(database instanceof TenantPool)) throw new Error("callers' connections say for whom they ask");
  const { rows } = await database.queryForMany(
    asked.map(({ caller }) => caller),
    (claims) => ({
      name: "served-documents",
      text: `select place, user_id as "userId", version, packed, document, is_shown as "isShown"
               from served_documents($1, $2, $3, $4)`,
      values: [
        claims,
        asked.map(({ name }) => name),
        asked.map(({ budgetId }) => budgetId ?? null),
        asked.map(({ known }) => known.filter((one) => version.test(one)).join(" ")),
      ],
    }),
  );
  const served: (Served | null)[] = asked.map(() => null);
  for (const { place, userId, ...found } of rows as Row[])
    if (userId !== null) served[place - 1] = { userId, ...found };
  return served;
}
