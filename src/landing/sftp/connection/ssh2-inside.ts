/**
 * All that the door reaches for inside ssh2, whose API has no place for it. ssh2 is pinned to one version, and
 * ssh2-inside.test.ts says by name which part an upgrade has changed. Nothing here decides anything: the files beside
 * this one do, by these functions.
 *
 * | reached for | because its API cannot | what would replace it |
 * | --- | --- | --- |
 * | `_offer`, `_cipher`, `kexinit`, `KexInit` | choose an offer by the peer's | `algorithms` as a function |
 * | `_onPayload`, `_skipNextInboundPacket` | show a KEXINIT, or take a right guess | an event for the peer's KEXINIT |
 * | `_kex` | take a method of ours, or tell the session's id | a table of methods; the id in `handshake` |
 * | `_onHandshakeComplete`, `_onWrite`, `_encKey`, `_decipherKey`, … | take ciphers of ours | a table of ciphers |
 * | `channelOpenConfirm` | grant packets of another size | an option of the server |
 * | `encrypt` of a cipher | name other algorithms in EXT_INFO | a list without the mistakes of 1.17 |
 * | `_packetRW`, `sendPacket`, `_handlers` | send and answer `hostkeys` requests | the server's half of them |
 * | `incoming` of a channel | refuse what exceeds the window | ssh2 refusing it, as RFC 4254, 5.2 has it |
 * | `level` of a server's errors | tell sides that agree on nothing from other ends | its documentation |
 * | the prototype of a parsed key | offer an RSA key without SHA-1 | `serverHostKey` being kept to |
 */
import type { CipherGCMTypes } from "node:crypto";
import { createRequire } from "node:module";
import type { Connection, ParsedKey, ServerChannel } from "ssh2";

const kex = createRequire(import.meta.url)("ssh2/lib/protocol/kex.js") as {
  KexInit: new (lists: OfferedLists) => KexInit;
  /** Sends our KEXINIT. */
  kexinit(protocol: Protocol): void;
};
const { sendPacket } = createRequire(import.meta.url)("ssh2/lib/protocol/utils.js") as {
  /** Waits with it while keys are exchanged. */
  sendPacket(protocol: Protocol, packet: Buffer): void;
};

type Direction<List> = { cipher: List; mac: List; compress: List; lang: List };
type Lists<List> = { kex: List; serverHostKey: List; cs: Direction<List>; sc: Direction<List> };
type OfferedLists = Lists<readonly string[]>;
type KexInit = { readonly lists: Lists<{ array: readonly string[] }> };

export type Cipher = {
  outSeqno: number;
  /** Takes a packet made by `allocPacket`, with its payload filled in, and hands it to the socket. */
  encrypt(packet: Buffer): void;
  /** Room for a payload from byte 5 on; before it length and size of padding, after it padding. */
  allocPacket(payloadSizeBytes: number): Buffer;
  free(): void;
};

/** What a payload's handler returns: undefined to go on, false to stop at the end of this packet. */
export type PayloadHandler = (payload: Buffer) => false | number | undefined;

export type Decipher = {
  inSeqno: number;
  /** ssh2 puts another here when keys are changed. */
  _onPayload: PayloadHandler;
  /** Takes bytes from `start` to `end`; returns where it stopped when it did so before `end`. */
  decrypt(chunk: Buffer, start: number, end: number): number | undefined;
  free(): void;
};

/** ssh2's own AES-GCM objects, in the fields that a successor needs. */
type SshGcmCipher = Cipher & { _encSSLName: CipherGCMTypes; _encKey: Buffer; _encIV: Buffer };
type SshGcmDecipher = Decipher & { _decipherSSLName: CipherGCMTypes; _decipherKey: Buffer; _decipherIV: Buffer };

/** One run of a key exchange method. Its functions are called in the order in which they stand here. */
type KeyExchange = {
  /** The peer's KEXINIT as it came: part of what is signed. */
  _remoteKexinit: Buffer;
  /** What is hashed for the value that the peer sent. */
  convertPublicKey(sent: Buffer): Buffer;
  /** The shared secret without its length; an Error is returned, not thrown. */
  computeSecret(sent: Buffer): Buffer | Error;
  /** What is sent to the peer. */
  getPublicKey(): Buffer;
  /** Both from the first key exchange on. */
  sessionID: Buffer;
  negotiated: { serverHostKey: string };
};

