/** One SFTP channel, from its first packet to its last: requests in, answers out, within the limits of `Flow`. */
import { keptWithRowBytesMax } from "../../../../config/landing.ts";
import { answer, type Channel } from "./answers.ts";
import type { SessionContext } from "./context.ts";
import { Flow } from "./flow.ts";
import { Handles } from "./handles.ts";
import { type SftpLimits, sftpLimits } from "../limits.ts";
import { type Packet, ProtocolViolation, readPackets, sizeBytesOf } from "../wire/packets.ts";
import { closeReading } from "./open-files.ts";
import { Outbox, type Way } from "./outbox.ts";
import { ReadBuffers } from "./read-buffers.ts";
import { useReceived } from "../wire/received.ts";
import { statusReply, versionReply } from "../wire/replies.ts";
import { extensions, idOf, initType, parseRequest, type Request, typeOf } from "../wire/requests.ts";
import { asRefusal, statusCodes } from "../wire/status.ts";
import { abandonUpload } from "./upload.ts";

export type Line = Way & {
  /** Called with each request, so that idleness can be told. */
  onRequest(): void;
};

type Session = {
  readonly channel: Channel;
  readonly line: Line;
  readonly flow: Flow;
  readonly outbox: Outbox;
  /** Operations on files that are under way; their answers may be unsent. */
  readonly running: Set<Promise<Buffer>>;
  /** Settles when the answer to the latest request may be followed by the next one. Never rejects. */
  latest: Promise<unknown>;
};

/**
 * Serves the channel until the client ends it, breaks the protocol, or is gone. Whatever is still open then is
 * abandoned: only a CLOSE says that a file is complete. Never rejects.
 */
export async function serveSftp(context: SessionContext, line: Line, limits: SftpLimits): Promise<void> {
  const flow = new Flow(limits.requestsInFlightMax, limits.bytesInFlightMax);
  const channel = { context, handles: new Handles(limits.handlesMax), readBuffers: new ReadBuffers() };
  const session: Session = {
    channel,
    line,
    flow,
    outbox: new Outbox(line),
    running: new Set(),
    latest: Promise.resolve(),
  };
  const stopWaiting = () => flow.close();
  line.gone.addEventListener("abort", stopWaiting);
  try {
    await serveRequests(session, limits.packetSizeBytesMax);
  } catch (error) {
    reportEnd(context, error, isGone(line));
  } finally {
    line.gone.removeEventListener("abort", stopWaiting);
    await Promise.all(session.running);
    await abandonAll(session.channel);
  }
}

async function serveRequests(session: Session, packetSizeBytesMax: number): Promise<void> {
  const { stream, gone, onRequest } = session.line;
  // Destroying the stream would close the channel before the exit status is sent.
  const chunks: AsyncIterable<Buffer> = stream.iterator({ destroyOnReturn: false });
  let started = false;
  for await (const packet of readPackets(chunks, packetSizeBytesMax)) {
    if (gone.aborted) return;
    onRequest();
    if (started) {
      await serveRequest(session, packet);
    } else {
      if (typeOf(packet) !== initType) throw new ProtocolViolation("The first packet is not INIT.");
      stream.write(versionReply(extensions));
      started = true;
    }
  }
}

/**
 * Resolves when the next packet may be looked at: at once after a read or write, after the answer otherwise. Answers
 * leave in the order of their requests, though the protocol allows any (section 6.1): OpenSSH 9.2's scp cuts a download
 * off at the first one that comes out of turn, and calls it complete.
 */
async function serveRequest(session: Session, packet: Packet): Promise<void> {
  const { channel, line, flow, outbox, running } = session;
  const id = requestId(packet);
  const request = parse(packet);
  const sizeBytes = inFlightSizeBytes(request, packet);
  await flow.enter(sizeBytes, isRead(request) ? sftpLimits.readBytesInFlightMax : undefined);
  const answering = answerOrRefuse(channel, id, request);
  running.add(answering);
  const done = answering.finally(() => {
    running.delete(answering);
    packet.forEach(useReceived);
  });
  const inTurn = Promise.all([done, session.latest]);
  session.latest = inTurn.then(ignore, ignore);
  const sent = inTurn
    .then(async ([reply]) => {
      if (isOfLargeFile(request)) return await outbox.gather(reply);
      await outbox.send(reply);
      channel.readBuffers.giveBack(reply);
    })
    .catch((error: unknown) => reportEnd(channel.context, error, isGone(line)))
    .finally(() => flow.leave(sizeBytes));
  const transfers = !(request instanceof Error) && (request.kind === "read" || request.kind === "write");
  if (!transfers) await sent;
}

