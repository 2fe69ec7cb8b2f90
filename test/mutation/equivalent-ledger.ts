/** Mutants that no test can tell from the original, line by line. */
import type { Equivalents } from "./judged.ts";

export const equivalentsOfLedger: readonly Equivalents[] = [
  {
    file: "src/ledger/account-owners.ts",
    lineText: "if (mappings.length === 0) return [];",
    reason: "What follows asks nothing and does nothing when there are no mappings.",
    changes: [["0", "(-1)"]],
  },
  {
    file: "src/ledger/account-owners.ts",
    lineText: "if (mappings.length === 0) return;",
    reason: "Without mappings the statements that follow find nothing to write and nothing that waits.",
    changes: [
      ["0", "(-1)"],
      ["0", "(-1)", 2],
    ],
  },
  {
    file: "src/ledger/copy-out.ts",
    lineText: "if (length < 0) return null;",
    reason: "An integer that is there has four bytes, never none.",
    changes: [["0", "1"]],
  },
  {
    file: "src/ledger/copy.ts",
    lineText: "for (let n = 0, used = 0; n < count; used += 1) {",
    reason: "The first piece is kept under another name, and is found under it again.",
    changes: [["0", "(-1)", 2]],
  },
  {
    file: "src/deliveries/grouped.ts",
    lineText: "return rowCount ?? 0;",
    reason: "PostgreSQL counts the rows of each select.",
    changes: [["0", "(-1)"]],
  },
  {
    file: "src/ledger/history.ts",
    lineText: "if (sinceEpoch < 0 || sinceEpoch >= daysMax) return dayFromNumber(sinceEpoch + dayNumberOfEpoch);",
    reason: "Days outside the century would be remembered too: the same days, found the same way.",
    changes: [["sinceEpoch < 0 || sinceEpoch >= daysMax", "false"]],
  },
  {
    file: "src/ledger/history.ts",
    lineText: "if (digits > digitsExactMax || lastWeight < -1 || weight >= digitsExactMax)",
    reason: "On the border both ways of counting are exact.",
    changes: [[">=", ">"]],
  },
  {
    file: "src/ledger/history.ts",
    lineText: "if (scaled > exactMax) return parsed(numericText(rows, at, digits, weight, sign), currency);",
    reason: "On the border both ways of counting are exact.",
    changes: [[">", ">="]],
  },
  {
    file: "src/ledger/history.ts",
    lineText: "for (let place = Math.max(weight, 0); place >= 0; place--) text += group(place);",
    reason: "The text begins with a zero anyway.",
    changes: [["0", "(-1)"]],
  },
  {
    file: "src/ledger/holdings.ts",
    lineText: "return a.thing.id < b.thing.id ? -1 : a.thing.id > b.thing.id ? 1 : 0;",
    reason: "No account comes twice: LatestOfEach.",
    changes: [["a.thing.id > b.thing.id ? 1 : 0", "(1)"]],
  },
  {
    file: "src/ledger/transactions.ts",
    lineText: "const tag = Buffer.from([0, columnCount + 2, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 1, 0]);",
    reason: "The row's number and whether it is a first are written over it.",
    changes: [
      ["0", "(-1)", 5],
      ["0", "(-1)", 6],
      ["0", "(-1)", 7],
      ["0", "(-1)", 8],
      ["0", "(-1)", 12],
    ],
  },
  {
    file: "src/ledger/transactions.ts",
    lineText:
      'const contentColumns = copyColumns.split(", ").filter((column) => column !== "user_id" && column !== "txid");',
    reason: "User and txid would be replaced by the same ones, by which the rows were joined.",
    changes: [
      ['column !== "user_id" && ', ""],
      ['.filter((column) => column !== "user_id" && column !== "txid")', ""],
      ["&&", "||"],
    ],
  },
  {
    file: "src/ledger/posting.ts",
    lineText: "word = word * 256 + (at < end ? (bytes[at] as number) : 0);",
    reason: "Behind a txid stands the length of a date, whose first byte is 0, as if the txid had ended there.",
    changes: [["<", "<="]],
  },
  {
    file: "src/ledger/posting.ts",
    lineText: "if (common === lengths[0] || common === lengths[1]) return lengths[0] - lengths[1];",
    reason: "Behind a txid stands the length of a date, whose first byte is 0, as if the txid had ended there.",
    changes: [
      ["common === lengths[0] || ", ""],
      ["common === lengths[0] || common === lengths[1]", "false"],
      [" || common === lengths[1]", ""],
      ["||", "&&"],
      ["1", "0"],
    ],
  },
  {
    file: "src/ledger/posting.ts",
    lineText: "const last = firsts === 0 ? -1 : (ordered[firsts - 1] as number);",
    reason: "Before the first row there is none, and no row equals none.",
    changes: [
      ["firsts === 0 ? -1 : (ordered[firsts - 1] as number)", "((ordered[firsts - 1] as number))"],
      ["0", "(-1)"],
      ["1", "2"],
    ],
  },
  {
    file: "src/ledger/posting.ts",
    lineText: "for (let from = 0; from < rows.count; from += 1) {",
    reason: "Beyond the ends there are no keys, and none equals none.",
    changes: [["0", "(-1)"]],
  },
  {
    file: "src/ledger/posting.ts",
    lineText: "while (from + 1 < rows.count && isLikeNext(from)) from += 1;",
    reason: "Beyond the ends there are no keys, and none equals none.",
    changes: [
      ["+", "-"],
      ["<", "<="],
    ],
  },
  {
    file: "src/ledger/posting.ts",
    lineText: "words[2 * row] = ((word & (2 ** rankBits - 1)) << numberBits) | row;",
    reason: "Keys that tell less leave more to the comparison, which decides the same; it takes longer.",
    changes: [["1", "0"]],
  },
  {
    file: "src/ledger/posting.ts",
    lineText: "let common = rows.count === 0 ? 0 : rows.txidLengthOf(0);",
    reason: "Keys that tell less leave more to the comparison, which decides the same; it takes longer.",
    changes: [
      ["rows.count === 0 ? 0 : rows.txidLengthOf(0)", "(0)"],
      ["0", "(-1)"],
      ["0", "(-1)", 2],
    ],
  },
  {
    file: "src/ledger/posting.ts",
    lineText: "return common;",
    reason: "Keys that tell less leave more to the comparison, which decides the same; it takes longer.",
    changes: [["return common;", "return;", 2]],
  },
  {
    file: "src/rates/rates.ts",
    lineText: "if (rateDay === undefined) break;",
    reason: "The places that are looked at are those of days.",
    changes: [["rateDay === undefined", "false"]],
  },
  {
    file: "src/rates/rates.ts",
    lineText: "const sign = numerator < 0n ? -1n : 1n;",
    reason: "Zero is rounded to zero from either side.",
    changes: [
      ["0n", "1n"],
      ["<", "<="],
    ],
  },
  {
    file: "src/rates/rates.ts",
    lineText: 'const [whole = "0", fraction = ""] = value.toFixed(10).replace(/0+$/, "").split(".");',
    reason: "Zeros at the end are ten times as many digits of a tenth of the worth.",
    changes: [['.replace(/0+$/, "")', ""]],
  },
  {
    file: "src/deliveries/requests.ts",
    lineText: "const ordered = requests.toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));",
    reason:
      "Sorting asks only whether one comes before the other; a reqId that comes twice is the same either way round.",
    changes: [
      ["<", "<="],
      ["1", "0", 2],
    ],
  },
  {
    file: "src/deliveries/reopen.ts",
    lineText: "and state = 'refused'",
    reason: "Only what is refused has a code: deliveries_refusal_has_reason.",
    changes: [["state = 'refused'", "(state = 'refused' or true)"]],
  },
  {
    file: "src/deliveries/grouped.ts",
    lineText: "return rowCount ?? 0;",
    reason: "PostgreSQL counts the rows of each insert.",
    changes: [[" ?? 0", ""]],
  },
  {
    file: "src/ledger/row-block.ts",
    lineText: "readonly starts = new Int32Array(blockRowsMax + 1);",
    reason: "One place more than is ever used.",
    changes: [["1", "2"]],
  },
  {
    file: "src/ledger/row-block.ts",
    lineText: "if (decimals > 0) to = this.#digit(to, Math.floor(padded / 1e4));",
    reason: "Sixteen bits are written of it, without a fraction.",
    changes: [["Math.floor(padded / 1e4)", "(padded / 1e4)"]],
  },
  {
    file: "src/ledger/row-block.ts",
    lineText: 'return `${text.startsWith("-") ? "-" : ""}0.${"0".repeat(Number(power) - 1)}${bare}`;',
    reason: "The caller takes the sign away and reads it from the text itself.",
    changes: [["startsWith", "endsWith"]],
  },
];
