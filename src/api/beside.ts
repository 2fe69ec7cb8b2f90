/**
 * What answers beside the API on its listener, below a path of its own: the operators' pages. They share the connections
 * and their guard with the API, and nothing else: headers, errors, limits and figures are each one's own.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Guarded } from "./connections/guard.ts";

export type Beside = {
  /** `/console`: this and whatever is below it. */
  path: string;
  answer(request: IncomingMessage, response: ServerResponse): void;
  /** Ends the answers that last for as long as somebody listens. */
  release(): void;
};

/** To be called when the API itself hears the server's requests already. */
export function answerBeside(
  server: Pick<Server, "listeners" | "removeAllListeners" | "on">,
  beside: Beside,
  guarded: Guarded,
): void {
  const listeners = server.listeners("request") as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners("request");
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (isBelow(request.url ?? "", beside.path))
      return guarded(request, response, () => beside.answer(request, response));
    for (const listener of listeners) listener.call(server, request, response);
  });
}

function isBelow(url: string, path: string): boolean {
  return url.startsWith(path) && ["", "/", "?"].includes(url.charAt(path.length));
}
