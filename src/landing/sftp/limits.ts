/**
 * Every limit of the SFTP door, with its reason. A door may be opened with other values for some of them.
 * Worst-case memory of one connection is about `channelsPerConnectionMax` × (2 MiB SSH window × 2 + bytes in flight),
 * and only for a logged-in partner: before the login nothing larger than an SSH packet is held.
 */
import { quotaMax } from "../../../config/landing.ts";

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const gibibyte = 1024 * mebibyte;
const secondMs = 1000;
const minuteMs = 60 * secondMs;

export const sftpLimits = {
  /**
   * Open connections of everybody together; a landing zone of some hundred partners sees tens at the busiest minute.
   */
  connectionsMax: 256,
  /** Among them, kept for networks that some partner's list names: strangers get the others. */
  connectionsListedReserve: 64,
  /** Of one address: a bank's whole network may stand behind one, and mirroring clients open up to 32. */
  connectionsPerAddressMax: 64,
  /**
   * Not yet logged in, all together: each costs a key exchange, so strangers get no more (OpenSSH's MaxStartups ends at
   * 100).
   */
  connectionsUnauthenticatedMax: 64,
  /** Besides, for networks that some partner's list names; those strangers cannot take. */
  connectionsUnauthenticatedListedMax: 64,
  /**
   * Of one address, not yet logged in: a client that opens 32 at once gets them, and takes no more than half of the
   * places.
   */
  connectionsUnauthenticatedPerAddressMax: 32,
  /** Logged-in connections of one partner, whatever its quota says. */
  connectionsPerPartnerMax: quotaMax.sessions,
  /** SFTP channels in one connection, as OpenSSH's MaxSessions. */
  channelsPerConnectionMax: 10,
  /** To the client's identification, which it sends as soon as it is connected (RFC 4253, section 4.2). */
  firstByteMs: 5 * secondMs,
  /** Connections a second that are told why they get no place; the others of a flood are only closed. */
  refusalsToldMax: 20,
  /**
   * From TCP accept to login; key exchange and a signature take a client well under a second, a hardware token some.
   */
  loginGraceMs: 30 * secondMs,
  /**
   * Our side of the key exchange waits so long for the client's, to choose by it; a client that waits for ours loses no
   * more.
   */
  keyExchangeWaitMs: 250,
  /**
   * Refused attempts in one connection: the first asks for the methods, then an agent offers its keys (OpenSSH's
   * MaxAuthTries is 6).
   */
  loginAttemptsMax: 7,
  /** A peer that answers nothing for interval × count is gone: its half-written files become free for a resume. */
  keepaliveIntervalMs: 15 * secondMs,
  keepaliveCountMax: 3,
  /**
   * Without one SFTP request. Interactive users come back within it, forgotten sessions do not hold a slot all night.
   */
  idleMs: 15 * minuteMs,
  /** Longest life of a connection, so that a revoked or expired key cannot be outlived for ever. */
  connectionLifeMs: 24 * 60 * minuteMs,
  /** How often it is looked whether a session's key, network and partner are still good. */
  recheckMs: 3 * secondMs,
  /** Fresh keys at the latest after so much (RFC 4253, section 9). */
  rekeySizeBytes: gibibyte,
  rekeyMs: 60 * minuteMs,
  /** How often connections are looked at for the time and byte limits. */
  watchIntervalMs: secondMs,
  /** When the door closes: for the last answers to reach clients that read them. */
  farewellMs: secondMs,
  /** Open files and folders of one channel, whatever its partner's quota says. */
  handlesMax: quotaMax.handles,
  /**
   * What is known of a partner's quota and of what it has stored may be so old: a changed setting is in force after it.
   */
  usageRememberedMs: 5 * secondMs,
  /**
   * A session's refusals that the audit trail names one by one; what comes after them is a client in a loop, and is
   * counted.
   */
  refusalsAuditedMax: 100,
  /** Requests taken and not yet answered; OpenSSH's client sends up to 64 ahead. */
  requestsInFlightMax: 128,
  /**
   * Bytes of those requests and of their answers; twice the SSH window keeps the line busy (findings: 86 MB held at
   * it).
   */
  bytesInFlightMax: 4 * mebibyte,
  /**
   * Before another READ is taken. Files are ahead of their reads, and four answers keep the line busy; sixteen had left the
   * processor's cache before they were enciphered, which cost a tenth of a download.
   */
  readBytesInFlightMax: mebibyte,
  /** Unsent bytes that a peer that does not read may pile up in its socket before it is cut. */
  unsentSizeBytesMax: 16 * mebibyte,
  /** One SFTP packet, and the payload of one read or write: OpenSSH's own values, announced by limits@openssh.com. */
  packetSizeBytesMax: 256 * kibibyte,
  transferSizeBytesMax: 255 * kibibyte,
  /** One name: `.receipt.json` and a prefix must still fit the file system's 255 bytes. */
  nameSizeBytesMax: 200,
  pathSizeBytesMax: 1024,
  /** Folders below inbox/, counted with the file: mirroring clients nest by year, month and day at most. */
  depthMax: 8,
  /** One file. A year of a million customers' transactions, encrypted, is below 40 GB. */
  fileSizeBytesMax: 64 * gibibyte,
  /**
   * A file that was closed before its end waits so long to be continued or replaced: whoever broke an upload off is still
   * at the keyboard, and a client that tries again does so within minutes. 0: it is taken as it is.
   */
  incompleteMs: 60 * minuteMs,
  /** How often it is looked for those whose time is over; each look reads the inboxes' folders. */
  lapsedLookEveryMs: minuteMs,
  /** How far beyond the end a write may start: wider than any client's pipeline, and no terabyte of nothing to hash. */
  gapSizeBytesMax: 64 * mebibyte,
  /** Names in one answer to READDIR, as OpenSSH's server. */
  namesPerReplyMax: 100,
  /**
   * Bytes of one upload after which the disk is sent to work: a fraction of a second of it, and seldom enough to cost
   * nothing.
   */
  flushEverySizeBytes: 32 * mebibyte,
  /**
   * From here on a file is written past the kernel's cache, and read past it. What is smaller is still in memory when it
   * is loaded, and costs little.
   */
  pastCacheFromSizeBytes: 32 * mebibyte,
  /** Files at a time that have room for that, 4 MiB each: as many as one client opens at once. Others use the cache. */
  pastCacheFilesMax: 8,
  /** Bytes that one writev carries at most; larger gains nothing and delays the acknowledgements. */
  writeSizeBytesMax: 2 * mebibyte,
} as const;

export type SftpLimits = { readonly [Name in keyof typeof sftpLimits]: number };
