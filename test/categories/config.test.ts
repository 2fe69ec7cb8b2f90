/** The shipped lists of products, codes, names and words agree with the category tree and among themselves. */
import test from "ava";
import codes from "../../config/mcc.json" with { type: "json" };
import products from "../../config/products.json" with { type: "json" };
import { confidenceMin } from "../../src/categories/candidate.ts";
import { readKeywords, readMerchants } from "../../src/categories/lexicon.ts";
import { findKeyword } from "../../src/categories/keywords.ts";
import { findCategory, groupOf, isLeaf } from "../../src/categories/tree.ts";

test("every product and every merchant category code has a leaf of the expense tree", (t) => {
  const ids = [...products.map(({ category }) => category), ...Object.values(codes).map(({ category }) => category)];
  for (const id of ids) t.true(isLeaf(id) && findCategory(id)?.kind === "EXPENSE", id);
});

test("payees have expense categories and payers income categories", (t) => {
  for (const lexicon of [readMerchants(), readKeywords()]) {
    for (const { categoryId } of lexicon.out) t.is(findCategory(categoryId)?.kind, "EXPENSE");
    for (const { categoryId } of lexicon.in) t.is(findCategory(categoryId)?.kind, "INCOME");
  }
});

test("a name stands once in its file, so that nobody wonders which of its categories holds", (t) => {
  for (const entries of [readMerchants().out, readMerchants().in]) {
    const places = Map.groupBy(entries, ({ text, countries }) => `${countries.join()} ${text.toUpperCase()}`);
    t.deepEqual(
      [...places.values()]
        .filter((same) => same.length > 1)
        .map((same) => same.map(({ text, categoryId }) => `${text} ${categoryId}`)),
      [],
    );
  }
});

test("the words of a merchant category code's own description say the same group as its category, for nine codes of ten whose words are known", (t) => {
  const told = Object.values(codes).flatMap(({ description, category, confidence }) => {
    const word = findKeyword(description, "OUT", ["GB"]);
    return word === null || word.confidence < confidenceMin || confidence < confidenceMin
      ? []
      : [{ description, isAlike: groupOf(word.categoryId) === groupOf(category) }];
  });
  t.log(`${told.filter(({ isAlike }) => isAlike).length} of ${told.length} alike`);
  t.true(told.length > 300);
  t.true(
    told.filter(({ isAlike }) => isAlike).length / told.length > 0.9,
    told
      .filter(({ isAlike }) => !isAlike)
      .map(({ description }) => description)
      .join("; "),
  );
});
