/** Limits of reports, each with its reason. */

/** Reports made at once: each takes a second of one processor, and callers wait for a few at most. */
export const reportThreads = 1;

/** A report of thousands of rows takes a second or two on a busy machine; one that takes longer is stuck. */
export const makingWithinMs = 60_000;

/** A caller waits for a budget's report on an open connection; proxies give up after a minute. */
export const waitingWithinMs = 45_000;

/**
 * Reports waiting for the thread of one process: at some tenths of a second each, the last one waits about ten seconds.
 */
export const reportsWaitingMax = 32;

/** A document is fetched within minutes; a month leaves room for holidays, and it can be asked for again. */
export const documentDays = 30;

/** What fails so often fails for its data, not for the moment. */
export const attemptsMax = 3;

/** A report in hand for longer was left by a process that died: more than twice the time that making one may take. */
export const abandonedAfterMs = 150_000;
