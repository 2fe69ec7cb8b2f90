/** A caller's address is held against its partner's networks, IPv4 in IPv6 form as what it is. */
import test from "ava";
import { isAllowed, plainAddress } from "../../../../src/landing/sftp/connection/authentication.ts";

const networks = ["192.0.2.0/24", "198.51.100.7/32", "2001:db8::/32"];

const allowed: Record<string, boolean> = {
  "192.0.2.200": true,
  "192.0.3.1": false,
  "198.51.100.7": true,
  "198.51.100.8": false,
  "2001:db8:1::1": true,
  "2001:db9::1": false,
};

for (const [address, expected] of Object.entries(allowed)) {
  test(`${address} is ${expected ? "within" : "outside"} the networks`, (t) => {
    t.is(isAllowed(address, networks), expected);
  });
}

test("without networks every address is allowed", (t) => {
  t.true(isAllowed("203.0.113.1", []));
});

test("an IPv4 address in IPv6 form is judged as what it is", (t) => {
  t.is(plainAddress("::ffff:192.0.2.1"), "192.0.2.1");
  t.is(plainAddress("2001:db8::1"), "2001:db8::1");
});
