/** How loading is shared out between partners and files, each limit with its reason. */

/** Threads beside TIDELINE_LOAD_THREADS: one takes small deliveries only, one those of partners whose rate is limited. */
export const loadThreadsBeside = 2;
/** Recognition has a thread of its own. */
export const recognitionThreads = 1;
