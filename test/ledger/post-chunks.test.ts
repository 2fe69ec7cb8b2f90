/** A chunk goes into the ledger by the way that fits it, straight or through the temporary table, with the same outcome. */
import test from "ava";
import { inTransaction } from "../../src/database/database.ts";
import { post, PostingHabit } from "../../src/ledger/post.ts";
import { copyTogether } from "../../src/ledger/transactions.ts";
import { preparePosting } from "../../src/ledger/posting.ts";
import { amounts, nothing, send, sendKnown, storedOf } from "./sending.ts";
import { owned, ownedRows, shareLedger, type TestRow, unasked } from "./world.ts";

const ledger = shareLedger();

test("a chunk without rows asks nothing of the database", async (t) => {
  t.deepEqual(await post(unasked, preparePosting(ownedRows([], 1), 1), new PostingHabit()), nothing);
});

test("a chunk of new rows is stored whole, and its users are told ascending, each once, with what came", async (t) => {
  const {
    userIds: [u1, u2],
  } = await ledger.party();
  for (const [position, sent] of [
    [1, send],
    [2, sendKnown],
  ] as const) {
    const rows = [
      owned(u2, `a${position}`),
      owned(u1, `b${position}`),
      owned(u2, `c${position}`),
      owned(u1, `a${position}`),
    ];
    t.deepEqual(await sent(ledger.database, position, rows), {
      ...nothing,
      recordsNew: 4,
      arrivals: [
        { userId: u1, txids: [`a${position}`, `b${position}`] },
        { userId: u2, txids: [`a${position}`, `c${position}`] },
      ],
    });
  }
  t.deepEqual(await storedOf(ledger.database, "transactions", u1, u2), [
    [u1, "a1", "1", 1],
    [u1, "a2", "1", 2],
    [u1, "b1", "1", 1],
    [u1, "b2", "1", 2],
    [u2, "a1", "1", 1],
    [u2, "a2", "1", 2],
    [u2, "c1", "1", 1],
    [u2, "c2", "1", 2],
  ]);
});

test("of rows that come again the first content stays: the same is known, other content conflicts, by the rows' numbers", async (t) => {
  for (const sent of [send, sendKnown]) {
    const {
      userIds: [u1, u2],
    } = await ledger.party();
    const chunk = amounts(u1, ["a", "1"], ["b", "1"], ["a", "2"], ["a", "1"], ["b", "3"]);
    t.deepEqual(await sent(ledger.database, 1, chunk), {
      ...nothing,
      recordsNew: 2,
      recordsKnown: 1,
      conflicting: [2, 4],
      arrivals: [{ userId: u1, txids: ["a", "b"] }],
    });
    const next = [...amounts(u1, ["a", "1"], ["b", "2"], ["c", "1"]), ...amounts(u2, ["a", "2"])];
    const posted = await sent(ledger.database, 2, next);
    t.deepEqual(posted, {
      ...nothing,
      recordsNew: 2,
      recordsKnown: 1,
      conflicting: [1],
      arrivals: [
        { userId: u1, txids: ["c"] },
        { userId: u2, txids: ["a"] },
      ],
    });
    t.deepEqual(await sent(ledger.database, 3, next.slice(0, 1)), { ...nothing, recordsKnown: 1 });
    t.deepEqual(await storedOf(ledger.database, "transactions", u1, u2), [
      [u1, "a", "1", 1],
      [u1, "b", "1", 1],
      [u1, "c", "1", 2],
      [u2, "a", "2", 2],
    ]);
  }
});

test("of a user to whom very many rows come it is only told that they came", async (t) => {
  const {
    userIds: [u1, u2],
  } = await ledger.party();
  for (const [position, sent] of [
    [1, send],
    [2, sendKnown],
  ] as const) {
    const many = Array.from({ length: 101 }, (_, n) => owned(u1, `${position} ${n}`));
    const { arrivals } = await sent(ledger.database, position, [...many, owned(u2, `${position}`)]);
    t.deepEqual(arrivals, [
      { userId: u1, txids: null },
      { userId: u2, txids: [`${position}`] },
    ]);
  }
});

test("rows that were tried as new in vain are not tried so again until a chunk is new altogether", async (t) => {
  const {
    userIds: [u1],
  } = await ledger.party();
  const habit = new PostingHabit();
  t.true(habit.expectsNew);
  await send(ledger.database, 1, amounts(u1, ["a", "1"]), "keep", habit);
  t.true(habit.expectsNew);
  await send(ledger.database, 2, amounts(u1, ["a", "1"], ["b", "1"]), "keep", habit);
  t.false(habit.expectsNew);
  await send(ledger.database, 3, amounts(u1, ["b", "1"]), "keep", habit);
  t.false(habit.expectsNew);
  await send(ledger.database, 4, amounts(u1, ["c", "1"], ["c", "2"]), "keep", habit);
  t.true(habit.expectsNew);
});

