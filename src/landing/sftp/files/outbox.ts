/**
 * Answers on their way out, in their order. Those to a large file's writes leave together at the end of each turn of the
 * event loop: a client has dozens of writes under way, and one by one each answer costs a packet, a system call, and
 * waking both of the client's processes.
 */
import { once } from "node:events";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setImmediate as endOfTurn } from "node:timers/promises";

/** A channel, and the connection that it is in. */
export type Way = {
  readonly stream: Duplex;
  readonly socket: Socket;
  /** Aborted when the connection is gone. */
  readonly gone: AbortSignal;
};

export class Outbox {
  readonly #way: Way;
  #gathered: Buffer[] = [];
  #leaving: Promise<void> | undefined;

  constructor(way: Way) {
    this.#way = way;
  }

  /** Resolves when the answer is with the socket and the socket is not far behind. */
  async send(reply: Buffer): Promise<void> {
    const { stream, socket, gone } = this.#way;
    if (gone.aborted || !stream.writable) return;
    const bytes = this.#gathered.length === 0 ? reply : Buffer.concat([...this.#gathered.splice(0), reply]);
    await new Promise<void>((resolve) => stream.write(bytes, () => resolve()));
    if (socket.writableNeedDrain) await once(socket, "drain", { signal: gone }).catch(() => undefined);
  }

  /** The same for an answer that may wait until others are there too. */
  gather(reply: Buffer): Promise<void> {
    this.#gathered.push(reply);
    return (this.#leaving ??= endOfTurn().then(() => this.#leave()));
  }

  async #leave(): Promise<void> {
    this.#leaving = undefined;
    const last = this.#gathered.pop();
    if (last !== undefined) await this.send(last);
  }
}
