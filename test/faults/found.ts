/** What the service holds: rows and counts by SQL, receipts through the door as their partner reads them. */
import type pg from "pg";
import type { Receipt } from "../../src/landing/receipt.ts";
import { withDatabase } from "../outside/ledger-check.ts";
import type { Partner } from "../outside/partner.ts";
import type { Book } from "./book.ts";
import type { FoundReceipt, FoundRequest, FoundRow } from "./checker.ts";
import { contentOf } from "./generated.ts";
import { SftpSession } from "./sftp-session.ts";

type Row = {
  uid: string;
  txid: string;
  amount: string;
  currency: string;
  description: string;
  day: string;
  account: string | null;
  merchant: string | null;
};

/** Every row of the book's users. */
export async function findRows(url: string, partnerId: string, book: Book): Promise<FoundRow[]> {
  return await withDatabase(url, async (client) => {
    const { rows } = await client.query<Row>(
      `select users.bank_user_id as uid, txid, amount::text, currency, description, booked_on::text as day, account_id as account, merchant_name as merchant
         from transactions
         join users on users.id = transactions.user_id
        where users.partner_id = $1
          and users.bank_user_id = any($2)`,
      [partnerId, [...book.users]],
    );
    return rows.map(({ uid, txid, ...row }) => ({ uid, txid, content: contentOf(row) }));
  });
}

type Counts = { state: string; code: string | null; reference: string } & Record<
  Exclude<keyof Receipt["counts"], "batchesRefused">,
  number
> & { batches_refused: number };

export async function findRequests(url: string, partnerId: string, book: Book): Promise<FoundRequest[]> {
  const references = book.acknowledged.filter((one) => one.door === "https").map((one) => one.reference);
  return await withDatabase(url, async (client) => {
    const { rows } = await client.query<Counts>(
      `select request_id::text as reference, state, refusal_code as code, batches::int, batches_refused::int, records::int, records_new::int as new,
              records_known::int as known, records_conflicting::int as conflicting, records_corrected::int as corrected,
              records_refused::int as refused, records_waiting::int as waiting, markers::int
         from deliveries
        where partner_id = $1
          and door = 'https'
          and request_id = any($2::uuid[])`,
      [partnerId, references],
    );
    return rows.map(({ reference, state, code, batches_refused, ...counts }) => ({
      requestId: reference,
      state,
      refusalCode: code,
      counts: { ...counts, batchesRefused: batches_refused },
    }));
  });
}

/** Receipts of the book's files, found by the beginning of their names. */
export async function findReceipts(partner: Partner, namesBegin: string): Promise<FoundReceipt[]> {
  const session = await SftpSession.open(partner);
  try {
    const names = (await session.receiptNames()).filter((name) => name.startsWith(namesBegin));
    const found: FoundReceipt[] = [];
    for (const name of names) {
      const { file, state, refusal, counts } = JSON.parse(await session.readReceipt(name)) as Receipt;
      found.push({ file, state, refusalCode: refusal?.code ?? null, counts });
    }
    return found;
  } finally {
    session.end();
  }
}

/** What is still under way: for waiting only, nothing is judged by it. */
export async function countUnfinished(url: string): Promise<number> {
  return await ask(
    url,
    `select (select count(*) from deliveries where state in ('accepted', 'loading') or (door = 'sftp' and receipt_state is distinct from state))
                              + (select count(*) from import_markers where applied_at is null) as n`,
  );
}

/** The same in words, for whoever waited in vain. */
export async function tellUnfinished(url: string): Promise<string> {
  return await withDatabase(url, async (client) => {
    const { rows } = await client.query(
      `select state, door, receipt_state, attempts, count(*)::int as deliveries, min(accepted_at) as since, max(run_started_at) as tried
         from deliveries
        where state in ('accepted', 'loading')
           or (door = 'sftp' and receipt_state is distinct from state)
        group by 1, 2, 3, 4`,
    );
    const { rows: markers } = await client.query(
      "select count(*)::int as markers, count(distinct user_id)::int as users from import_markers where applied_at is null",
    );
    return `unfinished: ${JSON.stringify([...rows, ...markers])}`;
  });
}

/**
 * Rows of all of a partner's users, less the records that its deliveries say were new: 0 when each was counted once. A
 * table of accounts has records, and none of them is a row of the ledger.
 */
export async function countUnaccounted(url: string, partnerId: string): Promise<number> {
  return await ask(
    url,
    `select (select count(*) from transactions join users on users.id = transactions.user_id where users.partner_id = $1)
                              - (select coalesce(sum(records_new), 0) from deliveries where partner_id = $1 and coalesce(name, '') not like 'accounts\\_%') as n`,
    [partnerId],
  );
}

/** Users of the book whose import counts as complete. */
export async function countCompleted(url: string, partnerId: string, users: readonly string[]): Promise<number> {
  return await ask(
    url,
    "select count(*) as n from users where partner_id = $1 and bank_user_id = any($2) and import_completed_at is not null",
    [partnerId, users],
  );
}

async function ask(url: string, query: string, values: unknown[] = []): Promise<number> {
  return await withDatabase(url, async (client: pg.Client) =>
    Number((await client.query<{ n: string }>(query, values)).rows[0]?.n ?? 0),
  );
}
