/**
 * Rows by which a bank says how an account is run: interest and fees of an overdraft, fees for payments that were
 * refused, direct debits that came back. Told by the bank's words in the languages of the countries served. Pure.
 */
import { addDays } from "../../time/calendar.ts";
import { kindOf } from "../../payments/history.ts";
import { partTransaction } from "./convert.ts";
import type { Counted } from "./counted.ts";
import type { AccountEvents } from "./snapshot.ts";

const overdraft =
  /overtr[æa]k|overdraft|[öo]vertrass|overtrekk|kassekredit ?rente|dispozins|[üu]berziehung|d[ée]couvert|tilinylitys|debetrente|debetr[äa]nta/i;
const rejected =
  /manglende d[æa]kning|afvist|avvist|avvisad|utan t[äa]ckning|uten dekning|returned item|unpaid item|insufficient funds|rykker(?:gebyr)?|purregebyr|purring|p[åa]minnelseavgift|r[üu]cklastschriftgeb|mahngeb|maksumuistutus|reminder fee/i;
const returned =
  /tilbagef[øo]rt|returneret (?:bs|betaling)|retur betalings?service|tilbakef[øo]rt|[åa]terf[öo]rd autogiro|r[üu]cklastschrift|dd returned|returned direct debit|palautunut suoraveloitus/i;
/** A direct debit can be sent back for so long after its day (SEPA core, eight weeks). */
const returnDaysMax = 56;

export function accountEventsOf(rows: readonly Counted[], currency: string): AccountEvents {
  const ordered = rows.toSorted((a, b) => (a.row.day + a.row.txid < b.row.day + b.row.txid ? -1 : 1));
  const of = (matches: (one: Counted) => boolean) =>
    ordered.filter(matches).map((one) => partTransaction(one, currency, null));
  return {
    overdraft: of((one) => one.minor < 0 && isBanks(one) && overdraft.test(one.row.description)),
    rejected: of((one) => one.minor < 0 && rejected.test(one.row.description)),
    returned: of((one) => one.minor > 0 && (returned.test(one.row.description) || isReversal(one, ordered))),
  };
}

/** Interest, a fee, or nothing that was bought: a shop may be called after an overdraft's word. */
function isBanks({ row }: Counted): boolean {
  return row.mcc === null && row.merchantName === null;
}

/** A direct debit's own amount that its payee's line gives back. */
function isReversal({ row, minor, categorised }: Counted, rows: readonly Counted[]): boolean {
  // What comes from another account of the same person was not collected, whatever the bank calls it.
  if (kindOf(row.rawType) !== "DIRECT_DEBIT" || categorised.exclusion === "OWN_TRANSFER") return false;
  const since = addDays(row.day, -returnDaysMax);
  return rows.some(
    (one) =>
      one.minor === -minor &&
      one.row.accountId === row.accountId &&
      one.categorised.payeeKey === categorised.payeeKey &&
      kindOf(one.row.rawType) === "DIRECT_DEBIT" &&
      one.row.day >= since &&
      one.row.day <= row.day,
  );
}
