/**
 * The parts of ssh2's inside (1.17) that the door reaches into, because its API has no place for them: key exchange
 * methods of our own, an offer that depends on the peer, ciphers that copy less. `negotiation.ts` is the only place
 * that does.
 */
declare module "ssh2/lib/protocol/kex.js" {
  /** The algorithms that a KEXINIT names. */
  export type OfferedLists = {
    kex: readonly string[];
    serverHostKey: readonly string[];
    cs: { cipher: readonly string[]; mac: readonly string[]; compress: readonly string[]; lang: readonly string[] };
    sc: { cipher: readonly string[]; mac: readonly string[]; compress: readonly string[]; lang: readonly string[] };
  };
  type Entry = { array: readonly string[] };

  export class KexInit {
    constructor(lists: OfferedLists);
    readonly lists: {
      kex: Entry;
      serverHostKey: Entry;
      cs: { cipher: Entry; mac: Entry; compress: Entry; lang: Entry };
    };
  }

  /** One run of a key exchange method. Its functions are called in the order in which they stand here. */
  export type KeyExchange = {
    /** The peer's KEXINIT as it came: part of what is signed. */
    _remoteKexinit: Buffer;
    /** What is hashed for the value that the peer sent. */
    convertPublicKey(sent: Buffer): Buffer;
    /** The shared secret without its length; an Error is returned, not thrown. */
    computeSecret(sent: Buffer): Buffer | Error;
    /** What is sent to the peer. */
    getPublicKey(): Buffer;
  };

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
    _onPayload: PayloadHandler;
    /** Takes bytes from `start` to `end`; returns where it stopped when it did so before `end`. */
    decrypt(chunk: Buffer, start: number, end: number): number | undefined;
    free(): void;
  };

  export type Protocol = {
    _offer: KexInit;
    _kex: KeyExchange | undefined;
    /** Our KEXINIT while an exchange runs. */
    _kexinit: Buffer | undefined;
    /** Whether the next packet was sent on a wrong guess. */
    _skipNextInboundPacket: boolean;
    _cipher: Cipher;
    _decipher: Decipher;
    _onPayload: PayloadHandler;
    _onHandshakeComplete(negotiated: unknown): void;
    _onWrite(bytes: Uint8Array): void;
    /** Tells the client of its new channel: how much it may send before it is told more, and how much in one packet. */
    channelOpenConfirm(remote: number, local: number, windowSizeBytes: number, dataSizeBytes: number): void;
  };

  /** Sends our KEXINIT. */
  export function kexinit(protocol: Protocol): void;
}
