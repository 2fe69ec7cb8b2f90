/** Has connections of named proxies introduced by their PROXY header before the server, or its guard, hears of them. */
import type { Server } from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { introduce, showAs, type Source } from "../../machine/proxy-header.ts";

type Listener = (socket: Socket) => void;

/** To be called when everybody who listens for connections does so already. */
export function introduceConnections(
  server: Server,
  isProxy: (address: string) => boolean,
  refused: (address: string, reason: string) => void,
): void {
  // TLS has a socket of its own, which has the same remote end as the one below it: the proxy's.
  const sources = new Map<string, Source>();
  const listeners = server.listeners("connection") as Listener[];
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    const end = remoteEndOf(socket);
    const passOn = (introduced: Socket) => {
      const { remoteAddress, remotePort } = introduced;
      if (remoteAddress !== undefined && remotePort !== undefined && remoteEndOf(introduced) !== end) {
        sources.set(end, { address: remoteAddress, port: remotePort });
        introduced.once("close", () => sources.delete(end));
      }
      for (const listener of listeners) listener.call(server, introduced);
    };
    introduce(socket, isProxy, passOn, refused);
  });
  server.prependListener("secureConnection", (secure: TLSSocket) => {
    const source = sources.get(remoteEndOf(secure));
    if (source) showAs(secure, source);
  });
}

function remoteEndOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