type Protocol = {
  _offer: KexInit;
  _kex: KeyExchange | undefined;
  /** Whether the next packet was sent on a wrong guess. */
  _skipNextInboundPacket: boolean;
  _cipher: Cipher;
  _decipher: Decipher;
  /** Which handler the deciphers of later keys get. */
  _onPayload: PayloadHandler;
  _onHandshakeComplete(negotiated: unknown): void;
  _onWrite(bytes: Uint8Array): void;
  _packetRW: { write: { allocStart: number; alloc(sizeBytes: number): Buffer; finalize(packet: Buffer): Buffer } };
  _handlers: { GLOBAL_REQUEST(protocol: Protocol, name: string, wantsReply: boolean, data: unknown): void };
  /** Tells the client of its new channel: how much it may send before it is told more, and how much in one packet. */
  channelOpenConfirm(remote: number, local: number, windowSizeBytes: number, dataSizeBytes: number): void;
  requestSuccess(data: Buffer): void;
  requestFailure(): void;
};

/** Where a packet's payload begins: after the length of the packet and the size of its padding. */
const headerSizeBytes = 5;

function protocolOf(client: Connection): Protocol {
  return (client as unknown as { _protocol: Protocol })._protocol;
}

/** What a KEXINIT of ours names; ciphers and what follows for either direction. */
export type Offer = {
  methods: readonly string[];
  hostKeys: readonly string[];
  ciphers: readonly string[];
  macs: readonly string[];
  compressions: readonly string[];
  languages: readonly string[];
};

export function offerOf(client: Connection): Offer {
  const { kex: methods, serverHostKey, cs } = protocolOf(client)._offer.lists;
  return {
    methods: methods.array,
    hostKeys: serverHostKey.array,
    ciphers: cs.cipher.array,
    macs: cs.mac.array,
    compressions: cs.compress.array,
    languages: cs.lang.array,
  };
}

/** Names this in the next KEXINIT, and judges the peer's by it. */
export function setOffer(client: Connection, offer: Offer): void {
  const direction = { cipher: offer.ciphers, mac: offer.macs, compress: offer.compressions, lang: offer.languages };
  protocolOf(client)._offer = new kex.KexInit({
    kex: offer.methods,
    serverHostKey: offer.hostKeys,
    cs: direction,
    sc: direction,
  });
}

export function sendKexInit(client: Connection): void {
  kex.kexinit(protocolOf(client));
}

/** Drops packets of one type, before keys are in use, until the returned function is called. */
export function dropPackets(client: Connection, type: number): () => void {
  const protocol = protocolOf(client);
  const cipher = protocol._cipher;
  protocol._cipher = {
    outSeqno: cipher.outSeqno,
    allocPacket: (payloadSizeBytes) => cipher.allocPacket(payloadSizeBytes),
    encrypt: (packet) => {
      if (packet[headerSizeBytes] !== type) cipher.encrypt(packet);
    },
    free: () => cipher.free(),
  };
  return () => (protocol._cipher = cipher);
}

/** Puts a handler before ssh2's own, for what comes before keys are in use. */
export function handleFirstPayloads(client: Connection, wrap: (handle: PayloadHandler) => PayloadHandler): void {
  const { _decipher: decipher } = protocolOf(client);
  decipher._onPayload = wrap(decipher._onPayload);
}

/** The same for what comes under any keys. */
export function handleLaterPayloads(client: Connection, wrap: (handle: PayloadHandler) => PayloadHandler): void {
  const protocol = protocolOf(client);
  protocol._onPayload = wrap(protocol._onPayload);
}

/** What the client sent on a guess is not dropped. To be called when its KEXINIT was handled. */
export function takeGuess(client: Connection): void {
  protocolOf(client)._skipNextInboundPacket = false;
}

/** The key exchange that runs, or ran last: to be told from another one, and to be given to `answerBy`. */
export function exchangeOf(client: Connection): KeyExchange | undefined {
  return protocolOf(client)._kex;
}

/**
 * Puts values of another method into an exchange that has not begun and has the same messages and the same hash.
 * @param received the client's KEXINIT as it came: it is hashed
 * @param respond what it throws ends the connection
 */
