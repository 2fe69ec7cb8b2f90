/**
 * What the door offers a peer in the key exchange, and what becomes of what was agreed on. It changes ssh2 from within
 * (ssh2-inside.ts), for one connection at a time, at three points: our KEXINIT, the peer's KEXINIT, the change of keys.
 *
 * Our KEXINIT waits for the peer's (RFC 4253, section 7.1, sets no order), because in SSH the client's preference
 * decides, and OpenSSH before 10 prefers chacha20-poly1305 and then AES-CTR to AES-GCM. A peer that knows AES-GCM is
 * offered nothing else; every other peer is offered all that `algorithms.ts` lists, so no client is lost. CPU seconds
 * of client and server together for 1 GiB up:
 *
 * | cipher | client | server |
 * | --- | --- | --- |
 * | chacha20-poly1305 (Poly1305 in WebAssembly) | 1.21 | 3.60 |
 * | aes256-ctr with hmac-sha2-256-etm | 1.28 | 4.00 |
 * | aes256-gcm with ssh2's ciphers | 0.86 | 2.91 |
 */
import type { Socket } from "node:net";
import type { Connection as SshConnection } from "ssh2";
import { free } from "../../../machine/free.ts";
import { FieldReader, sized } from "../wire/fields.ts";
import { dataSizeBytesMax, GcmCipher, GcmDecipher } from "./gcm.ts";
import { agreesOnHybrid, hybridMethod, respond, withCarrier } from "./hybrid-key-exchange.ts";
import { correctExtInfo } from "./signature-algorithms.ts";
import {
  answerBy,
  dropPackets,
  exchangeOf,
  gcmReceiving,
  gcmSending,
  grantDataSize,
  handleFirstPayloads,
  handleLaterPayloads,
  type Offer,
  offerOf,
  onNewKeys,
  type PayloadHandler,
  receiveBy,
  receivesBy,
  sendBy,
  sendKexInit,
  setOffer,
  takeGuess,
  writeTo,
} from "./ssh2-inside.ts";

const kexInitType = 20;
/** Type and cookie, before the first list of a KEXINIT. */
const kexInitHeaderSizeBytes = 17;
const gcmCiphers: readonly string[] = ["aes256-gcm@openssh.com", "aes128-gcm@openssh.com"];

export type NegotiationSettings = {
  socket: Socket;
  /** MACs that are offered besides those of ssh2's configuration; none but for partners that need them. */
  legacyMacs: readonly string[];
  /** How long our KEXINIT waits. */
  waitMs: number;
};

export type Negotiation = {
  /** Whether what was agreed on last authenticates the plaintext. */
  usesLegacyMac(): boolean;
};

/**
 * Takes over the negotiation of a connection that has just been identified. Nothing of its key exchange was sent yet.
 */
export function negotiate(client: SshConnection, settings: NegotiationSettings): Negotiation {
  const opening = holdOurKexInit(client, settings);
  client.once("close", () => opening.cancel());
  handleFirstPayloads(client, (handle) => withHybrid(client, opening.seeing(handle)));
  handleLaterPayloads(client, (handle) => withHybrid(client, handle));
  takeOverCiphers(client, settings.socket);
  widenPackets(client);
  let agreed: readonly string[] = [];
  client.on("handshake", ({ cs, sc }) => (agreed = [cs.mac, sc.mac]));
  return { usesLegacyMac: () => agreed.some((mac) => settings.legacyMacs.includes(mac)) };
}

/** Keeps our first KEXINIT back until the peer's has come, or the peer has waited for ours. */
function holdOurKexInit(client: SshConnection, { legacyMacs, waitMs }: NegotiationSettings) {
  const everything = withOurs(offerOf(client), legacyMacs);
  let held = true;
  setOffer(client, everything);
  const letPass = dropPackets(client, kexInitType);
  const send = (chosen: Offer): void => {
    if (!held) return;
    held = false;
    clearTimeout(waiting);
    letPass();
    setOffer(client, chosen);
    sendKexInit(client);
  };
  const waiting = setTimeout(() => send(everything), waitMs);
  const cancel = (): void => {
    held = false;
    clearTimeout(waiting);
  };
  const seeing = (handle: PayloadHandler): PayloadHandler => {
    return (payload) => {
      if (held && payload[0] === kexInitType)
        send(knowsGcm(payload) ? { ...everything, ciphers: gcmCiphers } : everything);
      return handle(payload);
    };
  };
  return { cancel, seeing };
}

