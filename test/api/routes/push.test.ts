/** A pushed batch is durable when it is answered, kept once, and refused with the interface's own error codes. */
import { randomUUID } from "node:crypto";
import test from "ava";
import { encryptFor, inspected, openDoor, openRealDoor, path } from "../push-world.ts";

test.serial("a batch is answered 201 without a body, and is durable by then", async (t) => {
  const { call, database } = await openDoor(t);
  const reqId = randomUUID();
  const raw = `{"txs": "a.1", "later": 1, "reqId": "${reqId}"}`;
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const answer = await call("POST", path, { raw, headers: { "x-correlation-id": "c-1", traceparent } });
  t.is(answer.status, 201);
  t.is(answer.text, "");
  const { rows } = await database.query(
    "select d.partner_id, d.door, d.state, d.request_id, d.correlation_id, d.traceparent, b.body from deliveries d join delivery_bodies b on b.delivery_id = d.id",
  );
  t.deepEqual(rows, [
    {
      partner_id: "north",
      door: "https",
      state: "accepted",
      request_id: reqId,
      correlation_id: "c-1",
      traceparent,
      body: Buffer.from(raw),
    },
  ]);
});

test.serial("the same reqId with the same content is 201 again and kept once", async (t) => {
  const { call, database } = await openDoor(t);
  const reqId = randomUUID();
  t.is((await call("POST", path, { body: { reqId, txs: "a.1" } })).status, 201);
  t.is((await call("POST", path, { body: { reqId: reqId.toUpperCase(), txs: "a.2" } })).status, 201);
  t.is((await database.query("select 1 from deliveries")).rowCount, 1);
});

test.serial("the same reqId with other content is 400 TX_DATA_ERROR and says so", async (t) => {
  const { call } = await openDoor(t);
  const reqId = randomUUID();
  await call("POST", path, { body: { reqId, txs: "a.1" } });
  const answer = await call("POST", path, { body: { reqId, txs: "b.1" } });
  t.is(answer.status, 400);
  t.deepEqual(answer.json, {
    errorCode: "TX_DATA_ERROR",
    message: "The reqId was used before with other content.",
    details: [{ field: "reqId", reason: "was used before with other content" }],
  });
});

test.serial("a batch that breaks the interface is 400 with index, field and reason", async (t) => {
  const details = [{ index: 3, field: "tx.amount", reason: "is not a number" }];
  const { call, database, logged } = await openDoor(t, async () => ({
    ok: false,
    errorCode: "TX_DATA_ERROR",
    message: "One record breaks the interface.",
    details,
    problems: 1,
  }));
  const answer = await call("POST", path, { body: { reqId: randomUUID(), txs: "a" } });
  t.is(answer.status, 400);
  t.deepEqual(answer.json, { errorCode: "TX_DATA_ERROR", message: "One record breaks the interface.", details });
  t.is((await database.query("select 1 from deliveries")).rowCount, 0);
  t.like(
    logged.find(({ event }) => event === "batch.refused"),
    { partnerId: "north", errorCode: "TX_DATA_ERROR" },
  );
});

for (const errorCode of ["DECRYPTION_ERROR", "SIGNATURE_ERROR", "UNKNOWN_ERROR"] as const) {
  test.serial(`${errorCode} is passed on with 400`, async (t) => {
    const { call } = await openDoor(t, async () => ({
      ok: false,
      errorCode,
      message: "What happened.",
      details: [],
      problems: 0,
    }));
    const answer = await call("POST", path, { body: { reqId: randomUUID(), txs: "a" } });
    t.is(answer.status, 400);
    t.deepEqual(answer.json, { errorCode, message: "What happened.", details: [] });
  });
}

for (const [what, raw, field] of [
  ["no JSON", "{", ""],
  ["no body", "", ""],
  ["an array", "[]", ""],
  ["no reqId", '{"txs":"a"}', "reqId"],
  ["a reqId that is no UUID", '{"reqId":"7","txs":"a"}', "reqId"],
  ["no txs", `{"reqId":"${randomUUID()}"}`, "txs"],
  ["an empty txs", `{"reqId":"${randomUUID()}","txs":""}`, "txs"],
  ["txs as an array", `{"reqId":"${randomUUID()}","txs":[]}`, "txs"],
] as const) {
  test.serial(`an envelope with ${what} is 400 UNKNOWN_ERROR and names the place`, async (t) => {
    const { call } = await openDoor(t);
    const answer = await call("POST", path, { raw });
    t.is(answer.status, 400);
    t.like(answer.json, { errorCode: "UNKNOWN_ERROR", message: "The request is not a TransactionsRequest." });
    t.is((answer.json as { details: { field: string }[] }).details[0]?.field, field);
  });
}

