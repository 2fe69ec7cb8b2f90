/** Every payment has a name to show, whatever texts it lacks. */
import test from "ava";
import { shownName } from "../../src/payments/shown-name.ts";

const row = { rawType: "ACCOUNT_TRANSFER" };

test("the bank's own name is shown as it was sent", (t) => {
  t.is(shownName({ ...row, merchantName: "NETFLIX.COM ", description: "Card purchase" }), "NETFLIX.COM ");
});

test("a name that is empty says as little as none: the description names the payee", (t) => {
  for (const merchantName of [null, "", "  "])
    t.is(shownName({ ...row, merchantName, description: "KLUB HAVN" }), "Klub Havn");
});

test("a description that names nobody is shown itself, and an empty one leaves the raw type", (t) => {
  t.is(shownName({ ...row, merchantName: null, description: " ** " }), "**");
  for (const description of ["", "   "]) t.is(shownName({ ...row, merchantName: "", description }), "ACCOUNT_TRANSFER");
});