export function answerBy(
  exchange: KeyExchange,
  received: Buffer,
  respond: (sent: Buffer) => { reply: Buffer; secret: Buffer },
): void {
  let reply: Buffer | undefined;
  exchange._remoteKexinit = received;
  exchange.convertPublicKey = (sent) => sent;
  exchange.computeSecret = (sent) => {
    try {
      const response = respond(sent);
      reply = response.reply;
      return response.secret;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  };
  exchange.getPublicKey = () => {
    if (!reply) throw new Error("the reply of a key exchange was asked for before its secret");
    return reply;
  };
}

/** Calls `attend` with each change of keys, before the first packet passes under them. */
export function onNewKeys(client: Connection, attend: () => void): void {
  const protocol = protocolOf(client);
  const complete = protocol._onHandshakeComplete.bind(protocol);
  protocol._onHandshakeComplete = (negotiated) => {
    attend();
    complete(negotiated);
  };
}

type GcmKeys = { algorithm: CipherGCMTypes; key: Buffer; initialVector: Buffer };

/** What ssh2 sends by when that is its own AES-GCM; null for any other cipher. */
export function gcmSending(client: Connection): { keys: GcmKeys; outSeqno: number } | null {
  const { _cipher: cipher } = protocolOf(client);
  if (!("_encIV" in cipher)) return null;
  const { _encSSLName: algorithm, _encKey: key, _encIV: initialVector, outSeqno } = cipher as SshGcmCipher;
  return { keys: { algorithm, key, initialVector }, outSeqno };
}

/** What ssh2 receives by when that is its own AES-GCM; null for any other cipher. */
export function gcmReceiving(client: Connection): { keys: GcmKeys; inSeqno: number; onPayload: PayloadHandler } | null {
  const { _decipher: decipher } = protocolOf(client);
  if (!("_decipherIV" in decipher)) return null;
  const { _decipherSSLName: algorithm, _decipherKey: key, _decipherIV: initialVector } = decipher as SshGcmDecipher;
  return { keys: { algorithm, key, initialVector }, inSeqno: decipher.inSeqno, onPayload: decipher._onPayload };
}

export function sendBy(client: Connection, cipher: Cipher): void {
  protocolOf(client)._cipher = cipher;
}

export function receiveBy(client: Connection, decipher: Decipher): void {
  protocolOf(client)._decipher = decipher;
}

export function receivesBy(client: Connection): Decipher {
  return protocolOf(client)._decipher;
}

/** Hands bytes to the socket as ssh2's own ciphers do: to nowhere, once the connection has ended. */
export function writeTo(client: Connection): (bytes: Uint8Array) => void {
  const protocol = protocolOf(client);
  return (bytes) => protocol._onWrite(bytes);
}

/** Lets clients send as much in one packet as is made of what ssh2 would let them. */
export function grantDataSize(client: Connection, sizeBytesOf: (ownSizeBytes: number) => number): void {
  const protocol = protocolOf(client);
  const confirm = protocol.channelOpenConfirm.bind(protocol);
  protocol.channelOpenConfirm = (remote, local, windowSizeBytes, dataSizeBytes) =>
    confirm(remote, local, windowSizeBytes, sizeBytesOf(dataSizeBytes));
}

/** Puts another payload into the place of the next packet of a type, under the keys in use. */
export function replaceNextPacket(client: Connection, type: number, payload: Buffer): void {
  const { _cipher: cipher } = protocolOf(client);
  const encrypt = cipher.encrypt.bind(cipher);
  cipher.encrypt = (packet) => {
    if (packet[headerSizeBytes] !== type) return encrypt(packet);
    cipher.encrypt = encrypt;
    const replacing = cipher.allocPacket(payload.length);
    replacing.set(payload, headerSizeBytes);
    encrypt(replacing);
  };
}

/** Sends any message, after the key exchange if one runs. */
export function sendPayload(client: Connection, payload: Buffer): void {
  const protocol = protocolOf(client);
  const { write } = protocol._packetRW;
  const packet = write.alloc(payload.length);
  packet.set(payload, write.allocStart);
  sendPacket(protocol, write.finalize(packet));
}

/**
 * Answers requests of one name that want a reply and bring bytes; all others stay ssh2's.
 * @param answer null refuses
 */
export function answerRequests(client: Connection, name: string, answer: (data: Buffer) => Buffer | null): void {
  const protocol = protocolOf(client);
  const others = protocol._handlers.GLOBAL_REQUEST;
  protocol._handlers.GLOBAL_REQUEST = (self, asked, wantsReply, data) => {
    if (asked !== name || !wantsReply || !Buffer.isBuffer(data)) return others(self, asked, wantsReply, data);
    const reply = answer(data);
    if (reply) protocol.requestSuccess(reply);
    else protocol.requestFailure();
  };
}

/** The session's id, and by which algorithm the host key signed last. @throws Error before the first key exchange */
export function sessionOf(client: Connection): { id: Buffer; hostKeyAlgorithm: string } {
  const { _kex: exchange } = protocolOf(client);
  if (exchange === undefined) throw new Error("a session was asked for before its key exchange");
  return { id: exchange.sessionID, hostKeyAlgorithm: exchange.negotiated.serverHostKey };
}

/** ssh2 takes what comes beyond the window that it granted, and would hold any amount of it. */
export function refuseBeyondWindow(stream: ServerChannel, refuse: () => void): void {
  const { incoming } = stream as unknown as { incoming: { window: number } };
  const push = stream.push.bind(stream);
  stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (incoming.window >= 0) return push(chunk, encoding);
    refuse();
    return false;
  };
}

/** Whether a connection's error is that the two sides came to no agreement on keys. */
export function isOfHandshake(error: Error & { level?: string }): boolean {
  return error.level === "handshake";
}

/** The key under another type: ssh2 offers a host key by what its type says. */
export function keyOfType(key: ParsedKey, type: string): ParsedKey {
  return Object.create(key, { type: { value: type, enumerable: true } }) as ParsedKey;
}
