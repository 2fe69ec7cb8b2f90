/** Lent pieces stay good until the next is asked for, whatever buffers they share, and errors come through. */
import { setImmediate as turn } from "node:timers/promises";
import { createGunzip, createInflateRaw, deflateRawSync, gzipSync } from "node:zlib";
import { randomBytes } from "node:crypto";
import test from "ava";
import { inflate, NotInflated } from "../../../workers/bytes/inflate.ts";
import { free, lend } from "../../../workers/bytes/lend.ts";
import { collect } from "../collecting.ts";

test("each piece is there until the next is asked for, and what shares a buffer until its end has come", async (t) => {
  const whole = Buffer.alloc(200_000, 1);
  const parts = [whole.subarray(0, 150_000), whole.subarray(150_000)];
  const last = Buffer.alloc(100_000, 2);
  const seen: number[] = [];
  for await (const piece of lend(from([...parts, last]))) {
    t.is(piece.length, piece === parts[0] ? 150_000 : piece === last ? 100_000 : 50_000);
    seen.push(piece[0] as number);
    t.is(whole.length, piece === last ? 0 : 200_000, "the buffer goes with its last part, not with its first");
  }
  t.deepEqual(seen, [1, 1, 2]);
  t.is(last.length, 0);
});

test("small buffers, which lie in a common one, stay", async (t) => {
  const [small, neighbour] = [Buffer.from("small"), Buffer.from("neighbour")];
  free(small);
  for await (const piece of lend(from([neighbour]))) t.is(piece, neighbour);
  t.is(`${small.toString()} ${neighbour.toString()}`, "small neighbour");
});

test("what is inflated in many pieces comes whole, whatever is given back meanwhile", async (t) => {
  const text = randomBytes(3_000_000);
  const deflated = deflateRawSync(Buffer.concat([text, Buffer.alloc(3_000_000, "text"), text]));
  for (const pieceBytes of [1000, 70_000, 200_000, deflated.length]) {
    const pieces = Array.from({ length: Math.ceil(deflated.length / pieceBytes) }, (_, n) =>
      Buffer.from(deflated.subarray(n * pieceBytes, (n + 1) * pieceBytes)),
    );
    const inflated = await collect(inflate(lend(from(pieces)), createInflateRaw({ chunkSize: 256 * 1024 })));
    t.true(inflated.equals(Buffer.concat([text, Buffer.alloc(3_000_000, "text"), text])), `pieces of ${pieceBytes}`);
  }
});

test("the source is closed when the inflated text is damaged, followed by something, or not read to its end", async (t) => {
  const sound = gzipSync(randomBytes(300_000));
  const damaged = Buffer.from(sound);
  damaged.fill(0, 1000, 2000);
  const read = async (pieces: Buffer[], stopsEarly = false) => {
    let isClosed = false;
    const source = async function* () {
      try {
        yield* from(pieces);
      } finally {
        isClosed = true;
      }
    };
    try {
      for await (const piece of inflate(source(), createGunzip())) if (stopsEarly && piece.length > 0) break;
    } finally {
      await turn();
      t.true(isClosed);
    }
  };
  await read([sound]);
  await read([sound, Buffer.from(sound)]);
  await read([Buffer.concat([sound, Buffer.alloc(100)])]);
  await read([sound], true);
  await t.throwsAsync(read([damaged, Buffer.from(sound)]), { instanceOf: NotInflated });
  await t.throwsAsync(read([Buffer.concat([sound, Buffer.from("more")])]), { instanceOf: NotInflated });
  await t.throwsAsync(read([sound.subarray(0, -9)]), { instanceOf: NotInflated });
});

test("an error of the source comes through as it is", async (t) => {
  const source = async function* () {
    yield gzipSync(randomBytes(300_000)).subarray(0, 100_000);
    throw new RangeError("the disk is gone");
  };
  await t.throwsAsync(collect(inflate(source(), createGunzip())), {
    instanceOf: RangeError,
    message: "the disk is gone",
  });
});

async function* from(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces;
}
