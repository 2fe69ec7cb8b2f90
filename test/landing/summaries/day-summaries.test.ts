/** A day's summary for a bank: what is counted, when it is written, what a mail of it says, and how long it stays. */
import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import test, { type ExecutionContext } from "ava";
import { type DaySummary, daySummaryText } from "../../../src/landing/summaries/day-summary.ts";
import { writeDaySummaries } from "../../../src/landing/summaries/day-summaries.ts";
import { addPartner } from "../../parties.ts";
import { createTestDatabase } from "../../world.ts";

const clockAt = (instant: string) => ({ now: () => new Date(instant), today: () => "2026-11-22" });

async function openDay(t: ExecutionContext) {
  const { database } = await createTestDatabase(t);
  const partnerId = await addPartner(database);
  const landingDirectory = await mkdtemp(path.join(tmpdir(), "day-summaries-"));
  t.teardown(() => rm(landingDirectory, { recursive: true, force: true }));
  const receipts = path.join(landingDirectory, partnerId, "receipts");
  await mkdir(receipts, { recursive: true });
  const land = (name: string, acceptedAt: string, more: Readonly<Record<string, unknown>> = {}) => {
    const row = {
      id: randomUUID(),
      partner_id: partnerId,
      door: "sftp",
      format: "jsonl",
      name,
      correlation_id: "c",
      size_bytes: 100,
      sha256: Buffer.alloc(32),
      state: "loaded",
      accepted_at: acceptedAt,
      ...more,
    };
    const names = Object.keys(row);
    return database.query(
      `insert into deliveries (${names.join(", ")}) values (${names.map((_, at) => `$${at + 1}`).join(", ")})`,
      Object.values(row),
    );
  };
  const write = (instant: string) => writeDaySummaries({ database, landingDirectory, clock: clockAt(instant) });
  return { database, partnerId, receipts, land, write };
}

test("the bank's own day is summed up two hours after its end, once", async (t) => {
  const { database, partnerId, receipts, land, write } = await openDay(t);
  // Copenhagen is an hour ahead of UTC: the day begins at 23:00.
  await land("before.jsonl", "2026-11-20T22:59:59Z");
  await land("first.jsonl", "2026-11-20T23:00:00Z", { records: 10, records_new: 10, batches: 1 });
  await land("partly.jsonl", "2026-11-21T12:00:00Z", { records: 5, records_new: 2, records_refused: 3 });
  await land("bad.jwe", "2026-11-21T22:59:59Z", {
    state: "refused",
    refusal_code: "FILE_DAMAGED",
    refusal_reason: "It cannot be opened.",
  });
  await land("after.jsonl", "2026-11-21T23:00:00Z");
  await database.query(
    "insert into expected_files (partner_id, name, due_day, due_at, state) values ($1, 'nightly', '2026-11-21', '2026-11-21T05:00:00Z', 'missing')",
    [partnerId],
  );
  t.is(await write("2026-11-22T00:59:59Z"), 1, "the day before is over, this one's last loads may not be");
  t.deepEqual(await readdir(receipts), ["summary-2026-11-20.json"]);
  t.is(await write("2026-11-22T01:00:01Z"), 1);
  t.is(await write("2026-11-22T01:10:00Z"), 0);
  const summary = JSON.parse(await readFile(path.join(receipts, "summary-2026-11-21.json"), "utf8")) as DaySummary;
  t.like(summary, { partnerId, day: "2026-11-21", timeZone: "Europe/Copenhagen", from: "2026-11-20T23:00:00.000Z" });
  t.deepEqual(summary.deliveries, { all: 3, files: 3, requests: 0, loaded: 1, partly: 1, refused: 1, open: 0 });
  t.deepEqual(summary.records, { all: 15, new: 12, known: 0, conflicting: 0, refused: 3, waiting: 0 });
  t.deepEqual(
    summary.troubled.map(({ file, code }) => [file, code]),
    [
      ["partly.jsonl", null],
      ["bad.jwe", "FILE_DAMAGED"],
    ],
  );
  const mail = daySummaryText(summary);
  t.is(mail.split("\n")[0], `Subject: ${partnerId} on 2026-11-21: 1 expected not there`);
  t.true(mail.includes("  loaded whole 1, in part 1, refused 1, waiting or loading 0"));
  t.true(mail.includes("  partly.jsonl: 3 records refused, 0 waiting"));
});

test("a day on which nothing came and nothing was expected has none, and old ones go with a new one", async (t) => {
  const { receipts, land, write } = await openDay(t);
  await writeFile(path.join(receipts, "summary-2026-08-01.json"), "{}");
  await writeFile(path.join(receipts, "day.jsonl.receipt.json"), "{}");
  t.is(await write("2026-11-22T03:00:00Z"), 0);
  t.is((await readdir(receipts)).length, 2);
  await land("day.jsonl", "2026-11-22T10:00:00Z");
  t.is(await write("2026-11-23T03:00:00Z"), 1);
  t.deepEqual((await readdir(receipts)).toSorted(), ["day.jsonl.receipt.json", "summary-2026-11-22.json"]);
});
