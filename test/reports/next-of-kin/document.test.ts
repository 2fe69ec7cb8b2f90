/** The report tells the next of kin what is paid, to whom and how it ends, in each language and with right totals. */
import test from "ava";
import { renderDocument } from "../../../src/reports/document/render.ts";
import { nextOfKinDocument } from "../../../src/reports/next-of-kin/document.ts";
import { elementsOf, readPdf, type StructureElement } from "../pdf.ts";
import { agreement, emptyEstate, estate } from "./estates.ts";

const rowsOf = (table: StructureElement | undefined) =>
  elementsOf(table!, "TR").map(({ children }) => children.map(({ text }) => text.trim()));

test("the next of kin see what is paid, to whom, how, and how it is ended, with totals that add up", async (t) => {
  const { root, text } = readPdf((await renderDocument(nextOfKinDocument(estate, "en"))).bytes);
  const [cover, subscriptions, fixed, stopped, income] = elementsOf(root, "Table");
  t.deepEqual(rowsOf(cover)[0], ["Customer number", "kunde-4711"]);
  t.deepEqual(rowsOf(subscriptions), [
    ["Product and company", "Paid by", "Last paid", "A year", "Last and next", "To end it"],
    [
      "Dagbladet Øst DAGBLADET OEST A/S",
      "direct debit DK•• •••• 8811",
      "1,249.00 quarterly",
      "4,996.00",
      "28 May 2026 next 28 Jun 2026",
      "only with the company itself",
    ],
    [
      "Netflix NETFLIX.COM AMSTERDAM",
      "card •••• 1234",
      "114.00 monthly",
      "1,368.00",
      "28 May 2026 next 28 Jun 2026",
      "can be cancelled",
    ],
    [
      "iCloud+ APPLE.COM/BILL unknown product of an application store List of subscriptions: apps.apple.com/account/subscriptions",
      "card •••• 1234",
      "9.00 monthly",
      "108.00",
      "28 May 2026 next 28 Jun 2026",
      "in the application store",
    ],
    [
      "Café Ærø not certain: may be single purchases",
      "card •••• 1234",
      "SEK 50.00 irregular",
      "SEK 200.00",
      "28 May 2026",
      "by agreement with the company",
    ],
    // 4,996.00 + 1,368.00 + 108.00; the Swedish one is not of this currency.
    ["Total", "", "", "6,472.00", "", ""],
  ]);
  t.deepEqual(rowsOf(fixed).at(-1), ["Total", "", "", "105,249.00", "", ""]);
  t.deepEqual(rowsOf(stopped)[1], [
    "Fitness World FITNESS WORLD",
    "card •••• 1234",
    "114.00 monthly",
    "1 Nov 2025",
    "no payment came",
  ]);
  t.deepEqual(rowsOf(income).slice(1), [
    ["Udbetaling Danmark", "State pension", "monthly", "29 May 2026", "14,321.00", "171,852.00"],
    ["PFA Pension", "Occupational and private pension", "irregular", "29 May 2026", "5,123.45", "5,123.45"],
  ]);
  t.regex(text, /DKK 6,472\.00/);
  t.regex(text, /Paid by direct debit: 2\./);
});

test("where nothing was found, each part says so and no step is proposed", async (t) => {
  const { root, text } = readPdf((await renderDocument(nextOfKinDocument(emptyEstate, "nb"))).bytes);
  t.is(elementsOf(root, "Table").length, 1);
  t.is(elementsOf(root, "H2").length, 6);
  for (const sentence of [
    "Det er ikke funnet løpende abonnementer.",
    "Det er ikke funnet løpende faste utgifter.",
    "Banken hadde ingen transaksjoner for kunden da rapporten ble laget.",
  ])
    t.true(text.includes(sentence), sentence);
  t.false(text.includes("Hva kan gjøres"));
});

test("each language is written in itself", (t) => {
  const titles = (["en", "da", "nb", "sv"] as const)
    .map((language) => nextOfKinDocument(estate, language))
    .map(({ title, language }) => [title, language]);
  t.deepEqual(titles, [
    ["Recurring payments", "en-GB"],
    ["Faste betalinger", "da-DK"],
    ["Faste betalinger", "nb-NO"],
    ["Återkommande betalningar", "sv-SE"],
  ]);
});

test("two hundred agreements are all there, each once", async (t) => {
  const subscriptions = Array.from({ length: 230 }, (_, index) => agreement({ title: `Abonnement ${index}` }));
  const { root } = readPdf((await renderDocument(nextOfKinDocument({ ...estate, subscriptions }, "da"))).bytes);
  const rows = rowsOf(elementsOf(root, "Table")[1]).slice(1);
  t.deepEqual(
    rows.slice(0, -1).map(([name]) => name?.replace(/ NETFLIX.*/, "")),
    subscriptions.map(({ title }) => title),
  );
  t.deepEqual(rows.at(-1), ["I alt", "", "", "314.640,00", "", ""]);
});
