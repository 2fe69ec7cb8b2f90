/**
 * What holds for a partner's landing zone until `tideline partner set` says otherwise, each with its reason. Settings
 * are in force within seconds, without a restart.
 */
const gibibyte = 1024 ** 3;

export const quotaDefaults = {
  /**
   * Undelivered files: what is being uploaded or was broken off. Room for several of the largest nightly files at once.
   */
  inboxBytes: 100 * gibibyte,
  /** Undelivered files. A job that uploads thousands at once renames them one after the other. */
  inboxFiles: 10_000,
  /** Folders in inbox/, whatever lies in them: years, months and days of a decade with some senders each. */
  inboxFolders: 10_000,
  /** Delivered and not yet removed by retention, undelivered included: a month of large nightly files. */
  storedBytes: 1024 * gibibyte,
  storedFiles: 1_000_000,
  /** Logged-in connections: rclone and lftp in their widest settings stay below. */
  sessions: 32,
  /** Open files and folders of one session; OpenSSH's client asks for no more unless it is told of more. */
  handles: 64,
} as const;

/**
 * Whatever the defaults say, without a quota of its own no partner may hold more of a smaller disk: another's night has
 * room beside it.
 */
export const diskShareMax = { inboxBytes: 1 / 4, storedBytes: 3 / 4 } as const;

export const quotaMax = {
  /** One pebibyte: larger is a slip of the pen. */
  bytes: 1024 ** 5,
  files: 10_000_000,
  /** The door's own ceilings; see src/landing/sftp/limits.ts. */
  sessions: 128,
  handles: 1024,
} as const;

export const retentionDefaults = {
  /**
   * Landed bytes, delivered or never: long enough to release, compare or load again what a month's closing brings up.
   */
  landedDays: 30,
  /** Rows and receipts: a year's audit looks back thirteen months. */
  receiptDays: 400,
  /**
   * A user that the partner deleted: long enough to undo a slip by sending the history again, within what GDPR calls
   * undue delay.
   */
  deletedUserDays: 30,
} as const;

/** Eleven years: book-keeping acts ask for ten at most. */
export const retentionDaysMax = 4018;

/** What the door wrote into the audit trail (logins, uploads, refusals); changes of partners stay for good. */
export const auditDays = 400;

/**
 * A file that is expected by a cutoff counts as missing this much later: queues and clocks of two banks differ by that.
 */
export const expectedFileGraceMinutes = 15;
export const expectedFileGraceMinutesMax = 24 * 60;
/** Kinds of file that one partner is expected to send; past it the list is a mistake. */
export const expectedFilesMax = 50;

/**
 * An encrypted file up to this size has its bytes committed with its row, and its client waits for no other sync: the
 * disk does once what it did three times. A larger one is written once, beside the row; twice would cost more than the
 * syncs do.
 */
export const keptWithRowBytesMax = 64 * 1024;

/** Beside the vault's folders of days: where it is missing, the vault is not there. */
export const vaultMark = "vault-mark";
