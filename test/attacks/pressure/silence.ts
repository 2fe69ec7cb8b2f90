/** Connections to the SFTP door that say nothing, each from an address of its own, opened anew when they are cut. */
import { connect, type Socket } from "node:net";
import type { World } from "../attack.ts";

const connections = 1000;

export async function stayBeforeLogin(world: World): Promise<() => Promise<string>> {
  const until = { stopped: false };
  let cut = 0;
  const open = new Set<Socket>();
  const keep = (n: number) => {
    if (until.stopped) return;
    const from = `127.67.${Math.floor(n / 250)}.${(n % 250) + 1}`;
    const socket = connect({ host: "127.0.0.1", port: world.service.sftpPort, localAddress: from });
    open.add(socket);
    socket.on("error", () => undefined).resume();
    socket.once("close", () => {
      open.delete(socket);
      cut += 1;
      if (!until.stopped) setTimeout(() => keep(n), 200);
    });
  };
  for (let n = 0; n < connections; n += 1) keep(n);
  await new Promise((resolve) => setTimeout(resolve, 2000));
  return async () => {
    until.stopped = true;
    const held = open.size;
    for (const socket of open) socket.destroy();
    return `${held} of ${connections} held, ${cut} cut`;
  };
}
