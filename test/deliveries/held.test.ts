/** What is held back of a delivery is kept as ranges of places, and read again in order, each once. */
import test from "ava";
import { inTransaction } from "../../src/database/database.ts";
import {
  type DueRange,
  dueRanges,
  type HeldRecord,
  type HeldRange,
  hold,
  markDue,
  summarizeHeld,
  removeDue,
  toRanges,
} from "../../src/deliveries/held.ts";
import { heldRange, shareLedger, unasked } from "../ledger/world.ts";

const ledger = shareLedger();

const place = (more: Partial<HeldRecord>): HeldRecord => ({
  batch: 0,
  index: 0,
  line: 1,
  kind: "refused",
  field: "txid",
  reason: "missing",
  records: 1,
  accountKey: null,
  ...more,
});

test("neighbours with one fault are one range, in order of place", (t) => {
  t.deepEqual(toRanges([]), []);
  t.deepEqual(
    toRanges([place({ index: 5 }), place({ index: 4 }), place({ index: 3, line: 3 }), place({ batch: 1, index: 6 })]),
    [
      heldRange({ firstIndex: 3, lastIndex: 5, records: 3, line: 3 }),
      heldRange({ batch: 1, firstIndex: 6, lastIndex: 6 }),
    ],
  );
  t.deepEqual(
    toRanges([place({ batch: 2, index: 0 }), place({ batch: 1, index: 1 })]).map((one) => one.batch),
    [1, 2],
  );
});

test("what is no neighbour, or has another fault, is a range of its own", (t) => {
  const others: Partial<HeldRecord>[] = [
    { index: 2 },
    { index: 1, batch: 1 },
    { index: 1, kind: "conflicting" },
    { index: 1, field: "amount" },
    { index: 1, reason: "too long" },
  ];
  for (const other of others) t.is(toRanges([place({}), place(other)]).length, 2, JSON.stringify(other));
  t.is(toRanges([place({}), place({ index: 1 })]).length, 1);
  t.is(toRanges([place({ accountKey: "one" }), place({ index: 1, accountKey: "another" })]).length, 1);
});

test("a whole batch is a range of its own, with the records that were seen of it", (t) => {
  t.deepEqual(toRanges([place({ index: 0 }), place({ index: -1, records: 7 })]), [
    heldRange({ firstIndex: -1, lastIndex: -1, records: 7 }),
    heldRange({}),
  ]);
});

async function heldRows(deliveryId: string): Promise<unknown[]> {
  const { rows } = await ledger.database.query(
    `select batch, first_index, last_index, line, kind, field, reason, records, due
       from held_records where delivery_id = $1 order by batch, first_index`,
    [deliveryId],
  );
  return rows;
}

const keepHeld = (deliveryId: string, ranges: readonly HeldRange[]) =>
  inTransaction(ledger.database, (transaction) => hold(transaction, deliveryId, ranges));

const dueOf = (deliveryId: string): Promise<DueRange[]> => Array.fromAsync(dueRanges(ledger.database, deliveryId));

/** As it is read, without its fault. */
function dueRange(more: Partial<HeldRange>): DueRange {
  const { batch, firstIndex, lastIndex, line, kind, records } = heldRange(more);
  return { batch, firstIndex, lastIndex, line, kind, records };
}

test("ranges are held as they are, and are not due", async (t) => {
  const { id } = await (await ledger.party()).delivery("loading");
  await t.notThrowsAsync(hold(unasked, id, []));
  await keepHeld(id, [
    heldRange({
      batch: 1,
      firstIndex: 3,
      lastIndex: 5,
      records: 3,
      line: 2,
      kind: "waiting",
      field: "account",
      reason: "unknown",
    }),
    heldRange({ batch: 2, firstIndex: -1, lastIndex: -1, records: 9, line: 4, kind: "conflicting" }),
  ]);
  t.deepEqual(await heldRows(id), [
    {
      batch: 1,
      first_index: 3,
      last_index: 5,
      line: 2,
      kind: "waiting",
      field: "account",
      reason: "unknown",
      records: 3,
      due: false,
    },
    {
      batch: 2,
      first_index: -1,
      last_index: -1,
      line: 4,
      kind: "conflicting",
      field: "txid",
      reason: "missing",
      records: 9,
      due: false,
    },
  ]);
  t.deepEqual(await dueOf(id), []);
});

