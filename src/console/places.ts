/**
 * The connections of a listener that is the console's own. Whoever reaches it may open as many as there are places and say
 * nothing: the oldest of those that have asked nothing as somebody who is signed in then makes room, so that an operator
 * gets in, and whoever works stays.
 */
import type { Socket } from "node:net";

/** Some below what the server takes in all: who comes is let in before one is ended. */
export const placesMax = 480;

export type Places = {
  take(socket: Socket): void;
  /** Somebody who is signed in asks on it. @param socket the connection's, of whichever layer */
  keep(socket: Socket): void;
};

export function openPlaces(most = placesMax): Places {
  /** In the order in which they came. */
  const unproven = new Map<string, Socket>();
  const kept = new Set<string>();
  return {
    take(socket) {
      const name = nameOf(socket);
      unproven.set(name, socket);
      socket.once("close", () => {
        unproven.delete(name);
        kept.delete(name);
      });
      if (unproven.size + kept.size <= most) return;
      const [oldest] = unproven.values();
      // Its place is free at once; the close is told later.
      if (oldest) unproven.delete(nameOf(oldest));
      oldest?.destroy();
    },
    keep(socket) {
      const name = nameOf(socket);
      if (unproven.delete(name)) kept.add(name);
    },
  };
}

/** The layer of TLS tells the same of its caller as the connection below. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
