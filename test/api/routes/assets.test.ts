/** A product's image is a stable tile with its initials that any site may show. */
import test from "ava";
import { productImage } from "../../../src/payments/product-image.ts";
import { openWorld } from "../world.ts";

test.serial("a product's image is a tile with its initials, cached and usable from other sites", async (t) => {
  const { call } = await openWorld(t);
  const { status, headers, text } = await call("GET", "/assets/products/youtube-premium.svg");
  t.is(status, 200);
  t.is(headers["content-type"], "image/svg+xml; charset=utf-8");
  t.is(headers["cache-control"], "public, max-age=86400");
  t.is(headers["cross-origin-resource-policy"], "cross-origin");
  t.regex(text, /aria-label="YouTube Premium"/);
  t.regex(text, />YP<\/text>/);
});

test.serial("an image name that no product can have is refused", async (t) => {
  const { call } = await openWorld(t);
  t.is((await call("GET", "/assets/products/..%2Fsecret.svg")).status, 400);
});

test("the same id gives the same picture, another id another one", (t) => {
  t.is(productImage("til-husleje"), productImage("til-husleje"));
  t.not(productImage("til-husleje"), productImage("til-husleje-2"));
  t.regex(productImage("42"), />4<\/text>/);
});
