/**
 * Browsers in a process of their own: each has *Today* open and hears its live part; when something changed it asks for
 * what it does not have, as the page's script does (src/console/assets/console.js).
 */
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { setTimeout as wait } from "node:timers/promises";

export type Sessions = { port: number; ca: string; cookies: string[] };
/** bytes: of what open pages were sent, the first of each left out. */
export type Heard = { streams: number; pages: number; bytes: number; firstBytes: number };

const betweenMs = 2000;
const nothing: Heard = { streams: 0, pages: 0, bytes: 0, firstBytes: 0 };
let heard: Heard = { ...nothing };
let open: IncomingMessage[] = [];

process.on("message", (message: Sessions | "stop") => {
  if (message === "stop") {
    for (const stream of open) stream.destroy();
    open = [];
    process.send?.(heard);
    heard = { ...nothing };
    return;
  }
  void Promise.all(message.cookies.map((cookie) => listen(message, cookie))).then(
    () => process.send?.("open"),
    () => process.send?.("failed"),
  );
});

async function listen(sessions: Sessions, cookie: string): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  heard.firstBytes = Buffer.byteLength(await ask(sessions, agent, cookie, "/console"));
  const stream = await answered(sessions, agent, cookie, "/console/live");
  open.push(stream);
  heard.streams += 1;
  let marks: string[] = [];
  const renew = async () => {
    const text = await ask(sessions, agent, cookie, "/console", { "x-console-live": marks.join("") || "none" });
    const { pieces } = JSON.parse(text) as { pieces?: (string | [string, string])[] };
    if (pieces) marks = pieces.map((piece) => (typeof piece === "string" ? piece : piece[0]));
    return Buffer.byteLength(text);
  };
  await renew();
  let isDue = false;
  let isRunning = false;
  const work = async () => {
    if (isRunning) return;
    isRunning = true;
    while (isDue && !stream.destroyed) {
      isDue = false;
      heard.bytes += await renew();
      heard.pages += 1;
      await wait(betweenMs);
    }
    isRunning = false;
  };
  stream.on("data", (piece: Buffer) => {
    if (!piece.toString().includes("event: change")) return;
    isDue = true;
    work().catch(() => undefined);
  });
  stream.on("close", () => agent.destroy());
  stream.on("error", () => undefined);
}

async function ask(
  sessions: Sessions,
  agent: Agent,
  cookie: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<string> {
  const response = await answered(sessions, agent, cookie, path, headers);
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece as Buffer);
  if (response.statusCode !== 200) throw new Error(`${path} was answered with ${response.statusCode}`);
  return Buffer.concat(pieces).toString("utf8");
}

function answered(
  { port, ca }: Sessions,
  agent: Agent,
  cookie: string,
  path: string,
  more: Record<string, string> = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const call = request({
      host: "127.0.0.1",
      port,
      ca,
      servername: "localhost",
      path,
      headers: { cookie, ...more },
      agent,
    });
    call.once("response", resolve);
    call.once("error", reject);
    call.end();
  });
}
