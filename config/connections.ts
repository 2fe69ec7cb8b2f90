/**
 * Connections to PostgreSQL that one process opens at most, so that a configuration that needs too many is told
 * beforehand.
 */

/** Background work of the main thread: stages, scheduler, audit. */
export const backgroundConnectionsMax = 20;
/** Statements of callers at once; each takes a millisecond or two, so these serve thousands a second. */
export const apiConnectionsMax = 10;
/** Whoever looks at a process: readiness, figures and its beat, each some milliseconds. */
export const observationConnectionsMax = 2;
/**
 * One queue and one worker of BullMQ; of each, one connection listens and the others serve what loads and rounds ask at
 * once.
 */
export const queueConnectionsMax = 4;
/** Of operators: some pages at once, what they write beside them. */
export const consoleConnectionsMax = 6;
/** Of a thread: one carries a load's transactions, the other looks up users and keys meanwhile. */
export const threadConnectionsMax = 2;

/** What the embedded server allows. */
export const embeddedConnectionsMax = 108;
/** PostgreSQL keeps three for its superuser; commands beside a running service take four each. */
const reservedConnections = 11;

/** The login of callers' connections, by which name the database judges (migrations/080_tenant_claims.ts). */
export const callersLogin = "tideline_api";

/** @param threads of all kinds */
export function connectionsNeeded(
  threads: number,
  { backgroundConnections, apiConnections }: { backgroundConnections: number; apiConnections: number },
): number {
  return (
    backgroundConnections +
    apiConnections +
    consoleConnectionsMax +
    observationConnectionsMax +
    2 * queueConnectionsMax +
    threads * threadConnectionsMax +
    reservedConnections
  );
}
