/** Something that must not be: ends the run, and is kept so that it can be tried again. */
export class Violation extends Error {
  readonly bytes: Buffer;

  constructor(message: string, bytes: Buffer | string = "") {
    super(message);
    this.bytes = Buffer.from(bytes);
  }
}
