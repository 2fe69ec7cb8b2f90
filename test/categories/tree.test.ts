/** The category tree is whole: unique ids, groups before their leaves, names in four languages. */
import test from "ava";
import {
  categoryById,
  childrenOf,
  expenseCategories,
  expenseRoots,
  findCategory,
  groupOf,
  incomeCategories,
  incomeRoots,
  isLeaf,
  nameOf,
  treePosition,
} from "../../src/categories/tree.ts";

test("the tree has 78 expense and 20 income categories, each id once", (t) => {
  t.is(expenseCategories.length, 78);
  t.is(incomeCategories.length, 20);
  t.is(new Set([...expenseCategories, ...incomeCategories].map(({ id }) => id)).size, 98);
});

test("the roots come in tree order", (t) => {
  t.deepEqual(
    expenseRoots.map(({ id }) => id),
    [
      "HOUSING",
      "UTILITIES",
      "COMMUNICATION",
      "FOOD",
      "TRANSPORT",
      "INSURANCE",
      "WORK_MEMBERSHIPS",
      "CHILDREN",
      "HEALTH",
      "PERSONAL",
      "HOME_GOODS",
      "LEISURE",
      "EDUCATION",
      "DEBT",
      "SAVINGS",
      "FEES",
      "OTHER",
    ],
  );
  t.deepEqual(
    incomeRoots.map(({ id }) => id),
    ["INCOME_WORK", "INCOME_PENSION", "INCOME_BENEFITS", "INCOME_OTHER"],
  );
});

test("each leaf belongs to a group of its own kind that stands before it", (t) => {
  for (const { id, kind, parent } of [...expenseCategories, ...incomeCategories]) {
    if (parent === null) continue;
    t.is(categoryById(parent).kind, kind);
    t.is(categoryById(parent).parent, null);
    t.true(treePosition(parent) < treePosition(id));
  }
});

test("every category has a name in four languages", (t) => {
  for (const { names } of [...expenseCategories, ...incomeCategories]) {
    t.deepEqual(Object.keys(names), ["en", "da", "nb", "sv"]);
    for (const name of Object.values(names)) t.regex(name, /\S/);
  }
});

test("an id that may stand in an address has no character that needs escaping there", (t) => {
  for (const { id } of [...expenseCategories, ...incomeCategories]) t.regex(id, /^[A-Z][A-Z0-9_]{2,39}$/);
});

test("a group's leaves and a leaf's group are found", (t) => {
  t.deepEqual(
    childrenOf("UTILITIES").map(({ id }) => id),
    ["UTILITIES_ELECTRICITY", "UTILITIES_HEATING", "UTILITIES_WATER_WASTE"],
  );
  t.deepEqual(childrenOf("UTILITIES_HEATING"), []);
  t.is(groupOf("UTILITIES_HEATING"), "UTILITIES");
  t.is(groupOf("UTILITIES"), "UTILITIES");
  t.true(isLeaf("UTILITIES_HEATING"));
  t.false(isLeaf("UTILITIES"));
});

test("an unknown id is told from a known one", (t) => {
  t.is(findCategory("HOUSING_CASTLE"), null);
  t.is(groupOf("HOUSING_CASTLE"), null);
  t.false(isLeaf("HOUSING_CASTLE"));
  t.throws(() => categoryById("HOUSING_CASTLE"), {
    instanceOf: RangeError,
    message: "the category tree has no HOUSING_CASTLE",
  });
});

test("a category has its name in each language", (t) => {
  t.is(nameOf(categoryById("HOUSING_RENT"), "da"), "Husleje");
  t.is(nameOf(categoryById("HOUSING_RENT"), "nb"), "Husleie");
  t.is(nameOf(categoryById("HOUSING_RENT"), "en"), "Rent");
});
