/** What a caller may say with any call. */

export type CallOptions = {
  signal?: AbortSignal | undefined;
  /** Comes back in the answer, and stands in the service's log. */
  correlationId?: string | undefined;
  /** The language of texts in the answer, such as da. */
  language?: string | undefined;
};