test.serial(
  "a body that is no JSON by its type is 415, one beyond 24 MiB is 413, each with an error code",
  async (t) => {
    const { call } = await openDoor(t);
    const typed = await call("POST", path, { raw: "a", headers: { "content-type": "text/plain" } });
    t.is(typed.status, 415);
    t.like(typed.json, { errorCode: "UNKNOWN_ERROR" });
    const large = await call("POST", path, { body: { reqId: randomUUID(), txs: "x".repeat(25 * 1024 * 1024) } });
    t.is(large.status, 413);
    t.like(large.json, { errorCode: "UNKNOWN_ERROR" });
    t.is((await call("POST", path, { body: { reqId: randomUUID(), txs: "x".repeat(24 * 1024 * 1024) } })).status, 201);
  },
);

test.serial("too deep a backlog is 503 with Retry-After and a problem document, never 400", async (t) => {
  const { call } = await openDoor(t, inspected, 1);
  t.is((await call("POST", path, { body: { reqId: randomUUID(), txs: "a" } })).status, 201);
  const answer = await call("POST", path, { body: { reqId: randomUUID(), txs: "b" } });
  t.is(answer.status, 503);
  t.is(answer.headers["retry-after"], "5");
  t.like(answer.json, { code: "BUSY" });
});

test.serial("a database that goes away while a batch is opened is 503, an opener that breaks is 500", async (t) => {
  const away = await openDoor(t, () => Promise.reject(Object.assign(new Error("connect"), { code: "ECONNREFUSED" })));
  t.is((await away.call("POST", path, { body: { reqId: randomUUID(), txs: "a" } })).status, 503);
  const broken = await openDoor(t, () => Promise.reject(new Error("thread ended")));
  const answer = await broken.call("POST", path, { body: { reqId: randomUUID(), txs: "a" } });
  t.is(answer.status, 500);
  t.like(answer.json, { code: "INTERNAL" });
});

test.serial("two senders with one reqId at the same moment are one delivery", async (t) => {
  const { call, database } = await openDoor(t);
  const reqId = randomUUID();
  const statuses = await Promise.all(
    ["a.1", "a.2", "a.3", "a.4"].map(async (txs) => (await call("POST", path, { body: { reqId, txs } })).status),
  );
  t.deepEqual(statuses, [201, 201, 201, 201]);
  t.is((await database.query("select 1 from deliveries")).rowCount, 1);
});

const tx = {
  txid: "t-1",
  description: "Music",
  txTime: "2026-06-01",
  type: "CARD_PURCHASE",
  amount: -99,
  currency: "DKK",
};

test.serial(
  "a batch encrypted to the published key is received; a retry that is encrypted afresh is the same batch",
  async (t) => {
    const world = await openRealDoor(t);
    const reqId = randomUUID();
    const records = [
      { uid: "anna", type: "TX", tx },
      { uid: "anna", type: "IMPORT_COMPLETED" },
    ];
    for (let attempt = 1; attempt <= 2; attempt++) {
      const answer = await world.call("POST", path, { body: { reqId, txs: await encryptFor(world, records) } });
      t.is(answer.status, 201, answer.text);
    }
    t.is((await world.database.query("select 1 from deliveries")).rowCount, 1);
    const other = await world.call("POST", path, { body: { reqId, txs: await encryptFor(world, records.slice(1)) } });
    t.like(other.json, { errorCode: "TX_DATA_ERROR" });
  },
);

test.serial("the next key of the key set opens batches before it is the current one", async (t) => {
  const world = await openRealDoor(t);
  const answer = await world.call("POST", path, {
    body: { reqId: randomUUID(), txs: await encryptFor(world, [{ uid: "anna", type: "TX", tx }], {}, 1) },
  });
  t.is(answer.status, 201, answer.text);
});

test.serial("every wrong record is named by index, field and reason, and no value is told", async (t) => {
  const world = await openRealDoor(t);
  const records = [
    { uid: "anna", type: "TX", tx },
    { uid: "unknown-7", type: "TX", tx },
    { uid: "anna", type: "TX" },
    { uid: "anna", type: "IMPORT_COMPLETED", tx },
    { uid: "anna", type: "TX", tx: { ...tx, amount: "secret" } },
  ];
  const answer = await world.call("POST", path, {
    body: { reqId: randomUUID(), txs: await encryptFor(world, records) },
  });
  t.is(answer.status, 400);
  const { errorCode, details } = answer.json as {
    errorCode: string;
    details: { index: number; field: string; reason: string }[];
  };
  t.is(errorCode, "TX_DATA_ERROR");
  t.deepEqual(
    details.map(({ index, field }) => [index, field]),
    [
      [1, "uid"],
      [2, "tx"],
      [3, "tx"],
      [4, "tx.amount"],
    ],
  );
  t.notRegex(answer.text, /unknown-7|secret/);
});

