/** Mutants of src/ledger that were judged by hand, by module and reason; what that means stands in equivalent.ts. */

/** nth: where a line has several alike. */
type Judged = { line: string; original: string; replacement: string; nth?: number };
type Judgement = { module: string; reason: string; mutants: readonly Judged[] };

const judgements: readonly Judgement[] = [
  {
    module: "account-owners.ts",
    reason: "Only waiting records have an account's key: held_records_account.",
    mutants: [
      {
        line: `await transaction.query("update held_records set due = true where kind = 'waiting' and account_key = any($1::uuid[])", [keys]);`,
        original: "kind = 'waiting'",
        replacement: "(kind = 'waiting' or true)",
      },
    ],
  },
  {
    module: "account-owners.ts",
    reason: "What follows asks nothing and does nothing when there are no mappings.",
    mutants: [{ line: "if (mappings.length === 0) return [];", original: "0", replacement: "(-1)" }],
  },
  {
    module: "account-owners.ts",
    reason: "Without mappings the statements that follow find nothing to write and nothing that waits.",
    mutants: [1, 2].map((nth) => ({
      line: "if (mappings.length === 0) return;",
      original: "0",
      replacement: "(-1)",
      nth,
    })),
  },
  {
    module: "copy-out.ts",
    reason: "An integer that is there has four bytes, never none.",
    mutants: [{ line: "if (length < 0) return null;", original: "0", replacement: "1" }],
  },
  {
    module: "copy.ts",
    reason: "The first piece is kept under another name, and is found under it again.",
    mutants: [
      { line: "for (let n = 0, used = 0; n < count; used += 1) {", original: "0", replacement: "(-1)", nth: 2 },
    ],
  },
  {
    module: "grouped.ts",
    reason: "What was found is sorted afterwards.",
    mutants: [
      {
        line: `if (delivery?.state === "accepted" && delivery.vaultReference === null && delivery.batches + delivery.records === 0) found.push(delivery);`,
        original: "push",
        replacement: "unshift",
      },
    ],
  },
  {
    module: "grouped.ts",
    reason: "PostgreSQL counts the rows of each select.",
    mutants: [{ line: "return rowCount ?? 0;", original: "0", replacement: "(-1)" }],
  },
  {
    module: "history.ts",
    reason: "Days outside the century would be remembered too: the same days, found the same way.",
    mutants: [
      {
        line: "if (sinceEpoch < 0 || sinceEpoch >= daysMax) return dayFromNumber(sinceEpoch + dayNumberOfEpoch);",
        original: "sinceEpoch < 0 || sinceEpoch >= daysMax",
        replacement: "false",
      },
    ],
  },
  {
    module: "history.ts",
    reason: "On the border both ways of counting are exact.",
    mutants: [
      {
        line: "if (digits > digitsExactMax || lastWeight < -1 || weight >= digitsExactMax) return parsed(numericText(rows, at, digits, weight, sign), currency);",
        original: ">=",
        replacement: ">",
      },
      {
        line: "if (scaled > exactMax) return parsed(numericText(rows, at, digits, weight, sign), currency);",
        original: ">",
        replacement: ">=",
      },
    ],
  },
  {
    module: "history.ts",
    reason: "The text begins with a zero anyway.",
    mutants: [
      {
        line: "for (let place = Math.max(weight, 0); place >= 0; place--) text += group(place);",
        original: "0",
        replacement: "(-1)",
      },
    ],
  },
  {
    module: "holdings.ts",
    reason: "No account comes twice: LatestOfEach.",
    mutants: [
      {
        line: "return a.thing.id < b.thing.id ? -1 : a.thing.id > b.thing.id ? 1 : 0;",
        original: "a.thing.id > b.thing.id ? 1 : 0",
        replacement: "(1)",
      },
    ],
  },
  {
    module: "post.ts",
    reason: "The row's number and whether it is a first are written over it.",
    mutants: [5, 6, 7, 8, 12].map((nth) => ({
      line: "const tag = Buffer.from([0, columnCount + 2, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 1, 0]);",
      original: "0",
      replacement: "(-1)",
      nth,
    })),
  },
  {
    module: "post.ts",
    reason: "User and txid would be replaced by the same ones, by which the rows were joined.",
    mutants: [
      { original: `column !== "user_id" && `, replacement: "" },
      { original: `.filter((column) => column !== "user_id" && column !== "txid")`, replacement: "" },
      { original: `&&`, replacement: "||" },
    ].map((one) => ({
      ...one,
      line: `const contentColumns = copyColumns.split(", ").filter((column) => column !== "user_id" && column !== "txid");`,
    })),
  },
  {
    module: "posting.ts",
    reason: "Behind a txid stands the length of a date, whose first byte is 0, as if the txid had ended there.",
    mutants: [
      {
        line: "for (let at = start + from; at < start + from + 4; at += 1) word = word * 256 + (at < end ? (bytes[at] as number) : 0);",
        original: "<",
        replacement: "<=",
        nth: 2,
      },
      ...[
        { original: "common === lengths[0] || ", replacement: "" },
        { original: "common === lengths[0] || common === lengths[1]", replacement: "false" },
        { original: " || common === lengths[1]", replacement: "" },
        { original: "||", replacement: "&&" },
        { original: "1", replacement: "0" },
      ].map((one) => ({
        ...one,
        line: "if (common === lengths[0] || common === lengths[1]) return lengths[0] - lengths[1];",
      })),
    ],
  },
  {
    module: "posting.ts",
    reason: "Before the first row there is none, and no row equals none.",
    mutants: [
      {
        original: "firsts === 0 ? -1 : (ordered[firsts - 1] as number)",
        replacement: "((ordered[firsts - 1] as number))",
      },
      { original: "0", replacement: "(-1)" },
      { original: "1", replacement: "2" },
    ].map((one) => ({ ...one, line: "const last = firsts === 0 ? -1 : (ordered[firsts - 1] as number);" })),
  },
  {
    module: "posting.ts",
    reason: "Beyond the ends there are no keys, and none equals none.",
    mutants: [
      { line: "for (let from = 0; from < rows.count; from += 1) {", original: "0", replacement: "(-1)" },
      { line: "while (from + 1 < rows.count && isLikeNext(from)) from += 1;", original: "+", replacement: "-" },
      { line: "while (from + 1 < rows.count && isLikeNext(from)) from += 1;", original: "<", replacement: "<=" },
    ],
  },
  {
    module: "posting.ts",
    reason: "Keys that tell less leave more to the comparison, which decides the same; it takes longer.",
    mutants: [
      { line: "words[2 * row] = ((word & (2 ** rankBits - 1)) << numberBits) | row;", original: "1", replacement: "0" },
      {
        line: "let common = rows.count === 0 ? 0 : rows.txidLengthOf(0);",
        original: "rows.count === 0 ? 0 : rows.txidLengthOf(0)",
        replacement: "(0)",
      },
      { line: "let common = rows.count === 0 ? 0 : rows.txidLengthOf(0);", original: "0", replacement: "(-1)" },
      { line: "let common = rows.count === 0 ? 0 : rows.txidLengthOf(0);", original: "0", replacement: "(-1)", nth: 2 },
      { line: "return common;", original: "return common;", replacement: "return;", nth: 2 },
    ],
  },
  {
    module: "rates.ts",
    reason: "Every day is later than either text.",
    mutants: [{ line: 'const newest = rows[0]?.newest ?? "";', original: '""', replacement: '"#"' }],
  },
  {
    module: "rates.ts",
    reason: "The places that are looked at are those of days.",
    mutants: [
      {
        line: "if (rateDay === undefined || daysBetween(rateDay, day) > rateAgeDaysMax) return null;",
        original: "rateDay === undefined || ",
        replacement: "",
      },
    ],
  },
  {
    module: "rates.ts",
    reason: "Zero is rounded to zero from either side.",
    mutants: [
      { line: "const sign = numerator < 0n ? -1n : 1n;", original: "0n", replacement: "1n" },
      { line: "const sign = numerator < 0n ? -1n : 1n;", original: "<", replacement: "<=" },
    ],
  },
  {
    module: "rates.ts",
    reason: "Zeros at the end are ten times as many digits of a tenth of the worth.",
    mutants: [
      {
        line: 'const [whole = "0", fraction = ""] = value.toFixed(10).replace(/0+$/, "").split(".");',
        original: '.replace(/0+$/, "")',
        replacement: "",
      },
    ],
  },
  {
    module: "requests.ts",
    reason:
      "Sorting asks only whether one comes before the other; a reqId that comes twice is the same either way round.",
    mutants: [
      { original: "<", replacement: "<=" },
      { original: "1", replacement: "0", nth: 2 },
    ].map((one) => ({
      ...one,
      line: "const ordered = requests.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));",
    })),
  },
  {
    module: "revisits.ts",
    reason: "Only what is refused has a code: deliveries_refusal_has_reason.",
    mutants: [
      { line: "and state = 'refused'", original: "state = 'refused'", replacement: "(state = 'refused' or true)" },
    ],
  },
  {
    module: "withdraw.ts",
    reason: "PostgreSQL counts the rows of each insert.",
    mutants: [{ line: "return rowCount ?? 0;", original: " ?? 0", replacement: "" }],
  },
  {
    module: "row-block.ts",
    reason: "One place more than is ever used.",
    mutants: [{ line: "readonly starts = new Int32Array(blockRowsMax + 1);", original: "1", replacement: "2" }],
  },
  {
    module: "row-block.ts",
    reason: "Sixteen bits are written of it, without a fraction.",
    mutants: [
      {
        line: "if (decimals > 0) to = this.#digit(to, Math.floor(padded / 1e4));",
        original: "Math.floor(padded / 1e4)",
        replacement: "(padded / 1e4)",
      },
    ],
  },
  {
    module: "row-block.ts",
    reason: "The caller takes the sign away and reads it from the text itself.",
    mutants: [
      {
        line: 'return `${text.startsWith("-") ? "-" : ""}0.${"0".repeat(Number(power) - 1)}${bare}`;',
        original: "startsWith",
        replacement: "endsWith",
      },
    ],
  },
];

export const ledgerEquivalents = judgements.flatMap(({ module, reason, mutants }) =>
  mutants.map(({ line, ...mutant }) => ({ file: `src/ledger/${module}`, lineText: line, ...mutant, reason })),
);