function isRead(request: Request | Error): boolean {
  return !(request instanceof Error) && request.kind === "read";
}

/** A write behind what a small file has, of which each answer is waited for. */
function isOfLargeFile(request: Request | Error): boolean {
  return !(request instanceof Error) && request.kind === "write" && request.offset >= keptWithRowBytesMax;
}

/** Without what it was called with: each answer would hold on to all before it. */
function ignore(): void {}

function requestId(packet: Packet): number {
  if (typeOf(packet) === initType) throw new ProtocolViolation("A second INIT.");
  try {
    return idOf(packet);
  } catch {
    throw new ProtocolViolation("A packet without a request id.");
  }
}

function parse(packet: Packet): Request | Error {
  try {
    return parseRequest(packet);
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}

function inFlightSizeBytes(request: Request | Error, packet: Packet): number {
  const packetSizeBytes = sizeBytesOf(packet);
  if (request instanceof Error || request.kind !== "read") return packetSizeBytes;
  return Math.max(packetSizeBytes, Math.min(request.sizeBytes, sftpLimits.transferSizeBytesMax));
}

async function answerOrRefuse(channel: Channel, id: number, request: Request | Error): Promise<Buffer> {
  try {
    if (request instanceof Error) throw request;
    return await answer(channel, request);
  } catch (error) {
    return refuse(channel.context, id, request, error);
  }
}

/** The status for a request that did not succeed; what is no plain "not there" is also an event. */
function refuse(
  { events, audit, sessionId, partnerId }: SessionContext,
  id: number,
  request: Request | Error,
  error: unknown,
): Buffer {
  const refusal = asRefusal(error);
  if (!refusal) {
    events.emit("sftp.failed", { sessionId, error });
    return statusReply(id, statusCodes.failure, "The service failed; try again, and call the operator if it stays.");
  }
  // Clients ask for files that are not there all the time, before they create them; and what stopped one write of a
  // pipeline stops all that follow it.
  if (refusal.status !== statusCodes.noSuchFile && !told.has(refusal)) {
    told.add(refusal);
    const operation = request instanceof Error ? "malformed" : request.kind;
    events.emit("sftp.refused", { sessionId, partnerId, operation, reason: refusal.message });
    audit("sftp.refused", { operation, reason: refusal.message, ...pathsOf(request) });
  }
  return statusReply(id, refusal.status, refusal.message);
}

/** Refusals that were reported: an upload's first one is the answer to everything after it. */
const told = new WeakSet<Error>();

function pathsOf(request: Request | Error): { path?: string; from?: string; to?: string } {
  if (request instanceof Error) return {};
  if ("path" in request) return { path: request.path };
  return "from" in request ? { from: request.from, to: request.to } : {};
}

/** From the peer's FIN on, ssh2 may throw at every write. */
function isGone({ gone, socket }: Line): boolean {
  return gone.aborted || !socket.writable || socket.readableEnded;
}

function reportEnd({ events, sessionId, partnerId }: SessionContext, error: unknown, gone: boolean): void {
  if (error instanceof ProtocolViolation) {
    events.emit("sftp.refused", { sessionId, partnerId, operation: "protocol", reason: error.message });
  } else if (!gone) {
    events.emit("sftp.failed", { sessionId, error });
  }
}

async function abandonAll({ context, handles }: Channel): Promise<void> {
  for (const handle of handles.removeAll()) {
    if (handle.kind === "upload") await abandonUpload(context, handle);
    else if (handle.kind === "folder") await handle.close();
    else await closeReading(handle);
  }
}
