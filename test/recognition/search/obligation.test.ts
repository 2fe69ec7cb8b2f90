/** An obligation begins as its series and is called as most of its payments are. */
import test from "ava";
import { obligationOf } from "../../../src/recognition/search/obligation.ts";
import { paid, payeeWith, prepared, runOf } from "../obligations.ts";
import { monthly, row } from "../payments.ts";

test("an obligation is its series with its payee, what was known of it, and no other name yet", (t) => {
  const payments = paid(monthly("2026-01-12", 3), 19_900);
  const [payee, run, prior] = [payeeWith(payments), runOf(payments), [{ reason: "BASE" as const, logOdds: -1.5 }]];
  t.deepEqual(obligationOf(payee, run, prior), { payee, title: "Sundby Motion", ...run, prior, aliases: [] });
});

test("it is called as most of its own payments are, whatever the payee's others are called", (t) => {
  const others = paid(monthly("2025-01-20", 5), 9_900, "Sundby Kantine");
  const own = prepared(
    monthly("2026-01-12", 3).map((day, index) => row(day, index === 0 ? "Sundby" : "Sundby Motion", -19_900)),
  );
  t.is(obligationOf(payeeWith([...others, ...own]), runOf(own), []).title, "Sundby Motion");
  t.is(obligationOf(payeeWith(own, { product: "spotify" }), runOf(own), []).title, "Spotify");
});