/** The statements that a chunk sends, COPY by its target. */
async function statementsOf(rows: readonly TestRow[], habit: PostingHabit): Promise<string[]> {
  const sent: string[] = [];
  await inTransaction(ledger.database, async (transaction) => {
    const query = transaction.query.bind(transaction) as (...given: unknown[]) => unknown;
    const listening = Object.assign(Object.create(transaction) as typeof transaction, {
      query(...given: unknown[]) {
        const [statement] = given;
        const text = typeof statement === "string" ? statement : (statement as { text: string }).text;
        sent.push(text.trim().split(/\s+/).slice(0, 2).join(" "));
        return query(...given);
      },
    });
    await post(listening, preparePosting(ownedRows(rows, 1), 1), habit);
  });
  return sent;
}

test("a chunk that is expected to be new goes straight into the table, any other through the temporary one", async (t) => {
  const {
    userIds: [u1],
  } = await ledger.party();
  const habit = new PostingHabit();
  const straight = ["savepoint direct", "copy transactions", "release savepoint"];
  t.deepEqual(await statementsOf(amounts(u1, ["a", "1"]), habit), straight);
  t.deepEqual(await statementsOf(amounts(u1, ["b", "1"], ["b", "1"]), habit), [
    ...straight,
    "create temporary",
    "copy incoming",
    "select tag,",
  ]);
  const inVain = ["savepoint direct", "copy transactions", "rollback to"];
  const compared = ["create temporary", "copy incoming", "select tag,"];
  t.deepEqual(await statementsOf(amounts(u1, ["b", "1"]), habit), [...inVain, ...compared]);
  t.deepEqual(await statementsOf(amounts(u1, ["b", "1"]), habit), compared);
  t.deepEqual(await statementsOf(amounts(u1, ["b", "1"], ["c", "1"]), habit), [...compared, "with added"]);
  t.deepEqual(await statementsOf(amounts(u1, ["d", "1"], ["d", "2"]), habit), [
    ...compared,
    "with added",
    "select tag,",
  ]);
});

test("what fails otherwise than by a row that is there is not tried again", async (t) => {
  const {
    userIds: [u1],
  } = await ledger.party();
  const habit = new PostingHabit();
  const statements: string[] = [];
  const failing = inTransaction(ledger.database, async (transaction) => {
    const query = transaction.query.bind(transaction) as (...given: unknown[]) => unknown;
    const listening = Object.assign(Object.create(transaction) as typeof transaction, {
      query(...given: unknown[]) {
        if (typeof given[0] === "string") statements.push(given[0]);
        return query(...given);
      },
    });
    return await post(listening, preparePosting(ownedRows([owned(u1, "a", { description: "\0" })], 1), 1), habit);
  });
  await t.throwsAsync(failing, { code: "22021" });
  t.deepEqual(statements, ["savepoint direct"]);
  t.true(habit.expectsNew);
});

test("on one connection each chunk finds the temporary table empty", async (t) => {
  const {
    userIds: [u1],
  } = await ledger.party();
  const habit = new PostingHabit();
  const client = await ledger.database.connect();
  t.teardown(() => client.release());
  for (const amount of ["1", "2"]) {
    habit.expectsNew = false;
    await client.query("begin");
    const posted = await post(client, preparePosting(ownedRows(amounts(u1, ["a", amount]), 1), 1), habit);
    t.deepEqual(
      posted,
      amount === "1"
        ? { ...nothing, recordsNew: 1, arrivals: [{ userId: u1, txids: ["a"] }] }
        : { ...nothing, conflicting: [0] },
    );
    await client.query("commit");
  }
});

test("rows go in by the loaders' common order through the temporary table too", async (t) => {
  const {
    userIds: [u1, u2],
  } = await ledger.party();
  await sendKnown(ledger.database, 1, [owned(u2, "b"), owned(u1, "z"), owned(u2, "B"), owned(u1, "a"), owned(u2, "a")]);
  const { rows } = await ledger.database.query<{ place: string }>(
    "select case user_id when $1 then 'u1 ' else 'u2 ' end || txid as place from transactions where user_id in ($1, $2) order by ctid",
    [u1, u2],
  );
  t.deepEqual(
    rows.map((row) => row.place),
    ["u1 a", "u1 z", "u2 B", "u2 a", "u2 b"],
  );
});

test("the first rows of several chunks go in together, or none of them when one was there", async (t) => {
  const {
    userIds: [u1, u2],
  } = await ledger.party();
  const together = (...chunks: TestRow[][]) =>
    inTransaction(ledger.database, (transaction) =>
      copyTogether(
        transaction,
        chunks.map((rows, at) => preparePosting(ownedRows(rows, at + 1), at + 1)),
      ),
    );
  await together(amounts(u1, ["a", "1"], ["a", "9"], ["b", "2"]), amounts(u2, ["a", "3"]), []);
  t.deepEqual(await storedOf(ledger.database, "transactions", u1, u2), [
    [u1, "a", "1", 1],
    [u1, "b", "2", 1],
    [u2, "a", "3", 2],
  ]);
  await t.throwsAsync(together(amounts(u1, ["c", "1"]), amounts(u2, ["a", "3"])), { code: "23505" });
  t.is((await storedOf(ledger.database, "transactions", u1, u2)).length, 3);
});
