/** Attributes survive the wire, sizes beyond 32 bits too, and files are listed as ls -l lists them. */
import test from "ava";
import {
  encodeAttributes,
  longName,
  readAttributes,
  shownModes,
} from "../../../../src/landing/sftp/wire/attributes.ts";
import { FieldReader } from "../../../../src/landing/sftp/wire/fields.ts";

const now = new Date("2026-11-21T12:00:00Z");

function named(name: string, mode: number, sizeBytes: number, modified: string) {
  const modifiedAt = Date.parse(modified) / 1000;
  return { name, attributes: { sizeBytes, mode, accessedAt: modifiedAt, modifiedAt } };
}

test("a recent file is listed with its time, as ls -l does", (t) => {
  const line = longName(named("batch.jwe", shownModes.landingFile, 1234, "2026-11-02T08:05:00Z"), "demo", now);
  t.is(line, "-rw-r-----    1 demo     demo           1234 Nov  2 08:05 batch.jwe");
});

test("an old file is listed with its year", (t) => {
  const line = longName(
    named("batch.jwe", shownModes.unchangeableFile, 1234, "2024-01-12T08:05:00Z"),
    "a-long-partner-id",
    now,
  );
  t.is(line, "-r--r-----    1 a-long-p a-long-p       1234 Jan 12  2024 batch.jwe");
});

test("a folder is listed as one", (t) => {
  t.regex(longName(named("inbox", shownModes.inboxFolder, 4096, "2026-11-21T11:59:00Z"), "demo", now), /^drwxr-x--- /);
});

test("attributes come back as they were encoded, sizes beyond 32 bits too", (t) => {
  const attributes = { sizeBytes: 2 ** 40 + 1, mode: shownModes.landingFile, accessedAt: 1, modifiedAt: 0xffffffff };
  t.deepEqual(readAttributes(new FieldReader(encodeAttributes(attributes), 0)), attributes);
});
