/**
 * The whole path on a labelled set, proved from outside: node test/outside/replay-set.ts SET_DIR [--kill]
 *
 * An operator starts Tideline and onboards a bank by commands; the bank creates its users, pushes half of the set as
 * batches and drops the other half as one .jwe and one .jsonl, encrypted by JOSE implementations that are not the
 * service's own; then sends each half again through the other door, and everything a third time with `tideline send
 * --complete`. With --kill, Tideline and PostgreSQL are killed at several moments meanwhile. Prints what came of it.
 */
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import {
  asLines,
  createUsers,
  pushRequests,
  putFile,
  sealFile,
  sealRequests,
  startTally,
  type Tally,
} from "./replay/bank-sender.ts";
import { findLeakingFiles, findLeaks } from "./replay/confidentiality.ts";
import { type ForeignSealer, openSealers } from "./sealing/foreign-jose.ts";
import { brandIn, type LabelledSet, readSet, type SetRecord } from "./labelled-set.ts";
import { checkLedger, countOpen, findUnkept, readAccounts } from "./ledger-check.ts";
import { addsUp, fetchReceipts } from "./clients/open-ssh.ts";
import { onboardPartner, type Partner } from "./partner.ts";
import { countNotReady, logInAll, readAll, untilReady } from "./replay/reading.ts";
import { Report } from "./report.ts";
import { prepareService, type Service } from "./service.ts";
import { planMoments, strikeAt, stretchedUploadMs } from "./replay/strikes.ts";
import { startWatch } from "./replay/watch.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kill: { type: "boolean", default: false },
    country: { type: "string" },
    currency: { type: "string" },
    "as-of": { type: "string" },
    keep: { type: "boolean", default: false },
  },
});
const setDirectory = positionals[0];
if (setDirectory === undefined) {
  console.error(
    "usage: node test/outside/replay-set.ts SET_DIR [--kill] [--country CC] [--currency CCC] [--as-of YYYY-MM-DD] [--keep]",
  );
  process.exit(2);
}
const found = await readSet(setDirectory);
if (!found) {
  console.log(`SKIPPED: there is no labelled set in ${setDirectory} (tx.jsonl or tx.jsonl.gz is missing).`);
  process.exit(0);
}

/** The interface's limit; with kills smaller ones, so that some are under way at every moment. */
const batchSize = values.kill ? 75 : 750;
const set: LabelledSet = {
  ...found,
  asOf: values["as-of"] ?? found.asOf,
  brand: {
    ...found.brand,
    ...(values.country === undefined ? {} : brandIn(values.country)),
    ...(values.currency === undefined ? {} : { currency: values.currency }),
  },
};
const report = new Report();
const service = await prepareService("replay-set", ["--no-demo", "--as-of", set.asOf]);
try {
  await replay();
} finally {
  if (values.keep) console.log(`kept: ${service.folder}`);
  else await service.remove();
}
process.exitCode = report.print();

async function replay(): Promise<void> {
  report.fact(
    "set",
    `${path.basename(path.resolve(setDirectory ?? ""))}: ${set.records.length} transactions of ${set.users.length} users, ${set.brand.country} ${set.brand.currency}, as of ${set.asOf}`,
  );
  await report.timed("start of an empty service", () => service.start());
  const partner = await report.timed("onboarding by commands", () =>
    onboardPartner(service, "outside-bank", set.brand),
  );
  const tally = startTally();
  const created = await report.timed("creating users", () => createUsers(partner, set.users, tally));
  report.check("users created", created, set.users.length);
  const tokens = await report.timed("logins", () => logInAll(partner, set.users));
  const sealers = await openSealers(await partner.batchKey());
  const middle = Math.floor(set.records.length / 2);
  const [first, second] = [set.records.slice(0, middle), set.records.slice(middle)];

  await sendHalves("first sending", partner, tally, sealers, tokens, {
    pushed: first,
    dropped: second,
    prefix: "first",
  });
  await checkHeld("after the first sending");
  await sendHalves("again through the other door", partner, tally, sealers, tokens, {
    pushed: second,
    dropped: first,
    prefix: "again",
  });
  for (const sealer of sealers) sealer.close();
  await checkHeld("after the second sending");
  report.check("not ready before the markers (202)", await countNotReady(partner, tokens), set.users.length);

  await complete(partner);
  report.check(
    "ready after the markers (200)",
    await report.timed("recognition until every user is ready", () => untilReady(partner, tokens)),
    set.users.length,
  );
  await checkReads(partner, tokens);
  await checkHeld("in the end");
  await checkAccounts(partner, tally);
  report.check("exit code of Ctrl-C", await service.stop(), 0, [null]);
  await checkConfidentiality();
}

type Halves = { pushed: readonly SetRecord[]; dropped: readonly SetRecord[]; prefix: string };

