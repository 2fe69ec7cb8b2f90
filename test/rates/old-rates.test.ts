/**
 * A clock 120 days past the last rates: every figure stands on the old ones and says so, and whoever runs the service is
 * told; a newer file makes all of it anew.
 */
import { PassThrough } from "node:stream";
import test from "ava";
import type { ServiceResponse, Transaction, UpcomingPayment } from "../../src/interface/services.ts";
import { createEvents } from "../../src/events.ts";
import { openConversion } from "../../src/rates/conversion.ts";
import { loadRatesFrom } from "../../src/rates/fetch.ts";
import { ensureRates } from "../../src/rates/table.ts";
import { describeRatesAge, readRatesAge, watchRatesAge } from "../../src/rates/watch.ts";
import { observeGround } from "../../src/roles/gauges.ts";
import type { Ground } from "../../src/roles/ground.ts";
import { markOutdated } from "../../src/recognition/run.ts";
import { callerOf } from "../api/budget-world.ts";
import { monthlyPaid, openRecognised, recogniserOf } from "../api/recognised.ts";
import { partnerPath } from "../api/world.ts";
import { openCommandLine } from "../cli/command.ts";
import { standingOn } from "../time/clocks.ts";

/** The shipped rates end on 2026-04-13: 7.4727 DKK for a euro. */
const late = "2026-08-11";
const lastMonths = ["2026-01", "2026-02", "2026-03", "2026-04", "2026-05", "2026-06", "2026-07", "2026-08"];
/** As published by then, with a krone that is a little dearer. */
const newer = `Date,USD,DKK,GBP,\n${["2026-05-05", "2026-06-05", "2026-07-03", "2026-08-05", "2026-08-10", "2026-08-11"]
  .toReversed()
  .map((day) => `${day},1.17,7.5,0.87,`)
  .join("\n")}\n`;

