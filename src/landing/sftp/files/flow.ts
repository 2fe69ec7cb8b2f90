/**
 * Back-pressure of one channel. Requests are taken only while what is under way (requests, and the bytes of the larger
 * of request and answer) is below the limits; then the channel is not read, its SSH window stays shut, and the client
 * waits.
 */
export class Flow {
  readonly #requestsMax: number;
  readonly #bytesMax: number;
  #requests = 0;
  #bytes = 0;
  #closed = false;
  #waiting: (() => void) | undefined;

  constructor(requestsMax: number, bytesMax: number) {
    this.#requestsMax = requestsMax;
    this.#bytesMax = bytesMax;
  }

  /** Counts a request in, once there is room. One caller at a time. After `close` it resolves at once. */
  async enter(sizeBytes: number): Promise<void> {
    if (this.#isFull() && !this.#closed) await new Promise<void>((resolve) => (this.#waiting = resolve));
    this.#requests += 1;
    this.#bytes += sizeBytes;
  }

  /** Counts it out, when its answer is on its way to the network. */
  leave(sizeBytes: number): void {
    this.#requests -= 1;
    this.#bytes -= sizeBytes;
    if (!this.#isFull()) this.#wake();
  }

  /** The peer is gone: nobody is to wait any longer. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  #isFull(): boolean {
    return this.#requests >= this.#requestsMax || this.#bytes >= this.#bytesMax;
  }

  #wake(): void {
    this.#waiting?.();
    this.#waiting = undefined;
  }
}
