/** Records are cut into batches by number and size, with markers last and request ids that follow from the content. */
import test from "ava";
import type { RawTransaction } from "../../src/interface/record.ts";
import { cutBatches } from "../../src/sealing/batches.ts";
import { requestIdOf } from "../../src/sealing/request-id.ts";
import fc from "../property.ts";
import { collect, purchase, purchases } from "../sender/records.ts";

const cut = (records: RawTransaction[], complete = false, partnerId = "bank") =>
  collect(cutBatches(records, { partnerId, complete }));

test("a batch holds at most 750 records", async (t) => {
  const batches = await cut(purchases(1600));
  t.deepEqual(
    batches.map((batch) => [batch.recordsBefore, batch.records]),
    [
      [0, 750],
      [750, 750],
      [1500, 100],
    ],
  );
});

test("nothing gives no batch", async (t) => {
  t.deepEqual(await cut([]), []);
});

test("complete ends each user with a marker after the source's last record", async (t) => {
  const [batch, ...others] = await cut(purchases(3), true);
  t.deepEqual(others, []);
  const elements = JSON.parse(batch?.plaintext ?? "") as RawTransaction[];
  t.deepEqual(elements.slice(3), [
    { uid: "anna", type: "IMPORT_COMPLETED" },
    { uid: "bo", type: "IMPORT_COMPLETED" },
  ]);
  t.is(batch?.records, 3);
  t.is(batch?.markersAdded, 2);
  t.true(batch?.completes);
});

test("a marker of the source's own counts as a record and completes its batch", async (t) => {
  const [batch] = await cut([purchase("anna", "1"), { uid: "anna", type: "IMPORT_COMPLETED" }]);
  t.is(batch?.records, 2);
  t.is(batch?.markersAdded, 0);
  t.true(batch?.completes);
});

test("keys whose value is null are not sent", async (t) => {
  const record = { ...purchase("anna", "1"), card: null, note: ":null" } as unknown as RawTransaction;
  const [batch] = await cut([record]);
  t.deepEqual(JSON.parse(batch?.plaintext ?? ""), [{ ...purchase("anna", "1"), note: ":null" }]);
});

test("long records make smaller batches", async (t) => {
  const long = (index: number): RawTransaction => {
    const record = purchase("anna", `t${index}`);
    return { ...record, tx: { ...record.tx, description: "x".repeat(50_000) } as NonNullable<RawTransaction["tx"]> };
  };
  const batches = await cut(Array.from({ length: 60 }, (_, index) => long(index)));
  t.deepEqual(
    batches.map((batch) => batch.records),
    [27, 27, 6],
  );
});

test("the same batch has the same request id, another partner or content another", async (t) => {
  const ids = async (records: RawTransaction[], partnerId = "bank") =>
    (await cut(records, false, partnerId)).map((batch) => batch.requestId);
  t.deepEqual(await ids(purchases(800)), await ids(purchases(800)));
  t.notDeepEqual(await ids(purchases(2)), await ids(purchases(3)));
  t.notDeepEqual(await ids(purchases(2)), await ids(purchases(2), "other"));
  // Pinned: a sender of tomorrow must know again what one of today has sent.
  t.is(requestIdOf("bank", "[]"), "d917a8f6-7294-5a38-ab92-effb44c482c9");
});

test("request ids are UUIDs of version 5", (t) => {
  t.regex(requestIdOf("bank", "[]"), /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("the batches together are the source, in its order", async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ uid: fc.string({ minLength: 1 }), txid: fc.string() }), { maxLength: 40 }),
      fc.integer({ min: 1, max: 7 }),
      async (rows, recordsMax) => {
        const records = rows.map((row) => purchase(row.uid, row.txid));
        const batches = await collect(cutBatches(records, { partnerId: "bank", complete: false, recordsMax }));
        const sent = batches.flatMap((batch) => JSON.parse(batch.plaintext) as RawTransaction[]);
        t.deepEqual(sent, records);
        t.true(batches.every((batch) => batch.elements.length <= recordsMax));
      },
    ),
  );
});