/** Requests and files go at the same time; returns when all of it is loaded. */
async function sendHalves(
  name: string,
  partner: Partner,
  tally: Tally,
  sealers: readonly ForeignSealer[],
  tokens: ReadonlyMap<string, string>,
  halves: Halves,
): Promise<void> {
  const before = tally.requests.size;
  const quarter = Math.floor(halves.dropped.length / 2);
  const [forToken, forLines] = [halves.dropped.slice(0, quarter), halves.dropped.slice(quarter)];
  const requests = await sealRequests(halves.pushed, batchSize, sealers, tally);
  const token = await sealFile(forToken, sealers[before === 0 ? 0 : 1], tally);
  const lines = asLines(await sealRequests(forLines, 750, sealers, tally));
  const files = [`${halves.prefix}.jwe`, `${halves.prefix}.jsonl`];
  const uploadMs = values.kill ? stretchedUploadMs : 0;

  const watch = startWatch(service, partner, [...tokens.values()][0] ?? "");
  const shifted = planMoments(requests.length, files).map((moment) => ({
    ...moment,
    reached: (now: Tally) => moment.reached({ ...now, requests: new Map([...now.requests].slice(before)) }),
  }));
  const startedAt = performance.now();
  const strikes = values.kill ? strikeAt(service, shifted, tally) : Promise.resolve([]);
  const paced = values.kill ? pushInPace(partner, requests, tally) : pushRequests(partner, requests, tally);
  await Promise.all([paced, dropFiles()]);
  const acknowledgedSeconds = (performance.now() - startedAt) / 1000;
  for (const { when, victims, restartSeconds } of await strikes)
    report.fact(`kill -9 of ${victims}`, `${when}; started again in ${restartSeconds.toFixed(1)} s`);
  await untilLoaded(service);
  const loadedSeconds = (performance.now() - startedAt) / 1000;
  const seen = await watch.stop();
  const records = halves.pushed.length + halves.dropped.length;
  report.fact(
    name,
    `${records} records in ${requests.length} requests and 2 files: acknowledged in ${acknowledgedSeconds.toFixed(1)} s, loaded in ${loadedSeconds.toFixed(1)} s, ${Math.round(records / loadedSeconds)} rows/s`,
  );
  report.fact(
    "  meanwhile",
    `memory of the process at most ${Math.round(seen.memoryBytesMax / 1e6)} MB; GET services ${seen.reads} times, p50 ${seen.readMs.p50.toFixed(1)} ms, p99 ${seen.readMs.p99.toFixed(1)} ms, failed ${seen.readsFailed}`,
  );
  if (!values.kill) report.check(`${name}: reads that failed`, seen.readsFailed, 0);

  async function dropFiles(): Promise<void> {
    await putFile(partner, files[0] ?? "", token, forToken.length, tally, uploadMs);
    await putFile(partner, files[1] ?? "", lines, forLines.length, tally, uploadMs);
  }
}

/** Slow enough that requests are under way while the files are. */
async function pushInPace(
  partner: Partner,
  requests: Awaited<ReturnType<typeof sealRequests>>,
  tally: Tally,
): Promise<void> {
  const groups = 24;
  const size = Math.ceil(requests.length / groups);
  for (let start = 0; start < requests.length; start += size) {
    await pushRequests(partner, requests.slice(start, start + size), tally);
    await wait(stretchedUploadMs / groups);
  }
}

async function untilLoaded(running: Service): Promise<void> {
  while ((await countOpen(await running.databaseUrl())) > 0) await wait(20);
}

/** `tideline send` sends everything once more, with the markers; under --kill it is interrupted by a kill, too. */
async function complete(partner: Partner): Promise<void> {
  const sending = report.timed("tideline send --complete", () =>
    service.tideline("send", set.file, "--via", "https", "--complete", "--credentials", partner.folder, "--json"),
  );
  if (values.kill) {
    await wait(stretchedUploadMs);
    await service.kill("everything");
    report.fact(
      "kill -9 of everything",
      `while tideline send was sending; started again in ${(await service.start()).toFixed(1)} s`,
    );
  }
  const summary = JSON.parse(await sending) as {
    outcome: string;
    recordsRead: number;
    recordsSent: number;
    markersSent: number;
    retries: number;
  };
  report.fact(
    "  its summary",
    `${summary.recordsRead} read, ${summary.recordsSent} sent, ${summary.markersSent} markers, ${summary.retries} calls repeated`,
  );
  report.check("markers sent", summary.markersSent, set.users.length);
  await untilLoaded(service);
}

