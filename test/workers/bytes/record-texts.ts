/** Texts of records for properties: right ones in many spellings and orders, and now and then one that is wrong. */
import fc from "../../property.ts";

/** Texts of JSON values: right ones in many spellings, and others. */
const text = fc.oneof(
  { weight: 60, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 6 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "",
      "\u0000",
      "\n",
      "\\",
      '"',
      "x".repeat(2001),
      "ø".repeat(101),
      "\u2028",
      "\ud83d",
      "DKK",
      "TX",
    ),
  },
);
const spelled = fc
  .tuple(
    text,
    fc.oneof({ weight: 9, arbitrary: fc.constant("plain") }, { weight: 1, arbitrary: fc.constantFrom("ascii", "all") }),
  )
  .map(([value, how]) => spell(value, how));
const number = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: -1e8, max: 1e8 }).map((cents) => String(cents / 100)) },
  { weight: 1, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => String(value)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "0",
      "-0",
      "-0.00",
      "12.50",
      "1.000000",
      "0.0000001",
      "0.000001",
      "1e3",
      "1E+2",
      "-1.5e-3",
      "01",
      "1.",
      ".5",
      "-",
      "+1",
      "99999999999.99",
      "999999999999",
      "123456789012.123",
      "1e999",
      "10000",
      "100000000",
      "1.00010001",
      "123456789.1234567",
      "5411",
      "9999",
      "10000.0",
      "00",
    ),
  },
);
const other = fc.oneof(
  fc.constantFrom("null", "true", "false", "{}", "[]", "nul", '{"a":[1]}', "tRue", "-"),
  number,
  spelled,
);
const rarely = (usual: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 80, arbitrary: usual }, { weight: 1, arbitrary: other });
const time = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.constantFrom('"2026-01-31T10:00:00Z"', '"2024-02-29"', '"1900-01-01 "', '"2199-12-31T"'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '"2026-02-29"',
      '"1899-12-31"',
      '"2200-01-01"',
      '"2026-01-311"',
      '"2026-13-01"',
      '"2026-1-31"',
      '"٢٠٢٦-01-31"',
      '"2026\\u002d01-31"',
    ),
  },
);

/** What may stand between the parts of a JSON text, and once in a while what may not. */
export const blanks = fc.oneof(
  { weight: 20, arbitrary: fc.constant("") },
  { weight: 1, arbitrary: fc.constantFrom(" ", "\n\t", "\r ", "\u00a0") },
);

/** An object's text: some of the keys, in any order, sometimes twice, with or without blanks. */
function object(
  needed: Record<string, fc.Arbitrary<string>>,
  optional: Record<string, fc.Arbitrary<string>>,
): fc.Arbitrary<string> {
  const members = (all: Record<string, fc.Arbitrary<string>>) =>
    Object.entries(all).map(([key, value]) => rarely(value).map((one) => [key, one] as const));
  const extra = fc.oneof(
    { weight: 12, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.array(fc.tuple(fc.constantFrom("later", "uid", "name", "id", "txid", "__proto__", "tx"), other), {
        maxLength: 2,
      }),
    },
  );
  return fc
    .tuple(
      fc.tuple(...members(needed)),
      fc.tuple(...members(optional)).chain((all) => fc.shuffledSubarray(all)),
      extra,
      fc.boolean(),
      fc.nat(),
      blanks,
      blanks,
    )
    .map(([first, second, third, isShuffled, seed, before, after]) => {
      const all = [...first, ...second, ...third];
      const ordered = isShuffled
        ? all
            .map((one, place) => ({ one, rank: (place * 7 + seed) % 11 }))
            .toSorted((a, b) => a.rank - b.rank)
            .map(({ one }) => one)
        : all;
      return `{${before}${ordered.map(([key, value]) => `"${key}"${after}:${before}${value}${after}`).join(`,${before}`)}}`;
    });
}

const account = object({ id: spelled, name: spelled, iban: spelled }, {});
const card = object(
  { id: spelled, pan4: fc.constantFrom('"1234"', '""', '"123456789"') },
  { cardType: spelled, paymentNetwork: spelled },
);
const merchant = object(
  { name: spelled },
  {
    cid: spelled,
    address: spelled,
    city: spelled,
    postCode: spelled,
    country: spelled,
    mcc: fc.oneof(fc.integer({ min: 0, max: 10_050 }).map(String), number),
  },
);
const tx = object(
  {
    txid: spelled,
    description: spelled,
    txTime: time,
    type: spelled,
    amount: number,
    currency: fc.constantFrom('"DKK"', '"JPY"', '"EUR"', '"SEK"', '"KWD"', '"dkk"'),
  },
  { originalAmount: number, originalCurrency: fc.constantFrom('"SEK"', '"KWD"', "null"), merchant },
);
/** A record of a transaction, mostly as the interface has it. */
export const record = object(
  {
    uid: spelled,
    type: fc.oneof(
      { weight: 20, arbitrary: fc.constant('"TX"') },
      { weight: 1, arbitrary: fc.constantFrom('"IMPORT_COMPLETED"', '"T\\u0058"') },
    ),
    tx,
  },
  { account, card },
);

/** A JSON string in one of its spellings. */
function spell(value: string, how: string): string {
  const json = JSON.stringify(value);
  if (how === "plain") return json;
  const inner = how === "ascii" ? json.slice(1, -1) : value;
  const escaped = Array.from({ length: inner.length }, (_, at) => inner.charCodeAt(at)).map((unit) =>
    how === "ascii" && unit < 0x80 ? String.fromCharCode(unit) : `\\u${unit.toString(16).padStart(4, "0")}`,
  );
  return `"${escaped.join("")}"`;
}
