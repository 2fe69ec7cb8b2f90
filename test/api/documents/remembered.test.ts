/** Documents are remembered for five minutes within their bytes, and the longest unread goes first. */
import { setImmediate } from "node:timers/promises";
import test, { type ExecutionContext } from "ava";
import {
  RememberedDocument,
  type RememberedDocuments,
  rememberDocuments,
} from "../../../src/api/documents/remembered.ts";

const minuteMs = 60_000;
const entryBytes = 500;
const documentOf = (version: string, length: number): RememberedDocument =>
  new RememberedDocument({ version, bytes: Buffer.alloc(length, version), isPacked: false });

/** A store whose clock the test moves. */
function open(t: ExecutionContext, bytesMax: number): RememberedDocuments & { wait(ms: number): void } {
  let now = 0;
  const documents = rememberDocuments(bytesMax, { now: () => now, sweepEveryMs: 1 });
  t.teardown(() => documents.close());
  return { ...documents, wait: (ms) => void (now += ms) };
}

test("a document is found under its own key, until another takes its place or it is forgotten", (t) => {
  const documents = open(t, 100_000);
  const [old, young] = [documentOf("a", 1000), documentOf("b", 2000)];
  documents.remember("anna services", old);
  t.is(documents.find("anna services"), old);
  t.is(documents.find("bert services"), null);
  documents.remember("anna services", young);
  t.is(documents.find("anna services"), young);
  t.is(documents.sizeBytes(), 2000 + entryBytes);
  documents.forget("anna services");
  documents.forget("anna services");
  t.is(documents.find("anna services"), null);
  t.is(documents.sizeBytes(), 0);
});

test("what was not read for five minutes is found no more", (t) => {
  const documents = open(t, 100_000);
  const [kept, left] = [documentOf("a", 10), documentOf("b", 10)];
  documents.remember("kept", kept);
  documents.remember("left", left);
  documents.wait(4 * minuteMs);
  documents.remember("kept", kept);
  t.is(documents.find("left"), left);
  documents.wait(minuteMs);
  t.deepEqual([documents.find("kept"), documents.find("left")], [kept, null]);
  documents.wait(4 * minuteMs);
  t.is(documents.find("kept"), null);
});

test("what is read again keeps its place for ten seconds, and then goes after what was read before", (t) => {
  const documents = open(t, 10 * (1000 + entryBytes));
  const [first, second] = [documentOf("a", 1000), documentOf("b", 1000)];
  const fill = (from: number) => {
    for (let n = from; n < from + 8; n += 1) documents.remember(String(n), documentOf("c", 1000));
  };
  documents.remember("first", first);
  documents.remember("second", second);
  documents.wait(9_999);
  documents.remember("first", first);
  fill(0);
  documents.wait(1);
  documents.remember("second", second);
  documents.remember("new", documentOf("d", 1000));
  t.deepEqual([documents.find("first"), documents.find("second")], [null, second]);
});

test("what nobody reads goes by itself", async (t) => {
  const documents = open(t, 100_000);
  documents.remember("left", documentOf("a", 10));
  documents.wait(5 * minuteMs);
  while (documents.sizeBytes() > 0) await setImmediate();
  t.is(documents.sizeBytes(), 0);
});

test("bytes are bounded: what was not read for longest goes first, and one too large for its share is not remembered at all", (t) => {
  const documents = open(t, 10 * (1000 + entryBytes));
  for (const key of "abcdefghij") documents.remember(key, documentOf(key, 1000));
  documents.remember("a", documentOf("a", 1000));
  documents.remember("k", documentOf("k", 1000));
  t.deepEqual(
    [..."abcdefghijk"].filter((key) => documents.find(key) === null),
    ["b"],
  );
  t.true(documents.sizeBytes() <= 10 * (1000 + entryBytes));
  documents.remember("a", documentOf("A", 2000));
  t.is(documents.find("a"), null, "the older version is gone as well");
  t.is(documents.find("k")?.version, "k");
});

test("with no bytes allowed nothing is remembered, be it empty", (t) => {
  const documents = open(t, 0);
  documents.remember("a", documentOf("a", 0));
  t.is(documents.find("a"), null);
  t.is(documents.sizeBytes(), 0);
});

test("a document's memory is freed when nobody has it in hand and it is not remembered", (t) => {
  const documents = open(t, 100_000);
  const sent = documentOf("a", 10_000);
  sent.lend();
  sent.giveBack();
  t.is(sent.bytes.length, 10_000, "its maker has it still");
  sent.giveBack();
  t.is(sent.bytes.length, 0);

  const kept = documentOf("b", 10_000);
  documents.remember("kept", kept);
  kept.giveBack();
  t.is(documents.find("kept")?.bytes.length, 10_000);
  documents.remember("kept", documentOf("c", 10_000));
  t.is(kept.bytes.length, 10_000, "who found it may be sending it");
  kept.giveBack();
  t.is(kept.bytes.length, 0);

  const again = documents.find("kept");
  documents.remember("kept", again!);
  t.is(again?.bytes.length, 10_000, "remembered anew");
});
