/** Whether clients that trust an authority would take the certificate that a door shows. */
import { isIP } from "node:net";
import { connect } from "node:tls";
import { hostnameOf } from "../addresses.ts";

/**
 * vouched: they would; public: clients take it without that authority, by those that the system knows; not vouched: they
 * would refuse the door; away: nobody answers there.
 */
export type Vouching =
  | { kind: "vouched" }
  | { kind: "public" }
  | { kind: "not vouched"; reason: string }
  | { kind: "away"; reason: string };

const answerWithinMs = 5000;

/** Asks the door itself, twice at most. @param authority PEM */
export async function whoVouches(baseUrl: string, authority: string): Promise<Vouching> {
  const found = await shakeHands(baseUrl, authority);
  if (found.kind !== "not vouched") return found;
  return (await shakeHands(baseUrl, null)).kind === "vouched" ? { kind: "public" } : found;
}

/** @param authority null: those that the system knows */
async function shakeHands(baseUrl: string, authority: string | null): Promise<Exclude<Vouching, { kind: "public" }>> {
  const [host, port] = [hostnameOf(baseUrl), Number(new URL(baseUrl).port || 443)];
  return await new Promise((resolve) => {
    let hasConnected = false;
    const name = isIP(host) === 0 ? { servername: host } : {};
    const socket = connect({ host, port, ...name, ...(authority === null ? {} : { ca: authority }) });
    const end = (found: Exclude<Vouching, { kind: "public" }>): void => {
      socket.destroy();
      resolve(found);
    };
    socket.setTimeout(answerWithinMs, () => end({ kind: "away", reason: "no answer in time" }));
    socket.once("connect", () => (hasConnected = true));
    socket.once("secureConnect", () => end({ kind: "vouched" }));
    socket.once("error", (error) => end({ kind: judged(error, hasConnected), reason: error.message }));
  });
}

/** A certificate is judged once there is a connection; one that broke off says nothing of it. */
function judged(error: NodeJS.ErrnoException, hasConnected: boolean): "not vouched" | "away" {
  return hasConnected && error.code !== "ECONNRESET" ? "not vouched" : "away";
}
