/** Recognising a user writes its messages in the same transaction, with the id of the delivery behind them. */
import { randomBytes } from "node:crypto";
import test, { type ExecutionContext } from "ava";
import { putReceiver } from "../../src/notifications/receiver.ts";
import { monthlyPaid, openRecognised, type RecognisedWorld } from "../api/recognised.ts";
import { openCommandLine } from "../cli/command.ts";

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

test.serial("what is told of a payment carries the id of the delivery that brought it", async (t) => {
  const world = await openTold(t);
  const anna = await world.customer("anna", "2026-05-20", monthlyPaid("Netflix", -99, months, { mcc: 4899 }));
  await world.database.query(
    `insert into deliveries (id, position, partner_id, door, format, name, correlation_id, size_bytes, sha256)
     overriding system value
     values (gen_random_uuid(), 1, 'north', 'sftp', 'jsonl', 'june.jsonl', 'nightly of 14 June', 1, '')`,
  );
  await anna.pay(monthlyPaid("Netflix", -99, ["2026-06"], { mcc: 4899 }));
  await world.recogniseOn("2026-06-15");
  t.deepEqual((await world.database.query("select type, correlation_id, traceparent from notifications")).rows, [
    { type: "NEW_PAYMENT", correlation_id: "nightly of 14 June", traceparent: null },
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
  const anna = await world.customer(
    "anna",
    "2026-06-14",
    monthlyPaid("Netflix", -99, [...months, "2026-06"], { mcc: 4899 }),
  );
  const { id } = await anna.only();
  for (const step of [["open"], ["ask", "--message", "Which number?"], ["answer"], ["confirm"]]) {
    t.is((await tideline("cancellation", step[0]!, id, ...step.slice(1))).code, 0);
    await world.recogniseOn("2026-06-16");
  }
  t.deepEqual(
    (await written(world)).map(([type]) => type),
    ["CANCELLATION_MOREINFOREQUIRED", "CANCELLATION_COMPLETED"],
  );
});