test("what is due of a delivery is read in order of place, a whole batch before its records", async (t) => {
  const { delivery } = await ledger.party();
  const [one, other] = [(await delivery("loaded")).id, (await delivery("loaded")).id];
  const ranges = [
    heldRange({ batch: 0, firstIndex: -1, lastIndex: -1, records: 2 }),
    heldRange({
      batch: 0,
      firstIndex: 4,
      lastIndex: 5,
      records: 2,
      line: 3,
      kind: "waiting",
      field: "account",
      reason: "unknown",
    }),
    heldRange({ batch: 1, firstIndex: 0, lastIndex: 0 }),
  ];
  await keepHeld(one, ranges.toReversed());
  await keepHeld(one, [heldRange({ batch: 2, field: "amount" })]);
  await keepHeld(other, ranges);
  await markDue(ledger.database, one, null);
  await ledger.database.query("update held_records set due = false where delivery_id = $1 and batch = 2", [one]);
  t.deepEqual(await dueOf(one), ranges.map(dueRange));
});

test("more than a page of what is due comes page by page, each record once", async (t) => {
  const { delivery } = await ledger.party();
  for (const count of [4999, 5000, 5001]) {
    const { id } = await delivery("loaded");
    await ledger.database.query(
      `insert into held_records (delivery_id, batch, first_index, last_index, line, kind, field, reason, records, due)
       select $1, n / 4000, n % 4000, n % 4000, 0, 'refused', 'txid', 'missing', 1, true from generate_series(0, $2 - 1) n`,
      [id, count],
    );
    const due = await dueOf(id);
    t.deepEqual(
      due.flatMap((one) => Array.from({ length: one.records }, (_, at) => one.batch * 4000 + one.firstIndex + at)),
      Array.from({ length: count }, (_, n) => n),
    );
  }
});

test("neighbours are told together whatever they wait for, up to what another kind, a gap or what is not due ends", async (t) => {
  const { id } = await (await ledger.party()).delivery("loaded");
  const waiting = (firstIndex: number, lastIndex: number, more: Partial<HeldRange> = {}) =>
    heldRange({
      firstIndex,
      lastIndex,
      records: lastIndex - firstIndex + 1,
      line: firstIndex + 2,
      kind: "waiting",
      field: "account",
      reason: "unknown",
      ...more,
    });
  const refused = { kind: "refused" } as const;
  await keepHeld(id, [
    waiting(0, 0),
    waiting(1, 3),
    waiting(4, 4, refused),
    waiting(5, 5, { ...refused, reason: "too long" }),
    waiting(7, 7),
    waiting(8, 8),
    waiting(9, 9),
    waiting(10, 10),
    waiting(11, 11, { batch: 1 }),
    waiting(12, 5011, { batch: 1, records: 5000 }),
    waiting(5012, 5012, { batch: 1 }),
  ]);
  await markDue(ledger.database, id, null);
  await ledger.database.query("update held_records set due = false where delivery_id = $1 and first_index = 8", [id]);
  t.deepEqual(
    (await dueOf(id)).map((one) => [one.batch, one.kind, one.firstIndex, one.lastIndex, one.records, one.line]),
    [
      [0, "waiting", 0, 3, 4, 2],
      [0, "refused", 4, 5, 2, 6],
      [0, "waiting", 7, 7, 1, 9],
      [0, "waiting", 9, 10, 2, 11],
      [1, "waiting", 11, 11, 1, 13],
      [1, "waiting", 12, 5011, 5000, 14],
      [1, "waiting", 5012, 5012, 1, 5014],
    ],
  );
  const [first] = await dueOf(id);
  t.true(await inTransaction(ledger.database, (transaction) => removeDue(transaction, id, first ? [first] : [])));
  t.is((await heldRows(id)).length, 9);
});

test("due ranges are taken out once, and only those", async (t) => {
  const { delivery } = await ledger.party();
  const [one, other] = [(await delivery("loaded")).id, (await delivery("loaded")).id];
  const all = [
    heldRange({ batch: 0, firstIndex: 1, lastIndex: 1 }),
    heldRange({ batch: 1, firstIndex: 1, lastIndex: 1 }),
    heldRange({ batch: 1, firstIndex: 5, lastIndex: 5 }),
  ];
  for (const id of [one, other]) {
    await keepHeld(id, all);
    await markDue(ledger.database, id, null);
  }
  const take = (ranges: readonly DueRange[]) =>
    inTransaction(ledger.database, (transaction) => removeDue(transaction, one, ranges));
  t.true(await take([]));
  t.true(await take(all.slice(1, 2)));
  t.deepEqual(
    await dueOf(one),
    [all[0], all[2]].map((range) => dueRange(range ?? {})),
  );
  t.false(await take(all.slice(0, 2)));
  t.deepEqual(await dueOf(one), [dueRange(all[2] ?? {})]);
  t.deepEqual(await dueOf(other), all.map(dueRange));
});

