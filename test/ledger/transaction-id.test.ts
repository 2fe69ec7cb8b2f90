/** A transaction's public id is a UUID that gives its number back, and no other text does. */
import test from "ava";
import { parseTransactionId, renderTransactionId } from "../../src/ledger/transaction-id.ts";
import fc from "../property.ts";

test("an id is a UUID of version 8 that gives its number back", (t) => {
  t.is(renderTransactionId(1), "7d1f46c0-2b9a-8e35-8000-000000000001");
  t.is(parseTransactionId("7d1f46c0-2b9a-8e35-8000-000000000001"), 1);
  t.is(parseTransactionId("7D1F46C0-2B9A-8E35-8000-000000000001"), 1);
});

test("every number comes back from its id", (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (id) => {
        const text = renderTransactionId(id);
        return (
          /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text) &&
          parseTransactionId(text) === id
        );
      }),
    ),
  );
});

test("any other text is no id", (t) => {
  for (const text of [
    "",
    "1",
    "7d1f46c0-2b9a-8e35-8000-000000000000",
    "7d1f46c0-2b9a-8e35-8fff-ffffffffffff",
    "7d1f46c0-2b9a-8e35-8000000000000001",
    "7d1f46c0-2b9a-8e35-8000-00000000001",
    "7d1f46c1-2b9a-8e35-8000-000000000001",
    "00000000-0000-4000-8000-000000000001",
  ])
    t.is(parseTransactionId(text), null, text);
  fc.assert(fc.property(fc.uuid({ version: 4 }), (text) => parseTransactionId(text) === null));
});
