/** Recognising a user writes its messages in the same transaction, with the id of the delivery behind them. */
import { randomBytes } from "node:crypto";
import test, { type ExecutionContext } from "ava";
import { putReceiver } from "../../src/notifications/receiver.ts";
import { monthlyPaid, openRecognised, type RecognisedWorld } from "../api/recognised.ts";
import { openCommandLine } from "../cli/command.ts";

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const months = ["2026-01", "2026-02", "2026-03", "2026-04", "2026-05"];

async function openTold(t: ExecutionContext): Promise<RecognisedWorld> {
  const world = await openRecognised(t);
  await putReceiver(world.database, randomBytes(32), {
    partnerId: "north",
    url: "https://bank.example",
    shape: "map",
    authentication: { kind: "static", token: "t" },
    signing: "hmac",
    guard: { allowsPrivateAddresses: false, authority: undefined, clientCertificate: undefined },
  });
  return world;
}

async function written({ database }: RecognisedWorld): Promise<[string, unknown][]> {
  const { rows } = await database.query<{ type: string; content: { amount?: number } }>(
    "select type, content from notifications order by position",
  );
  return rows.map(({ type, content }) => [type, content.amount]);
}

test.serial(
  "history tells nothing; what comes after the import does, once, in the run's own transaction",
  async (t) => {
    const world = await openTold(t);
    const anna = await world.customer("anna", "2026-05-20", monthlyPaid("Netflix", -99, months, { mcc: 4899 }));
    t.deepEqual(await written(world), []);
    await anna.pay(monthlyPaid("Netflix", -99, ["2026-06"], { mcc: 4899 }));
    await world.recogniseOn("2026-06-15");
    t.deepEqual(await written(world), [["NEW_PAYMENT", 99]]);
    await world.database.query("insert into changed_users select id from users");
    await world.recogniseOn("2026-06-16");
    t.is((await written(world)).length, 1);
    await anna.pay(monthlyPaid("Netflix", -129, ["2026-07"], { mcc: 4899 }));
    await world.recogniseOn("2026-07-06");
    t.deepEqual((await written(world)).at(-1), ["PAYMENT_CHANGED", 129]);
  },
);

test.serial("what one batch gives to tell comes in the order of the payments, whatever their services", async (t) => {
  const world = await openTold(t);
  const known = [
    ...monthlyPaid("Netflix", -99, months, { mcc: 4899 }),
    ...monthlyPaid("Spotify", -109, months),
    ...monthlyPaid("Viaplay", -149, months),
  ];
  const anna = await world.customer("anna", "2026-05-20", known);
  await anna.pay([
    { txid: "n", day: "2026-06-09", amount: -99, name: "Netflix", mcc: 4899 },
    { txid: "s", day: "2026-06-04", amount: -109, name: "Spotify" },
    { txid: "v", day: "2026-06-06", amount: -149, name: "Viaplay" },
  ]);
  await world.recogniseOn("2026-06-15");
  t.deepEqual(await written(world), [
    ["NEW_PAYMENT", 109],
    ["NEW_PAYMENT", 149],
    ["NEW_PAYMENT", 99],
  ]);
});

test.serial("what is told of a payment carries the id and the trace of the delivery that brought it", async (t) => {
  const world = await openTold(t);
  const anna = await world.customer("anna", "2026-05-20", monthlyPaid("Netflix", -99, months, { mcc: 4899 }));
  await world.database.query(
    `insert into deliveries (id, position, partner_id, door, format, name, correlation_id, traceparent, size_bytes, sha256)
     overriding system value
     values (gen_random_uuid(), 1, 'north', 'sftp', 'jsonl', 'june.jsonl', 'nightly of 14 June', $1, 1, '')`,
    [traceparent],
  );
  await anna.pay(monthlyPaid("Netflix", -99, ["2026-06"], { mcc: 4899 }));
  await world.recogniseOn("2026-06-15");
  t.deepEqual((await world.database.query("select type, correlation_id, traceparent from notifications")).rows, [
    { type: "NEW_PAYMENT", correlation_id: "nightly of 14 June", traceparent },
  ]);
});

test.serial("a partner without a receiver has nothing written for it", async (t) => {
  const world = await openRecognised(t);
  const anna = await world.customer("anna", "2026-05-20", monthlyPaid("Netflix", -99, months, { mcc: 4899 }));
  await anna.pay(monthlyPaid("Netflix", -99, ["2026-06"], { mcc: 4899 }));
  await world.recogniseOn("2026-06-15");
  t.deepEqual(await written(world), []);
});

test.serial("each step of a cancellation that concerns the user is told", async (t) => {
  const world = await openTold(t);
  const { tideline } = await openCommandLine(t, world.url);
  const anna = await world.customer("anna", "2026-06-14", [
    ...monthlyPaid("Netflix", -99, [...months, "2026-06"], { mcc: 4899 }),
    ...monthlyPaid("Spotify", -109, [...months, "2026-06"]),
  ]);
  const { id = "" } = (await anna.list()).services.find(({ product }) => product.title === "Netflix") ?? {};
  for (const step of [["open"], ["ask", "--message", "Which number?"], ["answer"], ["confirm"]]) {
    t.is((await tideline("cancellation", step[0]!, id, ...step.slice(1))).code, 0);
    await world.recogniseOn("2026-06-16");
  }
  t.deepEqual(
    (await written(world)).map(([type]) => type),
    ["CANCELLATION_MOREINFOREQUIRED", "CANCELLATION_COMPLETED"],
  );
  const { rows } = await world.database.query("select content from notifications order by position");
  const content = {
    serviceId: id,
    product: { title: "Netflix", imageUrl: "https://bank.example/assets/products/netflix.svg", type: "SUBSCRIPTION" },
    amount: 99,
    currency: "DKK",
    subscriptionCount: 1,
  };
  t.deepEqual(rows, [{ content }, { content }], "the other subscription is the one that runs on");
});
