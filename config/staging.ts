/** How loading is shared out between partners and deliveries, each limit with its reason. */

/**
 * Beside TIDELINE_LOAD_THREADS: one thread that takes small deliveries only, so that none waits for a file of hours.
 */
export const loadThreadsBeside = 1;
/** Recognition has a thread of its own. */
export const recognitionThreads = 1;

/** A delivery up to this size is small: some seconds of work at most. Every pushed request is. */
export const smallBytesMax = 4 * 1024 * 1024;

/** Requests loaded together: as many full ones as a chunk has room for, so that a group is one chunk like any other. */
export const groupRequestsMax = 26;
/** Landed bytes of a group: opened they are all in memory at once. */
export const groupBytesMax = 8 * 1024 * 1024;

/** Turns of a partner with this weight come so many times as often as those of one with weight 1. */
export const weightMax = 100;
export const recordsPerSecondMax = 1_000_000;

/** A load that is ahead of its allowed rate by no more sleeps it off in its thread. */
export const paceSleepMsMax = 2000;
/**
 * One that is further ahead gives its slot up after so many chunks and is continued later: each time it reads its file
 * again up to where it was, which costs some 4 % at 1,000 records/s in a file of ten million.
 */
export const pacedChunksMax = 5;

/** What is open is looked for this often without being called: calls can be lost, rates and pauses end. */
export const lookEveryMs = 2000;
/** A delivery that another machine has in hand is not asked for again before. */
export const elsewhereMs = 5000;
