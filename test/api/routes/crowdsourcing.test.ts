/** A user's submission of a payment makes, confirms or corrects a service where the payments allow it. */
import { randomUUID } from "node:crypto";
import test from "ava";
import type { Alert, CrowdsourcingAlert, MembershipAlert, Transaction } from "../../../src/interface/services.ts";
import { monthlyPaid, openRecognised, type Paid, today } from "../recognised.ts";
import { partnerPath } from "../world.ts";

const months = ["2026-01", "2026-02", "2026-03", "2026-04", "2026-05", "2026-06"];
const crowdsourced = (alerts: Alert[] | undefined): CrowdsourcingAlert[] =>
  (alerts ?? []).filter((alert) => alert.source === "CROWDSOURCING");
const warnings = (alerts: Alert[] | undefined): MembershipAlert[] =>
  (alerts ?? []).filter((alert) => alert.source === "MEMBERSHIP");

test.serial(
  "a payment that nobody recognised becomes a service with the frequency that the user gives, and stays one",
  async (t) => {
    const world = await openRecognised(t);
    const anna = await world.customer("anna", "2026-01-01", [
      { txid: "club", day: "2026-05-20", amount: -240, name: "Klub Havn" },
    ]);
    t.deepEqual((await anna.list()).services, []);

    t.is(await anna.submit("club", "QUARTERLY"), 201);
    const made = await anna.only();
    t.like(made, {
      amount: 240,
      currency: "DKK",
      paymentFrequency: "QUARTERLY",
      status: "ACTIVE",
      visibility: "VISIBLE",
      nextExpectedTransactionDate: "2026-08-20",
      yearlyCost: 960,
    });
    t.deepEqual(
      crowdsourced((await anna.list()).alerts).map(({ id: _id, crowdsourceTime: _time, ...alert }) => alert),
      [
        {
          source: "CROWDSOURCING",
          type: "SUCCESS",
          sourceTransactionId: "club",
          paymentFrequency: "QUARTERLY",
          product: {
            title: "Klub Havn",
            imageUrl: "https://bank.example/assets/products/klub-havn.svg",
            type: "SUBSCRIPTION",
            isGateway: false,
            isUnknownStoreSubscription: false,
          },
          amount: 240,
          currency: "DKK",
          originalAmount: 240,
          originalCurrency: "DKK",
          transaction: {
            id: await listedId(world, anna.token, "Klub Havn"),
            transactionDate: "2026-05-20",
            type: "CARD_PURCHASE",
            amount: -240,
            currency: "DKK",
            originalAmount: -240,
            originalCurrency: "DKK",
            merchantName: "Klub Havn",
            serviceId: made.id,
            accountId: "account-1",
          },
        },
      ],
    );

    await anna.pay([{ txid: "bread", day: "2026-06-10", amount: -31, name: "Bageren" }]);
    await world.recogniseOn("2026-08-01");
    t.like(await anna.only(), { id: made.id, visibility: "VISIBLE", paymentFrequency: "QUARTERLY", status: "ACTIVE" });
    await anna.pay([{ txid: "club 2", day: "2026-08-20", amount: -240, name: "Klub Havn" }]);
    await world.recogniseOn("2026-08-25");
    t.like(await anna.only(), { id: made.id, nextExpectedTransactionDate: "2026-11-20" });
    t.is((await anna.only()).payments.length, 2);
  },
);

test.serial("without a frequency the service gets the likeliest", async (t) => {
  const world = await openRecognised(t);
  const anna = await world.customer("anna", "2026-01-01", [
    { txid: "a1", day: "2026-05-27", amount: -90, name: "Ugekassen" },
    { txid: "a2", day: "2026-06-03", amount: -90, name: "Ugekassen" },
    { txid: "b1", day: "2026-06-01", amount: -55, name: "Foreningen" },
  ]);
  t.is(await anna.submit("a2"), 201);
  t.is(await anna.submit("b1"), 201);
  t.deepEqual(
    (await anna.list()).services.map((service) => [
      service.product.title,
      service.paymentFrequency,
      service.payments.length,
    ]),
    [
      ["Ugekassen", "WEEKLY", 2],
      ["Foreningen", "MONTHLY", 1],
    ],
  );
});

