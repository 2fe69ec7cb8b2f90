/** Logos that banks may have. */
import test from "ava";
import { logoOf } from "../../src/psd2/banks.ts";

test("a logo is what its bytes say, and no more than it needs to be", (t) => {
  const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(10)]);
  t.is(logoOf(png).type, "image/png");
  t.is(logoOf(Buffer.from("ffd8ffe0", "hex")).type, "image/jpeg");
  const refused = { message: "A logo is a PNG or JPEG of at most 64 KiB." };
  t.throws(() => logoOf(Buffer.from("<svg onload=alert(1)>")), refused);
  t.throws(() => logoOf(Buffer.concat([png, Buffer.alloc(64 * 1024)])), refused);
});
