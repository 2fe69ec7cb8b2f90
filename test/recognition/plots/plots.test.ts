/** Drawings of a user and a service are whole SVGs that show each payment, what is expected, and what did not come. */
import test from "ava";
import { SaxesParser } from "saxes";
import type { Service } from "../../../src/interface/services.ts";
import { evenScale, logarithmicScale, shortened, wrapped } from "../../../src/recognition/plots/drawing.ts";
import { missedDays } from "../../../src/recognition/plots/missed-days.ts";
import { plotService } from "../../../src/recognition/plots/service-plot.ts";
import { plotUser } from "../../../src/recognition/plots/user-plot.ts";

const asOf = "2026-06-30";

test("days without a payment are told between two that came, and a late one is none", (t) => {
  const of = (days: string[], periodDays: number | null) =>
    missedDays({ payments: days.map((date) => ({ date })) as Service["payments"], periodDays });
  t.deepEqual(of(["2026-01-01", "2026-02-01", "2026-05-01"], 30.4), ["2026-03-03", "2026-04-01"]);
  t.deepEqual(of(["2026-01-01", "2026-02-14"], 30.4), []);
  t.deepEqual(of(["2026-05-01", "2026-01-01"], null), []);
  t.deepEqual(of(["2026-05-01"], 30.4), []);
});

test("a user is drawn with each service's payments and next date, and nothing of what it says is markup", (t) => {
  const services = [
    service("running", ["2026-04-01", "2026-05-01", "2026-06-01"], { product: { title: "<b>&Co</b>" } }),
    service("missed", ["2026-01-05", "2026-02-05", "2026-04-05"], { visibility: "UNDECIDED", amount: 20 }),
    service("over", ["2025-01-05", "2025-02-05"], { status: "INACTIVE" }),
    service("hidden", ["2026-05-09"], { visibility: "HIDDEN", paymentFrequency: "UNKNOWN" }),
  ];
  const paid = services
    .flatMap(({ payments }) => payments)
    .map(({ sourceTransactionId: txid, date: day, amount }) => ({ txid, day, amount }));
  const others = [
    { txid: "x", day: "2026-03-03", amount: 4000 },
    { txid: "old", day: "2019-03-03", amount: 1 },
  ];
  const svg = plotUser({
    bankUserId: "u-1",
    partnerId: "bank",
    currency: "DKK",
    asOf,
    services,
    paid: [...paid, ...others],
  });
  const { texts, elements } = read(svg);
  t.true(texts.includes("<b>&Co</b>"));
  t.false(svg.includes("<b>"));
  t.true(texts.includes("monthly, 20.00 DKK, 97 %, asked about"));
  t.true(texts.some((text) => text.includes("97 %, inactive")));
  t.true(texts.some((text) => text.includes("97 %, hidden")));
  t.true(texts.includes("10,000"), "what is paid for no service has its place");
  const named = texts.filter((text) => text.startsWith("expected on"));
  t.deepEqual(named, ["expected on 2026-07-01: 99.00 DKK", "expected on 2026-07-01: 20.00 DKK"]);
  t.deepEqual(
    texts.filter((text) => text.startsWith("nothing came")),
    ["nothing came about 2026-03-07"],
  );
  // Nine payments in the lanes, those and one more below, two in the legend; what is too long ago is not drawn.
  t.is(elements.filter((name) => name === "circle").length, 9 + 10 + 2);
});

test("nothing to draw is drawn, too", (t) => {
  const empty = { bankUserId: "u", partnerId: "bank", currency: "DKK", asOf, services: [], paid: [] };
  t.true(read(plotUser(empty)).texts.includes("User u of bank"));
});

test("a service is drawn with its prices, what came back, and why it is one", (t) => {
  const one = service("s", ["2026-03-01", "2026-04-01", "2026-06-01"], {
    priceChange: { from: 89, to: 99, date: "2026-04-01" },
    refunds: [{ ...service("s", ["2026-05-01"]).payments[0]!, amount: -12 }],
  });
  const explanation = "Because ".repeat(40).trim();
  const { texts, elements } = read(
    plotService({ bankUserId: "u", partnerId: "bank", asOf, service: one, explanation }),
  );
  t.true(texts.includes("89.00 → 99.00 on 2026-04-01"));
  t.true(texts.includes("2026-05-01: 12.00 DKK came back"));
  t.true(texts.includes("nothing came about 2026-05-02"));
  t.true(texts.includes("expected on 2026-07-01: 99.00 DKK"));
  t.true(texts.some((text) => text.startsWith("Because Because") && text.length < 140));
  t.true(elements.length > 20);
  const over = { ...one, status: "INACTIVE" as const };
  t.false(
    plotService({ bankUserId: "u", partnerId: "bank", asOf, service: over, explanation }).includes("expected on 2026"),
    "what is over is not waited for",
  );
});

test("scales hold what they are made for, and texts fit", (t) => {
  const even = evenScale([430], 0, 100);
  t.deepEqual(even.ticks, [0, 100, 200, 300, 400, 500]);
  t.deepEqual([even.y(0), even.y(500)], [100, 0]);
  const steep = logarithmicScale([25, 4000], 0, 100);
  t.deepEqual(steep.ticks, [10, 100, 1000, 10_000]);
  t.deepEqual([steep.y(10), steep.y(10_000)], [100, 0]);
  t.deepEqual(logarithmicScale([], 0, 100).ticks, [1, 10]);
  t.is(shortened("Fitness", 4), "Fit…");
  t.is(shortened("Fit", 3), "Fit");
  t.deepEqual(wrapped("a b"), ["a b"]);
});

function service(id: string, dates: readonly string[], changes: object = {}): Service {
  return {
    id,
    amount: 99,
    currency: "DKK",
    paymentFrequency: "MONTHLY",
    periodDays: 30.4,
    status: "ACTIVE",
    visibility: "VISIBLE",
    confidence: 0.97,
    product: { title: id },
    nextExpectedTransactionDate: "2026-07-01",
    payments: dates.map((date, at) => ({
      id: at,
      sourceTransactionId: `${id}-${at}`,
      amount: 99,
      currency: "DKK",
      originalAmount: 99,
      originalCurrency: "DKK",
      date,
    })),
    ...changes,
  } as Service;
}

/** @throws Error for what is no well-formed XML */
function read(svg: string): { texts: string[]; elements: string[] } {
  const [texts, elements]: string[][] = [[], []];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("text", (text) => texts!.push(text));
  parser.on("opentag", ({ name }) => elements!.push(name));
  parser.write(svg).close();
  return { texts: texts!, elements: elements! };
}
