/** Products that operators edit over the shipped ones: what is found then, who is recognised anew, and what is told. */
import test from "ava";
import {
  readCatalogue,
  readProduct,
  putProduct,
  removeProduct,
  resetProduct,
  writtenOf,
} from "../../src/operations/catalogue.ts";
import { listAudit } from "../../src/partners/audit.ts";
import { findProduct, productById, useEdits } from "../../src/payments/catalogue.ts";
import { merchantOf } from "../../src/payments/merchant.ts";
import { listEdits, useCurrentProducts } from "../../src/recognition/product-edits.ts";
import { markOutdated } from "../../src/recognition/run.ts";
import { present } from "../../src/present.ts";
import { monthlyPaid, openRecognised, recogniserOf, today } from "../api/recognised.ts";

const blank = {
  title: "Havnens Motion",
  type: "SUBSCRIPTION",
  category: "LEISURE_STREAMING",
  words: "havnens motion, hvn mtn",
  countries: "DK",
  frequencies: "MONTHLY",
  cancellation: "EXPLAIN_WHY_NOT",
  hasTrial: false,
  equipmentBack: true,
  moneyBack: false,
};
const asShipped = () => useEdits(0, []);

function productOf(id: string, changes: Partial<typeof blank> = {}) {
  const read = readProduct(id, { ...blank, ...changes });
  if ("problems" in read) throw new Error(read.problems.join(" "));
  return read;
}

function idOf(line: string, country = "DK"): string | undefined {
  return findProduct(merchantOf(null, line), country)?.id;
}

test.serial(
  "an edited product is found by its words, whole, before what is shipped; without the edit it is not",
  (t) => {
    t.teardown(asShipped);
    t.is(idOf("NETFLIX.COM 4471"), "netflix");
    const { product, words } = productOf("film-club", { words: "netflix, Århus Film" });
    useEdits(1, [{ id: "film-club", product, words }]);
    t.is(idOf("NETFLIX.COM 4471"), "film-club");
    t.is(idOf("DK AARHUS FILM 12"), "film-club");
    t.is(idOf("NETFLIXER 12"), "netflix", "a word is whole, a shipped alias is a pattern");
    t.is(idOf("NETFLIX.COM 4471", "SE"), "netflix", "it is sold in Denmark alone");
    t.is(productById("film-club")?.title, "Havnens Motion");
    asShipped();
    t.is(idOf("NETFLIX.COM 4471"), "netflix");
    t.is(productById("film-club"), null);
  },
);

test.serial(
  "a shipped product keeps its aliases under what is edited of it, and one that is taken away is none",
  (t) => {
    t.teardown(asShipped);
    const { product } = productOf("netflix", { title: "Netflix Nordic", words: "", countries: "*" });
    useEdits(2, [{ id: "netflix", product, words: [] }]);
    t.is(productById("netflix")?.title, "Netflix Nordic");
    t.is(findProduct(merchantOf(null, "NETFLIX.COM 4471"), "DK")?.title, "Netflix Nordic");
    useEdits(3, [{ id: "netflix", product: null, words: [] }]);
    t.is(idOf("NETFLIX.COM 4471"), undefined);
    t.is(productById("netflix"), null);
  },
);

test.serial("a word is a text: what would be a pattern finds itself alone", (t) => {
  t.teardown(asShipped);
  const { product, words } = productOf("odd", { words: "a.*b c+, (x|y)z" });
  useEdits(4, [{ id: "odd", product, words }]);
  t.is(idOf("AXXB CCC"), undefined);
  t.is(idOf("BUTIK A.*B C+ 12"), "odd");
});

test("what cannot be kept is told in sentences, all of it at once", (t) => {
  const read = readProduct("New One", { ...blank, title: "", category: "LEISURE", words: "x", countries: "DNK" });
  t.deepEqual("problems" in read ? read.problems : [], [
    "An id is small letters, digits and hyphens.",
    "A title has 1 to 100 characters.",
    "The category is a leaf of the expenses' tree.",
    "A word by which it is found has 3 to 60 characters: x.",
    "Countries are two letters each, DK, or * for all.",
  ]);
  t.deepEqual(readProduct("novel", { ...blank, category: "" }), { problems: ["Choose a category."] });
  t.deepEqual(readProduct("novel", { ...blank, words: "" }), {
    problems: ["Name at least one word by which it is found in a bank's lines."],
  });
});

test.serial("an edit recognises users anew, tells nobody, stands in the trail, and is undone by a reset", async (t) => {
  t.teardown(asShipped);
  const world = await openRecognised(t);
  const anna = await world.customer(
    "anna",
    "2026-06-14",
    monthlyPaid("Havnens Motion", -199, ["2026-01", "2026-02", "2026-03", "2026-04", "2026-05", "2026-06"]),
  );
  const before = await anna.only();
  const clock = recogniserOf(world.database, today).clock;
  t.is(await markOutdated(world.database, clock, 100), 0);
  const told = async () =>
    (await world.database.query<{ n: number }>("select count(*) as n from notifications")).rows[0]?.n;
  const toldBefore = await told();

  const done = await putProduct(
    world.database,
    "console:ann",
    productOf("havnens-motion", { title: "Havnens Fitness" }),
  );
  t.deepEqual(done, { outcome: "edited", version: 1 });
  t.is(await markOutdated(world.database, clock, 100), 1);
  await world.recogniseOn(today);
  const after = await anna.only();
  t.like(after, { id: before.id, product: { title: "Havnens Fitness" } });
  t.is(await markOutdated(world.database, clock, 100), 0, "whose figures know the edit are left alone");
  t.is(await told(), toldBefore);

  const [traced] = await listAudit(
    world.database,
    { partnerId: null, since: null, until: null, event: "catalogue.edited", sessionId: null },
    10,
  );
  t.is(traced?.actor, "console:ann");
  t.like(traced?.details, {
    productId: "havnens-motion",
    kind: "put",
    version: 1,
    words: ["havnens motion", "hvn mtn"],
  });

  t.deepEqual(await resetProduct(world.database, "console:bob", "havnens-motion"), { outcome: "edited", version: 2 });
  t.is(await markOutdated(world.database, clock, 100), 1);
  await world.recogniseOn(today);
  t.is((await anna.only()).product.title, before.product.title);
  t.deepEqual(
    (await listEdits(world.database, "havnens-motion", 10)).map(({ kind, actor }) => `${kind} by ${actor}`),
    ["reset by console:bob", "put by console:ann"],
  );
});

test.serial("what is so already, is not there or was not edited is declined, and makes no version", async (t) => {
  t.teardown(asShipped);
  const { database } = await openRecognised(t);
  const { products } = await readCatalogue(database);
  const netflix = present(
    products.find(({ product }) => product.id === "netflix"),
    "a shipped product",
  );
  const same = productOf("netflix", writtenOf(netflix));
  t.deepEqual(await putProduct(database, "a", same), { outcome: "declined", why: "It is so already." });
  t.deepEqual(await removeProduct(database, "a", "nothing"), { outcome: "declined", why: "There is no such product." });
  t.deepEqual(await resetProduct(database, "a", "netflix"), { outcome: "declined", why: "Nothing of it was edited." });
  t.is(await useCurrentProducts(database), 0);
});
