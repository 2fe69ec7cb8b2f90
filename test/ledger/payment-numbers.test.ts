/** Numbers of payments tell nothing of their order or count, stay for ever, and lead back; earlier ones stay as they were. */
import test from "ava";
import { paymentNumbers, paymentNumbersOf } from "../../src/ledger/payment-numbers.ts";
import { renderTransactionId, storedTransactionId } from "../../src/ledger/transaction-id.ts";
import fc from "../property.ts";
import { createTestDatabase } from "../world.ts";

const key = Buffer.from("3f1c".repeat(16), "hex");
const largest = Number.MAX_SAFE_INTEGER;

test("numbers told so far stay, later ones lie above them and are those of their key", (t) => {
  const numbers = paymentNumbers(5000, key);
  t.deepEqual(numbers.told([1, 4999, 5000]), [1, 4999, 5000]);
  t.deepEqual(numbers.told([5001, 3, 5002]), [1976800050785556, 3, 97420621053760]);
  t.deepEqual(numbers.told([5002]), numbers.told([5001, 5002]).slice(1), "whatever is asked beside it");
  t.notDeepEqual(paymentNumbers(5000, Buffer.alloc(32)).told([5001]), numbers.told([5001]));
  t.deepEqual(numbers.told([]), []);
});

test("each number has one of its own, within the safe integers, and leads back", (t) => {
  const upTo = fc.oneof(fc.nat({ max: 1_000_000 }), fc.constantFrom(0, 2 ** 52));
  const ids = fc.uniqueArray(fc.oneof(fc.nat({ max: 2_000_000 }), fc.maxSafeNat(), fc.constant(largest)), {
    maxLength: 50,
  });
  t.notThrows(() =>
    fc.assert(
      fc.property(upTo, ids, (told, given) => {
        const numbers = paymentNumbers(told, key);
        const all = given.filter((id) => id > 0);
        const shown = numbers.told(all);
        return (
          new Set(shown).size === all.length &&
          shown.every(
            (number, at) =>
              Number.isSafeInteger(number) &&
              (all[at]! > told ? number > told : number === all[at]) &&
              numbers.stored(number) === all[at],
          )
        );
      }),
    ),
  );
});

test("numbers in a row are spread over all there are", (t) => {
  const shown = paymentNumbers(0, key).told(Array.from({ length: 4096 }, (_, at) => at + 1));
  const quarters = Map.groupBy(shown, (number) => Math.floor(number / 2 ** 51));
  t.is(quarters.size, 4);
  for (const quarter of quarters.values()) t.true(quarter.length > 900 && quarter.length < 1150);
  const rising = shown.filter((number, at) => at > 0 && number > shown[at - 1]!).length;
  t.true(rising > 1900 && rising < 2200);
});

test("a database has one key from its first day on, and finds a payment by the id that it told", async (t) => {
  const { database } = await createTestDatabase(t);
  const numbers = await paymentNumbersOf(database);
  const [told = 0] = numbers.told([1]);
  t.true(told > 1);
  t.is(await storedTransactionId(database, renderTransactionId(told)), 1);
  t.is(await storedTransactionId(database, "txid-1"), null);
  await t.throwsAsync(
    database.query("insert into payment_numbers (told_up_to, key) select 0, key from payment_numbers"),
    {
      message: /payment_numbers_pk/,
    },
  );
});
