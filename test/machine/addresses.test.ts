/** The address that is listened on becomes the one that clients call, and the name in the certificate. */
import test from "ava";
import { baseUrlOf, certifiedHosts, hostnameOf, inAddress, reachableHost } from "../../src/machine/addresses.ts";

test("clients call localhost where that is listened on, and otherwise the address that is", (t) => {
  for (const host of ["127.0.0.1", "localhost", "0.0.0.0", "::"])
    t.is(baseUrlOf(host, 8443), "https://localhost:8443", host);
  t.is(baseUrlOf("192.0.2.7", 8443), "https://192.0.2.7:8443");
  t.is(baseUrlOf("::1", 8443), "https://[::1]:8443");
  t.is(baseUrlOf("bank.example", 443), "https://bank.example:443");
});

test("a wildcard is reached on the loopback, every other host as it is", (t) => {
  t.is(reachableHost("0.0.0.0"), "127.0.0.1");
  t.is(reachableHost("::"), "127.0.0.1");
  t.is(reachableHost("::1"), "::1");
  t.is(reachableHost("192.0.2.7"), "192.0.2.7");
});

test("IPv6 addresses stand in brackets inside an address only", (t) => {
  t.is(inAddress("2001:db8::7"), "[2001:db8::7]");
  t.is(inAddress("192.0.2.7"), "192.0.2.7");
  t.is(hostnameOf("https://[2001:db8::7]:8443"), "2001:db8::7");
  t.is(hostnameOf("https://bank.example/"), "bank.example");
});

test("the certificate names the public address beside the one that is listened on", (t) => {
  t.deepEqual(certifiedHosts({ host: "0.0.0.0", publicUrl: "https://tideline.bank.example:8443" }), [
    "tideline.bank.example",
  ]);
  t.deepEqual(certifiedHosts({ host: "192.0.2.7" }), ["192.0.2.7"]);
});
