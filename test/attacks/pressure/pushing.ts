/** Callers without a credential who let the door open batches: one again and again, or fresh ones. */
import { createPublicKey, randomUUID } from "node:crypto";
import { once } from "node:events";
import { type Socket, connect as connectSocket } from "node:net";
import { connect } from "node:tls";
import type { Partner } from "../../outside/partner.ts";
import type { World } from "../attack.ts";
import { compress, largestContent, largestToken, ownUser, seal } from "./bombs.ts";

const callers = 64;

/** One that was accepted, with the same bytes. */
export async function replay(world: World): Promise<() => Promise<string>> {
  const partner = await world.partner("mallory");
  const body = JSON.stringify({ reqId: randomUUID(), txs: await largestToken(partner, await ownUser(partner)) });
  return await keepPushing(
    world,
    partner.id,
    () => world.attacker,
    () => body,
  );
}

/** Fresh ones: only opening them tells that they are nothing. */
export async function pushGarbage(world: World): Promise<() => Promise<string>> {
  const partner = await world.partner("mallory");
  const garbage = await garbageOf(partner);
  return await keepPushing(world, partner.id, (caller) => `127.66.7.${caller + 1}`, garbage);
}

/** Anyone may write a partner's name into the path. */
export async function pushInNameOf(world: World, neighbour: Partner): Promise<() => Promise<string>> {
  const garbage = await garbageOf(neighbour);
  return await keepPushing(world, neighbour.id, (caller) => `127.66.8.${caller + 1}`, garbage);
}

/** As cheap for its sender as can be: the content is deflated once, and only sealed anew. */
async function garbageOf(partner: Partner): Promise<() => string> {
  const key = await partner.batchKey();
  const publicKey = createPublicKey({ key, format: "jwk" });
  const compressed = compress(largestContent("nobody"));
  return () => JSON.stringify({ reqId: randomUUID(), txs: seal(publicKey, key.kid, compressed) });
}

/** Each caller pushes as soon as it was answered; whoever is cut or cannot get in tries again. */
async function keepPushing(
  world: World,
  partnerId: string,
  from: (caller: number) => string,
  body: () => string,
): Promise<() => Promise<string>> {
  const until = { stopped: false };
  const answers = new Map<string, number>();
  const note = (what: string) => answers.set(what, (answers.get(what) ?? 0) + 1);
  const sockets = new Set<Socket>();
  const call = async (caller: number) => {
    const socket = await openTls(world, from(caller));
    sockets.add(socket);
    try {
      while (!until.stopped) note((await post(socket, partnerId, body())).slice(9, 12));
    } finally {
      sockets.delete(socket);
      socket.destroy();
    }
  };
  const loop = async (caller: number) => {
    while (!until.stopped) {
      await call(caller).catch(() => note("cut"));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const loops = Array.from({ length: callers }, (_, caller) => loop(caller));
  return async () => {
    until.stopped = true;
    for (const socket of sockets) socket.destroy();
    await Promise.all(loops);
    return `answers ${[...answers].map(([what, times]) => `${what}: ${times}`).join(", ")}`;
  };
}

/** @param from an address of 127.0.0.0/8 */
export async function openTls(world: World, from: string): Promise<Socket> {
  const raw = connectSocket({ host: "127.0.0.1", port: world.service.httpsPort, localAddress: from, noDelay: true });
  raw.on("error", () => undefined);
  const socket = connect({ socket: raw, ca: world.authority, servername: "localhost" });
  socket.on("error", () => undefined);
  const gone = once(raw, "close").then(() => Promise.reject(new Error("no connection")));
  gone.catch(() => undefined);
  await Promise.race([once(socket, "secureConnect"), gone]);
  return socket;
}

async function post(socket: Socket, partnerId: string, body: string): Promise<string> {
  const head = `POST /partner/${partnerId}/2.0.0/transactions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  const answered = new Promise<string>((resolve, reject) => {
    let text = "";
    const done = (error?: Error) => {
      socket.off("data", take).off("close", closed);
      if (error) reject(error);
      else resolve(text);
    };
    const closed = () => done(new Error("cut"));
    const take = (piece: Buffer) => {
      text += piece.toString("latin1");
      const [, fields, rest = ""] = /^(.*?)\r\n\r\n(.*)$/s.exec(text) ?? [];
      if (fields !== undefined && rest.length >= Number(/^content-length: (\d+)/im.exec(fields)?.[1] ?? 0)) done();
    };
    socket.on("data", take).once("close", closed);
  });
  socket.write(head + body, "latin1");
  return await answered;
}
