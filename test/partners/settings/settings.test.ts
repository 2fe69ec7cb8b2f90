/** A partner's settings are taken or refused one by one with a reason, and what is not set is by default. */
import test from "ava";
import { readExpectedFiles } from "../../../src/partners/settings/expected-files.ts";
import { readQuota, readRetention } from "../../../src/partners/settings/landing-rules.ts";
import { mergeSettings, partnerSettings } from "../../../src/partners/settings/settings.ts";

test("sizes, counts and days are taken, and one of a group keeps the others", (t) => {
  const present = { quota: { sessions: 4 }, manifest: "required" };
  t.deepEqual(mergeSettings(present, ["quota.inboxBytes=50GiB", "quota.inboxFiles=20", "retention.landedDays=7"]), {
    quota: { sessions: 4, inboxBytes: 53_687_091_200, inboxFiles: 20 },
    retention: { landedDays: 7 },
  });
  t.deepEqual(mergeSettings({}, ["quota.storedBytes=5000000"]), { quota: { storedBytes: 5_000_000 } });
  t.deepEqual(mergeSettings({}, ["quota.storedBytes=2 mb"]), { quota: { storedBytes: 2_000_000 } });
});

test("default sizes are told as they can be set", (t) => {
  for (const [name, byDefault] of [
    ["inboxBytes", "100GiB"],
    ["storedBytes", "1TiB"],
  ] as const) {
    t.regex(partnerSettings[`quota.${name}`]?.meaning ?? "", new RegExp(`; default ${byDefault}, or`));
    t.is(readQuota(mergeSettings({}, [`quota.${name}=${byDefault}`]))[name], readQuota({})[name]);
  }
});

test("an empty value takes a limit back to its default", (t) => {
  t.deepEqual(mergeSettings({ quota: { sessions: 4, handles: 8 } }, ["quota.sessions="]), { quota: { handles: 8 } });
});

const wrong: Record<string, RegExp> = {
  "quota.inboxBytes=lots": /quota.inboxBytes must be a size such as/,
  "quota.inboxBytes=0": /quota.inboxBytes must be a size/,
  "quota.inboxBytes=9000TiB": /quota.inboxBytes must be a size/,
  "quota.sessions=0": /quota.sessions must be a whole number from 1 to 128/,
  "quota.sessions=1.5": /whole number/,
  "quota.handles=2000": /from 1 to 1024/,
  "retention.landedDays=forever": /retention.landedDays must be a whole number from 1 to 4018/,
  "quota=5": /quota is not a setting/,
  "expectedFiles=nightly": /expectedFiles must be JSON, such as/,
  'expectedFiles=[{"name":"a"}]': /expectedFiles must be a JSON list of expected files/,
  'expectedFiles=[{"name":"a","pattern":"*","cutoff":"25:00","timeZone":"UTC","days":"daily"}]': /\/0\/cutoff/,
  'expectedFiles=[{"name":"a","pattern":"*","cutoff":"06:00","timeZone":"Mars/Base","days":"daily"}]':
    /"Mars\/Base" is not/,
  'expectedFiles=[{"name":"a","pattern":"*","cutoff":"06:00","timeZone":"UTC","days":"banking-days"}]':
    /country for the banking days of "a"/,
  'expectedFiles=[{"name":"a","pattern":"*","cutoff":"06:00","timeZone":"UTC","days":"banking-days","country":"UK"}]':
    /bank holidays are known, which those of "UK" are not/,
  'expectedFiles=[{"name":"a","pattern":"/inbox/*.jwe","cutoff":"06:00","timeZone":"UTC","days":"daily"}]':
    /path below inbox\/, without it, which "\/inbox\/\*\.jwe" is not/,
  'expectedFiles=[{"name":"a","pattern":"*","cutoff":"06:00","timeZone":"UTC","days":{"monthDays":[0]}}]':
    /days of the month from 1/,
};

for (const [assignment, message] of Object.entries(wrong)) {
  test(`${assignment} is refused with a reason`, (t) => {
    t.throws(() => mergeSettings({}, [assignment]), { code: "COMMAND_USAGE", message });
  });
}

test("a list of expected files is taken with the moment from which it holds, and each name stands once", (t) => {
  const expected = {
    name: "nightly",
    pattern: "tx-{YYYY}{MM}{DD}.jwe",
    cutoff: "06:00",
    timeZone: "Europe/Copenhagen",
    days: "banking-days",
    country: "DK",
  };
  const settings = mergeSettings({}, [`expectedFiles=${JSON.stringify([expected])}`]);
  const [read] = readExpectedFiles(settings);
  t.like(read, { ...expected, graceMinutes: 15 });
  t.true(Math.abs(Date.parse(read?.since ?? "") - Date.now()) < 60_000);
  t.throws(() => mergeSettings({}, [`expectedFiles=${JSON.stringify([expected, expected])}`]), {
    message: /each name stands once/,
  });
  t.deepEqual(mergeSettings({}, ["expectedFiles="]), { expectedFiles: [] });
});

test("what is not set is by default, and receipts stay as long as the bytes at least", (t) => {
  t.like(readQuota({ quota: { sessions: 2 } }), { sessions: 2, handles: 64, inboxFiles: 10_000 });
  t.deepEqual(readRetention({}), { landedDays: 30, receiptDays: 400, deletedUserDays: 30 });
  t.deepEqual(readRetention({ retention: { landedDays: 900 } }), {
    landedDays: 900,
    receiptDays: 900,
    deletedUserDays: 30,
  });
});

test("limits that someone broke in the database are not guessed", (t) => {
  t.throws(() => readQuota({ quota: { sessions: "many" } }), { code: "CONFIG_INVALID" });
  t.throws(() => readRetention({ retention: { landedDays: -1 } }), { code: "CONFIG_INVALID" });
  t.throws(() => readExpectedFiles({ expectedFiles: [{}] }), { code: "CONFIG_INVALID" });
});
