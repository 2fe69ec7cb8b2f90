/**
 * Whoever reaches the console's port opens more connections than it has places for, says nothing on them, and opens new
 * ones as they end. Can an operator no longer sign in, or is one who works thrown out?
 */
import { connect, type Socket } from "node:net";
import type { Attack } from "./attack.ts";
import { signedIn, townOf } from "./console.ts";

const silent = 700;

export const attack: Attack = {
  name: "console-silent",
  async succeeds(world) {
    const { tokens } = await townOf(world);
    const works = await signedIn(world, world.victim, tokens.operator);
    let isOver = false;
    let opened = 0;
    const held = new Set<Socket>();
    const hold = () => {
      if (isOver) return;
      opened += 1;
      const socket = connect({ host: "127.0.0.1", port: world.service.consolePort, localAddress: world.attacker });
      held.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => {
        held.delete(socket);
        setTimeout(hold, 200);
      });
    };
    for (let n = 0; n < silent; n += 1) hold();
    await new Promise((later) => setTimeout(later, 3000));
    try {
      const problems: string[] = [];
      await signedIn(world, world.victim, tokens.viewer).catch((error: unknown) =>
        problems.push(`nobody gets in: ${String(error)}`),
      );
      const page = await works.get("/console").catch((error: unknown) => ({ status: String(error) }));
      if (page.status !== 200) problems.push(`who worked was answered with ${page.status}`);
      return {
        succeeded: problems.length > 0,
        seen: problems.join("; ") || `${opened} opened, ${held.size} held, and everybody was let in`,
      };
    } finally {
      isOver = true;
      for (const socket of held) socket.destroy();
    }
  },
};