async function checkHeld(when: string): Promise<void> {
  const ledger = await checkLedger(await service.databaseUrl(), set);
  const expected = new Set(set.records.map((record) => `${record.uid}\0${record.tx.txid}`)).size;
  report.check(`ledger rows ${when}`, ledger.rows, expected);
  report.check("  distinct by user and txid", ledger.rowsDistinct, expected);
  report.check("  missing, differing, foreign", `${ledger.missing}, ${ledger.differing}, ${ledger.foreign}`, "0, 0, 0");
  for (const { currency, ledger: held, source } of ledger.sums)
    report.check(`  sum of amounts, ${currency}`, held, source);
}

async function checkReads(partner: Partner, tokens: ReadonlyMap<string, string>): Promise<void> {
  const reading = await report.timed("reading services, one service, upcoming payments", () =>
    readAll(partner, tokens),
  );
  report.fact(
    "  read",
    `${reading.services} services of ${reading.usersWithServices} users, ${reading.upcoming} upcoming payments; p50 ${reading.readMs.p50.toFixed(1)} ms, p99 ${reading.readMs.p99.toFixed(1)} ms`,
  );
  report.check(
    "  reads that are not as they must be",
    reading.wrong.length === 0 ? "none" : reading.wrong.slice(0, 5).join("; "),
    "none",
  );
}

async function checkAccounts(partner: Partner, tally: Tally): Promise<void> {
  const url = await service.databaseUrl();
  const accounts = await readAccounts(url);
  const receipts = await fetchReceiptsOf(partner);
  for (const [sealer, records] of tally.recordsBySealer) report.fact(`encrypted by ${sealer}`, `${records} records`);
  report.fact("repeated by the bank", `${tally.callsRepeated} calls, ${tally.uploadsRepeated} uploads`);
  report.fact(
    "deliveries",
    `${accounts.deliveries}; refused at the door as repeats: ${accounts.refusedByCode.FILE_DUPLICATE ?? 0}`,
  );
  report.fact(
    "records of all deliveries",
    `${accounts.new} new + ${accounts.known} known + ${accounts.conflicting} conflicting + ${accounts.refused} refused + ${accounts.waiting} waiting + ${accounts.markers} markers`,
  );
  report.check("new records of all deliveries", accounts.new, set.records.length);
  report.check(
    "conflicting, refused, waiting",
    `${accounts.conflicting}, ${accounts.refused}, ${accounts.waiting}`,
    "0, 0, 0",
  );
  report.check(
    "refused deliveries that are no repeats",
    Object.keys(accounts.refusedByCode)
      .filter((code) => code !== "FILE_DUPLICATE")
      .join(", "),
    "",
  );
  report.check("deliveries that do not add up", accounts.unbalanced, 0);
  report.check(
    "acknowledged but not loaded as sent",
    (await findUnkept(url, tally.requests, tally.files)).join(", "),
    "",
  );
  report.check("receipts that do not add up", receipts.filter(({ receipt }) => !addsUp(receipt)).length, 0);
  report.check(
    "receipts that are not final",
    receipts.filter(({ receipt }) => receipt.state !== "loaded" && receipt.state !== "refused").length,
    0,
  );
  const ofFiles = receipts.reduce((sum, { receipt }) => sum + receipt.counts.records, 0);
  report.check(
    "records of all receipts",
    ofFiles,
    [...tally.files.values()].reduce((sum, records) => sum + records, 0),
  );
  for (const { name, receipt } of receipts)
    report.fact(
      `  ${name}`,
      `${receipt.state}, ${receipt.counts.records} records = ${receipt.counts.new} new + ${receipt.counts.known} known${receipt.refusal ? `; ${receipt.refusal.code}` : ""}`,
    );
  const leaks = findLeaks(
    set.records,
    receipts.map(({ text }) => text),
  );
  report.check("values of the set in receipts", JSON.stringify(leaks), JSON.stringify(emptied(leaks)));
}

async function fetchReceiptsOf(partner: Partner) {
  const into = path.join(partner.folder, "receipts");
  await mkdir(into);
  return await fetchReceipts(partner, into);
}

async function checkConfidentiality(): Promise<void> {
  const log = await readFile(service.logFile, "utf8");
  const leaks = findLeaks(set.records, log.split("\n"));
  const errors = log.split("\n").filter((line) => line.includes('"level":50'));
  report.fact(
    "log",
    `${log.split("\n").length - 1} lines, ${errors.length} errors, ${(log.match(/"level":40/g) ?? []).length} warnings`,
  );
  if (!values.kill) report.check("errors in the log", errors.slice(0, 5).join("\n"), "");
  report.check("values of the set in the log", JSON.stringify(leaks), JSON.stringify(emptied(leaks)));
  report.check(
    "files beside the database with values of the set",
    (await findLeakingFiles(set.records, service.dataDir)).join(", "),
    "",
  );
}

function emptied(leaks: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.keys(leaks).map((kind) => [kind, 0]));
}
