/**
 * The table of exchange rates, one row a banking day. Shipped from 1999 on in config/exchange-rates.csv.gz (source:
 * European Central Bank, free to reuse with the source named); newer days come from its files. Each load that changes
 * something makes another version, by which those who keep rates in memory, and figures that lacked one, tell that
 * there is more to know.
 */
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { type Database, inTransaction, type Queryable } from "../database/database.ts";
import type { Day } from "../time/calendar.ts";
import type { DayRates } from "./read-file.ts";
import { gatherRates, type Rates } from "./rates.ts";

/** days: that are new or have other rates now. newest: of the table. */
export type Added = { days: number; newest: Day | null };

/** Fills the table from the shipped file where that knows newer days. @returns how many days were added. */
export async function ensureRates(database: Database): Promise<number> {
  const newer = await readShippedRates(await newestDay(database));
  return newer.length === 0 ? 0 : (await addTexts(database, newer, "shipped")).days;
}

/**
 * Adds what the given days know: their rates win over earlier ones of the same day, and none is taken away. Idempotent.
 * @param source what the operator is told the rates came from: an address or a file's name
 */
export async function addRates(database: Database, given: readonly DayRates[], source: string): Promise<Added> {
  const texts = given.map(({ day, perEuro }) => ({ day, perEuro: JSON.stringify(perEuro) }));
  return await addTexts(database, texts, source);
}

/** perEuro: as in DayRates, as JSON. */
type DayText = { day: Day; perEuro: string };

async function addTexts(database: Database, given: readonly DayText[], source: string): Promise<Added> {
  return await inTransaction(database, async (transaction) => {
    // A version is told once all below it are: nobody may see a later one first.
    await transaction.query("lock table exchange_rate_loads in share row exclusive mode");
    const known = await newestDay(transaction);
    const { rows: changed } = await transaction.query<{ day: Day }>(
      `insert into exchange_rates as known (day, per_euro)
       -- JSON has no line break of its own. As arrays of texts, each quotation mark would be escaped on the way.
       select * from unnest(string_to_array($1, ',')::date[], string_to_array($2, e'\\n')::jsonb[])
       on conflict (day) do update
          set per_euro = known.per_euro || excluded.per_euro
        where known.per_euro is distinct from known.per_euro || excluded.per_euro
       returning day`,
      [given.map(({ day }) => day).join(), given.map(({ perEuro }) => perEuro).join("\n")],
    );
    const days = changed.length;
    const newest = await newestDay(transaction);
    if (days > 0)
      await transaction.query(
        "insert into exchange_rate_loads (source, days, newest, corrects) values ($1, $2, $3, $4)",
        [source, days, newest, known !== null && changed.some(({ day }) => day <= known)],
      );
    return { days, newest };
  });
}

/** Of the last load; 0 before one. */
export async function ratesVersion(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ version: number }>(`select ${newestVersion} as version`);
  return rows[0]?.version ?? 0;
}

/** SQL of it, for statements that compare. */
export const newestVersion = "coalesce((select max(id) from exchange_rate_loads), 0)";

/** SQL: of the last load that changed what was known of a day; what was made since holds as far as days were known. */
export const newestCorrection = "coalesce((select max(id) from exchange_rate_loads where corrects), 0)";

/** Null: there are none. */
export async function newestDay(database: Queryable): Promise<Day | null> {
  const { rows } = await database.query<{ newest: Day | null }>("select max(day) as newest from exchange_rates");
  return rows[0]?.newest ?? null;
}

/** All rates, for conversion in memory: about seven thousand days. */
export async function loadRates(database: Queryable): Promise<Rates> {
  const { rows } = await database.query<{ day: Day; perEuro: string }>(
    'select day, per_euro::text as "perEuro" from exchange_rates order by day',
  );
  // One after the other, so that none of them is kept for longer than it takes.
  const sets = rows.values().map(({ day, perEuro }) => [day, JSON.parse(perEuro) as Record<string, number>] as const);
  return gatherRates(rows.length, sets);
}

/**
 * The days after `newest`, in ascending order; none at most starts. The file is ours, so its lines are only cut: read as
 * a file that somebody else gives, they took half a second of a first start.
 */
async function readShippedRates(newest: Day | null): Promise<DayText[]> {
  const packed = await readFile(new URL("../../config/exchange-rates.csv.gz", import.meta.url));
  const text = await promisify(gunzip)(packed);
  const [head = "", ...lines] = text.toString("latin1").trimEnd().split("\n");
  const [, ...currencies] = head.split(",");
  // A line begins with its day as YYYY-MM-DD.
  const newer = lines.filter((line) => newest === null || line.slice(0, newest.length) > newest);
  return newer.toSorted().map((line) => {
    const [day = "", ...cells] = line.split(",");
    const quoted = currencies.flatMap((currency, at) => (isRate(cells[at]) ? [`"${currency}":${cells[at]}`] : []));
    return { day, perEuro: `{${quoted.join()}}` };
  });
}

/** Empty is also what stands behind the comma at the end of a line. */
function isRate(cell: string | undefined): boolean {
  return cell !== undefined && cell !== "" && cell !== "N/A";
}
