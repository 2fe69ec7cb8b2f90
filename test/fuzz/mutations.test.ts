/** What the suite sends, against the readers alone: each way of breaking a batch breaks it, whatever the numbers. */
import { generateKeyPairSync } from "node:crypto";
import test from "ava";
import { openBatch } from "../../workers/records/batch.ts";
import { checkRecord } from "../../workers/records/record.ts";
import { makeRecords } from "../faults/generated.ts";
import { createRandom } from "../faults/random.ts";
import { contentMutations, sealContent } from "./contents.ts";
import { good, tokenMutations } from "./tokens.ts";

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const key = { kid: "key-1", publicKey };
const opener = { findKey: async (kid: string) => (kid === key.kid ? privateKey : null), signers: null };
const users = ["u1", "u2"];
const casesEach = 40;

/** As the door does. */
async function judge(token: string): Promise<string> {
  const batch = await openBatch(token, opener, null);
  if (!batch.ok) return batch.errorCode;
  const records = batch.parts.flatMap((part) => (part.kind === "values" ? part.values : [])).map(checkRecord);
  return records.some((record) => Array.isArray(record) || !users.includes(record.uid)) ? "TX_DATA_ERROR" : "taken";
}

test("an unbroken batch is taken", async (t) => {
  for (let number = 0; number < casesEach; number += 1) {
    const random = createRandom(number);
    t.is(
      await judge(
        good(
          random,
          key,
          `[${makeRecords(random, users, 5)
            .map((one) => one.json)
            .join(",")}]`,
        ),
      ),
      "taken",
    );
  }
});

for (const { name, make } of tokenMutations) {
  test(`cannot be opened: ${name}`, async (t) => {
    for (let number = 0; number < (name === "deflate bombs" ? 3 : casesEach); number += 1) {
      const random = createRandom(number).fork(name);
      t.is(
        await judge(
          make(
            random,
            key,
            `[${makeRecords(random, users, 5)
              .map((one) => one.json)
              .join(",")}]`,
          ),
        ),
        "DECRYPTION_ERROR",
        String(number),
      );
    }
  });
}

for (const { name, make } of contentMutations) {
  test(`cannot be loaded: ${name}`, async (t) => {
    for (let number = 0; number < casesEach; number += 1) {
      const random = createRandom(number).fork(name);
      const plaintext = make(
        random,
        makeRecords(random, users, 5).map((one) => one.json),
      );
      t.is(
        await judge(sealContent(random, key, plaintext)),
        "TX_DATA_ERROR",
        `${number}: ${plaintext.toString().slice(0, 2000)}`,
      );
    }
  });
}