test.serial(
  "a submission confirms the service to which the payment belongs, an undecided and a hidden one too",
  async (t) => {
    const world = await openRecognised(t);
    const anna = await world.customer("anna", "2026-01-01", monthlyPaid("Netflix", -79, ["2026-06"]));
    const undecided = await anna.only();
    t.like(undecided, { visibility: "UNDECIDED", visibilityOption: "ASK_BOTH" });
    await anna.hide(undecided.id, true);
    t.is((await anna.only()).visibility, "HIDDEN");
    // Our own id of the transaction names it as well as the sender's.
    t.is(await anna.submit(await listedId(world, anna.token, "Netflix")), 201);
    t.like(await anna.only(), { id: undecided.id, visibility: "VISIBLE", visibilityOption: "ASK_TO_HIDE" });
    await anna.hide(undecided.id, true);
    await world.recogniseOn("2026-06-20");
    t.is((await anna.only()).visibility, "HIDDEN", "what the user said last holds");
  },
);

test.serial(
  "a frequency does not change a series whose dates show another, and fits one that shows none",
  async (t) => {
    const world = await openRecognised(t);
    const sure = await world.customer("sure", "2026-01-01", monthlyPaid("Sundby Motion", -199, months));
    t.is(await sure.submit("Sundby Motion 2026-06", "WEEKLY"), 201);
    t.is((await sure.only()).paymentFrequency, "MONTHLY");
    const young = await world.customer("young", "2026-01-01", monthlyPaid("Netflix", -79, ["2026-06"]));
    t.is(await young.submit("Netflix 2026-06", "YEARLY"), 201);
    t.like(await young.only(), { paymentFrequency: "YEARLY", nextExpectedTransactionDate: "2027-06-07" });
  },
);

test.serial(
  "what cannot be a subscription, or cannot be told apart, is answered as that and makes no service",
  async (t) => {
    const world = await openRecognised(t);
    const shopping: Paid[] = [11, 27, 45, 68, 102, 140].map((amount, index) => ({
      txid: `shop ${index}`,
      day: `2026-05-${String(3 + 4 * index).padStart(2, "0")}`,
      amount: -amount,
      name: "Torvets Købmand",
    }));
    const anna = await world.customer("anna", "2026-01-01", [
      ...shopping,
      {
        txid: "cash",
        day: "2026-06-01",
        amount: -500,
        name: null,
        description: "Hæveautomat",
        type: "CASH_WITHDRAWAL",
      },
      { txid: "refund", day: "2026-06-02", amount: 90, name: "Butik Nord" },
      {
        txid: "friend",
        day: "2026-06-03",
        amount: -60,
        name: null,
        description: "Overførsel til Jens Hansen",
        type: "ACCOUNT_TRANSFER",
      },
      {
        txid: "wallet",
        day: "2026-06-03",
        amount: -60,
        name: null,
        description: "MobilePay: Jens Hansen",
        type: "CARD_PURCHASE",
      },
      { txid: "toll", day: "2026-06-04", amount: -60, name: "Broen", mcc: neverRecurring },
      { txid: "nameless", day: "2026-06-05", amount: -12, name: null, description: "DANKORT-NOTA 12345" },
      { txid: "gateway", day: "2026-06-06", amount: -99, name: null, description: "PAYPAL *" },
    ]);
    const before = (await anna.list()).services.length;
    const expected = {
      "shop 3": "NOT_SUBSCRIPTION",
      cash: "NOT_SUBSCRIPTION",
      refund: "NOT_SUBSCRIPTION",
      friend: "NOT_SUBSCRIPTION",
      wallet: "NOT_SUBSCRIPTION",
      toll: "NOT_SUBSCRIPTION",
      nameless: "TECHNICAL_LIMITATION",
      gateway: "TECHNICAL_LIMITATION",
    };
    for (const txid of Object.keys(expected)) t.is(await anna.submit(txid), 201, txid);
    const { alerts, services } = await anna.list();
    t.is(services.length, before);
    t.deepEqual(
      Object.fromEntries(crowdsourced(alerts).map((alert) => [alert.sourceTransactionId, alert.type])),
      expected,
    );
    t.true(crowdsourced(alerts).every((alert) => alert.paymentFrequency === "UNKNOWN" && alert.product.title !== ""));
  },
);

