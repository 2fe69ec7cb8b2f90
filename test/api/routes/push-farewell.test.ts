/** Who is refused while its body still comes can read why: the connection does not end under its answer. */
import { once } from "node:events";
import { connect } from "node:tls";
import test, { type ExecutionContext } from "ava";
import { requestBodyBytesMax } from "../../../config/limits.ts";
import { openDoor, path } from "../push-world.ts";
import type { World } from "../world.ts";

const mebibyte = 2 ** 20;

/**
 * Announces so many bytes, and sends on and on without reading for a moment, as clients do that write first. @returns
 * the answer as it came, and what its connection said in the end
 */
async function sayFirst({ port, authority }: World, length: number): Promise<{ text: string; failure: string | null }> {
  const socket = connect({ host: "127.0.0.1", port, ca: authority, servername: "localhost" });
  let [text, failure]: [string, string | null] = ["", null];
  socket.on("data", (piece: Buffer) => (text += piece.toString()));
  socket.on("error", (error: NodeJS.ErrnoException) => (failure ??= text === "" ? (error.code ?? "") : null));
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await once(socket, "secureConnect");
  socket.pause();
  setTimeout(() => socket.resume(), 500);
  const piece = Buffer.alloc(64 * 1024, 0x20);
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`,
  );
  for (let sent = 0; sent < length && !socket.destroyed; sent += piece.length)
    if (!socket.write(piece)) await Promise.race([once(socket, "drain").catch(() => undefined), closed]);
  await closed;
  return { text, failure };
}

async function openSmallDoor(t: ExecutionContext): Promise<World> {
  return await openDoor(t, undefined, 10, {
    bytesInFlight: { all: 4 * mebibyte, ofPartner: 4 * mebibyte, ofSource: mebibyte },
  });
}

test.serial("a body that is announced as too long is answered 413 to whoever goes on sending", async (t) => {
  const world = await openSmallDoor(t);
  for (let times = 0; times < 5; times++) {
    const { text, failure } = await sayFirst(world, 2 * requestBodyBytesMax);
    t.is(failure, null);
    t.regex(text, /^HTTP\/1\.1 413 /);
    t.regex(text, /connection: close/i);
  }
});

test.serial("a body for which there is no room is answered 503, and what it held is free at once", async (t) => {
  const world = await openSmallDoor(t);
  const { text, failure } = await sayFirst(world, 20 * mebibyte);
  t.is(failure, null);
  t.regex(text, /^HTTP\/1\.1 503 /);
  t.regex(text, /retry-after: 5/i);
});
