/** The login phase of one connection: attempts are counted, and the whole of it has a time limit. */
import type { AuthContext, Connection } from "ssh2";
import type { Events } from "../../events.ts";
import type { Admitted } from "./admission.ts";
import { authenticate, type AuthenticationOutcome, type FindPartner } from "./authentication.ts";
import type { SftpLimits } from "./limits.ts";

export type LoginSettings = {
  sessionId: string;
  address: string;
  admitted: Admitted;
  findPartner: FindPartner;
  events: Events;
  limits: SftpLimits;
};

/**
 * Attends to a client's login attempts. `onLogin` is called once, before the client is told of its success; after a
 * refusal too many the connection ends. A connection that ends without a login is one event, however many keys it tried.
 */
export function attendLogin(client: Connection, settings: LoginSettings, onLogin: (partnerId: string) => void): void {
  const { sessionId, address, events, limits } = settings;
  let refusals = 0;
  let gone = false;
  let lastRefused: { user: string; reason: string } | undefined;
  const conclude = (attempt: AuthContext, decision: Decision): void => {
    if (gone) return;
    if (decision.outcome === "accepted") {
      lastRefused = undefined;
      onLogin(decision.partnerId);
      events.emit("sftp.login-accepted", { sessionId, address, partnerId: decision.partnerId, fingerprint: decision.fingerprint });
    } else if (decision.outcome === "refused") {
      refusals += 1;
      if (attempt.method !== "none") lastRefused = { user: printable(attempt.username), reason: decision.reason };
    }
    answer(attempt, decision);
    if (refusals >= limits.loginAttemptsMax) client.end();
  };
  client.on("authentication", (attempt: AuthContext) => {
    decide(attempt, settings)
      .then((decision) => conclude(attempt, decision))
      .catch((error: unknown) => {
        events.emit("sftp.failed", { sessionId, error });
        client.end();
      });
  });
  client.once("close", () => {
    gone = true;
    if (lastRefused) events.emit("sftp.login-refused", { sessionId, address, ...lastRefused });
  });
}

type Decision = AuthenticationOutcome | { outcome: "refused"; reason: "session-limit" };

async function decide(attempt: AuthContext, { address, admitted, findPartner }: LoginSettings): Promise<Decision> {
  const decision = await authenticate(attempt, address, findPartner);
  if (decision.outcome === "accepted" && !admitted.logIn(decision.partnerId)) return { outcome: "refused", reason: "session-limit" };
  return decision;
}

function answer(attempt: AuthContext, { outcome }: Decision): void {
  if (outcome === "accepted" || outcome === "key-known") attempt.accept();
  else attempt.reject(["publickey"]);
}

const userLengthMax = 64;

/** A user name comes from a stranger and goes into the log. */
function printable(username: string): string {
  return username.slice(0, userLengthMax).replace(/[^\x20-\x7e]/g, "?");
}
