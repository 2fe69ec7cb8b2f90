/** The login phase of one connection: attempts are counted, and the whole of it has a time limit. */
import type { AuthContext, Connection } from "ssh2";
import type { Events } from "../../../events.ts";
import type { SftpPartner } from "../../../partners/keys/sftp-keys.ts";
import type { AuditTrail } from "../../../partners/audit-trail.ts";
import type { Admitted } from "./admission.ts";
import { authenticate, type AuthenticationOutcome, type FindPartner } from "./authentication.ts";
import type { LoginDefence } from "./defence.ts";
import type { SftpLimits } from "../limits.ts";
import type { Negotiation } from "./negotiation.ts";

export type LoginSettings = {
  sessionId: string;
  address: string;
  admitted: Admitted;
  negotiation: Negotiation;
  findPartner: FindPartner;
  defence: LoginDefence;
  audit: Pick<AuditTrail, "record">;
  events: Events;
  limits: SftpLimits;
};

/** One connection's login phase as it goes. */
type Attempts = {
  readonly settings: LoginSettings;
  readonly client: Connection;
  readonly onLogin: (partner: SftpPartner, fingerprint: string) => void;
  refusals: number;
  gone: boolean;
  lastRefused: { user: string; reason: string } | undefined;
};

/**
 * Attends to a client's login attempts. `onLogin` is called once, before the client is told of its success; after a
 * refusal too many the connection ends. A connection that ends without a login is one event, however many keys it
 * tried.
 */
export function attendLogin(client: Connection, settings: LoginSettings, onLogin: Attempts["onLogin"]): void {
  const attempts: Attempts = { settings, client, onLogin, refusals: 0, gone: false, lastRefused: undefined };
  client.on("authentication", (attempt: AuthContext) => {
    attend(attempts, attempt).catch((error: unknown) => {
      settings.events.emit("sftp.failed", { sessionId: settings.sessionId, error });
      client.end();
    });
  });
  client.once("close", () => {
    attempts.gone = true;
    if (attempts.lastRefused) reportRefusal(settings, attempts.lastRefused);
  });
}

async function attend(attempts: Attempts, attempt: AuthContext): Promise<void> {
  const decision = await decide(attempt, attempts.settings);
  if (attempts.gone) return;
  switch (decision.outcome) {
    case "accepted":
      return await accept(attempts, attempt, decision);
    case "key-known":
      return void attempt.accept();
    case "refused":
      return await refuse(attempts, attempt, decision.reason);
  }
}

type Decision = AuthenticationOutcome | { outcome: "refused"; reason: "session-limit" };

async function decide(
  attempt: AuthContext,
  { address, admitted, negotiation, findPartner }: LoginSettings,
): Promise<Decision> {
  const decision = await authenticate(attempt, address, findPartner);
  if (decision.outcome !== "accepted") return decision;
  const { partnerId, quota, legacyMacs } = decision.partner;
  // They were offered because of the address, before it was known who comes from there.
  if (negotiation.usesLegacyMac() && !legacyMacs) return { outcome: "refused", reason: "algorithm-refused" };
  return admitted.logIn(partnerId, quota.sessions) ? decision : { outcome: "refused", reason: "session-limit" };
}

/** No login without its trace: the client is told after that is durable. */
async function accept(
  attempts: Attempts,
  attempt: AuthContext,
  { partner, fingerprint }: Extract<Decision, { outcome: "accepted" }>,
): Promise<void> {
  const { sessionId, address, events, defence, audit } = attempts.settings;
  const { partnerId } = partner;
  attempts.lastRefused = undefined;
  await audit.record(actorOf(partnerId), {
    partnerId,
    event: "sftp.login-accepted",
    details: { address, sessionId, fingerprint },
  });
  defence.succeeded(printable(attempt.username), address);
  if (attempts.gone) return;
  attempts.onLogin(partner, fingerprint);
  events.emit("sftp.login-accepted", { sessionId, address, partnerId, fingerprint });
  attempt.accept();
}

async function refuse(attempts: Attempts, attempt: AuthContext, reason: string): Promise<void> {
  const { settings, client } = attempts;
  attempts.refusals += 1;
  // With "none" a client asks which methods there are.
  if (attempt.method !== "none") {
    attempts.lastRefused = { user: printable(attempt.username), reason };
    await elapsed(await settings.defence.refusalDelayMs(printable(attempt.username), settings.address));
    if (attempts.gone) return;
  }
  attempt.reject(["publickey"]);
  if (attempts.refusals >= settings.limits.loginAttemptsMax) client.end();
}

function reportRefusal(
  { sessionId, address, events, defence, audit }: LoginSettings,
  refused: { user: string; reason: string },
): void {
  const { user, reason } = refused;
  events.emit("sftp.login-refused", { sessionId, address, user, reason });
  // With these two it is not certain that the account is a partner's.
  const partnerId = reason === "user-unknown" || reason === "method-refused" ? null : user;
  const unnamed = defence.name();
  const details = { address, sessionId, user, reason, ...(unnamed ? { refusalsUnnamed: unnamed } : {}) };
  if (unnamed !== null) void audit.record("sftp", { partnerId, event: "sftp.login-refused", details });
  // The key was good.
  if (reason !== "session-limit") defence.failed(user, address);
}

/** As the audit trail calls a logged-in partner. */
export function actorOf(partnerId: string): string {
  return `sftp:${partnerId}`;
}

async function elapsed(durationMs: number): Promise<void> {
  if (durationMs > 0) await new Promise<void>((resolve) => setTimeout(resolve, durationMs));
}

const userLengthMax = 64;

/** A user name comes from a stranger and goes into the log. */
function printable(username: string): string {
  return username.slice(0, userLengthMax).replace(/[^\x20-\x7e]/g, "?");
}
