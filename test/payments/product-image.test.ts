/** The drawn tile that stands for a product without a picture. */
import test from "ava";
import { productImage } from "../../src/payments/product-image.ts";

test("a tile has the id's colour, the title for those who listen, and two initials", (t) => {
  t.is(
    productImage("grisk-havn"),
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" role="img" aria-label="grisk havn">' +
      '<rect width="96" height="96" rx="20" fill="hsl(196 55% 34%)"/>' +
      '<text x="48" y="50" fill="#fff" font-family="system-ui, sans-serif" font-size="38" font-weight="600" ' +
      'text-anchor="middle" dominant-baseline="central">GH</text></svg>',
  );
});

test("a product of the catalogue has its own title", (t) => {
  t.true(productImage("youtube-premium").includes('aria-label="YouTube Premium"'));
});

const initials = test.macro({
  exec(t, id: string, letters: string) {
    t.true(productImage(id).includes(`>${letters}</text>`), productImage(id));
  },
  title: (_, id, letters) => `the initials of "${id}" are ${letters}`,
});

test(initials, "til-den-gamle-by", "TD");
test(initials, "7-fjelde", "7F");
test(initials, "ø-å", "ØÅ");
test(initials, "roret", "R");
test(initials, "---", "?");

test("one letter alone is larger than two", (t) => {
  t.true(productImage("roret").includes('font-size="46"'));
  t.true(productImage("roret-nord").includes('font-size="38"'));
});

test("what a title says cannot become markup", (t) => {
  t.true(productImage("a&b<c>'\"").includes('aria-label="a&#38;b&#60;c&#62;&#39;&#34;"'));
});

const coloured = test.macro({
  exec(t, id: string, hue: number, lightness: number) {
    t.true(productImage(id).includes(`hsl(${hue} 55% ${lightness}%)`), productImage(id));
  },
  title: (_, id, hue, lightness) => `the tile of ${id}, hue ${hue}, has lightness ${lightness} %`,
});

// Yellow and green are lighter than other hues, and are darkened more.
test(coloured, "tile-256", 0, 34);
test(coloured, "tile-123", 45, 34);
test(coloured, "tile-208", 46, 26);
test(coloured, "tile-899", 194, 26);
test(coloured, "tile-281", 195, 34);
test(coloured, "tile-812", 359, 34);
