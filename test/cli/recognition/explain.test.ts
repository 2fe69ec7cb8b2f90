/** The explain command says why a payment is or is not part of a service, and counts submissions without names. */
import test from "ava";
import { monthlyPaid, openRecognised } from "../../api/recognised.ts";
import { openCommandLine } from "../command.ts";

const months = ["2026-01", "2026-02", "2026-03", "2026-04", "2026-05", "2026-06"];

test("a service is explained by its id and by its payments, with what was decided about it", async (t) => {
  const world = await openRecognised(t);
  const { tideline } = await openCommandLine(t, world.url);
  const anna = await world.customer("anna", "2026-06-14", monthlyPaid("Netflix", -79, months));
  const { id } = await anna.only();
  await anna.hide(id, false);
  const text =
    "Netflix: 6 payments from 2026-01-05 to 2026-06-05, every month. Due on day 5 of the month; closed days do not move it; next expected on 2026-07-05. " +
    "The price is fixed, at present 79.00 DKK. In favour: the product is in the catalogue. Confidence 99 %. The user confirmed it.\n";
  t.is((await tideline("explain", id)).stdout, text);
  t.is((await tideline("explain", "Netflix 2026-03", "--user", "anna", "--partner", "north")).stdout, text);
  t.like(JSON.parse((await tideline("explain", id, "--json")).stdout), {
    serviceId: id,
    txid: null,
    asOf: "2026-06-15",
    evidence: { payeeKey: "netflix", misses: 0, isFixedPrice: true },
  });
});

test("a payment that belongs to no service is told why", async (t) => {
  const world = await openRecognised(t);
  const { tideline } = await openCommandLine(t, world.url);
  const shopping = [11, 27, 45, 68].map((amount, index) => ({
    txid: `shop ${index}`,
    day: `2026-05-${String(3 + index ** 2).padStart(2, "0")}`,
    amount: -amount,
    name: "Torvets Købmand",
    mcc: 5411,
  }));
  await world.customer("anna", "2026-06-14", [
    ...shopping,
    { txid: "once", day: "2026-05-01", amount: -900, name: "Cykelhandleren" },
    { txid: "pay", day: "2026-05-31", amount: 25_000, name: "Arbejdsgiver" },
  ]);
  const explained = async (txid: string) => (await tideline("explain", txid, "--user", "anna")).stdout.trim();
  t.is(
    await explained("once"),
    "Cykelhandleren, -900.00 DKK on 2026-05-01: it is the only payment of its kind to this payee.",
  );
  t.regex(
    await explained("shop 2"),
    /^Torvets Købmand, -45.00 DKK on 2026-05-07: 4 payments lie 1 to 5 days apart and cost 11.00 to 68.00 DKK. No cadence explains them better than chance. Against: the merchant's category, Groceries/,
  );
  t.is(
    await explained("pay"),
    "25000.00 DKK on 2026-05-31: money that came in is no expense; it counts as income or as a refund.",
  );
  t.is((await tideline("explain", "nothing")).code, 1);
  t.is((await tideline("explain", "once", "--user", "bo")).code, 1);
});

test("users' submissions become a list of counts that names no one", async (t) => {
  const world = await openRecognised(t);
  const { tideline } = await openCommandLine(t, world.url);
  const payments = [
    { txid: "club", day: "2026-05-20", amount: -240, name: "Klub Havn" },
    {
      txid: "friend",
      day: "2026-06-03",
      amount: -60,
      name: null,
      description: "Til Jens Hansen",
      type: "ACCOUNT_TRANSFER",
    },
  ];
  for (const bankUserId of ["anna", "bo"]) {
    const customer = await world.customer(bankUserId, "2026-06-14", payments);
    t.is(await customer.submit("club", bankUserId === "bo" ? "YEARLY" : undefined), 201);
    t.is(await customer.submit("friend"), 201);
  }
  t.deepEqual(JSON.parse((await tideline("crowdsourcing", "--json")).stdout), [
    {
      payeeKey: "KLUB HAVN",
      users: 2,
      success: 2,
      notSubscription: 0,
      technicalLimitation: 0,
      frequencies: { YEARLY: 1 },
    },
    { payeeKey: null, users: 2, success: 0, notSubscription: 2, technicalLimitation: 0, frequencies: {} },
  ]);
});
