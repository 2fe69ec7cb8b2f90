/** The catalogue of products and of merchant categories. */
import test from "ava";
import products from "../../config/products.json" with { type: "json" };
import { findProduct, merchantCategory, productById } from "../../src/payments/catalogue.ts";
import { merchantOf } from "../../src/payments/merchant.ts";

function idOf(description: string, country: string): string | undefined {
  return findProduct(merchantOf(null, description), country)?.id;
}

test("products are found under their aliases, in the countries where they are sold", (t) => {
  t.is(idOf("GOOGLE *Google Storage", "DK"), "google-one");
  t.is(idOf("GOOGLE *XYZ GAMES", "DK"), "app-store-subscription-store-b");
  t.is(idOf("PAYPAL *UKENDT BUTIK", "DK"), "paypal");
  t.is(idOf("LÄNSFÖRSÄKRINGAR", "SE"), "lansforsakringar");
  t.is(idOf("LÄNSFÖRSÄKRINGAR", "DK"), undefined);
  t.is(idOf("Kaffehuset", "DK"), undefined);
});

test("an alias with letters of the country finds lines that are written with them and without", (t) => {
  for (const line of ["LÄNSFÖRSÄKRINGAR", "Lansforsakringar", "Laensfoersaekringar"])
    t.is(idOf(line, "SE"), "lansforsakringar", line);
  for (const line of ["Ørsted", "ORSTED", "Oersted"]) t.is(idOf(line, "DK"), "orsted-andel-energi", line);
  for (const line of ["Aarstiderne", "ÅRSTIDERNE", "arstiderne"]) t.is(idOf(line, "DK"), "aarstiderne", line);
  for (const line of ["Røde Kors", "RODEKORS", "Roede kors"]) t.is(idOf(line, "DK"), "rode-kors", line);
});

test("an alias is found in what is left of a line and in the cleaned name alike", (t) => {
  t.is(idOf("Kortkøb HELP.MAX.COM 4471", "DK"), "hbo-max");
  t.is(idOf("GOOGLE *YouTube", "DK"), "youtube-premium");
  t.is(idOf("AMZN-PRIME", "DK"), "amazon-prime");
  t.is(idOf("NET FLIX", "DK"), undefined);
});

test("what a shop sells by agreement has a name of its own beside what else it sells", (t) => {
  t.is(idOf("AMAZON WEB SERVICES AWS.AMAZON.CO WA", "US"), "amazon-web-services");
  t.is(idOf("Amazon Music*2L31", "GB"), "amazon-music");
  t.is(idOf("DOORDASH DASHPASS", "CA"), "dashpass");
  t.is(idOf("UBER *ONE MEMBERSHIP", "FR"), "uber-one");
  t.is(idOf("UBER *ONE", "US"), "uber-one");
  t.is(idOf("WMT PLUS 8123", "US"), "walmart-plus");
  t.is(idOf("GOOGLE *YouTube TV", "US"), "youtube-tv");
  t.is(idOf("GOOGLE*GSUITE acme", "US"), "google-workspace");
  t.is(idOf("MSFT * AZURE E0400", "US"), "microsoft-azure");
  for (const line of ["AMAZON.COM", "DOORDASH PANDA", "UBER *TRIP", "UBER ONEONTA", "WALMART 1232", "COSTCO WHSE"])
    t.is(idOf(line, "US"), undefined, line);
});

test("of products that a line may mean the first of the catalogue is taken that is sold there", (t) => {
  t.is(idOf("VIAPLAY", "DK"), "viaplay");
  t.is(idOf("VIAPLAY", "DE"), undefined);
  t.is(idOf("VIAPLAY NETFLIX", "DK"), "netflix");
  t.is(idOf("NETFLIX VIAPLAY", "DK"), "netflix");
  t.is(idOf("VIAPLAY PAYPAL", "DE"), "paypal");
});

test("what was found for a country is not the answer for another", (t) => {
  const merchant = merchantOf(null, "Viaplay 4471");
  t.is(findProduct(merchant, "DK")?.id, "viaplay");
  t.is(findProduct(merchant, "DK")?.id, "viaplay");
  t.is(findProduct(merchant, "DE"), null);
  t.is(findProduct(merchant, "DE"), null);
  t.is(findProduct(merchant, "DK")?.id, "viaplay");
});

test("each product has an id of its own, and is found by it as it stands in the catalogue, without its aliases", (t) => {
  t.is(new Set(products.map(({ id }) => id)).size, products.length);
  for (const { aliases, ...product } of products) {
    t.true(aliases.length > 0, product.id);
    t.deepEqual(productById(product.id) as unknown, product);
  }
  t.is(productById("roret"), null);
});

test("what is found is the same product as by its id", (t) => {
  t.is(findProduct(merchantOf(null, "NETFLIX.COM"), "FI"), productById("netflix"));
});

test("a merchant category is known by its number, with or without the noughts before it", (t) => {
  t.deepEqual(merchantCategory(742), {
    description: "Veterinary services",
    category: "LEISURE_PETS",
    recurring: "POSSIBLE",
    confidence: 0.9,
  });
  t.is(merchantCategory(5812)?.category, "FOOD_RESTAURANTS");
  t.is(merchantCategory(4), null);
  t.is(merchantCategory(99_999), null);
});

test("an alias begins a word: a place whose name has its letters within is nobody's product", (t) => {
  t.is(findProduct(merchantOf(null, "ØRSTED SALG OG SERVICE"), "DK")?.id, "orsted-andel-energi");
  t.is(findProduct(merchantOf(null, "NØRSTEDLUND KRO"), "DK"), null);
  t.is(findProduct(merchantOf(null, "PP*3030SPOTIFY"), "DK")?.id, "spotify", "digits and stars end a word");
});
