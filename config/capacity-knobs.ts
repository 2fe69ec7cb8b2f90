/**
 * The settings of a larger machine, a smaller one, or a house with other rules: how much at once, how long, how often. What
 * has no setting is listed by `tideline check-config --fixed`.
 */
import { apiConnectionsMax, backgroundConnectionsMax } from "./connections.ts";
import { knob } from "./knob.ts";
import { integer, postgresSettings } from "./knob-values.ts";
import { auditDays } from "./landing.ts";
import { documentDays, reportThreads } from "./reports.ts";
import { loadAttemptsMax, recognitionThreads } from "./staging.ts";

const mebibyte = 1024 * 1024;

export const capacityKnobs = {
  apiConnections: knob({
    environment: "TIDELINE_API_CONNECTIONS",
    unit: "connections",
    byDefault: apiConnectionsMax,
    parse: integer(2, 1000),
    reason:
      "Statements of an API process's callers at once; each takes a millisecond or two, so ten serve thousands a second.",
  }),
  backgroundConnections: knob({
    environment: "TIDELINE_BACKGROUND_CONNECTIONS",
    unit: "connections",
    byDefault: backgroundConnectionsMax,
    parse: integer(8, 1000),
    reason: "Of each process for all that is not a caller's: stages, rounds, the audit trail.",
  }),
  recognitionThreads: knob({
    environment: "TIDELINE_RECOGNITION_THREADS",
    unit: "threads",
    byDefault: recognitionThreads,
    parse: integer(1, 64),
    reason:
      "Of a worker, each recognising users of its own over two connections, budgets between them; more where nights are too short and cores idle.",
  }),
  reportThreads: knob({
    environment: "TIDELINE_REPORT_THREADS",
    unit: "threads",
    byDefault: reportThreads,
    parse: integer(1, 16),
    reason: "Reports made at once; each takes a second of one processor.",
  }),
  threadMemoryBytes: knob({
    environment: "TIDELINE_THREAD_MEMORY_BYTES",
    unit: "bytes",
    byDefault: 1024 * mebibyte,
    parse: integer(256 * mebibyte, 64 * 1024 * mebibyte),
    reason:
      "What a thread's objects may take before that thread alone is ended; some hundred MiB are usual. Buffers come on top.",
  }),
  loadAttempts: knob({
    environment: "TIDELINE_LOAD_ATTEMPTS",
    unit: "attempts",
    byDefault: loadAttemptsMax,
    parse: integer(1, 1000),
    reason:
      "A delivery that fails so often for a reason of its own, without a record in between, is given up until somebody retries it.",
  }),
  answersSeconds: knob({
    environment: "TIDELINE_ANSWERS_SECONDS",
    unit: "seconds",
    byDefault: 8,
    parse: integer(1, 120),
    reason:
      "A statement for a caller that takes longer is ended and answered 503; well below the half minute after which common clients give up.",
  }),
  stopSeconds: knob({
    environment: "TIDELINE_STOP_SECONDS",
    unit: "seconds",
    byDefault: 10,
    parse: integer(1, 3600),
    reason:
      "Calls and uploads under way when a process stops may end within this. Its supervisor should wait half a minute longer before it kills.",
  }),
  httpsKeepAliveSeconds: knob({
    environment: "TIDELINE_HTTPS_KEEP_ALIVE_SECONDS",
    unit: "seconds",
    byDefault: 72,
    parse: integer(1, 3600),
    reason:
      "How long a connection may say nothing between two calls; longer than the idle time of the load balancer in front (60 s is usual), or some of its calls fail.",
  }),
  httpsRequestSeconds: knob({
    environment: "TIDELINE_HTTPS_REQUEST_SECONDS",
    unit: "seconds",
    byDefault: 60,
    parse: integer(1, 3600),
    reason: "Within what a request must have come as a whole; the largest one needs 0.4 MiB/s for that.",
  }),
  sftpIdleMinutes: knob({
    environment: "TIDELINE_SFTP_IDLE_MINUTES",
    unit: "minutes",
    byDefault: 15,
    parse: integer(1, 1440),
    reason: "A session without a request for so long ends; people come back within it, forgotten sessions go.",
  }),
  sftpConnectionHours: knob({
    environment: "TIDELINE_SFTP_CONNECTION_HOURS",
    unit: "hours",
    byDefault: 24,
    parse: integer(1, 720),
    reason: "The longest life of an SFTP connection, whatever it does.",
  }),
  sftpLoginSeconds: knob({
    environment: "TIDELINE_SFTP_LOGIN_SECONDS",
    unit: "seconds",
    byDefault: 30,
    parse: integer(5, 600),
    reason: "From an SFTP connection's beginning to its login; a signature by a hardware token takes some.",
  }),
  notificationHours: knob({
    environment: "TIDELINE_NOTIFICATION_HOURS",
    unit: "hours",
    byDefault: 72,
    parse: integer(1, 720),
    reason: "A notification is tried for so long: a receiver that is away from Friday to Monday misses nothing.",
  }),
  notificationsAtOnce: knob({
    environment: "TIDELINE_NOTIFICATIONS_AT_ONCE",
    unit: "calls",
    byDefault: 8,
    parse: integer(1, 256),
    reason: "Calls to one partner's receiver at once; of one user always one after the other.",
  }),
  auditDays: knob({
    environment: "TIDELINE_AUDIT_DAYS",
    unit: "days",
    byDefault: auditDays,
    parse: integer(1, 36_500),
    reason:
      "How long the doors' events stay in the audit trail: a year's audit looks back thirteen months. Changes of partners stay for good.",
  }),
  reportDays: knob({
    environment: "TIDELINE_REPORT_DAYS",
    unit: "days",
    byDefault: documentDays,
    parse: integer(1, 3650),
    reason: "How long a report can be fetched; it can be asked for again.",
  }),
  consoleIdleMinutes: knob({
    environment: "TIDELINE_CONSOLE_IDLE_MINUTES",
    unit: "minutes",
    byDefault: 30,
    parse: integer(1, 1440),
    reason: "A console session without a page for so long ends.",
  }),
  consoleSessionHours: knob({
    environment: "TIDELINE_CONSOLE_SESSION_HOURS",
    unit: "hours",
    byDefault: 12,
    parse: integer(1, 168),
    reason: "And after so long in any case: a shift, and a bit.",
  }),
  postgresSettings: knob<Readonly<Record<string, string>>>({
    environment: "TIDELINE_POSTGRES_SETTINGS",
    unit: "list",
    byDefault: {},
    parse: postgresSettings,
    reason:
      "Of the embedded PostgreSQL, beyond what comes with it: shared_buffers=4GB,max_connections=300. Memory, connections, log size, planner and vacuum; nothing of what keeps data safe or logs quiet.",
  }),
} as const;
