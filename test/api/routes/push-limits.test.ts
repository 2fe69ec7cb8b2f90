/** How large a pushed batch may be, and how many large ones are in hand at once. */
import { randomUUID } from "node:crypto";
import test from "ava";
import { requestPlaintextBytesMax } from "../../../config/limits.ts";
import { encryptFor, inspected, openDoor, openRealDoor, path } from "../push-world.ts";

/** Three bytes each as UTF-8: no letter of one UTF-16 unit has more. */
const letters = (length: number): string => "\u8a9e".repeat(length);

/** Every text as long as config/limits.ts allows. */
function recordAtLimits(uid: string, number: number): object {
  return {
    uid,
    type: "TX",
    card: { id: letters(255), pan4: letters(8), cardType: letters(100), paymentNetwork: letters(100) },
    account: { id: letters(255), name: letters(500), iban: letters(64) },
    tx: {
      txid: `${letters(252)}${100 + number}`,
      description: letters(2000),
      txTime: `2026-06-01T12:00:00${letters(45)}`,
      type: letters(100),
      amount: -999_999_999_999.99,
      currency: "DKK",
      originalAmount: -999_999_999_999.99,
      originalCurrency: "NOK",
      merchant: {
        name: letters(500),
        cid: letters(255),
        address: letters(500),
        city: letters(500),
        postCode: letters(100),
        country: letters(100),
        mcc: 9999,
      },
    },
  };
}

test.serial(
  "750 records whose texts all have their longest length are one batch, unsigned and uncompressed",
  async (t) => {
    const world = await openRealDoor(t);
    const uid = letters(200);
    await world.newUser(uid);
    const records = Array.from({ length: 750 }, (_, number) => recordAtLimits(uid, number));
    const plaintextBytes = Buffer.byteLength(JSON.stringify(records));
    t.is(plaintextBytes, 13_424_251);
    t.true(Math.ceil((plaintextBytes * 4) / 3) < requestPlaintextBytesMax, "signed, too");
    const txs = await encryptFor(world, records);
    const answer = await world.call("POST", path, { body: { reqId: randomUUID(), txs } });
    t.is(answer.status, 201, answer.text);
    const longer = records.with(749, {
      ...recordAtLimits(uid, 749),
      account: { id: "a", name: letters(501), iban: "" },
    });
    const refused = await world.call("POST", path, {
      body: { reqId: randomUUID(), txs: await encryptFor(world, longer) },
    });
    t.like(refused.json, {
      errorCode: "TX_DATA_ERROR",
      details: [{ index: 749, field: "account.name", reason: "is longer than 500 characters" }],
    });
  },
);

test.serial(
  "bodies in hand have a limit: what is past it is asked to come again, and there is room after an answer",
  async (t) => {
    const answering = Promise.withResolvers<void>();
    const inHand = Promise.withResolvers<void>();
    const mebibyte = 2 ** 20;
    const { call } = await openDoor(
      t,
      async (task) => {
        if (task.txs.length < 1000) return await inspected(task);
        inHand.resolve();
        await answering.promise;
        return await inspected(task);
      },
      10,
      { bytesInFlight: { all: 12 * mebibyte, ofPartner: 8 * mebibyte, ofSource: 5 * mebibyte } },
    );
    const push = async (length: number, content: number) =>
      await call("POST", path, { body: { reqId: randomUUID(), txs: `${content}.${"x".repeat(length)}` } });
    t.is((await push(10, 0)).status, 201, "from now on the sender is known");
    const first = push(3 * mebibyte, 1);
    await inHand.promise;
    const second = await push(3 * mebibyte, 2);
    t.deepEqual([second.status, second.headers["retry-after"]], [503, "5"]);
    t.like(second.json, { code: "BUSY" });
    t.is((await push(10, 3)).status, 201, "small ones have room");
    answering.resolve();
    t.is((await first).status, 201);
    t.is((await push(3 * mebibyte, 2)).status, 201, "there is room again");
  },
);
