/** No mark is missing of what the patterns look for that a line without it is spared. */
import test from "ava";
import {
  hasCounter,
  hasDecimal,
  hasDigit,
  hasHash,
  hasMask,
  hasTime,
  marksIn,
} from "../../src/payments/line-day/line-marks.ts";
import fc, { runs } from "../property.ts";

const kinds: readonly (readonly [name: string, mark: number, pattern: RegExp])[] = [
  ["a digit", hasDigit, /\d/],
  ["a masked card", hasMask, /[X*#]{2}/],
  ["a hash", hasHash, /#/],
  ["a decimal point", hasDecimal, /\d[.,]\d/],
  ["a counter", hasCounter, /\d [A-Z]{1,3} \d/],
  ["a date or a time", hasTime, /\d[./:-]\d|\d ?(?:JAN|MRZ|DES|OKT)|KL[. ]/],
];

test("a line has the marks of what stands in it, and no others", (t) => {
  const marked: readonly (readonly [line: string, marks: number])[] = [
    ["ROBIN HAVE", 0],
    ["HAVE 7", hasDigit],
    ["HAVE XX12", hasDigit | hasMask],
    ["HAVE X1X2", hasDigit],
    ["HAVE *#", hasMask | hasHash],
    ["REF # A", hasHash],
    ["EUR 4,50", hasDigit | hasDecimal],
    ["EUR 4.50", hasDigit | hasDecimal | hasTime],
    ["RATE 3 VON 12", hasDigit | hasCounter],
    ["RATE 3 FROM 12", hasDigit],
    ["RATE 3  AF 12", hasDigit],
    ["RATE 3 AF  12", hasDigit],
    ["7 AUG", hasDigit | hasTime],
    ["7AUG", hasDigit | hasTime],
    ["7  AUG", hasDigit],
    ["AUG 7", hasDigit],
    ["12:30", hasDigit | hasTime],
    ["12-30", hasDigit | hasTime],
    ["12/30", hasDigit | hasTime],
    ["12 - 30", hasDigit],
    ["KL. 9", hasDigit | hasTime],
    ["KL 9", hasDigit | hasTime],
    ["KLO 9", hasDigit],
  ];
  for (const [line, marks] of marked) t.is(marksIn(line), marks, line);
});

test("no line that one of the patterns matches is without its mark", (t) => {
  const piece = fc.constantFrom(..."0 1 . , : / - # * X A K L KL OF VON MRZ DES OKT JAN É".split(" "), " ");
  const whole = fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
    const line = pieces.join("");
    const marks = marksIn(line);
    return kinds.every(([, mark, pattern]) => !pattern.test(line) || (marks & mark) !== 0);
  });
  t.notThrows(() => fc.assert(whole, runs(5000)));
});
