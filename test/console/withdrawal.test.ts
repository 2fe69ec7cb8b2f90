/** Withdraw's preview is there at once, however long it takes to count what would leave the ledger. */
import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import test from "ava";
import { type Database, inTransaction } from "../../src/database/database.ts";
import { insertDelivery } from "../../src/deliveries/deliveries.ts";
import { openWorld } from "./world.ts";

/** One file of the partner's with two transactions of one user. */
async function land(database: Database): Promise<string> {
  const id = randomUUID();
  const { rows } = await database.query<{ id: number }>(
    `insert into users (partner_id, brand_id, bank_user_id, locale)
     values ('north', 'north-dk', 'anna', 'da-DK')
     returning id`,
  );
  await insertDelivery(database, {
    id,
    partnerId: "north",
    door: "sftp",
    format: "jsonl",
    name: "day.jsonl",
    requestId: null,
    correlationId: "c-1",
    sizeBytes: 10,
    sha256: Buffer.alloc(32, 1),
    vaultReference: "day/1",
    refusal: null,
  });
  await database.query(
    `update deliveries
        set state = 'loaded', records = 2, records_new = 2, started_at = now(), finished_at = now()
      where id = $1`,
    [id],
  );
  await database.query(
    `insert into transactions (user_id, txid, booked_on, tx_time, raw_type, description, amount, currency, delivery_position)
     select $1, 't-' || n, ('2026-11-0' || n)::date, '2026-11-01', 'CARD_PURCHASE', 'Kiosk', -1, 'DKK', position
       from deliveries, generate_series(1, 2) as n`,
    [rows[0]?.id],
  );
  return id;
}

test("the page begins before its figures are counted, and they follow in the same answer", async (t) => {
  const world = await openWorld(t);
  const id = await land(world.database);
  const admin = await world.signedIn("ada", "admin");
  const headers = { host: "console.test", cookie: admin.cookie ?? "" };
  const counting = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const locked = inTransaction(world.database, async (transaction) => {
    await transaction.query("lock table transactions in access exclusive mode");
    counting.resolve();
    await released.promise;
  });
  await counting.promise;
  const answer = await world.app.inject({
    url: `/console/deliveries/${id}/withdraw`,
    headers,
    payloadAsStream: true,
  });
  const body = answer.stream();
  const first = await new Promise<string>((resolve) => body.once("data", (piece: Buffer) => resolve(piece.toString())));
  t.is(answer.statusCode, 200);
  t.regex(first, /Counting what would leave the ledger …/);
  t.notRegex(first, /Withdraw it/);
  released.resolve();
  await locked;
  const rest = await text(body);
  t.regex(
    rest,
    /<strong>2 transactions<\/strong> of\s+<strong>1 user<\/strong\s*>, booked from 2026-11-01 to 2026-11-02,/,
  );
  t.regex(rest, /Withdraw it/);
  t.regex(rest, /<\/html>\s*$/);
});

test("what cannot be counted in time is told by what was loaded, and can be withdrawn all the same", async (t) => {
  const world = await openWorld(t, { answersWithinMs: 500 });
  const id = await land(world.database);
  const admin = await world.signedIn("ada", "admin");
  await inTransaction(world.database, async (transaction) => {
    await transaction.query("lock table transactions in access exclusive mode");
    const { status, html } = await admin.get(`/console/deliveries/${id}/withdraw`);
    t.is(status, 200);
    t.regex(html, /It cannot be counted now: up to\s+<strong>2 transactions<\/strong> would leave it\./);
    t.regex(html, /Withdraw it/);
  });
});