test.serial("a submission sent twice is 201 with the same outcome; another frequency corrects the first", async (t) => {
  const world = await openRecognised(t);
  const anna = await world.customer("anna", "2026-01-01", [
    { txid: "club", day: "2026-05-20", amount: -240, name: "Klub Havn" },
  ]);
  t.is(await anna.submit("club", "YEARLY"), 201);
  const first = await anna.list();
  t.is(await anna.submit("club", "YEARLY"), 201);
  t.is(await anna.submit("club"), 201);
  t.deepEqual(await anna.list(), first);
  t.is(await anna.submit("club", "MONTHLY"), 201);
  t.is((await anna.only()).paymentFrequency, "MONTHLY");
  t.is(crowdsourced((await anna.list()).alerts)[0]?.id, crowdsourced(first.alerts)[0]?.id);
});

test.serial(
  "unknown, foreign and future transactions are 404; a purged one is answered, without an alert",
  async (t) => {
    const world = await openRecognised(t);
    const anna = await world.customer("anna", "2026-01-01", [
      ...monthlyPaid("Netflix", -79, months),
      { txid: "later", day: "2026-07-01", amount: -5, name: "Kiosk" },
    ]);
    const bo = await world.customer("bo", "2026-01-01", [
      { txid: "bo's", day: "2026-06-01", amount: -5, name: "Kiosk" },
    ]);
    const foreign = await listedId(world, bo.token, "Kiosk");
    for (const id of ["nothing", "later", "bo's", foreign, randomUUID(), "'; drop table users"])
      t.is(await anna.submit(id), 404, id);
    await world.database.query("delete from transactions where txid = 'Netflix 2026-01'");
    t.is(await anna.submit("Netflix 2026-01"), 201);
    t.deepEqual((await world.database.query("select outcome from submissions")).rows, [
      { outcome: "TECHNICAL_LIMITATION" },
    ]);
    t.is((await anna.list()).alerts, undefined);
  },
);

test.serial("where the brand has it switched off, it is 503 before anything else", async (t) => {
  const world = await openRecognised(t);
  const anna = await world.customer("anna", "2026-01-01", [
    { txid: "club", day: "2026-05-20", amount: -240, name: "Klub Havn" },
  ]);
  const { token } = await world.newUser("sven", "north-se");
  await world.database.query("update brands set features = '{\"crowdsourcing\": false}' where id = 'north-se'");
  const refused = async () =>
    await world.call("POST", `${partnerPath}/crowdsourcing`, { token, body: { nonsense: true } });
  // The directory of partners remembers for a second.
  let answer = await refused();
  while (answer.status === 400) answer = await refused();
  t.is(answer.status, 503);
  t.like(answer.json, { code: "CROWDSOURCING_DISABLED" });
  t.is(answer.headers["retry-after"], undefined);
  t.is(await anna.submit("club"), 201, "the other brand has it");
});

test.serial("what breaks the interface is 400", async (t) => {
  const world = await openRecognised(t);
  const { token } = await world.newUser("anna");
  for (const body of [
    {},
    { id: 7 },
    { id: "" },
    { id: "a\u0000b" },
    { id: "x", paymentFrequency: "SOMETIMES" },
    [],
    { id: "x".repeat(100_000) },
  ]) {
    const answer = await world.call("POST", `${partnerPath}/crowdsourcing`, { token, body });
    t.true(answer.status === 400 || answer.status === 413, JSON.stringify(body).slice(0, 40));
  }
  for (const body of [{}, "x", ["not an id"], [7], Array.from({ length: 1001 }, () => randomUUID())]) {
    t.is(
      (await world.call("PUT", `${partnerPath}/alerts/seen`, { token, body })).status,
      400,
      JSON.stringify(body).slice(0, 40),
    );
  }
  t.is((await world.call("POST", `${partnerPath}/crowdsourcing`, { body: { id: "x" } })).status, 401);
});

