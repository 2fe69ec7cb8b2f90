/** A list of networks allows the addresses in it, an empty one all, and dual-stack callers by their IPv4 address. */
import test from "ava";
import { networkList } from "../../src/partners/network.ts";

test("an empty list allows every address", (t) => {
  const allows = networkList([]);
  t.true(allows("203.0.113.9"));
  t.true(allows("2001:db8::1"));
});

test("a list allows the addresses of its networks and no others", (t) => {
  const allows = networkList(["10.1.0.0/16", "192.0.2.7/32", "2001:db8:1::/48"]);
  t.true(allows("10.1.255.255"));
  t.false(allows("10.2.0.0"));
  t.true(allows("192.0.2.7"));
  t.false(allows("192.0.2.8"));
  t.true(allows("2001:db8:1:ffff::1"));
  t.false(allows("2001:db8:2::1"));
});

test("an IPv4 caller on a dual-stack socket is told by its IPv4 address", (t) => {
  const allows = networkList(["192.0.2.0/24"]);
  t.true(allows("::ffff:192.0.2.1"));
  t.false(allows("::ffff:198.51.100.1"));
});
