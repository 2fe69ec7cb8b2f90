/** A service is explained by its dates, price and names, with what was tolerated on the way. */
import test from "ava";
import { explain } from "../../../src/recognition/explain/explain.ts";
import { everyDays, monthly, rows, row, services } from "../payments.ts";

test("a fixed monthly payment is explained by its dates, its price and what is known", (t) => {
  const [service] = services(rows(monthly("2026-01-09", 6), "SPOTIFY", -10_900, { rawType: "TRANSFER" }));
  t.is(
    explain(service!),
    "Spotify: 6 payments from 2026-01-09 to 2026-06-09, every month. Due on day 9 of the month; closed days do not move it; next expected on 2026-07-09. " +
      "The price is fixed, at present 109.00 DKK. In favour: the kind of payment, the product is in the catalogue. Confidence 99 %.",
  );
});

test("what was tolerated and the earlier name are told", (t) => {
  const days = monthly("2025-10-03", 9).filter((day) => day !== "2026-01-03");
  const history = [
    ...rows(days.slice(0, 5), "Vesterbro Fitness", -24_900),
    ...rows(days.slice(5), "Puls og Form", -24_900),
  ];
  const text = explain(services(history)[0]!);
  t.true(
    text.startsWith(
      "Puls Og Form: 8 payments from 2025-10-03 to 2026-06-03, every month, earlier under the name VESTERBRO FITNESS.",
    ),
  );
  t.true(text.includes("Tolerated: one due date without a payment."));
});

test("four weeks that are called a month are told as such", (t) => {
  const text = explain(services(rows(everyDays("2025-12-03", 8, 28), "Ugebladet Fjorden", -19_900))[0]!);
  t.true(text.startsWith("Ugebladet Fjorden: 8 payments from 2025-12-03 to 2026-06-17, every 28 days."), text);
  t.true(text.includes("next expected on 2026-07-15"), text);
});

test("an undecided service says that the user is asked", (t) => {
  const text = explain(services([row("2026-06-09", "NETFLIX.COM", -12_900)])[0]!);
  t.true(text.endsWith("Confidence 50 %, so the user is asked."));
  t.true(text.startsWith("Netflix: one payment on 2026-06-09, every month."));
});
