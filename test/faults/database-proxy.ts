/**
 * A TCP proxy before PostgreSQL that knows enough of its protocol (PostgreSQL 18 documentation, 54.7 "Message Formats")
 * to cut a connection in the middle of a COPY, or to swallow the CommandComplete of a COMMIT: the server has committed,
 * and its client never hears of it. It may also fall silent in one direction, as a network does that loses packets one way.
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** What the proxy does once, at the next connection that comes to that point. */
export type Cut =
  /** After so many pieces of COPY data. */
  | { at: "copy"; pieces: number }
  /** `commit`: before the server gets it; `committed`: when the server has answered it. */
  | { at: "commit" | "committed"; commits: number };

/** Whose words do not come through. */
export type Silence = "client" | "server";

const types = { copyData: 0x64, query: 0x51, parse: 0x50, commandComplete: 0x43 } as const;

export class DatabaseProxy {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  /** Sockets of which nothing is read on while their side is silent. */
  readonly #sides = new Map<Socket, Silence>();
  #silent: Silence | null = null;
  targetPort: number;
  #cut: { cut: Cut; left: number; done: () => void } | null = null;

  private constructor(targetPort: number) {
    this.targetPort = targetPort;
    this.#server = createServer({ noDelay: true }, (client) => this.#join(client));
  }

  static async open(targetPort: number): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(targetPort);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Arms a cut. @returns when it has been made */
  async cut(cut: Cut): Promise<void> {
    await new Promise<void>((done) => (this.#cut = { cut, left: cut.at === "copy" ? cut.pieces : cut.commits, done }));
  }

  /** Takes back a cut that has not been made. */
  disarm(): void {
    this.#cut = null;
  }

  /** Nothing of one side comes through from now on, on connections that are open and new ones; no connection ends. */
  fallSilent(side: Silence): void {
    this.#silent = side;
    for (const [socket, ofSide] of this.#sides) if (ofSide === side) socket.pause();
  }

  /** @param late what was said meanwhile arrives now; otherwise whoever spoke into the silence is cut off */
  speakAgain(late: boolean): void {
    const side = this.#silent;
    this.#silent = null;
    for (const [socket, ofSide] of this.#sides)
      if (ofSide === side) {
        if (late) socket.resume();
        else socket.destroy();
      }
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
    await once(this.#server, "close");
  }

  #join(client: Socket): void {
    const server = connect({ port: this.targetPort, host: "127.0.0.1", noDelay: true });
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      this.#open.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        this.#open.delete(socket);
        end();
      });
    }
    // A client's first message has no type.
    this.#take(client, "client");
    this.#take(server, "server");
    const asked = new Messages(true);
    const told = new Messages(false);
    const isSilent = (socket: Socket) => this.#isSilent(socket);
    pass(client, server, (bytes) => this.#lets(asked.read(bytes), isPointOfClient), end, isSilent);
    pass(server, client, (bytes) => this.#lets(told.read(bytes), isPointOfServer), end, isSilent);
    for (const socket of [client, server]) if (this.#isSilent(socket)) socket.pause();
  }

  #take(socket: Socket, side: Silence): void {
    this.#sides.set(socket, side);
    socket.once("close", () => this.#sides.delete(socket));
  }

  #isSilent(socket: Socket): boolean {
    return this.#silent !== null && this.#sides.get(socket) === this.#silent;
  }

  /** Whether these messages may pass; not when the armed cut is among them. */
  #lets(messages: readonly Message[], isPoint: (message: Message, cut: Cut) => boolean): boolean {
    for (const message of messages) {
      const armed = this.#cut;
      if (!armed || !isPoint(message, armed.cut)) continue;
      armed.left -= 1;
      if (armed.left > 0) continue;
      this.#cut = null;
      armed.done();
      return false;
    }
    return true;
  }
}

/** Whole reads go on or nothing of them does, so that what is held back is never half told. */
function pass(
  from: Socket,
  to: Socket,
  lets: (bytes: Buffer) => boolean,
  end: () => void,
  isSilent: (socket: Socket) => boolean,
): void {
  from.on("data", (bytes: Buffer) => {
    if (!lets(bytes)) return end();
    if (!to.write(bytes)) {
      from.pause();
      to.once("drain", () => {
        if (!isSilent(from)) from.resume();
      });
    }
  });
}

function isPointOfClient({ type, text }: Message, cut: Cut): boolean {
  if (cut.at === "copy") return type === types.copyData;
  return cut.at === "commit" && (type === types.query || type === types.parse) && /(^|\0)commit\0/i.test(text);
}

function isPointOfServer({ type, text }: Message, cut: Cut): boolean {
  return cut.at === "committed" && type === types.commandComplete && text.startsWith("COMMIT");
}

/** `text` holds the beginning of the message's body. */
type Message = { type: number; text: string };

const textBytesMax = 64;
const sslRequestBytes = 8;

/**
 * Messages as they begin in a stream that is cut anywhere. Types of one byte, lengths of four that count themselves.
 */
export class Messages {
  #untyped: boolean;
  readonly #bytesMax: number;
  #held: Buffer = Buffer.alloc(0);
  #skip = 0;

  /** @param startsUntyped a client begins with a message that has no type @param bytesMax of a body, that are told */
  constructor(startsUntyped: boolean, bytesMax = textBytesMax) {
    this.#untyped = startsUntyped;
    this.#bytesMax = bytesMax;
  }

  read(bytes: Buffer): Message[] {
    const found: Message[] = [];
    let rest = this.#held.length > 0 ? Buffer.concat([this.#held, bytes]) : bytes;
    this.#held = Buffer.alloc(0);
    for (;;) {
      const skipped = Math.min(this.#skip, rest.length);
      this.#skip -= skipped;
      rest = rest.subarray(skipped);
      const headBytes = this.#untyped ? 4 : 5;
      if (this.#skip > 0 || rest.length < headBytes) break;
      const length = rest.readInt32BE(headBytes - 4);
      const body = rest.subarray(headBytes, headBytes + Math.min(length - 4, this.#bytesMax));
      if (body.length < Math.min(length - 4, this.#bytesMax)) break;
      if (!this.#untyped) found.push({ type: rest[0] ?? 0, text: body.toString("latin1") });
      // A request for TLS is refused by one byte, and the real first message follows.
      this.#untyped = this.#untyped && length === sslRequestBytes;
      this.#skip = headBytes + length - 4;
    }
    this.#held = Buffer.from(rest);
    return found;
  }
}
