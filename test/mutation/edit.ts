/** One change of a module: a piece of a text, in UTF-16 units, and what stands there instead. */
export type Edit = {
  start: number;
  end: number;
  replacement: string;
  /** What has to run for the change to matter, where that is not its own place. */
  decidedAt?: number;
};