test.serial("120 days past the last rates figures go on, marked, and heal with a newer file", async (t) => {
  const world = await openRecognised(t, {
    clock: standingOn(late),
    convert: async (database) => {
      await ensureRates(database);
      return (await openConversion(database)).convert;
    },
  });
  const { database } = world;
  const anna = await world.customer("anna", "2026-01-01", [
    ...monthlyPaid("Spotify", -10, lastMonths, { currency: "EUR" }),
    ...monthlyPaid("Netflix", -100, lastMonths),
    ...monthlyPaid("Teatr", -1000, lastMonths, { currency: "RUB" }),
  ]);
  const clock = recogniserOf(database, late).clock;
  t.is(await markOutdated(database, clock, 100), 1, "another day than the one on which the customer came");
  await world.recogniseOn(late);
  const created = await world.call("POST", `${partnerPath}/budgets`, { token: anna.token });
  const budget = callerOf(t, world, anna.token, (created.json as { id: string }).id);
  await world.recogniseOn(late);

  const spotifyOf = ({ services }: ServiceResponse) => services.find(({ product }) => product.title === "Spotify");
  const before = await anna.list();
  t.like(spotifyOf(before), {
    amount: 74.73,
    currency: "DKK",
    rateDate: "2026-04-13",
    totalAmountLastTwelveMonths: 597.72,
  });
  t.deepEqual(
    spotifyOf(before)?.payments.map(({ date, amount, rateDate }) => [date, amount, rateDate]),
    [
      ["2026-08-05", 74.73, "2026-04-13"],
      ["2026-07-05", 74.73, "2026-04-13"],
      ["2026-06-05", 74.73, "2026-04-13"],
      ["2026-05-05", 74.73, "2026-04-13"],
      ["2026-04-05", 74.72, undefined],
      ["2026-03-05", 74.72, undefined],
      ["2026-02-05", 74.66, undefined],
      ["2026-01-05", 74.7, undefined],
    ],
  );
  t.is(before.averageTotalAmount, 174.73);
  t.is(before.unconvertedPayments, 8, "nobody quotes the rouble any more: said to be left out");
  const upcoming = async () =>
    (
      (await world.call("GET", `${partnerPath}/upcoming-payments`, { token: anna.token })).json as UpcomingPayment[]
    ).find(({ originalCurrency }) => originalCurrency === "EUR");
  t.like(await upcoming(), { expectedPaymentCost: 74.73, expectedOriginalPaymentCost: 10, rateDate: "2026-04-13" });
  const listed = async () =>
    (
      (await world.call("GET", `${partnerPath}/transactions?from=2026-08-01`, { token: anna.token }))
        .json as Transaction[]
    ).map(({ merchantName, amount, currency, rateDate }) => [merchantName, amount, currency, rateDate]);
  t.deepEqual((await listed()).toSorted(), [
    ["Netflix", -100, "DKK", undefined],
    ["Spotify", -74.73, "DKK", "2026-04-13"],
    ["Teatr", -1000, "RUB", undefined],
  ]);
  const spentOnSpotify = async () =>
    (await budget.details()).categories
      .flatMap((top) => ("categories" in top ? top.categories : [top]))
      .flatMap(({ expenses }) => expenses)
      .find(({ title }) => title === "Spotify");
  t.is((await spentOnSpotify())?.paymentCost, 74.73);
  t.deepEqual(
    new Set((await spentOnSpotify())?.transactions.map(({ rateDate }) => rateDate)),
    new Set([undefined, "2026-04-13"]),
  );

  const logged: Record<string, unknown>[] = [];
  const destination = new PassThrough().on("data", (line: Buffer) =>
    logged.push(JSON.parse(line.toString()) as Record<string, unknown>),
  );
  const watch = watchRatesAge({
    database,
    clock: standingOn(late),
    events: createEvents({ level: "info", destination }),
  });
  await watch();
  await watch();
  t.is(logged.length, 1, "once a day");
  t.like(logged[0], { level: 50, event: "rates.old", newest: "2026-04-13", bankingDays: 84 });
  const seen = createEvents({ level: "silent" });
  const disk = { spaces: () => [] };
  observeGround({ events: seen, clock: standingOn(late), disk } as unknown as Ground, database);
  t.regex(await seen.registry.metrics(), /^tideline_exchange_rates_missed 84$/m);
  t.is(
    describeRatesAge(await readRatesAge(database, standingOn(late))),
    "the newest are of 2026-04-13, 84 banking days ago",
    "what /health/ready tells",
  );
  const { tideline } = await openCommandLine(t, world.url, { TIDELINE_AS_OF: late });
  t.like(JSON.parse((await tideline("status", "--json")).stdout), {
    exchangeRates: { newest: "2026-04-13", bankingDays: 84, isOld: true },
  });
  t.regex((await tideline("status")).stdout, /^Exchange rates: of 2026-04-13, 84 banking days behind; tideline rates/m);

  t.is(await markOutdated(database, clock, 100), 0, "nothing newer, nothing to make anew");
  await loadRatesFrom(database, Buffer.from(newer), "eurofxref-hist.csv", new Date(`${late}T18:00:00Z`));
  t.is(await markOutdated(database, clock, 100), 1);
  await world.recogniseOn(late);
  const healed = await anna.list();
  t.like(spotifyOf(healed), { amount: 75, currency: "DKK" });
  t.is(spotifyOf(healed)?.rateDate, undefined);
  t.deepEqual(
    spotifyOf(healed)?.payments.map(({ amount, rateDate }) => [amount, rateDate]),
    [
      [75, undefined],
      [75, undefined],
      [75, undefined],
      [75, undefined],
      [74.72, undefined],
      [74.72, undefined],
      [74.66, undefined],
      [74.7, undefined],
    ],
  );
  t.is(healed.averageTotalAmount, 175);
  t.is((await upcoming())?.rateDate, undefined);
  t.is((await spentOnSpotify())?.paymentCost, 75);
  t.is(await markOutdated(database, clock, 100), 0, "who was made anew waits for the next load");
  t.like(JSON.parse((await tideline("status", "--json")).stdout), {
    exchangeRates: { newest: "2026-08-11", bankingDays: 0, isOld: false },
  });
  t.regex(await seen.registry.metrics(), /^tideline_exchange_rates_missed 0$/m);
  t.is(describeRatesAge(await readRatesAge(database, standingOn(late))), "ok");
  await watchRatesAge({ database, clock: standingOn(late), events: createEvents({ level: "info", destination }) })();
  t.is(logged.length, 1);
});
