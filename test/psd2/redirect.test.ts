/** Users are sent back below the partner's registered addresses only, with the status among the parameters. */
import test from "ava";
import { mayRedirectTo, withOutcome } from "../../src/psd2/redirect.ts";

const prefixes = ["https://bank.example/app", "https://pay.example:8443/", "http://localhost"];

test("an address at or below a registered one is taken, whatever its parameters", (t) => {
  for (const address of [
    "https://bank.example/app",
    "https://bank.example/app/",
    "https://bank.example/app/done?x=1#y",
    "https://BANK.example/app/a",
    "https://pay.example:8443/anything",
    "http://localhost:3000/done",
    "http://localhost/",
  ]) {
    t.true(mayRedirectTo(address, prefixes), address);
  }
});

test("what only looks like one is not", (t) => {
  const others = [
    "https://bank.example/apple",
    "https://bank.example/",
    "https://bank.example.evil/app",
    "https://bank.example@evil.example/app",
    "https://evil.example/https://bank.example/app",
    "http://bank.example/app",
    "https://bank.example:444/app",
    "https://pay.example/",
    "https://bank.example/app/../admin",
    "https://bank.example/app/%2e%2e/admin",
    "//bank.example/app",
    "javascript:alert(1)",
    "data:text/html,x",
    "app",
    "",
    "https://localhost/",
    "http://localhost.evil/",
    "https://user@bank.example/app",
  ];
  for (const address of others) t.false(mayRedirectTo(address, prefixes), address);
  t.false(mayRedirectTo("https://bank.example/app", []));
});

test("the status joins the parameters that are there, and replaces one of its own name", (t) => {
  t.is(
    withOutcome("https://bank.example/app?a=1&b=%C3%B8#end", "SUCCESS", null),
    "https://bank.example/app?a=1&b=%C3%B8&psd2Status=SUCCESS#end",
  );
  t.is(
    withOutcome("https://bank.example/app?psd2Status=SUCCESS", "ABORTED", null),
    "https://bank.example/app?psd2Status=ABORTED",
  );
});
