/** The change feed's bounds, each with its reason. */

/** How long changes are kept for who follows: over a long weekend and the week of a repair. */
export const feedDays = 14;

/** Changed rows told in one go, about: what they are is gathered in the database, and told from there in pieces. */
export const feedRowsAtOnce = 100_000;

/** Outbox rows looked at in one go: those of pushed requests are small. */
export const feedChangesAtOnce = 1_000;

/** Lines fetched from the database at a time: some hundred kilobytes. */
export const feedLinesAPiece = 500;

/** A message to a webhook, which many receivers bound to 1 MB. Longer lines are told alone. */
export const feedMessageBytesMax = 256 * 1024;

/** Between two looks when nothing changed. */
export const feedPauseMs = 1_000;

/** A receiver that fails is tried again after a second, then less and less often. */
export const feedRetryMsMin = 1_000;
export const feedRetryMsMax = 5 * 60_000;