test.serial(
  "of a batch that is right but for its users, every record of a stranger is named, and nothing is kept",
  async (t) => {
    const world = await openRealDoor(t);
    const reqId = randomUUID();
    const records = ["anna", "unknown-7", "anna", "unknown-8", "unknown-7"].map((uid, n) => ({
      uid,
      type: "TX",
      tx: { ...tx, txid: `t${n}` },
    }));
    const answer = await world.call("POST", path, { body: { reqId, txs: await encryptFor(world, records) } });
    t.is(answer.status, 400);
    t.deepEqual(answer.json, {
      errorCode: "TX_DATA_ERROR",
      message: "The batch was opened, and its records break the interface.",
      details: [1, 3, 4].map((index) => ({ index, field: "uid", reason: "is not a user of the partner" })),
    });
    t.is((await world.database.query("select 1 from requests")).rowCount, 0);
    // Corrected, it may be sent under the same reqId.
    t.is((await world.call("POST", path, { body: { reqId, txs: await encryptFor(world, [records[0]]) } })).status, 201);
  },
);

test.serial("more than 750 records, and what is no array, are TX_DATA_ERROR", async (t) => {
  const world = await openRealDoor(t);
  for (const records of [Array.from({ length: 751 }, () => ({ uid: "anna", type: "TX", tx })), { uid: "anna" }]) {
    const answer = await world.call("POST", path, {
      body: { reqId: randomUUID(), txs: await encryptFor(world, records) },
    });
    t.is(answer.status, 400);
    t.like(answer.json, { errorCode: "TX_DATA_ERROR", details: [{ field: "" }] });
  }
});

test.serial("every batch that cannot be opened is told the same", async (t) => {
  const world = await openRealDoor(t);
  const good = await encryptFor(world, []);
  const [header = "", key = "", iv = "", text = "", tag = ""] = good.split(".");
  const batches = [
    "no JWE",
    good.slice(0, -4),
    [header, key, iv, text, `${tag.slice(0, -2)}AA`].join("."),
    [header, key.replaceAll("A", "B"), iv, text, tag].join("."),
    await encryptFor(world, [], { kid: "unknown" }),
    await encryptFor(world, [], { enc: "A128GCM" }),
    await encryptFor(world, [], { alg: "RSA-OAEP-256" }),
  ];
  for (const txs of batches) {
    const answer = await world.call("POST", path, { body: { reqId: randomUUID(), txs } });
    t.is(answer.status, 400);
    t.deepEqual(answer.json, { errorCode: "DECRYPTION_ERROR", message: "The batch could not be opened.", details: [] });
  }
});

test.serial("a batch that was accepted is known by its bytes when it comes again, and is not opened", async (t) => {
  let opened = 0;
  const { call, database } = await openDoor(t, async (task) => ((opened += 1), await inspected(task)));
  const body = { reqId: randomUUID(), txs: "content.1" };
  for (const again of [body, body, { ...body, other: "key" }])
    t.is((await call("POST", path, { body: again })).status, 201);
  t.is(opened, 1);
  t.is((await call("POST", path, { body: { ...body, txs: "other.1" } })).status, 400, "the same reqId, other content");
  t.is(opened, 2);
  // Withdrawn: it may come again, and is opened then.
  await database.query("delete from requests");
  t.is((await call("POST", path, { body })).status, 201);
  t.is(opened, 3);
});

test.serial("those who send the same bytes at once share one look at them", async (t) => {
  const looking = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  let opened = 0;
  const { call } = await openDoor(t, async (task) => {
    opened += 1;
    begun.resolve();
    await looking.promise;
    return await inspected(task);
  });
  const body = { reqId: randomUUID(), txs: "content.1" };
  const all = [1, 2, 3, 4].map(() => call("POST", path, { body }));
  await begun.promise;
  looking.resolve();
  for (const { status } of await Promise.all(all)) t.is(status, 201);
  t.is(opened, 1);
});

test.serial("what only resembles a batch is no repeat of it, and its refusal is not the batch's", async (t) => {
  const { call } = await openDoor(t, async (task) =>
    task.txs.startsWith("content")
      ? await inspected(task)
      : {
          ok: false,
          errorCode: "DECRYPTION_ERROR",
          message: "The batch could not be opened.",
          details: [],
          problems: 0,
        },
  );
  const reqId = randomUUID();
  // Its lower byte is that of c.
  const similar = { reqId, txs: "\u0163ontent.1" };
  t.like((await call("POST", path, { body: similar })).json, { errorCode: "DECRYPTION_ERROR" });
  t.is((await call("POST", path, { body: { reqId, txs: "content.1" } })).status, 201);
  t.is((await call("POST", path, { body: similar })).status, 400);
});
