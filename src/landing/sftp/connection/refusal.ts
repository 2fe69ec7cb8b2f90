/**
 * Telling a connection that it gets no place before SSH has begun: our identification and a DISCONNECT, which every client
 * shows its user (RFC 4253, sections 4.2, 6 and 11.1). Costs no key exchange.
 */
import type { Socket } from "node:net";
import { sized, uint32 } from "../wire/fields.ts";

const disconnect = 1;
/** SSH_DISCONNECT_TOO_MANY_CONNECTIONS. */
const tooManyConnections = 12;
/** Without a cipher yet, packets come in whole blocks of eight bytes, with four of padding at least. */
const blockBytes = 8;
const paddingBytesMin = 4;
/** For the words to arrive. */
const farewellMs = 1000;

const sentences: Readonly<Record<string, string>> = {
  "connection-limit": "The service has all the connections that it takes. Try again in a minute.",
  "address-limit": "Your address has all the connections that it may have. Close some, or try again later.",
  "unauthenticated-limit": "Too many connections are logging in at the moment. Try again in a minute.",
  "unauthenticated-address-limit": "Too many connections of your address are logging in. Try again in a moment.",
  "early-drop": "Too many connections are logging in at the moment. Try again in a minute.",
  "silence-penalty": "Connections of your address said nothing again and again. Try again in some minutes.",
};

export function refuse(socket: Socket, identification: string, reason: string): void {
  socket.on("error", () => undefined);
  socket.resume();
  socket.end(Buffer.concat([Buffer.from(`SSH-2.0-${identification}\r\n`), packetOf(sentences[reason] ?? reason)]));
  setTimeout(() => socket.destroy(), farewellMs).unref();
}

function packetOf(sentence: string): Buffer {
  const payload = Buffer.concat([Buffer.of(disconnect), uint32(tooManyConnections), sized(sentence), sized("en")]);
  const unpadded = 4 + 1 + payload.length;
  const padding = blockBytes - ((unpadded + paddingBytesMin) % blockBytes || blockBytes) + paddingBytesMin;
  return Buffer.concat([uint32(1 + payload.length + padding), Buffer.of(padding), payload, Buffer.alloc(padding)]);
}
