/** Answers leave in their order; those for which nobody waits leave together. */
import { Socket } from "node:net";
import { Duplex } from "node:stream";
import test from "ava";
import { Outbox, type Way } from "../../../../src/landing/sftp/files/outbox.ts";

/** A way out, and what was written to it. */
function wayOut(gone: AbortSignal = new AbortController().signal): { way: Way; written: string[] } {
  const written: string[] = [];
  const stream = new Duplex({
    write(bytes: Buffer, _encoding, done) {
      written.push(bytes.toString());
      done();
    },
  });
  return { way: { stream, socket: new Socket(), gone }, written };
}

test("answers of one turn of the event loop leave in one piece, those of the next in another", async (t) => {
  const { way, written } = wayOut();
  const outbox = new Outbox(way);
  const first = [outbox.gather(Buffer.from("1")), outbox.gather(Buffer.from("2"))];
  t.deepEqual(written, []);
  await Promise.all(first);
  await outbox.gather(Buffer.from("3"));
  t.deepEqual(written, ["12", "3"]);
});

test("an answer that is waited for leaves at once, behind those that were gathered", async (t) => {
  const { way, written } = wayOut();
  const outbox = new Outbox(way);
  const gathered = outbox.gather(Buffer.from("1"));
  await outbox.send(Buffer.from("2"));
  t.deepEqual(written, ["12"]);
  await gathered;
  await outbox.gather(Buffer.from("3"));
  t.deepEqual(written, ["12", "3"]);
});

test("nobody is answered who has gone", async (t) => {
  const { way, written } = wayOut(AbortSignal.abort());
  const outbox = new Outbox(way);
  await Promise.all([outbox.gather(Buffer.from("1")), outbox.send(Buffer.from("2"))]);
  t.deepEqual(written, []);
});