test.serial("a first payment that tends to become a membership is warned of, once a payee", async (t) => {
  const world = await openRecognised(t);
  const anna = await world.customer("anna", "2026-01-01", [
    { txid: "trial", day: "2026-06-10", amount: -9, name: "BookBeat" },
    { txid: "date", day: "2026-06-11", amount: -49, name: "Hjertedame", mcc: 7273 },
    { txid: "dear", day: "2026-06-11", amount: -51, name: "Hjerteknust", mcc: 7273 },
    { txid: "old", day: "2026-02-11", amount: -10, name: "Vinklubben", mcc: 5968 },
    { txid: "again", day: "2026-06-12", amount: -10, name: "Vinklubben", mcc: 5968 },
    { txid: "bread", day: "2026-06-12", amount: -10, name: "Bageren", mcc: 5462 },
  ]);
  const told = warnings((await anna.list()).alerts);
  t.deepEqual(
    told
      .map((alert) => [
        alert.product.title,
        alert.transaction.transactionDate,
        alert.transaction.amount,
        alert.membershipAlertType,
      ])
      .toSorted(),
    [
      ["BookBeat", "2026-06-10", -9, "WARNING"],
      ["Hjertedame", "2026-06-11", -49, "WARNING"],
    ],
  );
  await anna.pay([{ txid: "second", day: "2026-06-14", amount: -49, name: "Hjertedame", mcc: 7273 }]);
  await world.recogniseOn(today);
  t.deepEqual(
    warnings((await anna.list()).alerts).map(({ id }) => id),
    told.map(({ id }) => id),
    "and it stays until it is seen",
  );
});

test.serial("seen alerts are gone and stay gone; foreign, unknown and repeated ids are 200", async (t) => {
  const world = await openRecognised(t);
  const payments = [
    { txid: "trial", day: "2026-06-10", amount: -9, name: "BookBeat" },
    { txid: "club", day: "2026-05-20", amount: -240, name: "Klub Havn" },
  ];
  const anna = await world.customer("anna", "2026-01-01", payments);
  const bo = await world.customer("bo", "2026-01-01", payments);
  await anna.submit("club");
  await bo.submit("club");
  const ids = ((await anna.list()).alerts ?? []).map(({ id }) => id);
  t.is(ids.length, 2);
  const seen = async (token: string, body: string[]) =>
    t.is((await world.call("PUT", `${partnerPath}/alerts/seen`, { token, body })).status, 200);
  await seen(bo.token, ids);
  await seen(anna.token, []);
  await seen(anna.token, [randomUUID()]);
  t.is((await anna.list()).alerts?.length, 2);
  await seen(anna.token, [ids[0]!.toUpperCase(), ids[0]!]);
  t.deepEqual(
    (await anna.list()).alerts?.map(({ id }) => id),
    [ids[1]!],
  );
  await seen(anna.token, ids);
  await seen(anna.token, ids);
  t.is((await anna.list()).alerts, undefined);
  await world.recogniseOn("2026-06-16");
  t.is((await anna.list()).alerts, undefined);
  t.is((await bo.list()).alerts?.length, 2);
});

/** A category whose payments never recur, by config/mcc.json: wire transfers and money orders. */
const neverRecurring = 4829;

async function listedId(
  world: Awaited<ReturnType<typeof openRecognised>>,
  token: string,
  merchantName: string,
): Promise<string> {
  const answer = await world.call("GET", `${partnerPath}/transactions`, { token });
  return (answer.json as Transaction[]).find((one) => one.merchantName === merchantName)?.id ?? "";
}
