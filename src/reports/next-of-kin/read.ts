/** Reads what the report for the next of kin is made of. */
import type { Queryable, Transaction } from "../../database/database.ts";
import { type LedgerTransaction, readHistory } from "../../ledger/history.ts";
import { type Categorised, categorise } from "../../categories/categorised.ts";
import { seriesOf } from "../../recognition/recognised-series.ts";
import { type CostType, findCategory } from "../../categories/tree.ts";
import { recognise, type RecognitionContext } from "../../recognition/recognise.ts";
import type { Service } from "../../interface/services.ts";
import { readLogo } from "../../partners/settings/brand-logo.ts";
import { algorithmVersion } from "../../recognition/version.ts";
import type { Day } from "../../time/calendar.ts";
import { languageOf } from "../../texts/choose.ts";
import type { Language } from "../../texts/languages.ts";
import { agreementsOf, describeHoldings, type Estate, type Holdings } from "./estate.ts";
import { type KnownIncome, repayableIncome } from "./repayable.ts";
import { firstOf, lastOf } from "../../present.ts";

const owedCosts: ReadonlySet<CostType | null> = new Set<CostType | null>(["FIXED", "FINANCIAL", "SAVINGS"]);

export type EstateRequest = { userId: number; documentId: string; effectiveDate: Day | null; asOf: Day };

/** One snapshot of the database is the caller's business. @throws Error when the user is gone. */
export async function readEstate(
  database: Transaction,
  { userId, documentId, effectiveDate, asOf }: EstateRequest,
): Promise<{ estate: Estate; language: Language }> {
  const user = await readUser(database, userId);
  const services = await readServices(database, userId);
  const holdings = await readHoldings(database, userId);
  const history = (await readHistory(database, [userId])).get(userId)?.filter(({ day }) => day <= asOf) ?? [];
  const days = history.map(({ day }) => day).sort();
  const known = knownOf(history, holdings, { asOf, country: user.country, currency: user.currency });
  const estate: Estate = {
    documentId,
    effectiveDate,
    asOf,
    algorithmVersion,
    customer: user.bankUserId,
    brand: user.partnerName,
    logo: user.logo === null ? null : readLogo(user.logo),
    currency: user.currency,
    transactions: days.length === 0 ? null : { count: days.length, from: firstOf(days), to: lastOf(days) },
    accounts: describeHoldings(holdings),
    ...agreementsOf(services, history, owedOf(known.categorised), holdings, asOf),
    income: repayableIncome(history, known, asOf),
  };
  return { estate, language: languageOf(user.locale) };
}

/** What is owed rather than chosen. A product of the catalogue is what the catalogue calls it. */
function owedOf(categorised: readonly Categorised[]): ReadonlySet<string> {
  const owed = categorised.filter(
    ({ categoryId, rule }) =>
      categoryId !== null && rule !== "PRODUCT" && owedCosts.has(findCategory(categoryId)?.costType ?? null),
  );
  return new Set(owed.map(({ transactionId }) => transactionId));
}

function knownOf(
  history: readonly LedgerTransaction[],
  { accounts }: Holdings,
  context: RecognitionContext,
): KnownIncome & { categorised: readonly Categorised[] } {
  const recognition = recognise(history, context);
  const ownAccounts = accounts.map(({ id, iban }) => ({ id, iban: iban === "" ? null : iban }));
  const { country, asOf } = context;
  const categorised = categorise({
    transactions: history,
    series: seriesOf(recognition),
    ownAccounts,
    country,
    asOf,
    userRules: new Map(),
  });
  return { categorised, series: recognition.income };
}

type UserRow = {
  bankUserId: string;
  partnerName: string;
  logo: Buffer | null;
  currency: string;
  country: string;
  locale: string;
};

async function readUser(database: Queryable, userId: number): Promise<UserRow> {
  const { rows } = await database.query<UserRow>(
    `select u.bank_user_id as "bankUserId", p.name as "partnerName", b.logo, b.currency, b.country, u.locale
       from users u
       join brands b on b.partner_id = u.partner_id and b.id = u.brand_id
       join partners p on p.id = u.partner_id
      where u.id = $1
        and u.deleted_at is null`,
    [userId],
  );
  if (rows[0] === undefined) throw new Error("the report's user is gone");
  return rows[0];
}

async function readServices(database: Queryable, userId: number): Promise<Service[]> {
  const { rows } = await database.query<{ document: Service }>(
    "select document from services where user_id = $1 and document is not null order by id",
    [userId],
  );
  return rows.map(({ document }) => document);
}

async function readHoldings(database: Queryable, userId: number): Promise<Holdings> {
  const accounts = await database.query<Holdings["accounts"][number]>(
    "select id, name, iban from accounts where user_id = $1 and removed_after is null order by id",
    [userId],
  );
  const cards = await database.query<Holdings["cards"][number]>(
    "select id, pan4, payment_network as network from cards where user_id = $1 order by id",
    [userId],
  );
  return { accounts: accounts.rows, cards: cards.rows };
}
