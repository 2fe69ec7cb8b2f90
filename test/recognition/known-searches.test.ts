/** What an earlier run found at payees is taken from there, and is the same as found anew. */
import test from "ava";
import { generatePopulation } from "../../fixtures/population.ts";
import { historyTransaction } from "../../src/payments/history-file.ts";
import type { HistoryTransaction } from "../../src/payments/payment.ts";
import { packSearches, unpackSearches } from "../../src/recognition/past/searches.ts";
import { recognise } from "../../src/recognition/recognise.ts";
import { type KeptSearch, KnownSearches } from "../../src/recognition/known-searches.ts";
import { addDays } from "../../src/time/calendar.ts";

const asOf = "2026-06-30";
const nights = 40;

type Numbered = HistoryTransaction & { id: number };

function historiesOf(country: string | null): Numbered[][] {
  const population = generatePopulation({ users: 3, months: 14, messy: country, seed: 141_421, until: asOf });
  return [...population].map(({ transactions }) =>
    transactions
      .flatMap((record) => (record.tx ? (historyTransaction(record, record.tx) ?? []) : []))
      .map((row, at) => ({ ...row, id: at + 1 })),
  );
}

/** Counts the searches that were not known before. */
class Counting extends KnownSearches {
  made = 0;
  madeAcross = 0;

  override of(
    ...[payee, usualCost, country, search]: Parameters<KnownSearches["of"]>
  ): ReturnType<KnownSearches["of"]> {
    return super.of(payee, usualCost, country, () => {
      this.made += 1;
      return search();
    });
  }

  override across(
    ...[payments, payees, areRelated, country, search]: Parameters<KnownSearches["across"]>
  ): ReturnType<KnownSearches["across"]> {
    return super.across(payments, payees, areRelated, country, () => {
      this.madeAcross += 1;
      return search();
    });
  }
}

for (const country of [null, "DE", "GB"])
  test(`night after night what is known gives what is found anew, and little is searched: ${country ?? "tidy"}`, (t) => {
    for (const history of historiesOf(country)) {
      const home = { country: country ?? "DK", currency: history[0]!.currency };
      let kept: ReadonlyMap<number, KeptSearch> = new Map();
      let [first, later, firstAcross, laterAcross] = [0, 0, 0, 0];
      for (let night = 0; night < nights; night++) {
        const context = { asOf: addDays(asOf, night - nights), ...home };
        const rows = history.filter(({ day }) => day <= context.asOf);
        const searches = new Counting(kept);
        t.deepEqual(recognise(rows, { ...context, searches }), recognise(rows, context));
        kept = unpackSearches(packSearches(searches.used));
        if (night === 0) [first, firstAcross] = [searches.made, searches.madeAcross];
        else {
          later += searches.made;
          laterAcross += searches.madeAcross;
        }
      }
      t.true(later < (first * nights) / 4, `${later} searches in ${nights} nights, ${first} in the first`);
      t.true(
        laterAcross <= (firstAcross * nights) / 4,
        `${laterAcross} searches across names in ${nights} nights, ${firstAcross} in the first`,
      );
    }
  });

test("in another country, and for other rows, it is another search", (t) => {
  const [history] = historiesOf("DE");
  const known = new Counting();
  const context = { asOf, country: "DE", currency: "EUR" };
  recognise(history!, { ...context, searches: known });
  const again = new Counting(known.used);
  recognise(history!, { ...context, searches: again });
  t.is(again.made, 0);
  const elsewhere = new Counting(known.used);
  recognise(history!, { ...context, country: "GB", searches: elsewhere });
  t.true(elsewhere.made > 0);
  const renumbered = new Counting(known.used);
  recognise(
    history!.map((row) => ({ ...row, id: row.id + 2 ** 33 })),
    { ...context, searches: renumbered },
  );
  t.true(renumbered.made > again.made);
});

test("bytes that are no packed searches are refused", (t) => {
  const bytes = packSearches(new Map<number, KeptSearch>([[2 ** 52 + 1, { rest: [0], prior: [], obligations: [] }]]));
  t.deepEqual([...unpackSearches(bytes)], [[2 ** 52 + 1, { rest: [0], prior: [], obligations: [] }]]);
  t.throws(() => unpackSearches(bytes.subarray(0, -1)), { instanceOf: RangeError });
  t.throws(() => unpackSearches(Buffer.concat([bytes.subarray(0, -1), Buffer.from("}")])), { instanceOf: RangeError });
});
