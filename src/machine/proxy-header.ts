/**
 * The PROXY protocol, version 2 (haproxy.org, "The PROXY protocol", section 2.2): what a proxy that passes connections on
 * says first of each, so that whoever is behind it sees from where it came. Read strictly, from named proxies only and
 * always from those: who guesses whether there is a header lets strangers say whence they come.
 */
import type { Socket } from "node:net";

const signature = Buffer.from("0d0a0d0a000d0a515549540a", "hex");
const headBytes = 16;
/** Addresses and additions; the largest that proxies send carry a certificate's name. */
const restBytesMax = 2048;
const version = 2;
const commands = { local: 0, proxy: 1 };
const families = { unspecified: 0x00, tcp4: 0x11, tcp6: 0x21 };
const tcp4Bytes = 12;
const tcp6Bytes = 36;
/** A proxy sends it with its first packet. */
const headerWithinMs = 5000;

export type Source = { address: string; port: number };

/** What is said of a connection; null: it is the proxy's own, to see whether somebody listens. */
export type Introduction = { source: Source | null; bytes: number };

/** @param head its first sixteen bytes. @returns how many follow; null when this is no such header */
export function lengthAfter(head: Buffer): number | null {
  if (head.length < headBytes || !head.subarray(0, signature.length).equals(signature)) return null;
  const restBytes = head.readUInt16BE(14);
  return head.readUInt8(12) >> 4 === version && restBytes <= restBytesMax ? restBytes : null;
}

/** @param rest what follows the head, as long as `lengthAfter` says. @returns null for what is no connection over TCP */
export function readIntroduction(head: Buffer, rest: Buffer): Introduction | null {
  const bytes = headBytes + rest.length;
  const command = head.readUInt8(12) & 0x0f;
  const family = head.readUInt8(13);
  if (command === commands.local) return { source: null, bytes };
  if (command !== commands.proxy) return null;
  // The standard has it taken for the proxy's own.
  if (family === families.unspecified) return { source: null, bytes };
  if (family === families.tcp4 && rest.length >= tcp4Bytes)
    return { source: { address: [...rest.subarray(0, 4)].join("."), port: rest.readUInt16BE(8) }, bytes };
  if (family === families.tcp6 && rest.length >= tcp6Bytes)
    return { source: { address: addressOf6(rest), port: rest.readUInt16BE(32) }, bytes };
  return null;
}

function addressOf6(bytes: Buffer): string {
  return Array.from({ length: 8 }, (_, n) => bytes.readUInt16BE(2 * n).toString(16)).join(":");
}

/**
 * Has a connection that comes from a named proxy introduced before anybody else reads from it or looks from where it
 * comes; others are passed on at once.
 * @param refused is told why, of a connection that is closed
 */
export function introduce(
  socket: Socket,
  isProxy: (address: string) => boolean,
  passOn: (socket: Socket) => void,
  refused: (address: string, reason: string) => void,
): void {
  const proxy = socket.remoteAddress ?? "";
  if (!isProxy(proxy)) return passOn(socket);
  let head: Buffer | null = null;
  let restBytes = 0;
  const ended = () => stop();
  const tooLate = setTimeout(() => refuse("no PROXY header in time"), headerWithinMs);
  function stop(): void {
    clearTimeout(tooLate);
    socket.off("readable", read).off("close", ended);
  }
  function refuse(reason: string): void {
    stop();
    refused(proxy, reason);
    socket.destroy();
  }
  function read(): void {
    if (head === null) {
      head = socket.read(headBytes) as Buffer | null;
      if (head === null) return;
      const length = lengthAfter(head);
      if (length === null) return refuse("no PROXY header of version 2");
      restBytes = length;
    }
    const rest = restBytes === 0 ? Buffer.alloc(0) : (socket.read(restBytes) as Buffer | null);
    if (rest === null) return;
    const introduction = readIntroduction(head, rest);
    if (introduction === null) return refuse("a PROXY header of no TCP connection");
    stop();
    present(socket, introduction);
    passOn(socket);
  }
  // It may break before anybody else listens.
  socket.on("error", () => undefined);
  socket.on("readable", read).once("close", ended);
}

/** From now on the socket says that it comes from where the proxy says, and that its bytes began behind the header. */
function present(socket: Socket, { source, bytes }: Introduction): void {
  const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(socket) as object, "bytesRead")?.get;
  Object.defineProperty(socket, "bytesRead", { get: () => Number(own?.call(socket) ?? bytes) - bytes });
  if (source !== null) showAs(socket, source);
}

/** Also for what is spoken on it: TLS has a socket of its own. */
export function showAs(socket: Socket, { address, port }: Source): void {
  Object.defineProperty(socket, "remoteAddress", { value: address });
  Object.defineProperty(socket, "remotePort", { value: port });
}
