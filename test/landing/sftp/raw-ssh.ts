/**
 * An SSH client written for these tests from the RFCs alone (4253 and draft-ietf-sshm-mlkem-hybrid-kex): it shares no
 * code with the door or with ssh2, sends whatever a test wants, and does one thing properly, the hybrid key exchange.
 */
import {
  createDecipheriv,
  createHash,
  createPublicKey,
  decapsulate,
  diffieHellman,
  generateKeyPairSync,
  randomBytes,
  verify,
} from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export type RawSsh = {
  /** The server's identification, without line end. */
  readonly identification: string;
  /** Sends a packet of the time before keys. */
  send(payload: Buffer): void;
  /** Any bytes. */
  write(bytes: Buffer): void;
  /** The next packet's payload, or null when the connection ended. */
  next(): Promise<Buffer | null>;
  /** Raw bytes, `sizeBytes` of them; null when the connection ended before. */
  read(sizeBytes: number): Promise<Buffer | null>;
  close(): void;
};

export const messages = {
  disconnect: 1,
  ignore: 2,
  kexInit: 20,
  newKeys: 21,
  exchangeInit: 30,
  exchangeReply: 31,
} as const;

const ourIdentification = "SSH-2.0-RawPeer";

export async function openRawSsh(port: number): Promise<RawSsh> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  const read = reader(socket);
  socket.write(`${ourIdentification}\r\n`);
  let identification = "";
  for (let byte = await read(1); byte && byte[0] !== 10; byte = await read(1))
    identification += byte.toString("latin1");
  return {
    identification: identification.trimEnd(),
    read,
    write: (bytes) => void socket.write(bytes),
    send: (payload) => void socket.write(plainPacket(payload)),
    async next() {
      const length = await read(4);
      const body = length && (await read(length.readUInt32BE()));
      return body && body.subarray(1, body.length - (body[0] ?? 0));
    },
    close: () => void socket.destroy(),
  };
}

function reader(socket: Socket): (sizeBytes: number) => Promise<Buffer | null> {
  let held = Buffer.alloc(0);
  let wake = (): void => undefined;
  socket.on("data", (chunk: Buffer) => {
    held = Buffer.concat([held, chunk]);
    wake();
  });
  socket.on("close", () => wake());
  return async (sizeBytes) => {
    while (held.length < sizeBytes && !socket.closed) await new Promise<void>((resolve) => (wake = resolve));
    if (held.length < sizeBytes) return null;
    const taken = held.subarray(0, sizeBytes);
    held = held.subarray(sizeBytes);
    return taken;
  };
}

export function plainPacket(payload: Buffer): Buffer {
  const paddingSizeBytes = 8 - ((5 + payload.length) % 8) + 8;
  return Buffer.concat([
    number(1 + payload.length + paddingSizeBytes),
    Buffer.of(paddingSizeBytes),
    payload,
    Buffer.alloc(paddingSizeBytes),
  ]);
}

export type Lists = {
  methods: string[];
  hostKeys?: string[];
  ciphers?: string[];
  macs?: string[];
  firstFollows?: boolean;
};

export function kexInit({
  methods,
  hostKeys = ["ssh-ed25519"],
  ciphers = ["aes256-gcm@openssh.com"],
  macs = ["hmac-sha2-256-etm@openssh.com"],
  firstFollows = false,
}: Lists): Buffer {
  const lists = [methods, hostKeys, ciphers, ciphers, macs, macs, ["none"], ["none"], [], []];
  return Buffer.concat([
    Buffer.of(messages.kexInit),
    randomBytes(16),
    ...lists.map((names) => text(names.join(","))),
    Buffer.of(firstFollows ? 1 : 0),
    number(0),
  ]);
}