/** An offer as another, but with the hybrid method and more MACs. */
function withOurs(offer: Offer, legacyMacs: readonly string[]): Offer {
  const { methods, macs } = offer;
  return {
    ...offer,
    methods: methods.includes(hybridMethod) ? methods : [hybridMethod, ...methods],
    macs: [...macs, ...legacyMacs],
  };
}

/** Whether a KEXINIT offers AES-GCM for both directions. */
function knowsGcm(kexInit: Buffer): boolean {
  const proposal = proposalOf(kexInit);
  return (
    proposal !== null &&
    [proposal.toServer, proposal.toClient].every((ciphers) => ciphers.some((cipher) => gcmCiphers.includes(cipher)))
  );
}

/**
 * Reads each KEXINIT before ssh2 does, the first one and those of later changes of keys: turns the exchange into the
 * hybrid's when that is agreed on, and drops what a client sent on a guess only if the guess was wrong (ssh2 drops it
 * always).
 */
function withHybrid(client: SshConnection, handle: PayloadHandler): PayloadHandler {
  return (payload) => {
    const proposal = payload[0] === kexInitType ? proposalOf(payload) : null;
    if (!proposal) return handle(payload);
    const { methods, hostKeys } = offerOf(client);
    const isHybrid = agreesOnHybrid(proposal.methods, methods);
    const before = exchangeOf(client);
    const outcome = handle(isHybrid ? withMethods(payload, withCarrier(proposal.methods)) : payload);
    const exchange = exchangeOf(client);
    // Where the two sides agree on nothing else, the connection has ended and no exchange was made.
    if (isHybrid && exchange && exchange !== before) answerBy(exchange, payload, respond);
    if (proposal.methods[0] === methods[0] && proposal.hostKeys[0] === hostKeys[0]) takeGuess(client);
    return outcome;
  };
}

/** The first lists of a KEXINIT; null for one that cannot be read, which ssh2 refuses in a moment. */
function proposalOf(
  kexInit: Buffer,
): { methods: string[]; hostKeys: string[]; toServer: string[]; toClient: string[] } | null {
  try {
    const fields = new FieldReader(kexInit, kexInitHeaderSizeBytes);
    const list = () => fields.text().split(",");
    return { methods: list(), hostKeys: list(), toServer: list(), toClient: list() };
  } catch {
    return null;
  }
}

function withMethods(kexInit: Buffer, methods: readonly string[]): Buffer {
  const after = kexInitHeaderSizeBytes + 4 + kexInit.readUInt32BE(kexInitHeaderSizeBytes);
  return Buffer.concat([
    kexInit.subarray(0, kexInitHeaderSizeBytes),
    sized(methods.join(",")),
    kexInit.subarray(after),
  ]);
}

/** With each change of keys, puts our AES-GCM in the place of ssh2's before the first packet passes. */
function takeOverCiphers(client: SshConnection, socket: Socket): void {
  const write = gathered(socket, writeTo(client));
  let isFirst = true;
  onNewKeys(client, () => {
    const sending = gcmSending(client);
    if (sending) sendBy(client, new GcmCipher(sending.keys, sending.outSeqno, write));
    const receiving = gcmReceiving(client);
    if (receiving) receiveBy(client, new GcmDecipher(receiving.keys, receiving.inSeqno, receiving.onPayload));
    if (isFirst) correctExtInfo(client);
    isFirst = false;
  });
}

/**
 * What is written in one turn of the event loop becomes one system call: a packet is three pieces, a reply eight
 * packets. Frees it when the kernel has it: a packet's ciphertext is nobody else's.
 */
function gathered(socket: Socket, write: (bytes: Buffer) => void): (bytes: Buffer) => void {
  let gathering: Buffer[] | null = null;
  return (bytes) => {
    if (gathering === null) {
      const turn: Buffer[] = (gathering = []);
      socket.cork();
      process.nextTick(() => {
        gathering = null;
        if (socket.writable) socket.write(nothing, (error) => void (error ?? turn.forEach(free)));
        socket.uncork();
      });
    }
    gathering.push(bytes);
    write(bytes);
  };
}

const nothing = Buffer.alloc(0);

/** Where our AES-GCM decrypts, clients may send larger packets than ssh2's ciphers take. */
function widenPackets(client: SshConnection): void {
  grantDataSize(client, (own) => (receivesBy(client) instanceof GcmDecipher ? dataSizeBytesMax : own));
}
