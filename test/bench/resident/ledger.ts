/** How the ledger lies, and whom of it is measured. */
import type { Database } from "../../../src/database/database.ts";
import { lies } from "../recognition/measure.ts";
import { type Measuring, note } from "./figures.ts";
import { resident } from "./fill.ts";

const sampleUsers = 200;

/** Spread over all who have rows and stay. */
export async function sampleOf(database: Database): Promise<number[]> {
  const { rows } = await database.query<{ id: number }>(
    `select id
       from (select id, row_number() over (order by id) as place, count(*) over () as users
               from users
               join copies on copies.user_id = users.id
              where partner_id = $1) placed
      where place % greatest(1, users / $2) = 0
      order by id
      limit $2`,
    [resident, sampleUsers],
  );
  return rows.map(({ id }) => id);
}

export async function tellLedger(measuring: Measuring): Promise<void> {
  const { database, userIds } = measuring;
  const { rows } = await database.query<{ rows: number; users: number; leavingRows: number }>(
    "select (select count(*) from transactions) as rows, (select count(*) from users) as users",
  );
  const { bytes, pagesOfUser, rowsOfUser } = await lies(database, userIds);
  console.log(`${rows[0]?.rows} rows, ${rows[0]?.users} users`);
  note(measuring, "a row with its index", bytes / (rows[0]?.rows ?? 1), "bytes");
  note(measuring, "rows of a user", rowsOfUser, "rows");
  note(measuring, "pages on which they lie", pagesOfUser, "pages");
}