test("ranges that are not due stay, and are said not to be there", async (t) => {
  const { id } = await (await ledger.party()).delivery("loaded");
  await keepHeld(id, [heldRange({})]);
  t.false(await inTransaction(ledger.database, (transaction) => removeDue(transaction, id, [heldRange({})])));
  t.is((await heldRows(id)).length, 1);
});

const severalFaults = [
  heldRange({ batch: 0, firstIndex: 4, lastIndex: 6, records: 3, line: 1 }),
  heldRange({ batch: 3, firstIndex: -1, lastIndex: -1, records: 5, line: 4 }),
  heldRange({ batch: 1, firstIndex: 0, lastIndex: 0, line: 2, field: "amount", reason: "no number" }),
  heldRange({ batch: 1, firstIndex: -1, lastIndex: -1, records: 0, line: 2, field: "amount", reason: "no number" }),
];

test("everything that is held can be made due, or what has a problem in one field", async (t) => {
  const { delivery } = await ledger.party();
  const [one, other] = [(await delivery("loaded")).id, (await delivery("loaded")).id];
  await keepHeld(one, severalFaults);
  await keepHeld(other, severalFaults);
  t.deepEqual(await markDue(ledger.database, one, "amount"), { ranges: 2, records: 1, batches: 1 });
  t.deepEqual(
    (await dueOf(one)).map((due) => [due.batch, due.firstIndex, due.records]),
    [
      [1, -1, 0],
      [1, 0, 1],
    ],
  );
  t.deepEqual(await markDue(ledger.database, one, null), { ranges: 4, records: 9, batches: 2 });
  t.is((await dueOf(one)).length, 4);
  t.deepEqual(await markDue(ledger.database, one, "currency"), { ranges: 0, records: 0, batches: 0 });
  t.deepEqual(await dueOf(other), []);
});

test("what is held is summed up by fault, most records first, each with its first place", async (t) => {
  const { delivery } = await ledger.party();
  const [one, other] = [(await delivery("loaded")).id, (await delivery("loaded")).id];
  await keepHeld(one, severalFaults);
  await keepHeld(other, severalFaults);
  t.deepEqual(await summarizeHeld(ledger.database, one), [
    { kind: "refused", field: "txid", reason: "missing", records: 8, batches: 1, firstLine: 1, firstIndex: 4 },
    { kind: "refused", field: "amount", reason: "no number", records: 1, batches: 1, firstLine: 2, firstIndex: -1 },
  ]);
});

test("faults with equally many records come in the order of kind, field and reason", async (t) => {
  const { id } = await (await ledger.party()).delivery("loaded");
  const faults = [
    ["refused", "b", "y"],
    ["refused", "b", "x"],
    ["refused", "a", "z"],
    ["conflicting", "c", "w"],
  ] as const;
  await keepHeld(
    id,
    faults.map(([kind, field, reason], batch) => heldRange({ batch, kind, field, reason })),
  );
  t.deepEqual(
    (await summarizeHeld(ledger.database, id)).map(({ kind, field, reason }) => [kind, field, reason]),
    [
      ["conflicting", "c", "w"],
      ["refused", "a", "z"],
      ["refused", "b", "x"],
      ["refused", "b", "y"],
    ],
  );
});

test("one field may be held for several kinds and reasons", async (t) => {
  const { id } = await (await ledger.party()).delivery("loaded");
  await keepHeld(id, [
    heldRange({ batch: 0, kind: "waiting", field: "account", reason: "unknown" }),
    heldRange({ batch: 1, kind: "waiting", field: "account", reason: "unknown" }),
    heldRange({ batch: 2, field: "account", reason: "unknown" }),
    heldRange({ batch: 3, field: "account", reason: "missing" }),
  ]);
  t.deepEqual(
    (await summarizeHeld(ledger.database, id)).map(({ kind, reason, records }) => [kind, reason, records]),
    [
      ["waiting", "unknown", 2],
      ["refused", "missing", 1],
      ["refused", "unknown", 1],
    ],
  );
});
