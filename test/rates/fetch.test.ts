/** Rates are fetched through the guarded request when newer ones should be there; what fails changes nothing. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import test, { type ExecutionContext } from "ava";
import type { Database } from "../../src/database/database.ts";
import { Fault } from "../../src/errors.ts";
import type { Events } from "../../src/events.ts";
import { downloadRates, fetchRatesDue, loadRatesFrom } from "../../src/rates/fetch.ts";
import { addRates, newestDay } from "../../src/rates/table.ts";
import { createTestDatabase } from "../world.ts";

const table = "Date,USD,DKK,\n2026-08-11,1.1702,7.4611,\n2026-08-10,1.1688,7.461,\n";
/** Tuesday evening, when the day's rates are there. */
const evening = new Date("2026-08-11T18:00:00Z");

type Emitted = { name: string } & Record<string, unknown>;

async function openSource(t: ExecutionContext, answer: RequestListener) {
  const { database } = await createTestDatabase(t);
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  t.teardown(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/eurofxref-hist.csv?key=hush`;
  const emitted: Emitted[] = [];
  const events = { emit: (name: string, fields: object) => emitted.push({ name, ...fields }) } as unknown as Events;
  const fetchAt = (now: Date, allowsPrivateAddresses = true) =>
    fetchRatesDue({ database, events, now: () => now }, { url, allowsPrivateAddresses });
  return { database, url, asked, emitted, fetchAt };
}

const sourcesOf = async (database: Database) =>
  (await database.query<{ source: string }>("select source from exchange_rate_loads order by id")).rows;

test("what is published is loaded once, and not asked for again before the next is due", async (t) => {
  const { database, url, asked, emitted, fetchAt } = await openSource(t, (_, response) => response.end(table));
  await addRates(database, [{ day: "2026-08-10", perEuro: { USD: 1.1688, DKK: 7.461 } }], "before");
  await fetchAt(new Date("2026-08-11T12:00:00Z"));
  t.deepEqual(asked, [], "Monday's are there, Tuesday's are not due");
  await fetchAt(evening);
  t.is(asked.length, 1);
  t.deepEqual(emitted, [{ name: "rates.loaded", days: 1, newest: "2026-08-11" }]);
  t.deepEqual(await sourcesOf(database), [{ source: "before" }, { source: url.replace("?key=hush", "") }]);
  await fetchAt(evening);
  t.is(asked.length, 1);
  await fetchAt(new Date("2026-08-12T18:00:00Z"));
  t.is(asked.length, 2, "Wednesday's are due");
  t.is(emitted.length, 1, "and not there: nothing is said of a file without anything new");
});

const broken: Readonly<Record<string, { answer: RequestListener; failure: string }>> = {
  "a page instead of rates": { answer: (_, response) => response.end("<html></html>"), failure: "RATES_UNREADABLE" },
  "a refusal": { answer: (_, response) => response.writeHead(503).end(), failure: "RATES_UNREACHABLE" },
  "a connection that is cut": { answer: (_, response) => response.destroy(), failure: "ECONNRESET" },
  "rates of a day to come": {
    answer: (_, response) => response.end("Date,USD,\n2126-08-11,1.17,\n"),
    failure: "RATES_UNREADABLE",
  },
};

for (const [what, { answer, failure }] of Object.entries(broken)) {
  test(`${what} is an event, and the next round tries again`, async (t) => {
    const { database, asked, emitted, fetchAt } = await openSource(t, answer);
    await fetchAt(evening);
    await fetchAt(evening);
    t.is(asked.length, 2);
    t.deepEqual(emitted, [
      { name: "rates.fetch-failed", failure },
      { name: "rates.fetch-failed", failure },
    ]);
    t.is(await newestDay(database), null);
  });
}

test("an address of our own network is not called unless that is allowed", async (t) => {
  const { asked, emitted, fetchAt } = await openSource(t, (_, response) => response.end(table));
  await fetchAt(evening, false);
  t.deepEqual(asked, []);
  t.deepEqual(emitted, [{ name: "rates.fetch-failed", failure: "NOT_HTTPS" }]);
  const fault = await t.throwsAsync(
    downloadRates({ url: "https://127.0.0.1/rates?key=hush", allowsPrivateAddresses: false }),
    { instanceOf: Fault },
  );
  t.like(fault, { code: "RATES_UNREACHABLE", message: "https://127.0.0.1/rates cannot be fetched (ADDRESS_PRIVATE)." });
});

test("a file with a day that is yet to come is refused whole: it would pass for the newest", async (t) => {
  const { database } = await createTestDatabase(t);
  const bytes = Buffer.from(table);
  const early = new Date("2026-08-10T21:59:59Z");
  const fault = await t.throwsAsync(loadRatesFrom(database, bytes, "a.csv", early), { instanceOf: Fault });
  t.is(fault?.code, "RATES_UNREADABLE");
  t.is(await newestDay(database), null);
  t.deepEqual(await loadRatesFrom(database, bytes, "a.csv", new Date("2026-08-10T22:00:00Z")), {
    days: 2,
    newest: "2026-08-11",
  });
});
