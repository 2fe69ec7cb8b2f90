/**
 * What the door offers a peer in the key exchange, and what becomes of what was agreed on. It changes ssh2 from within,
 * for one connection at a time, at three points: our KEXINIT, the peer's KEXINIT, the change of keys.
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
import type { CipherGCMTypes } from "node:crypto";
import type { Socket } from "node:net";
import type { Connection as SshConnection } from "ssh2";
import kex, {
  type Cipher,
  type Decipher,
  type KexInit,
  type OfferedLists,
  type PayloadHandler,
  type Protocol,
} from "ssh2/lib/protocol/kex.js";
import { FieldReader, sized } from "../wire/fields.ts";
import { dataSizeBytesMax, GcmCipher, GcmDecipher } from "./gcm.ts";
import { agreesOnHybrid, carryHybrid, hybridMethod, withCarrier } from "./hybrid-key-exchange.ts";
import { correctExtInfo } from "./signature-algorithms.ts";

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
  const { _protocol: protocol } = client as unknown as { _protocol: Protocol };
  const opening = holdOurKexInit(protocol, settings);
  client.once("close", () => opening.cancel());
  protocol._decipher._onPayload = withHybrid(protocol, opening.seeing(protocol._decipher._onPayload));
  protocol._onPayload = withHybrid(protocol, protocol._onPayload);
  takeOverCiphers(protocol, settings.socket);
  widenPackets(protocol);
  let agreed: readonly string[] = [];
  client.on("handshake", ({ cs, sc }) => (agreed = [cs.mac, sc.mac]));
  return { usesLegacyMac: () => agreed.some((mac) => settings.legacyMacs.includes(mac)) };
}

/** Keeps our first KEXINIT back until the peer's has come, or the peer has waited for ours. */
function holdOurKexInit(protocol: Protocol, { legacyMacs, waitMs }: NegotiationSettings) {
  const cipher = protocol._cipher;
  const everything = offer(protocol._offer, { legacyMacs });
  let held = true;
  protocol._offer = everything;
  protocol._cipher = swallowing(cipher, kexInitType);
  const send = (chosen: KexInit): void => {
    if (!held) return;
    held = false;
    clearTimeout(waiting);
    protocol._cipher = cipher;
    protocol._offer = chosen;
    kex.kexinit(protocol);
  };
  const waiting = setTimeout(() => send(everything), waitMs);
  const cancel = (): void => {
    held = false;
    clearTimeout(waiting);
  };
  const seeing = (handle: PayloadHandler): PayloadHandler => {
    return (payload) => {
      if (held && payload[0] === kexInitType)
        send(knowsGcm(payload) ? offer(everything, { ciphers: gcmCiphers }) : everything);
      return handle(payload);
    };
  };
  return { cancel, seeing };
}

/** A cipher of the time before keys that drops one type of packet. */
function swallowing(cipher: Cipher, type: number): Cipher {
  return {
    outSeqno: cipher.outSeqno,
    allocPacket: (payloadSizeBytes) => cipher.allocPacket(payloadSizeBytes),
    encrypt: (packet) => {
      if (packet[5] !== type) cipher.encrypt(packet);
    },
    free: () => cipher.free(),
  };
}

/** An offer as another, but with the hybrid method, more MACs, or fewer ciphers. */
function offer({ lists }: KexInit, changes: { legacyMacs?: readonly string[]; ciphers?: readonly string[] }): KexInit {
  const methods = lists.kex.array;
  const direction = {
    cipher: changes.ciphers ?? lists.cs.cipher.array,
    mac: [...lists.cs.mac.array, ...(changes.legacyMacs ?? [])],
    compress: lists.cs.compress.array,
    lang: lists.cs.lang.array,
  };
  return new kex.KexInit({
    kex: methods.includes(hybridMethod) ? methods : [hybridMethod, ...methods],
    serverHostKey: lists.serverHostKey.array,
    cs: direction,
    sc: direction,
  } satisfies OfferedLists);
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
function withHybrid(protocol: Protocol, handle: PayloadHandler): PayloadHandler {
  return (payload) => {
    const proposal = payload[0] === kexInitType ? proposalOf(payload) : null;
    if (!proposal) return handle(payload);
    const { kex: ourMethods, serverHostKey: ourHostKeys } = protocol._offer.lists;
    const isHybrid = agreesOnHybrid(proposal.methods, ourMethods.array);
    const before = protocol._kex;
    const outcome = handle(isHybrid ? withMethods(payload, withCarrier(proposal.methods)) : payload);
    // Where the two sides agree on nothing else, the connection has ended and no exchange was made.
    if (isHybrid && protocol._kex && protocol._kex !== before) carryHybrid(protocol._kex, payload);
    const guessedRight = proposal.methods[0] === ourMethods.array[0] && proposal.hostKeys[0] === ourHostKeys.array[0];
    if (guessedRight) protocol._skipNextInboundPacket = false;
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

/** ssh2's own AES-GCM objects, in the fields that a successor needs. */
type SshGcmCipher = Cipher & { _encSSLName: CipherGCMTypes; _encKey: Buffer; _encIV: Buffer };
type SshGcmDecipher = Decipher & { _decipherSSLName: CipherGCMTypes; _decipherKey: Buffer; _decipherIV: Buffer };

/** With each change of keys, puts our AES-GCM in the place of ssh2's before the first packet passes. */
function takeOverCiphers(protocol: Protocol, socket: Socket): void {
  const write = gathered(socket, (bytes) => protocol._onWrite(bytes));
  const complete = protocol._onHandshakeComplete.bind(protocol);
  let isFirst = true;
  protocol._onHandshakeComplete = (negotiated) => {
    const { _cipher: cipher, _decipher: decipher } = protocol;
    if ("_encIV" in cipher) protocol._cipher = successorOf(cipher as SshGcmCipher, write);
    if ("_decipherIV" in decipher) protocol._decipher = successorOfDecipher(decipher as SshGcmDecipher);
    if (isFirst) correctExtInfo(protocol._cipher);
    isFirst = false;
    complete(negotiated);
  };
}

function successorOf(cipher: SshGcmCipher, write: (bytes: Uint8Array) => void): Cipher {
  const keys = { algorithm: cipher._encSSLName, key: cipher._encKey, initialVector: cipher._encIV };
  return new GcmCipher(keys, cipher.outSeqno, write);
}

function successorOfDecipher(decipher: SshGcmDecipher): Decipher {
  const keys = {
    algorithm: decipher._decipherSSLName,
    key: decipher._decipherKey,
    initialVector: decipher._decipherIV,
  };
  return new GcmDecipher(keys, decipher.inSeqno, decipher._onPayload);
}

/**
 * What is written in one turn of the event loop becomes one system call: a packet is three pieces, a reply eight
 * packets.
 */
function gathered(socket: Socket, write: (bytes: Uint8Array) => void): (bytes: Uint8Array) => void {
  let gathering = false;
  return (bytes) => {
    if (!gathering) {
      gathering = true;
      socket.cork();
      process.nextTick(() => {
        gathering = false;
        socket.uncork();
      });
    }
    write(bytes);
  };
}

/** Where our AES-GCM decrypts, clients may send larger packets than ssh2's ciphers take. */
function widenPackets(protocol: Protocol): void {
  const confirm = protocol.channelOpenConfirm.bind(protocol);
  protocol.channelOpenConfirm = (remote, local, windowSizeBytes, dataSizeBytes) => {
    confirm(
      remote,
      local,
      windowSizeBytes,
      protocol._decipher instanceof GcmDecipher ? dataSizeBytesMax : dataSizeBytes,
    );
  };
}
