/** What a session leaves in the audit trail. */

/** Writes into the audit trail what happened in the session; names of files belong there, and not into the log. */
export type Audit = (event: string, details: Readonly<Record<string, unknown>>) => void;
