/** What is wrong with a request's Host header (RFC 9112, section 3.2). */
import type { IncomingMessage } from "node:http";

/** Null: nothing. Of two, a proxy in front may have gone by the one that is not looked at here. */
export function hostProblem({ rawHeaders, httpVersion }: IncomingMessage): string | null {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length;
  if (hosts > 1) return "has more than one Host header";
  return hosts === 0 && httpVersion === "1.1" ? "has no Host header" : null;
}
