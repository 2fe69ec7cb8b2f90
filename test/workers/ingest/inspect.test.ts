/** A pushed batch is judged before it is taken: its digest, records and users, and every problem by its place. */
import { createHash } from "node:crypto";
import test from "ava";
import { inspectBatch } from "../../../workers/ingest/inspect.ts";
import type { InspectOutcome } from "../../../workers/messages.ts";
import { flipBit, replaceSegment, sealToken } from "../sealing.ts";
import { ledgerSize, type LoadingWorld, openLoading, transaction, transactions } from "../world.ts";

test("a good batch tells its content's digest, its records, its markers and its users", async (t) => {
  const world = await openLoading(t);
  const content = JSON.stringify([...transactions("u1", 749), { uid: "u2", type: "IMPORT_COMPLETED" }]);
  const outcome = {
    ok: true,
    contentSha256: createHash("sha256").update(content).digest("hex"),
    records: 750,
    markers: 1,
    uids: ["u1", "u2"],
  };
  t.deepEqual(await inspect(world, sealToken(world.key, content)), outcome);
  t.deepEqual(await inspect(world, sealToken(world.key, content, { compress: false })), outcome);
  t.is(await ledgerSize(world.database), 0);
});

test("an empty batch is good", async (t) => {
  const world = await openLoading(t);
  t.like(await inspect(world, sealToken(world.key, "[]")), { ok: true, records: 0 });
});

test("every problem of every record is named by its place, and all or nothing holds", async (t) => {
  const world = await openLoading(t);
  const records = [
    transaction("nobody", "t1"),
    transaction("u1", "t2"),
    transaction("u1", "t3", { amount: "4711" }),
    { uid: "u1", type: "TX" },
    { uid: "u1", type: "IMPORT_COMPLETED", tx: {} },
  ];
  t.deepEqual(await inspect(world, sealToken(world.key, JSON.stringify(records))), {
    ok: false,
    errorCode: "TX_DATA_ERROR",
    message: "The batch was opened, and its records break the interface.",
    problems: 4,
    details: [
      { index: 0, field: "uid", reason: "is not a user of the partner" },
      { index: 2, field: "tx.amount", reason: "is not a number" },
      { index: 3, field: "tx", reason: "is missing" },
      { index: 4, field: "tx", reason: "must be absent when type is IMPORT_COMPLETED" },
    ],
  });
});

test("users of another partner and deleted ones are unknown", async (t) => {
  const world = await openLoading(t);
  await world.database.query("update users set deleted_at = now() where bank_user_id = 'u2'");
  await world.database.query("insert into partners (id, name) values ('other', 'other')");
  const details = [
    { index: 0, field: "uid", reason: "is not a user of the partner" },
    { index: 1, field: "", reason: "is not an object" },
  ];
  t.like(await inspect(world, sealToken(world.key, JSON.stringify([transaction("u2", "t1"), 7]))), {
    ok: false,
    errorCode: "TX_DATA_ERROR",
    problems: 2,
    details,
  });
  t.like(
    await inspectBatch(world.context, {
      partnerId: "other",
      requestId: "r",
      txs: sealToken(world.key, JSON.stringify([transaction("u1", "t1")])),
    }),
    {
      ok: false,
      errorCode: "DECRYPTION_ERROR",
    },
  );
});

test("records of users that were found to be unknown are named by their positions", async (t) => {
  const world = await openLoading(t);
  const txs = sealToken(
    world.key,
    JSON.stringify([transaction("u1", "t1"), transaction("x", "t2"), { uid: "y", type: "IMPORT_COMPLETED" }]),
  );
  const outcome = await inspectBatch(world.context, {
    partnerId: world.partnerId,
    requestId: "r",
    txs,
    unknownUsers: ["x", "y"],
  });
  t.like(outcome, {
    ok: false,
    errorCode: "TX_DATA_ERROR",
    problems: 2,
    details: [1, 2].map((index) => ({ index, field: "uid", reason: "is not a user of the partner" })),
  });
});

test("the first hundred problems are told, and how many there are", async (t) => {
  const world = await openLoading(t);
  const outcome = await inspect(world, sealToken(world.key, JSON.stringify(Array.from({ length: 750 }, () => 1))));
  t.like(outcome, { ok: false, problems: 750 });
  t.is(outcome.ok ? 0 : outcome.details.length, 100);
});

const whole: [name: string, content: string, reason: string][] = [
  ["751 records", JSON.stringify(Array.from({ length: 751 }, () => 1)), "holds more than 750 records"],
  ["an object", "{}", "is not a JSON array"],
  ["nothing", "", "is not a JSON array"],
  ["a truncated array", '[{"uid":"u1"}', "is not a JSON array"],
];

for (const [name, content, reason] of whole) {
  test(`${name} is a TX_DATA_ERROR`, async (t) => {
    const world = await openLoading(t);
    t.like(await inspect(world, sealToken(world.key, content)), {
      ok: false,
      errorCode: "TX_DATA_ERROR",
      problems: 1,
      details: [{ index: -1, field: "", reason }],
    });
  });
}

test("whatever is wrong with a token, the answer is the same", async (t) => {
  const world = await openLoading(t);
  const token = sealToken(world.key, JSON.stringify([transaction("u1", "t1")]));
  const answers = [
    "",
    "a.b.c.d.e",
    sealToken(world.key, "[]", { header: { alg: "RSA1_5" } }),
    sealToken(world.key, "[]", { header: { kid: "other" } }),
    replaceSegment(token, 1, (text) => flipBit(text, 9)),
    replaceSegment(token, 3, (text) => flipBit(text, 9)),
    replaceSegment(token, 4, (text) => flipBit(text, 9)),
    sealToken(world.key, Buffer.alloc(20_000_000)),
  ].map((txs) => inspect(world, txs));
  const expected = {
    ok: false,
    errorCode: "DECRYPTION_ERROR",
    message: "The batch could not be opened.",
    details: [],
    problems: 0,
  };
  for (const answer of await Promise.all(answers)) t.deepEqual(answer, expected);
});

test("a batch that must be signed and is not is a SIGNATURE_ERROR", async (t) => {
  const world = await openLoading(t, { signedBatches: "required" });
  t.like(await inspect(world, sealToken(world.key, "[]")), { ok: false, errorCode: "SIGNATURE_ERROR", details: [] });
});

test("of batches that come together the first is answered before the next is opened", async (t) => {
  const world = await openLoading(t);
  const tokens = [1, 2, 3].map((n) => sealToken(world.key, JSON.stringify(transactions(`u${n}`, 100))));
  // The partner's key is known then.
  await inspect(world, tokens[0] ?? "");
  let answered = 0;
  const answers = tokens.map((token) => inspect(world, token).finally(() => (answered += 1)));
  for (const [place, answer] of answers.entries()) {
    t.like(await answer, { ok: true, records: 100 });
    for (let n = 0; n < 50; n += 1) await Promise.resolve();
    t.is(answered, place + 1);
  }
});

async function inspect(world: LoadingWorld, txs: string): Promise<InspectOutcome> {
  return await inspectBatch(world.context, { partnerId: world.partnerId, requestId: "r-1", txs });
}
