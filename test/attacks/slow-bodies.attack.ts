/** Twenty connections send a body at two bytes a second, to a route that knows nobody. How long may they stay? */
import { setTimeout as wait } from "node:timers/promises";
import type { Attack } from "./attack.ts";
import { openTls } from "./pressure/pushing.ts";

const connections = 20;
/** Five seconds are anybody's; some more for a machine that has other work. */
const stayedMs = 14_000;

export const attack: Attack = {
  name: "slow-bodies",
  async succeeds(world) {
    const partner = await world.partner("north");
    const head = `POST /partner/${partner.id}/2.0.0/users HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{`;
    const statuses: string[] = [];
    const sockets = await Promise.all(
      Array.from({ length: connections }, async (_, n) => {
        const socket = await openTls(world, `127.66.5.${n + 1}`);
        socket.on("data", (answer: Buffer) => statuses.push(answer.toString("latin1").slice(9, 12)));
        socket.write(head);
        return socket;
      }),
    );
    const dripping = setInterval(() => {
      for (const socket of sockets) if (!socket.destroyed) socket.write(" ");
    }, 500);
    await wait(stayedMs);
    clearInterval(dripping);
    const open = sockets.filter(({ destroyed }) => !destroyed).length;
    for (const socket of sockets) socket.destroy();
    const told = statuses.filter((status) => status === "408").length;
    return { succeeded: open > 0, seen: `${open} of ${connections} stay for ${stayedMs / 1000} s, ${told} told 408` };
  },
};
