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
  #waiting: { bytesMax: number; go: () => void } | undefined;

  constructor(requestsMax: number, bytesMax: number) {
    this.#requestsMax = requestsMax;
    this.#bytesMax = bytesMax;
  }

  /**
   * Counts a request in, once there is room. One caller at a time. After `close` it resolves at once.
   * @param bytesMax for a request before which fewer bytes are to be under way
   */
  async enter(sizeBytes: number, bytesMax: number = this.#bytesMax): Promise<void> {
    if (this.#isFull(bytesMax) && !this.#closed) await new Promise<void>((go) => (this.#waiting = { bytesMax, go }));
    this.#requests += 1;
    this.#bytes += sizeBytes;
  }

  /** Counts it out, when its answer is on its way to the network. */
  leave(sizeBytes: number): void {
    this.#requests -= 1;
    this.#bytes -= sizeBytes;
    if (this.#waiting !== undefined && !this.#isFull(this.#waiting.bytesMax)) this.#wake();
  }

  /** The peer is gone: nobody is to wait any longer. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  #isFull(bytesMax: number): boolean {
    return this.#requests >= this.#requestsMax || this.#bytes >= bytesMax;
  }

  #wake(): void {
    this.#waiting?.go();
    this.#waiting = undefined;
  }
}