/** The name lists of a KEXINIT, in the order of RFC 4253, section 7.1. */
export function listsOf(payload: Buffer): string[][] {
  const lists: string[][] = [];
  let offset = 17;
  for (let index = 0; index < 10; index += 1) {
    const sizeBytes = payload.readUInt32BE(offset);
    lists.push(payload.toString("latin1", offset + 4, offset + 4 + sizeBytes).split(","));
    offset += 4 + sizeBytes;
  }
  return lists;
}

export type Agreed = { exchangeHash: Buffer; secret: Buffer; hostKey: Buffer; signatureIsValid: boolean };

/**
 * The client's side of the hybrid, after both KEXINITs. @param sent what goes to the server as C_INIT instead of the
 * right one
 */
export async function exchangeHybrid(
  peer: RawSsh,
  ours: Buffer,
  theirs: Buffer,
  change: (initial: Buffer) => Buffer = (initial) => initial,
): Promise<Agreed | null> {
  const mlKem = generateKeyPairSync("ml-kem-768");
  const x25519 = generateKeyPairSync("x25519");
  const raw = { format: "raw-public" } as const;
  const initial = change(Buffer.concat([mlKem.publicKey.export(raw), x25519.publicKey.export(raw)]));
  peer.send(Buffer.concat([Buffer.of(messages.exchangeInit), text(initial)]));
  const reply = await peer.next();
  if (reply?.[0] !== messages.exchangeReply) return null;
  const [hostKey, response, signature] = strings(reply.subarray(1));
  if (!hostKey || !response || !signature) throw new Error("the reply is too short");
  const serverKey = createPublicKey({ key: response.subarray(1088), asymmetricKeyType: "x25519", ...raw });
  const secret = createHash("sha256")
    .update(decapsulate(mlKem.privateKey, response.subarray(0, 1088)))
    .update(diffieHellman({ privateKey: x25519.privateKey, publicKey: serverKey }))
    .digest();
  const transcript = [
    text(ourIdentification),
    text(peer.identification),
    text(ours),
    text(theirs),
    text(hostKey),
    text(initial),
    text(response),
    text(secret),
  ];
  const exchangeHash = createHash("sha256").update(Buffer.concat(transcript)).digest();
  return { exchangeHash, secret, hostKey, signatureIsValid: isSigned(exchangeHash, hostKey, signature) };
}

function isSigned(exchangeHash: Buffer, hostKey: Buffer, signature: Buffer): boolean {
  const [type, key] = strings(hostKey);
  const [signatureType, value] = strings(signature);
  if (!key || !value || String(type) !== "ssh-ed25519" || String(signatureType) !== "ssh-ed25519") return false;
  return verify(
    null,
    exchangeHash,
    createPublicKey({ key, format: "raw-public", asymmetricKeyType: "ed25519" }),
    value,
  );
}

/** Reads the server's first packet under the new keys, aes256-gcm (RFC 5647). */
export async function nextSealed(peer: RawSsh, { exchangeHash, secret }: Agreed): Promise<Buffer> {
  const derive = (letter: string) =>
    createHash("sha256")
      .update(Buffer.concat([text(secret), exchangeHash, Buffer.from(letter), exchangeHash]))
      .digest();
  const length = await peer.read(4);
  const sealed = length && (await peer.read(length.readUInt32BE() + 16));
  if (!length || !sealed) throw new Error("the connection ended");
  const decipher = createDecipheriv("aes-256-gcm", derive("D"), derive("B").subarray(0, 12));
  decipher.setAAD(length);
  decipher.setAuthTag(sealed.subarray(-16));
  const opened = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return opened.subarray(1, opened.length - (opened[0] ?? 0));
}

export function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function text(value: string | Buffer): Buffer {
  return Buffer.concat([number(Buffer.byteLength(value)), Buffer.from(value)]);
}

function strings(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let offset = 0; offset + 4 <= bytes.length;) {
    const sizeBytes = bytes.readUInt32BE(offset);
    found.push(bytes.subarray(offset + 4, offset + 4 + sizeBytes));
    offset += 4 + sizeBytes;
  }
  return found;
}
