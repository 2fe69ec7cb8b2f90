/** How loading is shared out between partners and deliveries, each limit with its reason. */

/**
 * Beside TIDELINE_LOAD_THREADS: one thread that takes small deliveries only, so that none waits for a file of hours.
 */
export const loadThreadsBeside = 1;
/** Of the door's: while one batch waits for the database to say whose users it names, the thread opens the next. */
export const batchesOfThreadMax = 3;
/** Recognition has a thread of its own. */
export const recognitionThreads = 1;

/** A delivery up to this size is small: some seconds of work at most. Every pushed request is. */
export const smallBytesMax = 4 * 1024 * 1024;

/**
 * What a small delivery opens to at most, of all its layers together: a second's work. Above one full request, so that
 * a batch is always small; what opens to more is loaded beside the large ones.
 */
export const smallOpenedBytesMax = 20 * 1024 * 1024;

/** Requests and small files loaded together: what one commit and a look at each costs is nothing beside opening them. */
export const groupMembersMax = 200;
/** What can be loaded together: files that bring nothing but transactions and markers of users whom they name. */
export const formatsGrouped = ["jwe", "jsonl", "jsonl.gz"];
/** Landed bytes of a group: of full requests as many as a chunk has room for. Opened they are all in memory at once. */
export const groupBytesMax = 8 * 1024 * 1024;

/**
 * What comes piece by piece gathers so long before it is loaded together; the first of it is loaded at once. A load costs
 * some milliseconds of both processors whether it brings one file or fifty, which the doors then lack.
 */
export const gatherMs = 250;

/**
 * While small files keep coming, the call for them waits so long at most, and who looks without a call leaves them alone so
 * long: loading and the door want the same processors, and a group of two hundred costs little more than one of twenty.
 */
export const callGatherMs = 2000;

/** Plaintext of a group, held at once: what comes to more is loaded in several. */
export const groupOpenedBytesMax = 32 * 1024 * 1024;

/**
 * While others wait: a load runs so long before it parks. Long enough for some chunks, and short enough that loads of some
 * seconds share evenly: of three partners at once the least had 0.87 of an equal share with turns of a second, and 0.91
 * with 350 ms, at the same rate.
 */
export const turnMs = 350;
/**
 * Loads that are parked at once, each with its thread, two connections and a chunk in memory. Past it a load whose turn
 * is over goes back behind its last chunk instead, and reads its file up to there again when it is its turn.
 */
export const parkedLoadsMax = 4;

/** Turns of a partner with this weight come so many times as often as those of one with weight 1. */
export const weightMax = 100;
export const recordsPerSecondMax = 1_000_000;

/**
 * A load with an allowed rate commits so much of it at once, then rests in its thread as long; its slot goes to others
 * who wait. Shorter, and commits would cost more than rows; longer, and it would show in the rate.
 */
export const pacedChunkMs = 2000;
/**
 * Where no more loads can be parked, a resting one keeps its slot so long and is then continued later: each time it
 * reads its file again up to where it was, which costs some 7 % at 1,000 records/s in a file of ten million.
 */
export const pacedTurnMs = 60_000;

/**
 * A delivery that fails this often for a reason of its own, without a record in between, is poison: it stops and says
 * why.
 */
export const loadAttemptsMax = 5;
/**
 * The process that loads it dies: by its doing, or it was restarted as often by chance. A restart a minute is half an
 * hour.
 */
export const breakdownsMax = 30;

/** What is open is looked for this often without being called: calls can be lost, rates and pauses end. */
export const lookEveryMs = 2000;
/** A delivery that another machine has in hand is not asked for again before. */
export const elsewhereMs = 5000;
